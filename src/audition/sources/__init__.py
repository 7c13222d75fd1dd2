"""Where recorded sessions are read from; each module knows one kind of place and no other.

* `source`: what a source can do, and what it gives
* `files`: JSON, JSON Lines and YAML, and standard input; `frames`: what stands in them
* `tables`, `sqlite`, `postgres`, `kubectl`: the tables of ADK and kagent, and three ways to them
* `kagent_rest`: kagent's HTTP interface
* `bounded_http`, `bounded_process`: one question to a server or to a program, in bounds
* `addresses`: from what a user writes to a source
"""
