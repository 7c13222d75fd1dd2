"""Measurements, apart from the tests: `make bench`."""
