"""The shape of a record is told, or refused by name of what was seen."""

import pytest
from hypothesis import example, given
from pydantic import JsonValue

from audition.sniff import SHAPES, UnknownShape, shape_named, shape_of
from tests.adapters.laws import VALUES

ADK: JsonValue = {"author": "user", "invocation_id": "e-1", "content": {"parts": []}}
OURS: JsonValue = {"format": "audition-recording", "version": 1}

AKGENTIC: JsonValue = {
    "__model__": "akgentic.core.messages.orchestrator.StartMessage",
    "id": "m-1",
    "sender": {"__actor_address__": True, "name": "@Desk"},
}


@pytest.mark.parametrize(
    ("frames", "name"),
    [
        ([ADK], "adk"),
        ([7, "x", ADK], "adk"),
        ([{"id": "s-1", "events": [ADK]}], "adk"),
        ([OURS, {"kind": "agent_stopped"}], "recording"),
        ([{"events": [{"sequence": 1, "event": AKGENTIC}]}], "akgentic"),
        ([{"role": "user", "content": "Where?"}], "openai_chat"),
        (
            [{"kind": "request", "parts": [{"part_kind": "user-prompt", "content": "Where?"}]}],
            "pydantic_ai",
        ),
    ],
)
def test_a_shape_is_told(frames: list[JsonValue], name: str) -> None:
    assert shape_of(frames).name == name


@pytest.mark.parametrize(
    ("frames", "told"),
    [
        ([], "no session that is known here: nothing is in it"),
        (
            [{"ship": "Alba"}, {"ship": "Vela"}, [1], "x"],
            (
                "no session that is known here: 4 frame(s): an object with 'ship'; a list; "
                "the text 'x'"
            ),
        ),
        ([7, None], "no session that is known here: 2 frame(s): 7; "),
        ([ADK, OURS], "frames of more than one format: adk in frame 0, recording in frame 1"),
    ],
)
def test_what_has_none_is_refused_by_what_was_seen(frames: list[JsonValue], told: str) -> None:
    with pytest.raises(UnknownShape) as error:
        shape_of(frames)
    assert str(error.value) == told


def test_a_shape_can_be_named() -> None:
    assert [shape_named(shape.name) for shape in SHAPES] == list(SHAPES)
    with pytest.raises(UnknownShape, match=r"no format 'adx'; there are: recording, adk, "):
        shape_named("adx")


def wrapped(value: JsonValue, times: int) -> JsonValue:
    for _ in range(times):
        value = [{"events": [value]}, {"messages": [value]}]
    return value


@given(VALUES)
@example(wrapped(ADK, 7))
@example(wrapped({"role": "user", "content": "Where?"}, 7))
@example({"data": '{"input": [{"choices": [{"message": {"content": "x"}}]}]}'})
@example({"sequence": 1, "event": ['{"events": ["{"]}', [], AKGENTIC]})
@example({"data": {"resourceSpans": [{"scopeLogs": [{"logRecords": [[7], {"name": "x"}]}]}]}})
def test_what_was_unwrapped_wraps_nothing(value: JsonValue) -> None:
    for shape in SHAPES:
        frames = list(shape.unwrapped([value]))
        assert list(shape.unwrapped(frames)) == frames
