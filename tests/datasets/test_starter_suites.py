"""A starter suite holds on its own recording, and fails where anything in it is changed."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from audition.application import load_dataset
from audition.datasets.starter_suites import starter_case, starter_suite
from audition.evaluators.case_evaluator import CaseEvaluator
from audition.evaluators.view import EvidenceView
from audition.events import CompletionReason, Event, ToolCalled
from audition.output import CaseOutput
from audition.recording import Recording, write_recording
from audition.testing import answer, output, tool_use, turn

FIND = tool_use("@K", "find", "berth 41", arguments={"ship": "Alba"})
BOOK = tool_use("@K", "book", "BK-7", arguments={"berth": 41})
ASKED = "Where is the Alba?"
DONE = answer("The Alba lies at berth 41, booked as BK-7.")


def shown(*events: Event) -> CaseOutput:
    return output(*events, asked=ASKED)


def failing(suite: Path, out: CaseOutput) -> list[str]:
    """Return the evaluators of a suite that fail on an output."""
    (case,) = load_dataset(suite).dataset.cases
    return [
        str(one.as_spec().name)
        for one in case.evaluators
        if isinstance(one, CaseEvaluator) and not one.examine(EvidenceView(out, one.scope)).ok
    ]


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """Return the starter suite of a conversation with two calls."""
    events = turn(ASKED, [*FIND, *BOOK, DONE])
    write_recording(tmp_path / "talk.jsonl", Recording(events=tuple(events)))
    case = starter_case(shown(*FIND, *BOOK, DONE), name="one")
    path = tmp_path / "talk.yaml"
    path.write_text(starter_suite(case, name="golden/talk", session="talk.jsonl"), "utf-8")
    return path


def test_it_holds_on_its_own_recording_in_any_order(suite: Path) -> None:
    assert failing(suite, shown(*FIND, *BOOK, DONE)) == []
    assert failing(suite, shown(*BOOK, *FIND, DONE)) == []


OTHER = tool_use("@K", "send", "sent")
AGAIN = tool_use("@K", "find", "berth 41", arguments={"ship": "Alba"})
PARIS = tool_use("@K", "find", "berth 2", arguments={"ship": "Bora"})


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ((*FIND, DONE), ["CalledRequiredTools", "MatchedTrajectory"]),
        ((DONE,), ["CalledRequiredTools", "MatchedTrajectory"]),
        ((*FIND, *BOOK, *OTHER, DONE), ["CalledOnlyAllowedTools", "MatchedTrajectory"]),
        ((*FIND, *BOOK, *AGAIN, DONE), ["MatchedTrajectory"]),
        ((*PARIS, *BOOK, DONE), ["MatchedTrajectory"]),
    ],
    ids=["removed", "all removed", "another added", "the same added", "changed"],
)
def test_it_fails_where_a_call_is_removed_added_or_changed(
    suite: Path, events: Sequence[Event], expected: list[str]
) -> None:
    assert failing(suite, shown(*events)) == expected


def test_the_answer_is_a_hint_with_words_that_came_from_a_tool(suite: Path) -> None:
    lines = suite.read_text("utf-8").splitlines()
    assert "      #   The Alba lies at berth 41, booked as BK-7." in lines
    assert '      #   required_terms: ["41", BK-7]' in lines


def test_an_answer_without_such_words_has_the_form_of_what_to_assert() -> None:
    assert list(starter_case(output(answer("Hello.")), name="one").hint) == [
        "What the answer must say is for you to choose. It was:",
        "  Hello.",
        "- type: human_response_contains_terms",
        "  required_terms: [a word or number that it must have]",
    ]


def test_who_called_nothing_must_call_nothing() -> None:
    case = starter_case(output(answer("Hello.")), name="one")
    assert case.fields["evaluators"] == [
        {"type": "completed"},
        {"type": "called_only_allowed_tools", "allowed_tools": []},
    ]


def arguments_of(*events: Event) -> object:
    evaluators = starter_case(output(*events, answer("Done.")), name="one").fields["evaluators"]
    assert isinstance(evaluators, list)
    last = evaluators[-1]
    assert isinstance(last, dict)
    return last["reference"]


def test_keys_that_look_like_matchers_are_meant_to_the_letter() -> None:
    events = tool_use("@K", "find", "x", arguments={"q": {"$gt": 5}})
    assert arguments_of(*events) == [{"tool": "find", "arguments": {"q": {"$literal": {"$gt": 5}}}}]
    events = tool_use("@K", "find", "x", arguments={"$where": 1})
    assert arguments_of(*events) == [{"tool": "find", "arguments": {"$literal": {"$where": 1}}}]


def test_where_a_secret_stood_any_value_will_do() -> None:
    events = tool_use("@K", "find", "x", arguments={"key": "[redacted:key]"})
    assert arguments_of(*events) == [{"tool": "find", "arguments": {"key": {"$present": True}}}]


def test_a_call_whose_arguments_were_not_recorded_may_have_any() -> None:
    call = ToolCalled(agent="@K", tool_name="find", run_id="r", tool_call_id="1")
    assert arguments_of(call) == [{"tool": "find"}]


def test_what_does_not_hold_on_the_recording_is_a_comment_with_its_reason() -> None:
    broken = output(*FIND, reason=CompletionReason.TIMEOUT)
    case = starter_case(broken, name="one")
    text = starter_suite(case, name="golden/one", session="one.jsonl")
    assert "      - type: completed\n" in text
    assert "      # This does not hold on the recording: nothing was observed" in text
    assert "      # - type: called_only_allowed_tools\n" in text


def test_no_line_of_an_answer_leaves_its_comment() -> None:
    text = starter_suite(
        starter_case(output(answer("a\r\nb\u2028c\x85d\x1b[2J")), name="one"),
        name="golden/one",
        session="one.jsonl",
    )
    assert "#   a b c d?[2J\n" in text
