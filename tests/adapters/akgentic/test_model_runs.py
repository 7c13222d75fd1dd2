"""What a model said and called, out of the events that messages carry."""

import pytest
from pydantic import JsonValue

from audition.adapters.akgentic.session import adapt_akgentic
from audition.events import ModelResponded, ToolCalled, ToolEvidence, ToolOutcome, ToolReturned
from tests.adapters.akgentic.records import (
    CALLED,
    ENDED,
    carried,
    dropped,
    of_model,
    output,
    part,
    select,
)

RETURNED = part("tool-return", content="free", outcome="success")


@pytest.mark.parametrize(
    ("told", "outcome"),
    [
        (part("tool-return", outcome="success"), "ok"),
        (part("tool-return"), "ok"),
        (part("tool-return", outcome="failed"), "tool_error"),
        (part("tool-return", outcome="retried"), "tool_error"),
        (part("tool-return", outcome="denied"), "rejected"),
        (part("tool-return", outcome="interrupted"), "infrastructure_error"),
        (part("tool-return", outcome="no word that is known"), "tool_error"),
        (part("retry-prompt"), "tool_error"),
    ],
)
def test_the_outcome_is_that_of_the_part_whatever_the_flag_says(
    told: JsonValue, outcome: str
) -> None:
    record = adapt_akgentic([CALLED, of_model(told), ENDED])
    assert [event.outcome for event in select(record, ToolReturned)] == [outcome]
    assert [event.outcome for event in select(record, ToolEvidence)] == [outcome]


def test_a_call_without_a_return_is_unanswered() -> None:
    record = adapt_akgentic([CALLED, of_model(state="interrupted")])
    assert [call.outcome for call in output(record).tool_invocations()] == ["unanswered"]


def test_a_flag_alone_proves_no_success_but_a_failure() -> None:
    failed = carried("ToolReturnEvent", tool_name="check", tool_call_id="c-2", success=False)
    record = adapt_akgentic([CALLED, ENDED, failed])
    (returned,) = select(record, ToolReturned)
    assert (returned.tool_call_id, returned.outcome) == ("c-2", ToolOutcome.TOOL_ERROR)
    assert dropped(record) == [(1, "@Desk", "no message says how the call ended")]


def test_parts_tell_what_has_no_event_of_its_own() -> None:
    asked = of_model(part("tool-call", args='{"pier": 4}'), kind="response")
    (call,) = output(adapt_akgentic([asked, of_model(RETURNED)])).tool_invocations()
    assert (call.tool_name, call.arguments, call.outcome, call.content) == (
        "check",
        {"pier": 4},
        "ok",
        "free",
    )


def test_parts_do_not_tell_again_what_has_an_event_of_its_own() -> None:
    asked = of_model(part("tool-call", args='{"pier": 4}'), kind="response")
    record = adapt_akgentic([asked, CALLED, of_model(RETURNED), ENDED])
    told = (len(select(record, kind)) for kind in (ToolCalled, ToolReturned, ToolEvidence))
    assert tuple(told) == (1, 1, 1)


def test_tools_of_the_provider_are_calls_too() -> None:
    call = part("builtin-tool-call", args={"q": "tides"})
    back = part("builtin-tool-return", content=["high at noon"])
    (one,) = output(adapt_akgentic([of_model(call, back, kind="response")])).tool_invocations()
    assert (one.arguments, one.content, one.structure) == (
        {"q": "tides"},
        '["high at noon"]',
        ["high at noon"],
    )


@pytest.mark.parametrize(
    ("name", "internal"),
    [
        ("final_result", True),
        ("final_result_Answer", True),
        ("hire_members", True),
        ("fire_members", True),
        ("read_mailbox", True),
        ("final_results", False),
        ("read_mail", False),
    ],
)
def test_the_tools_of_the_framework_are_internal(name: str, *, internal: bool) -> None:
    call = carried("ToolCallEvent", tool_name=name, tool_call_id="c-1", arguments="{}")
    assert [event.internal for event in select(adapt_akgentic([call]), ToolCalled)] == [internal]


