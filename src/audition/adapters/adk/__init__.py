"""Google ADK's events, as ADK and kagent store them.

* `session`: the events of a session to ours
* `turns`, `calls`: how a turn stands; which return is of which call, and how it ended
* `frames`, `parts`: one event in any spelling as one value, and what its content holds
* `rows`, `a2a`: from what wraps events to the events; tasks of A2A to the events they were made of
* `casing`: the names of fields in one spelling
"""
