"""Context variables across actor threads.

An actor's thread does not see the context of who sent it a message, so spans made there leave the
case's tree. An application whose mailboxes carry objects can attach the sender's context to a
message and run its handler in a copy; a remote message needs correlation ids instead.
"""

from collections.abc import Callable
from contextvars import Context, copy_context
from weakref import ref

# By identity: messages may be equal to each other, or not hashable.
_contexts: dict[int, tuple[ref[object], Context]] = {}


def attach_context(message: object) -> None:
    """Remember the current context for a message that is about to be sent.

    The context is kept beside the message, not in it, so that no form of the message shows it.
    The first one counts: a message that is forwarded keeps the context of its origin.

    Raises:
        TypeError: The message cannot be weakly referenced (a dict, a string, a tuple).

    """
    key = id(message)
    if key not in _contexts:
        forget = ref(message, lambda _: _contexts.pop(key, None))
        _contexts[key] = (forget, copy_context())


def run_in_context[Result](message: object, handler: Callable[[], Result]) -> Result:
    """Run the handler of a message in a fresh copy of its context, or plainly where it has none.

    A copy, since one context cannot be entered twice at once, and a broadcast is handled by
    several agents at the same time.
    """
    _, context = _contexts.get(id(message), (None, None))
    return handler() if context is None else context.copy().run(handler)
