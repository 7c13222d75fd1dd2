"""What one case left behind, its views, and the reports of others that load as one."""

import json
from dataclasses import replace
from typing import Any

import pytest
from inline_snapshot import snapshot
from pydantic import ValidationError

from audition.collector import collect
from audition.events import CompletionReason
from audition.inputs import ConversationTurn
from audition.output import CaseOutput
from audition.testing import answer, output, question, tool_call, tool_use, turn
from audition.tool_rules import ToolRule

OTHERS_REPORT: dict[str, Any] = {
    "final_response": "Ada is a software architect.",
    "human_responses": ["Ada is a software architect."],
    "completion_reason": "human_response",
    "messages": [
        {"sender": "@Human", "recipient": "@Manager", "message_type": "request", "content": "Who?"},
        {
            "sender": "@Manager",
            "recipient": "@Human",
            "message_type": "response",
            "content": "Ada is a software architect.",
        },
    ],
    "tool_calls": [
        {
            "run_id": "r",
            "tool_name": "search_graph",
            "tool_call_id": "c",
            "arguments_raw": '{"query": "Ada"}',
            "arguments": {"query": "Ada"},
            "parse_error": None,
        },
        {
            "run_id": "r",
            "tool_name": "search_graph",
            "tool_call_id": "d",
            "arguments_raw": '{"query',
            "arguments": None,
            "parse_error": "EOF",
        },
    ],
    "tool_returns": [
        {"run_id": "r", "tool_name": "search_graph", "tool_call_id": "c", "success": True},
        {"run_id": "r", "tool_name": "search_graph", "tool_call_id": "d", "success": False},
    ],
    "tool_evidence": [
        {
            "run_id": "r",
            "tool_name": "search_graph",
            "tool_call_id": "c",
            "content": "Ada: architect",
            "outcome": "success",
        },
        {
            "run_id": None,
            "tool_name": "other",
            "tool_call_id": "e",
            "content": "no",
            "outcome": "denied",
        },
    ],
    "llm_usage": [
        {
            "run_id": "r",
            "model_name": "m",
            "provider_name": "p",
            "input_tokens": 10,
            "output_tokens": 2,
            "cache_read_tokens": 0,
            "cache_write_tokens": 0,
            "requests": 1,
        }
    ],
    "errors": [],
}


def test_a_report_of_another_tool_loads() -> None:
    loaded = CaseOutput.model_validate_json(json.dumps(OTHERS_REPORT))
    assert (loaded.completion_reason, loaded.completed) == (CompletionReason.RESPONSE, True)
    assert [message.seq for message in loaded.messages] == [0, 1]
    assert [(i.tool_call_id, i.outcome.value) for i in loaded.tool_invocations()] == [
        ("c", "ok"),
        ("d", "tool_error"),
        ("e", "rejected"),
    ]


def test_a_team_that_stopped_is_read_in_our_word() -> None:
    loaded = CaseOutput.model_validate({**OTHERS_REPORT, "completion_reason": "team_stopped"})
    assert loaded.completion_reason == CompletionReason.RUNTIME_STOPPED


@pytest.mark.parametrize("given", ["a text", {**OTHERS_REPORT, "messages": "none"}, {}])
def test_what_is_no_output_is_refused(given: object) -> None:
    with pytest.raises(ValidationError):
        CaseOutput.model_validate(given)


def test_the_repr_is_one_line_of_constant_size() -> None:
    small, large = output(answer("a")), output(*(answer("a" * 999) for _ in range(999)))
    assert repr(small) == snapshot("CaseOutput(response, turns=1, messages=1, tool_calls=0)")
    assert (
        str(large)
        == repr(large)
        == snapshot("CaseOutput(response, turns=1, messages=999, tool_calls=0)")
    )


def test_the_fields() -> None:
    assert list(CaseOutput.model_fields) == snapshot(
        [
            "final_response",
            "human_responses",
            "completion_reason",
            "completion_detail",
            "messages",
            "tool_calls",
            "tool_returns",
            "tool_evidence",
            "llm_usage",
            "errors",
            "turns",
            "dropped",
            "dropped_events",
            "contaminated",
            "capabilities",
            "provenance",
            "tool_rules",
            "human",
            "captured",
            "handled",
            "state_changes",
        ]
    )


def test_a_case_with_a_turn_that_was_not_run_is_not_completed() -> None:
    left = [ConversationTurn(message="r")]
    assert not collect(turn("q", [answer("a")]), not_run=left).completed
    assert collect(turn("q", [answer("a")])).completed


def test_invocations_are_chosen_by_tool_and_turn() -> None:
    made = output(*tool_use("@K", "search", "x"), *tool_use("@K", "fetch", "y"))
    assert [i.tool_name for i in made.tool_invocations()] == ["search", "fetch"]
    assert [i.content for i in made.tool_invocations("fetch")] == ["y"]
    assert made.tool_invocations(turn=1) == ()


def test_the_plumbing_is_left_out_unless_it_is_asked_for() -> None:
    made = output(replace(tool_call("@K", "read_mailbox"), internal=True))
    assert (len(made.tool_invocations()), len(made.tool_invocations(internal=True))) == (0, 1)


def test_only_what_returned_well_is_evidence() -> None:
    rule = ToolRule(tool_name="search", path="$.found", equals=0)
    made = output(
        *tool_use("@K", "search", {"found": 0}),
        *tool_use("@K", "search", {"found": 2}),
        tool_call("@K", "search", call_id="never returned"),
        tool_rules=[rule],
    )
    assert [i.content for i in made.successful_tool_evidence("search")] == ['{"found":2}']
    assert made.successful_tool_evidence("search", turn=1) == ()


def test_new_rules_count_in_a_copy() -> None:
    made = output(*tool_use("@K", "search", {"found": 0}))
    assert len(made.successful_tool_evidence("search")) == 1
    rules = (ToolRule(tool_name="search", path="$.found", equals=0),)
    copied = made.model_copy(update={"tool_rules": rules})
    assert copied.successful_tool_evidence("search") == ()
    assert len(made.successful_tool_evidence("search")) == 1


def test_a_text_is_normalised_once() -> None:
    made = output(answer("A “b”"))
    assert made.normal_text("A “b”") is made.normal_text("A “b”")


def test_the_characters_of_an_output_are_those_of_its_messages_and_its_evidence() -> None:
    assert output(answer("abc"), *tool_use("@K", "search", "de")).characters == 5


def test_an_output_cannot_be_changed() -> None:
    with pytest.raises(ValidationError):
        output(question("q")).human = "@Me"


def test_records_without_a_position_among_what_is_no_record_are_refused() -> None:
    with pytest.raises(ValidationError):
        CaseOutput.model_validate(
            {"completion_reason": "response", "messages": [{"content": "a"}, 5]}
        )
