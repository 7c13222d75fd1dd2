"""Chats in the form of OpenAI's API and its relatives, as our events.

* `chat`: the messages of a chat, or the items of a response, to ours
* `messages`: one message in any spelling, as the parts of a conversation
* `wrappers`: what messages come in, and what it says of all of them
* `blocks`: what stands in the content of a message
"""
