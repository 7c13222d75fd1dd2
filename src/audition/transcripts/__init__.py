"""A conversation recorded message by message, as events: for adapters whose source is one.

No foreign word is known here.

* `telling`: the frames of a conversation as events
* `parts`: what an adapter reads of a message
* `calls`: which call a result is of
* `events`: the events of a call, and the end of a turn: as the records of every runtime have them
"""
