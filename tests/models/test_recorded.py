"""Record a live run, replay it: the same answers, in any order, and never another one's."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel
from pydantic_ai import Agent, NativeOutput, capture_run_messages
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
)
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.test import TestModel
from pydantic_ai.settings import ModelSettings
from pydantic_ai.usage import RequestUsage, UsageLimits

from audition.errors import RecordError, UnrecordedCall
from audition.models.recorded import RecordingModel, ReplayModel
from audition.redaction.files import leaks
from audition.running_case import running

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2

PASSWORD = {"password": "hunter2secret99"}

type Answer = Callable[[list[ModelMessage], AgentInfo], Awaitable[ModelResponse]]


def numbered() -> FunctionModel:
    """Return a model that answers something else each time, as live models do."""
    numbers = count(1)

    async def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        text = f"answer {next(numbers)}"
        return ModelResponse(parts=[TextPart(text)], usage=RequestUsage(input_tokens=11))

    return FunctionModel(answer, model_name="numbered")


def calling(tool: str, **arguments: object) -> FunctionModel:
    """Return a model that calls a tool once and then repeats what that gave back."""

    async def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        if len(messages) == 1:
            return ModelResponse(parts=[ToolCallPart(tool, arguments)])
        (returned,) = messages[-1].parts
        assert isinstance(returned, ToolReturnPart)
        return ModelResponse(parts=[TextPart(f"It said: {returned.model_response_str()}")])

    return FunctionModel(answer)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "calls.jsonl"


def ask(model: Model, question: str = "Which berth?", *, agent: str = "desk") -> str:
    return asyncio.run(asked(model, question, agent=agent))


async def asked(model: Model, question: str = "Which berth?", *, agent: str = "desk") -> str:
    return (await Agent(model, name=agent).run(question)).output


def test_a_replay_answers_as_the_live_model_did(path: Path) -> None:
    live = RecordingModel(numbered(), path)
    said = [ask(live), ask(live), ask(live, "Which ship?")]
    replay = ReplayModel(path)
    assert [ask(replay), ask(replay), ask(replay, "Which ship?")] == said
    assert said == ["answer 1", "answer 2", "answer 3"]


def test_the_order_of_a_replay_makes_no_difference(path: Path) -> None:
    async def case(model: Model, name: str, repeat: int) -> tuple[str, ...]:
        with running(name, repeat):
            return await asked(model), await asked(model), await asked(model, agent="clerk")

    async def cases(model: Callable[[], Model], order: list[tuple[str, int]]) -> dict[str, object]:
        said = await asyncio.gather(*[case(model(), *one) for one in order])
        return dict(zip(map(str, order), said, strict=True))

    order = [(name, repeat) for name in ("a", "b", "c") for repeat in (1, 2)]
    live = RecordingModel(numbered(), path)
    said = asyncio.run(cases(lambda: live, order))
    assert len({one for answers in said.values() for one in answers}) == 18  # type: ignore[attr-defined]
    assert asyncio.run(cases(lambda: ReplayModel(path), order[::-1])) == said


@pytest.mark.parametrize(
    ("name", "repeat", "times"), [("founders", 2, 1), ("purpose", 1, 1), ("founders", 1, 2)]
)
def test_what_was_not_recorded_there_is_no_answer(
    path: Path, name: str, repeat: int, times: int
) -> None:
    with running("founders", 1):
        ask(RecordingModel(numbered(), path))
    with running(name, repeat) as case:
        said: list[str] = []
        with pytest.raises(
            UnrecordedCall, match="the same request is recorded of agent 'desk'"
        ):  # the last one raises
            said.extend(ask(ReplayModel(path)) for _ in range(times))
    assert len(said) == times - 1
    assert len(case.problems) == 1


def test_a_miss_shows_where_the_request_differs(path: Path) -> None:
    ask(RecordingModel(numbered(), path), "Which berth is free?")
    with pytest.raises(UnrecordedCall) as raised:
        ask(ReplayModel(path), "Which berth is dry?")
    assert str(raised.value) == (
        f"{path}: found no answer to agent 'desk' outside of a case: the nearest, line 2, differs "
        "at /messages/0/parts/0/content: asked 'Which berth is dry?', recorded 'Which berth is "
        "free?'; wanted a recorded request, or a new recording"
    )


def test_a_replay_keeps_usage_and_model_and_is_dated_anew(path: Path) -> None:
    async def response(model: Model) -> ModelResponse:
        return (await Agent(model).run("Hello")).response

    live = asyncio.run(response(RecordingModel(numbered(), path)))
    replayed = asyncio.run(response(ReplayModel(path)))
    assert replayed.usage == live.usage
    assert (replayed.model_name, replayed.usage.input_tokens) == ("numbered", 11)
    assert replayed.timestamp > live.timestamp
    model = ReplayModel(path)
    assert (model.model_name, model.system, model.model_id) == (
        "numbered",
        "function",
        "function:numbered",
    )
    with pytest.raises(Exception, match="input_tokens_limit of 10"):
        asyncio.run(Agent(model).run("Hello", usage_limits=UsageLimits(input_tokens_limit=10)))


def test_tool_calls_keep_their_ids_and_are_made_again(path: Path) -> None:
    called: list[int] = []

    def run(model: Model) -> tuple[str, list[str]]:
        agent = Agent(model, name="desk")

        @agent.tool_plain
        def berth(number: int) -> str:
            called.append(number)
            return f"berth {number} is free"

        result = asyncio.run(agent.run("Which berth?"))
        parts = [part for message in result.all_messages() for part in message.parts]
        calls = [part for part in parts if isinstance(part, ToolCallPart | ToolReturnPart)]
        return result.output, [part.tool_call_id for part in calls]

    live = run(RecordingModel(calling("berth", number=7), path))
    assert run(ReplayModel(path)) == live
    assert (live[0], called) == ("It said: berth 7 is free", [7, 7])


class Berth(BaseModel):
    number: int


@pytest.mark.parametrize("wanted", [Berth, NativeOutput(Berth)], ids=["tool", "native"])
def test_structured_output_is_replayed(path: Path, wanted: type[Berth]) -> None:
    profile = {"supports_json_schema_output": True, "default_structured_output_mode": "native"}

    async def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        return ModelResponse(parts=[TextPart('{"number": 7}')])

    live = FunctionModel(answer, profile=profile)  # pyright: ignore[reportArgumentType]
    agent = Agent(RecordingModel(live, path), output_type=wanted)
    assert asyncio.run(agent.run("Which?")).output == Berth(number=7)
    assert asyncio.run(Agent(ReplayModel(path), output_type=wanted).run("Which?")).output == Berth(
        number=7
    )


def test_settings_of_the_live_model_are_those_of_the_replay(path: Path) -> None:
    settings = ModelSettings(temperature=0.5, extra_headers={"X-Sea": "calm"}, timeout=3)
    live = TestModel(custom_output_text="Berth 7", settings=settings)
    assert ask(RecordingModel(live, path)) == ask(ReplayModel(path)) == "Berth 7"
    assert ReplayModel(path).settings == {"temperature": 0.5}
    assert "calm" not in path.read_text()


def test_a_failed_call_is_raised_and_not_kept_and_takes_no_turn(path: Path) -> None:
    tries = count()

    async def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        if next(tries) == 0:
            raise ModelHTTPError(status_code=503, model_name="busy")
        return ModelResponse(parts=[TextPart("Berth 7")])

    live = RecordingModel(FunctionModel(answer), path)
    with pytest.raises(ModelHTTPError):
        ask(live)
    assert ask(live) == ask(ReplayModel(path)) == "Berth 7"


def test_no_secret_is_written_and_a_replay_has_their_placeholders(path: Path) -> None:
    def run(model: Model) -> str:
        agent = Agent(model, name="desk")

        @agent.tool_plain
        def log_in(password: str) -> str:
            return f'{{"token": "{TOKEN}", "said": "{password}"}}'

        return asyncio.run(agent.run("Log in as I told you: hunter2secret99")).output

    with running(f"case of {TOKEN}"):
        live = run(RecordingModel(calling("log_in", **PASSWORD), path))
    assert TOKEN in live
    kept = path.read_text()
    assert "hunter2secret99" not in kept
    assert TOKEN not in kept
    assert [*leaks(path)] == []
    with running(f"case of {TOKEN}"):
        replayed = run(ReplayModel(path))
    assert "[redacted:password]" in replayed
    assert TOKEN not in replayed


def test_a_miss_tells_no_secret(path: Path) -> None:
    ask(RecordingModel(numbered(), path), "Log in")
    with pytest.raises(UnrecordedCall) as raised:
        ask(ReplayModel(path), f"Log in with {TOKEN}")
    assert TOKEN[:12] not in str(raised.value)


def test_tokens_are_counted_by_the_live_model_alone(path: Path) -> None:
    class Counts(TestModel):
        async def count_tokens(self, *_: object) -> RequestUsage:  # pyright: ignore[reportIncompatibleMethodOverride]
            return RequestUsage(input_tokens=3)

    limits = UsageLimits(input_tokens_limit=100, count_tokens_before_request=True)
    live = asyncio.run(Agent(RecordingModel(Counts(), path)).run("Hello", usage_limits=limits))
    assert live.output
    with pytest.raises(NotImplementedError):
        asyncio.run(Agent(ReplayModel(path)).run("Hello", usage_limits=limits))


def test_a_response_that_is_none_is_told_with_its_line(path: Path) -> None:
    ask(RecordingModel(numbered(), path))
    header, line = path.read_text().splitlines()
    broken = json.dumps({**json.loads(line), "response": {"kind": "response", "parts": 3}})
    path.write_text(f"{header}\n{broken}\n")
    with running("founders") as case, pytest.raises(UnrecordedCall):
        ask(ReplayModel(path))
    assert len(case.problems) == 1
    with pytest.raises(RecordError, match=r"calls\.jsonl:2: holds no response of a model"):
        ask(ReplayModel(path))


def test_a_call_that_cannot_be_kept_breaks_the_case(path: Path) -> None:
    live = RecordingModel(numbered(), path)
    path.unlink()
    with running("founders") as case, pytest.raises(RecordError):
        ask(live)
    assert case.problems == [f"{path}: No such file or directory"]


def test_an_error_of_the_live_model_is_no_problem_of_the_recording(path: Path) -> None:
    async def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        raise ModelHTTPError(status_code=503, model_name="busy")

    with running("founders") as case, pytest.raises(ModelHTTPError):
        ask(RecordingModel(FunctionModel(answer), path))
    assert case.problems == []


def test_what_changes_in_texts_can_be_taken_out(path: Path) -> None:
    def scrub(text: str) -> str:
        return text.replace("2031-05-01", "DAY").replace("2031-05-02", "DAY")

    said = ask(RecordingModel(numbered(), path, scrub=scrub), "It is 2031-05-01. Which?")
    assert ask(ReplayModel(path, scrub=scrub), "It is 2031-05-02. Which?") == said


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text() | st.sampled_from(["password", "key", "value"]), inner)
    ),
    max_leaves=6,
)


@given(returned=JSON, said=JSON, name=st.text())
def test_whatever_is_asked_and_answered_is_found_again(
    tmp_path_factory: pytest.TempPathFactory, returned: Any, said: Any, name: str
) -> None:
    path = tmp_path_factory.mktemp("any") / "calls.jsonl"
    asked: list[ModelMessage] = [ModelRequest(parts=[ToolReturnPart("berths", returned, "1")])]

    async def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        return ModelResponse(parts=[ToolCallPart("berths", {"said": said})])

    def parts(model: Model) -> list[str]:
        with running(name):
            response = asyncio.run(model.request(asked, None, ModelRequestParameters()))
        return [part.part_kind for part in response.parts]

    assert parts(RecordingModel(FunctionModel(answer), path)) == parts(ReplayModel(path))


def test_agents_may_ask_at_once_in_one_case(path: Path) -> None:
    async def both(model: Model) -> set[str]:
        with running("founders"):
            return {*await asyncio.gather(*[asked(model) for _ in range(10)])}

    live = RecordingModel(numbered(), path)
    assert asyncio.run(both(live)) == asyncio.run(both(ReplayModel(path)))


def test_a_run_that_misses_leaves_its_messages(path: Path) -> None:
    ask(RecordingModel(numbered(), path))
    with capture_run_messages() as messages, pytest.raises(UnrecordedCall):
        ask(ReplayModel(path), "Which ship?")
    assert len(messages) == 1
