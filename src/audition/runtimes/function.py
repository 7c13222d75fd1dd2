"""Any callable from a message to an answer, as a team of one: no class to write."""

import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from itertools import count
from typing import cast

from pydantic_core import to_jsonable_python

from audition.calls import invoke
from audition.errors import tell_error
from audition.events import (
    HUMAN,
    AgentFailed,
    EventHandler,
    MessageHandled,
    MessageSent,
    MessageType,
)
from audition.inputs import CaseInput, ConversationTurn
from audition.output import RuntimeCapabilities
from audition.runtime import TeamRuntime
from audition.values import text_of, writable_json

type Answer = Callable[[str], object | Awaitable[object]]


class FunctionRuntime:
    """Calls a function with each message; what it returns is the answer.

    A plain function runs in a daemon thread, a coroutine function on the loop. A string is the
    answer as it is, None is no answer, and anything else is answered as JSON; a generator is an
    error.

    Args:
        function: From a message to an answer.
        agent: The name under which it answers.

    """

    def __init__(self, function: Answer, *, agent: str = "@Agent") -> None:
        self._function = function
        self._agent = agent
        self._handler: EventHandler | None = None
        self._numbers = count()
        self.source = f"function {getattr(function, '__qualname__', type(function).__name__)}"

    @property
    def capabilities(self) -> RuntimeCapabilities:
        """One caller, one answer: everything but what happens inside the function is known."""
        return RuntimeCapabilities(
            request_correlation=True,
            isolated_execution=True,
            trace_context=True,
            actor_quiescence=True,
            causes=True,
        )

    async def start(self, event_handler: EventHandler) -> None:
        """Remember the handler."""
        self._handler = event_handler

    async def send(self, turn: ConversationTurn) -> None:
        """Call the function and report its answer, or what it raised."""
        if self._handler is None:
            return
        agent = turn.target or self._agent
        message_id = f"message-{next(self._numbers)}"
        self._handler(_message(HUMAN, agent, turn.message, message_id=message_id))
        try:
            answer = await invoke(self._function, turn.message)
            _refuse_iterator(answer)
        except Exception as error:  # noqa: BLE001  # the user's own agent: its error is its outcome
            told = tell_error(error)
            self._handler(AgentFailed(at=time.time(), agent=agent, cause_id=message_id, error=told))
        else:
            if answer is not None:
                reply = _message(agent, HUMAN, _text(answer), cause_id=message_id)
                self._handler(reply)
        self._handler(MessageHandled(at=time.time(), agent=agent, message_id=message_id))

    async def settled(self) -> None:
        """Return at once: the function has returned when `send` does."""

    async def shutdown(self) -> None:
        """Do nothing: a function holds nothing."""


class FunctionFactory:
    """Makes the runtime of a function for every case.

    Args:
        function: From a message to an answer; called by every case, so it must keep no state.
        agent: The name under which it answers.

    """

    def __init__(self, function: Answer, *, agent: str = "@Agent") -> None:
        self._function = function
        self._agent = agent

    @asynccontextmanager
    async def runtime(self, inputs: CaseInput) -> AsyncGenerator[TeamRuntime]:
        """Yield a runtime of its own for the case."""
        del inputs
        yield FunctionRuntime(self._function, agent=self._agent)


def _message(
    sender: str,
    recipient: str,
    content: str,
    *,
    message_id: str | None = None,
    cause_id: str | None = None,
) -> MessageSent:
    return MessageSent(
        at=time.time(),
        agent=sender,
        recipient=recipient,
        content=content,
        message_id=message_id,
        cause_id=cause_id,
        message_type=MessageType.REQUEST if sender == HUMAN else MessageType.RESPONSE,
    )


def _refuse_iterator(answer: object) -> None:
    """Refuse what nobody has run yet: it would be told as an object's name, or read in part."""
    if isinstance(answer, (Iterator, AsyncIterator)):
        kind = type(cast("object", answer)).__name__
        msg = f"the function returned a {kind}; wanted the whole answer, a string"
        raise TypeError(msg)


def _text(answer: object) -> str:
    if isinstance(answer, str):
        return answer
    try:
        plain = to_jsonable_python(answer, fallback=repr)
    except ValueError:  # bytes that are no text, a circle, a model that cannot be written
        plain = answer
    return text_of(writable_json(plain))
