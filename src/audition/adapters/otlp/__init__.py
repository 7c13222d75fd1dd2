"""Traces of OpenTelemetry: OTLP JSON, Jaeger JSON and bare spans, with GenAI attributes or ADK's.

* `session`: the spans of a record to our events
* `exchanges`: what models asked tools for and were told, and which span ran it
* `turns`: which spans are one turn, who acted in them, and what is missing
* `messages`: what a model was told and what it said, in whichever attributes or events
* `frames`: spans and log records out of their envelopes, whatever their spelling
* `attributes`: the values of attributes, and points in time
"""
