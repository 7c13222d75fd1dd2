"""Our applications' policy: fixtures, contracts, runtime factories. Not part of the library."""
