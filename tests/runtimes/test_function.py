"""Any callable is a team of one."""

import asyncio
import re
import threading
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from functools import partial

import pytest
from pydantic import BaseModel

from audition.events import MessageHandled
from audition.inputs import CaseInput, ConversationTurn
from audition.run_case import run_case_with_factory
from audition.runtimes.function import FunctionFactory, FunctionRuntime
from tests.teams import ask, hold


def shout(message: str) -> str:
    return message.upper()


async def whisper(message: str) -> str:
    await asyncio.sleep(0)
    return message.lower()


class Weather(BaseModel):
    city: str
    degrees: int


@dataclass
class Pair:
    left: object
    right: object


class Loop:
    """Is one of its own parts."""

    def __repr__(self) -> str:
        return "Loop()"


def test_what_a_plain_function_returns_is_the_answer() -> None:
    assert hold(ask("Hi"), FunctionRuntime(shout)).final_response == "HI"


def test_what_a_coroutine_function_returns_is_the_answer() -> None:
    assert hold(ask("Hi"), FunctionRuntime(whisper)).final_response == "hi"


def test_a_plain_function_may_return_an_awaitable() -> None:
    assert hold(ask("Hi"), FunctionRuntime(lambda text: whisper(text * 1))).final_response == "hi"


def test_a_plain_function_runs_in_a_daemon_thread() -> None:
    output = hold(ask("q"), FunctionRuntime(lambda _: str(threading.current_thread().daemon)))
    assert output.final_response == "True"


def test_anything_but_text_is_answered_as_json() -> None:
    output = hold(ask("q"), FunctionRuntime(lambda _: Weather(city="Ä", degrees=3)))
    assert output.final_response == '{"city":"Ä","degrees":3}'


def test_what_json_cannot_hold_is_answered_as_its_text() -> None:
    output = hold(ask("q"), FunctionRuntime(lambda _: {"of": Loop(), "raw": b"\xff"}))
    assert output.final_response == '{"of":"Loop()","raw":"�"}'


def test_a_circle_is_answered_as_far_as_it_is_bounded() -> None:
    circle: list[object] = []
    circle.append(circle)
    output = hold(ask("q"), FunctionRuntime(lambda _: circle))
    assert "nested too deep" in (output.final_response or "")


def test_a_lone_surrogate_in_an_answer_does_not_lose_it() -> None:
    assert hold(ask("q"), FunctionRuntime(lambda _: "a\ud800b")).final_response == "a�b"


def test_none_is_no_answer() -> None:
    output = hold(ask("q"), FunctionRuntime(lambda _: None))
    assert (output.final_response, output.completion_reason) == (None, "quiescent")


def test_what_a_function_raises_is_the_failure_of_its_agent() -> None:
    def broken(message: str) -> str:
        msg = f"cannot\nanswer {message}"
        raise LookupError(msg)

    output = hold(ask("q"), FunctionRuntime(broken, agent="@Desk"))
    assert re.fullmatch(
        r"@Desk: LookupError: cannot answer q \(test_function.py:\d+\)", output.errors[0]
    )
    assert output.completion_reason == "error"


def test_the_target_of_a_turn_answers() -> None:
    inputs = CaseInput(message="Hi", target="@Writer")
    output = hold(inputs, FunctionRuntime(shout))
    assert [message.sender for message in output.messages] == ["@Human", "@Writer"]


def test_the_source_names_the_function() -> None:
    assert FunctionRuntime(shout).source == "function shout"
    assert FunctionRuntime(partial(shout)).source == "function partial"


def test_a_function_that_was_not_started_is_not_called() -> None:
    called: list[str] = []
    asyncio.run(FunctionRuntime(called.append).send(ConversationTurn(message="q")))
    assert called == []


def test_a_factory_makes_a_runtime_of_its_own_for_every_case() -> None:
    factory = FunctionFactory(shout, agent="@Desk")
    output = asyncio.run(run_case_with_factory(ask("a", "b"), runtime_factory=factory))
    assert output.human_responses == ("A", "B")
    assert output.messages[1].sender == "@Desk"


def test_a_message_is_handled_whatever_becomes_of_it() -> None:
    heard: list[object] = []

    async def one_turn() -> None:
        runtime = FunctionRuntime(shout)
        await runtime.start(heard.append)
        await runtime.send(ConversationTurn(message="q"))

    asyncio.run(one_turn())
    assert isinstance(heard[-1], MessageHandled)


@pytest.mark.parametrize("kind", ["generator", "async_generator"])
def test_a_generator_is_no_answer(kind: str) -> None:
    def words(message: str) -> Iterator[str]:
        yield message

    async def later(message: str) -> AsyncIterator[str]:
        yield message

    output = hold(ask("q"), FunctionRuntime(words if kind == "generator" else later))
    assert output.final_response is None
    assert f"the function returned a {kind}; wanted the whole answer" in output.errors[0]
