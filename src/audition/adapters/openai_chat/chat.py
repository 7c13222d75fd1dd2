"""Chats in the form of OpenAI's API and its relatives, to ours. No I/O, no vendor, no exception.

Chat messages of OpenAI, of Anthropic with blocks for tools, and of LangChain; items of the
Responses API and of kagent's recordings of it; and what these come in. An assistant without a name
is the agent "assistant". A result ends its call as its message says (`status`, `is_error`, an
envelope of MCP, the prefixes of `audition.trajectory`), whatever its words say.
"""

from collections.abc import Iterable
from itertools import islice

from pydantic import JsonValue

from audition.adaptation import Adapted
from audition.adapters.openai_chat.blocks import fields
from audition.adapters.openai_chat.messages import MessageReader, is_item, role_of
from audition.adapters.openai_chat.wrappers import unwrapped
from audition.transcripts.telling import adapt_transcript

_LOOKED_AT = 5
"""Messages of one value that are looked at to know it: a chat may begin with anything."""


def adapt_openai_chat(frames: Iterable[JsonValue]) -> Adapted:
    """Return the events of a chat; never raises on any JSON."""
    reader = MessageReader()
    return adapt_transcript(
        [reader.read(index, frame) for index, frame in enumerate(unwrapped(frames))]
    )


def is_openai_chat(frame: JsonValue) -> bool:
    """Return whether one value is a message of a chat, an item of a response, or holds some."""
    first = islice(unwrapped([frame]), _LOOKED_AT)
    return any(role_of(record) is not None or is_item(record) for record in map(fields, first))
