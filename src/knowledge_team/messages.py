"""What actors send to each other. Plain values; the context travels with them, unserialised."""

from collections.abc import Callable
from contextvars import Context, copy_context
from enum import StrEnum
from typing import Any
from uuid import uuid4

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr


class MessageType(StrEnum):
    """What a message is for."""

    REQUEST = "request"
    RESPONSE = "response"
    NOTIFICATION = "notification"


def _new_id() -> str:
    return uuid4().hex


class Message(BaseModel):
    """One message between two members of a team. Making it captures the maker's context.

    Attributes:
        sender: Who wrote it.
        recipient: Who it is for.
        message_type: What it is for.
        content: Its text.
        cause_id: The id of the message that was being handled, None where a person began.
        message_id: Its own id.

    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    sender: str
    recipient: str
    message_type: MessageType
    content: str
    cause_id: str | None = None
    message_id: str = Field(default_factory=_new_id)
    _context: Context = PrivateAttr(default_factory=copy_context)

    def __getstate__(self) -> dict[Any, Any]:
        """Return what is pickled: all but the context, which belongs to this process alone."""
        return {**super().__getstate__(), "__pydantic_private__": None}

    def __setstate__(self, state: dict[Any, Any]) -> None:
        """Take what was pickled; its context is that of whoever reads it."""
        super().__setstate__({**state, "__pydantic_private__": {"_context": copy_context()}})

    def in_context[T](self, call: Callable[[], T]) -> T:
        """Return what the call returns, run in a fresh copy of the sender's context.

        A copy, because one Context cannot be entered twice at once.
        """
        return self._context.copy().run(call)
