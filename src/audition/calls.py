"""Calls to methods that may be plain or coroutines."""

import inspect
from collections.abc import Callable
from functools import partial
from types import CodeType
from typing import Any

from audition.daemon_threads import run_plain


def is_coroutine_method(method: Callable[..., object]) -> bool:
    """Return whether calling it gives a coroutine: such a call belongs on the loop."""
    code = getattr(method, "__code__", None)
    if isinstance(code, CodeType) and code.co_flags & inspect.CO_COROUTINE:
        return True  # nearly always; what is asked below takes ten times as long
    target = method.func if isinstance(method, partial) else method
    return inspect.iscoroutinefunction(target) or inspect.iscoroutinefunction(
        getattr(target, "__call__", None)  # noqa: B004  # the method itself is wanted
    )


async def invoke(
    method: Callable[..., Any], *arguments: object, on_late: Callable[[], None] | None = None
) -> Any:
    """Call a method that may be plain or a coroutine, the plain one in a daemon thread.

    Args:
        method: What to call.
        arguments: Its positional arguments.
        on_late: Run in a thread when a plain method ends after it was given up.

    """
    if is_coroutine_method(method):
        return await method(*arguments)
    result = await run_plain(partial(method, *arguments), on_late=on_late)
    return await result if inspect.isawaitable(result) else result
