"""Records have the names of the reports that people already have, and read their words."""

import math
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from audition.events import CompletionReason, ToolOutcome
from audition.records import LlmUsageRecord, ToolEvidenceRecord, ToolReturnRecord, TurnRecord

RETURN = TypeAdapter(ToolReturnRecord)
EVIDENCE = TypeAdapter(ToolEvidenceRecord)


@pytest.mark.parametrize(
    ("success", "outcome"), [(True, ToolOutcome.OK), (False, ToolOutcome.TOOL_ERROR)]
)
def test_a_flag_of_success_is_read_as_an_outcome(success: bool, outcome: ToolOutcome) -> None:  # noqa: FBT001  # a parameter of the test
    given = {"tool_name": "search", "tool_call_id": "1", "success": success}
    assert TypeAdapter(ToolReturnRecord).validate_python(given).outcome == outcome


@pytest.mark.parametrize(
    ("word", "outcome"),
    {
        "success": ToolOutcome.OK,
        "failed": ToolOutcome.TOOL_ERROR,
        "retried": ToolOutcome.TOOL_ERROR,
        "denied": ToolOutcome.REJECTED,
        "interrupted": ToolOutcome.INFRASTRUCTURE_ERROR,
        "pending": ToolOutcome.PENDING,
    }.items(),
)
def test_the_words_of_other_reports_are_read(word: str, outcome: ToolOutcome) -> None:
    given = {"tool_name": "s", "tool_call_id": "1", "content": "", "outcome": word}
    assert TypeAdapter(ToolEvidenceRecord).validate_python(given).outcome == outcome


def test_an_unknown_outcome_is_refused() -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(ToolEvidenceRecord).validate_python(
            {"tool_name": "s", "tool_call_id": "1", "content": "", "outcome": "fine"}
        )
    with pytest.raises(ValidationError):
        TypeAdapter(ToolReturnRecord).validate_python("returned")


@pytest.mark.parametrize("reason", CompletionReason)
def test_a_turn_is_completed_by_an_answer_or_by_quiet_alone(reason: CompletionReason) -> None:
    turn = TurnRecord(message="q", reason=reason)
    assert turn.completed == (reason in {"response", "quiescent"})


def test_the_answer_of_a_turn_is_the_last_thing_said_in_it() -> None:
    assert TurnRecord(message="q", responses=("one", "two")).answer == "two"
    assert TurnRecord(message="q").answer is None
    assert not TurnRecord(message="q", not_run=True).completed


@pytest.mark.parametrize(
    ("fields", "ending"),
    [
        ({"reason": "response"}, "ended with response"),
        ({"reason": "quiescent"}, "fell quiet without an answer"),
        ({"reason": "quiescent", "responses": ("one",)}, "fell quiet"),
        ({}, "was cut off"),
        ({"not_run": True}, "was not run"),
    ],
)
def test_the_ending_of_a_turn_is_put_into_words(fields: Any, ending: str) -> None:
    assert TurnRecord(message="q", **fields).ending == ending


@pytest.mark.parametrize(
    ("cost", "known"), [(0.5, 0.5), (0.0, 0.0), (None, None), (-1.0, None), (math.nan, None)]
)
def test_a_cost_that_is_no_cost_is_not_known(cost: float | None, known: float | None) -> None:
    assert LlmUsageRecord(cost_usd=cost).known_cost_usd == known


@pytest.mark.parametrize(
    ("counts", "known"),
    [
        ({"input_tokens": 5, "output_tokens": 2}, 7),
        ({"cache_read_tokens": 5}, 0),
        ({"requests": 0}, 0),
        ({}, None),
        ({"input_tokens": 5, "output_tokens": -1}, None),
    ],
)
def test_tokens_that_were_not_counted_are_not_known(counts: Any, known: int | None) -> None:
    assert LlmUsageRecord(**counts).known_tokens == known
