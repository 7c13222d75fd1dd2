"""Google ADK's events, as ADK and kagent store them.

* `session`: the events of a session to ours
* `frames`: one event in any spelling, as one value
"""
