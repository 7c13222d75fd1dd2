"""Calls to what may be plain or a coroutine."""

import asyncio
import threading
from functools import partial

import pytest

from audition.calls import invoke, is_coroutine_method


def plain(*arguments: object) -> tuple[object, ...]:
    return (threading.current_thread().name, *arguments)


async def coroutine(*arguments: object) -> tuple[object, ...]:
    return (threading.current_thread().name, *arguments)


class Callable:
    async def __call__(self, *arguments: object) -> tuple[object, ...]:
        return await coroutine(*arguments)


def returns_awaitable(*arguments: object) -> object:
    return coroutine(*arguments)


class AnswersEverything:
    """A proxy, as that of a remote procedure, which has an attribute of any name."""

    def __getattr__(self, name: str) -> object:
        return AnswersEverything()

    def __call__(self) -> None: ...


@pytest.mark.parametrize(
    ("method", "is_coroutine"),
    [
        (AnswersEverything(), False),
        (plain, False),
        (coroutine, True),
        (partial(coroutine, 1), True),
        (partial(plain, 1), False),
        (Callable(), True),
        (returns_awaitable, False),
        (print, False),
    ],
    ids=["proxy", "plain", "async", "partial async", "partial", "callable", "awaitable", "builtin"],
)
def test_a_coroutine_method_is_told_apart(method: object, is_coroutine: bool) -> None:  # noqa: FBT001  # a parameter of the test
    assert callable(method)
    assert is_coroutine_method(method) == is_coroutine


def test_a_plain_method_runs_in_a_thread_of_ours() -> None:
    assert asyncio.run(invoke(plain, 1, 2)) == ("audition-worker", 1, 2)


def test_a_coroutine_runs_on_the_loop() -> None:
    assert asyncio.run(invoke(Callable(), 1)) == ("MainThread", 1)


def test_what_a_plain_method_returns_is_awaited_on_the_loop() -> None:
    assert asyncio.run(invoke(returns_awaitable, 1)) == ("MainThread", 1)