def test_a_call_id_may_come_again_in_another_run() -> None:
    again = carried(
        "ToolCallEvent", run_id="r-2", tool_name="check", tool_call_id="c-1", arguments="{}"
    )
    record = adapt_akgentic([CALLED, of_model(RETURNED), ENDED, again])
    outcomes = [call.outcome for call in output(record).tool_invocations()]
    assert outcomes == ["ok", "unanswered"]


def test_arguments_that_do_not_parse_keep_their_text() -> None:
    call = carried("ToolCallEvent", tool_name="check", tool_call_id="c-1", arguments='{"pier": ')
    (called,) = select(adapt_akgentic([call]), ToolCalled)
    assert (called.arguments_raw, called.arguments) == ('{"pier": ', None)
    assert called.parse_error


def test_arguments_that_were_not_recorded_are_none() -> None:
    call = carried("ToolCallEvent", tool_name="check", tool_call_id="c-1")
    (called,) = select(adapt_akgentic([call]), ToolCalled)
    assert (called.arguments_raw, called.arguments, called.parse_error) == (None, None, None)


def test_a_tool_ends_when_its_part_says() -> None:
    back = part("tool-return", content="free", timestamp="1970-01-01T00:00:07Z")
    record = adapt_akgentic([of_model(back), ENDED])
    assert [event.at for event in record.events] == [7.0, 7.0]


def test_a_run_outside_of_any_is_none() -> None:
    call = carried(
        "ToolCallEvent", run_id="None", tool_name="check", tool_call_id="c-1", arguments="{}"
    )
    back = of_model(RETURNED, run_id=None)
    assert [event.outcome for event in output(adapt_akgentic([call, back])).tool_invocations()] == [
        "ok"
    ]


USAGE: dict[str, JsonValue] = {"input_tokens": 12, "output_tokens": 3, "requests": 1}


def test_an_answer_of_a_model_is_counted_once_with_its_cost() -> None:
    answered = of_model(kind="response", finish_reason="stop", usage={**USAGE, "cost": "0.5"})
    usage = carried("LlmUsageEvent", model_name="m", **USAGE, estimated_cost_usd=0.25)
    (responded,) = select(adapt_akgentic([answered, usage]), ModelResponded)
    assert (responded.input_tokens, responded.output_tokens) == (12, 3)
    assert (responded.cost_usd, responded.finish_reason) == (0.25, "stop")


def test_a_model_without_usage_events_is_counted_by_its_messages() -> None:
    answered = of_model(kind="response", model_name="m", usage={**USAGE, "cost": "0.5"})
    (responded,) = select(adapt_akgentic([answered]), ModelResponded)
    assert (responded.model_name, responded.input_tokens, responded.cost_usd) == ("m", 12, 0.5)


@pytest.mark.parametrize("cost", [0.0, -1, True, None, "much", "nan", [], 10**400])
def test_a_cost_that_says_nothing_is_unknown(cost: JsonValue) -> None:
    usage = carried("LlmUsageEvent", **USAGE, estimated_cost_usd=cost)
    assert [event.cost_usd for event in select(adapt_akgentic([usage]), ModelResponded)] == [None]


@pytest.mark.parametrize(
    ("frame", "reason", "lost"),
    [
        (of_model(part("user-prompt")), "no result of a tool", 0),
        (of_model({"part_kind": "retry-prompt", "tool_name": None}), "no result of a tool", 0),
        (carried("LlmMessageEvent"), "it does not say what it is about", 1),
        (carried("ToolCallEvent", tool_name="check"), "it does not say what it is about", 1),
        (carried("ToolReturnEvent", success=True), "it does not say what it is about", 1),
    ],
)
def test_what_tells_nothing_is_dropped_with_its_reason(
    frame: JsonValue, reason: str, lost: int
) -> None:
    record = adapt_akgentic([frame])
    assert (dropped(record), record.lost) == ([(0, "@Desk", reason)], lost)


def test_an_answer_whose_usage_is_told_elsewhere_is_dropped() -> None:
    record = adapt_akgentic([of_model(kind="response"), carried("LlmUsageEvent", **USAGE)])
    assert dropped(record) == [(0, "@Desk", "told by events of its own")]
