"""A stream is recorded once it was read to its end, and replayed as one."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage
from pydantic_ai.models import Model
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, FunctionModel

from audition.models.recorded import RecordingModel, ReplayModel


def speaking() -> FunctionModel:
    """Return a model that answers in pieces."""

    async def stream(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str]:
        for piece in ("answer ", "1", "."):
            yield piece

    return FunctionModel(stream_function=stream)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "calls.jsonl"


async def streamed(model: Model, question: str = "Which berth?") -> list[str]:
    async with Agent(model, name="desk").run_stream(question) as result:
        return [text async for text in result.stream_text()]


def test_a_stream_is_replayed_as_one_and_as_a_whole(path: Path) -> None:
    live = asyncio.run(streamed(RecordingModel(speaking(), path)))
    assert live[-1] == "answer 1."
    assert asyncio.run(streamed(ReplayModel(path)))[-1] == "answer 1."
    whole = asyncio.run(Agent(ReplayModel(path), name="desk").run("Which berth?"))
    assert whole.output == "answer 1."


def test_streamed_tool_calls_are_replayed(path: Path) -> None:
    async def stream(
        messages: list[ModelMessage], info: AgentInfo
    ) -> AsyncIterator[str | dict[int, DeltaToolCall]]:
        if len(messages) > 1:
            yield "done"
            return
        yield {0: DeltaToolCall(name="berth", json_args='{"num')}
        yield {0: DeltaToolCall(json_args='ber": 7}')}

    async def run(model: Model) -> list[ModelMessage]:
        agent = Agent(model, name="desk")

        @agent.tool_plain
        def berth(number: int) -> str:
            return str(number)

        async with agent.run_stream("Which?") as result:
            await result.get_output()
        return result.all_messages()

    def told(messages: list[ModelMessage]) -> list[object]:
        return [
            (part.part_kind, getattr(part, "content", None), getattr(part, "args", None))
            for message in messages
            for part in message.parts
        ]

    live = told(asyncio.run(run(RecordingModel(FunctionModel(stream_function=stream), path))))
    assert told(asyncio.run(run(ReplayModel(path)))) == live


def lines(path: Path) -> int:
    return len(path.read_text().splitlines())


def test_a_stream_that_breaks_is_not_kept(path: Path) -> None:
    async def stream(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str]:
        yield "answer "
        msg = "the line is dead"
        raise ConnectionError(msg)

    with pytest.raises(ConnectionError):
        asyncio.run(streamed(RecordingModel(FunctionModel(stream_function=stream), path)))
    assert lines(path) == 1


def test_a_stream_that_is_left_early_is_not_kept(path: Path) -> None:
    async def left(model: Model) -> None:
        async with Agent(model).iter("Which?") as run:
            async for node in run:
                if Agent.is_model_request_node(node):
                    async with node.stream(run.ctx) as stream:
                        async for _ in stream:
                            await stream.cancel()
                            return

    asyncio.run(left(RecordingModel(speaking(), path)))
    assert lines(path) == 1
