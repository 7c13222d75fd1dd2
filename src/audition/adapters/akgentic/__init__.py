"""Akgentic's events, as the framework dumps them, its server sends them and its stores keep them.

* `session`: the messages of a team to ours
* `model_runs`: what a model said and called, out of the events that messages carry
* `turns`: which turn each event belongs to, and how it ended
* `frames`: one message in any wrapper, as one value
"""
