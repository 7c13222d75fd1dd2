"""Wrappers of Akgentic messages, their order and what is none."""

import json

import pytest
from pydantic import JsonValue

from audition.adapters.akgentic.frames import (
    Address,
    in_sequence,
    is_akgentic,
    read_frames,
    void_frames,
)
from audition.values import parse_json
from tests.adapters.akgentic.records import ANSWERED, ASKED, RECORDINGS, recorded


def entry(sequence: JsonValue, event: JsonValue) -> JsonValue:
    return {"team_id": "t-1", "sequence": sequence, "event": event, "timestamp": "2026-03-01"}


WRAPPED: list[JsonValue] = [
    ASKED,
    {"_n": 3, "dump": ASKED},
    {"_recv": 1.5, "frame": ASKED},
    {"_recv": 1.5, "frame": json.dumps(ASKED)},
    json.dumps(ASKED),
    entry(1, ASKED),
    entry(1, json.dumps(ASKED)),
    {"events": [entry(1, ASKED)]},
    [entry(1, ASKED)],
]


@pytest.mark.parametrize("value", WRAPPED)
def test_a_message_is_the_same_whatever_wraps_it(value: JsonValue) -> None:
    (frame,) = read_frames([value])
    assert (frame.kind, frame.frame_id, frame.body) == ("SentMessage", ASKED["id"], ASKED)
    assert frame.sender == Address(name="@Ada", role="Ada", is_person=True)
    assert is_akgentic(value)


def test_positions_are_counted_after_unwrapping() -> None:
    read = read_frames([{"events": [entry(1, ASKED), entry(2, ANSWERED)]}, DUST])
    assert [(frame.index, frame.sequence) for frame in read] == [(0, 1), (1, 2), (2, None)]


DUST: JsonValue = {"author": "desk", "content": {"parts": [{"text": "no Akgentic at all"}]}}


@pytest.mark.parametrize(
    ("value", "problem", "is_lost"),
    [
        (DUST, "not an Akgentic message", True),
        (None, "not an Akgentic message", True),
        ([], "not an Akgentic message", True),
        ({"events": []}, "not an Akgentic message", True),
        ({"__model__": "somebody.else.ErrorMessage"}, "not an Akgentic message", True),
        ({"_n": 47, "_lifecycle": "on_stop"}, "a note of the recorder", False),
    ],
)
def test_what_is_no_message_is_told_apart(value: JsonValue, problem: str, *, is_lost: bool) -> None:
    (frame,) = read_frames([value])
    assert (frame.problem, frame.is_lost) == (problem, is_lost)
    assert not is_akgentic(value)


def test_a_torn_text_is_lost() -> None:
    (frame,) = read_frames([{"frame": json.dumps(ASKED)[:-20]}])
    assert (frame.problem or "").startswith("no JSON: ")


def test_a_class_of_the_application_is_a_message_by_its_address() -> None:
    (frame,) = read_frames([{**ASKED, "__model__": "harbour.Tide"}])
    assert (frame.kind, frame.problem) == ("Tide", None)


def test_frames_are_in_the_order_of_their_sequence_where_all_have_one() -> None:
    entries = [entry(2, ANSWERED), entry(1, ASKED)]
    assert [frame.index for frame in in_sequence(read_frames(entries))] == [1, 0]
    assert [frame.index for frame in in_sequence(read_frames([*entries, ASKED]))] == [0, 1, 2]
    assert [frame.index for frame in in_sequence(read_frames([*entries, DUST]))] == [2, 1, 0]


def test_a_replay_counts_once() -> None:
    assert void_frames(read_frames([ASKED, ANSWERED, ASKED])) == {2: "seen before"}


def test_equal_messages_with_ids_of_their_own_all_count() -> None:
    assert void_frames(read_frames([ASKED, {**ASKED, "id": "another"}])) == {}


def test_the_recordings_are_recognised() -> None:
    for name in ("2.62/happy.jsonl", "2.59/crash.jsonl", "server/ws-happy.jsonl"):
        notes = [value for value in recorded(name) if not is_akgentic(value)]
        assert all(isinstance(note, dict) and "_lifecycle" in note for note in notes)
    (listing,) = recorded("server/rest-events-happy.json")
    assert is_akgentic(listing)


def test_sessions_of_others_are_not_taken_for_akgentic() -> None:
    others = [*RECORDINGS.glob("adk/**/*.json*"), *RECORDINGS.glob("kagent/**/*.json*")]
    texts = [path.read_text(encoding="utf-8") for path in others]
    values = [
        text if path.suffix == ".json" else text.split("\n")[0]
        for path, text in zip(others, texts, strict=True)
    ]
    assert others
    assert not any(is_akgentic(parse_json(value)) for value in values)
