"""The calls of a session and their returns."""

import pytest
from pydantic import JsonValue

from audition.adapters.adk.session import adapt_adk
from audition.events import (
    MessageSent,
    MessageType,
    ToolCalled,
    ToolEvidence,
    ToolReturned,
    TurnStarted,
)
from audition.sessions import output_of
from tests.adapters.adk.records import (
    ASKED,
    BACK,
    CALLED,
    CONFIRMATION,
    WAITING,
    adapted,
    answers,
    asks_approval,
    call,
    event,
    evidence,
    outcomes,
    reasons,
    response,
    select,
    text,
)

TRANSFER = "transfer_to_agent"


@pytest.mark.parametrize(
    ("name", "internal"),
    [
        ("adk_request_credential", True),
        ("adk_request_confirmation", True),
        ("adk_request_input", True),
        ("adk_request_refund", False),
        ("adk_search", False),
        ("transfer_to_agent", True),
        ("exit_loop", True),
        ("set_model_response", True),
        ("finish_task", True),
        ("transfer", False),
    ],
)
def test_what_is_of_the_runtime_is_told_by_its_whole_name(name: str, internal: bool) -> None:  # noqa: FBT001  # a column of the table
    record = adapt_adk([event("a-1", "desk", call(name, "c-1"), response(name, "c-1"))])
    (made,) = select(record, ToolCalled)
    (back,) = select(record, ToolReturned)
    assert (made.internal, back.internal) == (internal, internal)


def test_what_a_credential_request_asks_and_is_told_is_withheld() -> None:
    name = "adk_request_credential"
    secret: JsonValue = {"oauth2": {"clientSecret": "S-FERN-1", "accessToken": "T-FERN-2"}}
    asked = event("a-1", "desk", call(name, "q-1", {"functionCallId": "c-1", "config": secret}))
    record = adapt_adk([ASKED, asked, event("u-2", "user", response("renamed", "q-1", secret))])
    assert "FERN" not in str(record)
    assert evidence(record) == ["[withheld]"]
    assert "FERN" not in str(adapt_adk([event("u-2", "user", response(name, "q-1", secret))]))


def test_calls_without_ids_join_by_order_and_name() -> None:
    record = adapt_adk(
        [
            event(
                "a-1", "desk", call("check", None, {"pier": 4}), call("check", None, {"pier": 5})
            ),
            event("a-2", "desk", response("check", None, {"result": "no"})),
            event("a-3", "desk", response("check", "new", {"result": "yes"})),
        ]
    )
    made = [call.tool_call_id for call in select(record, ToolCalled)]
    assert made == ["a-1:0", "a-1:1"]
    assert [back.tool_call_id for back in select(record, ToolReturned)] == made


def test_a_response_with_an_id_does_not_take_the_call_of_another_id() -> None:
    record = adapt_adk([CALLED, event("a-2", "desk", response("check", "c-7", {"free": True}))])
    assert [back.tool_call_id for back in select(record, ToolReturned)] == ["c-7"]


def test_a_return_whose_call_was_not_recorded_is_kept() -> None:
    record = adapt_adk([BACK, event("u-2", "user", response("check", "c-2", {}))])
    found = [(back.run_id, back.agent) for back in select(record, ToolReturned)]
    assert found == [("e-1/desk", "desk"), ("e-1", None)]


def test_a_call_id_used_again_is_another_call() -> None:
    back = response("check", "c-1", {"free": False})
    record = adapt_adk(
        [CALLED, BACK, event("a-3", "desk", call("check", "c-1")), event("a-4", "desk", back)]
    )
    runs = [call.run_id for call in select(record, ToolCalled)]
    assert runs == ["e-1/desk", "e-1/desk#2"]
    assert [back.run_id for back in select(record, ToolReturned)] == runs


def test_agents_may_use_the_same_call_id() -> None:
    record = adapt_adk(
        [
            event("a-1", "north", call("count", "call_0")),
            event("b-1", "south", call("count", "call_0")),
            event("b-2", "south", response("count", "call_0", {"crates": 7})),
            event("a-2", "north", response("count", "call_0", {"crates": 12})),
        ]
    )
    told = [(event.run_id, event.content) for event in select(record, ToolEvidence)]
    assert told == [("e-1/south", '{"crates":7}'), ("e-1/north", '{"crates":12}')]


def test_a_later_result_of_an_answered_call_joins_it() -> None:
    record = adapt_adk([CALLED, BACK, event("u-3", "user", response("check", "c-1", {"free": 0}))])
    assert [back.run_id for back in select(record, ToolReturned)] == ["e-1/desk"] * 2


def test_a_long_call_that_fails_at_once_is_not_pending() -> None:
    long = event("a-1", "desk", call("ask", "c-1"), long_running_tool_ids=["c-1"])
    record = adapt_adk([long, event("a-2", "desk", response("ask", "c-1", {"error": "closed"}))])
    assert outcomes(record) == [("ask", "tool_error")]


@pytest.mark.parametrize(
    ("told", "outcome"), [({"status": "pending"}, "pending"), ({"result": "yes"}, "ok")]
)
def test_an_interim_answer_of_the_user_keeps_a_long_call_pending(
    told: JsonValue, outcome: str
) -> None:
    long = event("a-1", "desk", call("ask", "c-1"), long_running_tool_ids=["c-1"])
    record = adapt_adk([long, event("u-2", "user", response("ask", "c-1", told))])
    assert outcomes(record) == [("ask", outcome)]


@pytest.mark.parametrize(
    ("args", "back", "routes"),
    [
        ({"agent_name": "billing"}, response(TRANSFER, "t-1", {"result": None}), ["billing"]),
        ({"agentName": "billing"}, response(TRANSFER, "t-1"), ["billing"]),
        ({"agent_name": "billing"}, response(TRANSFER, "t-1", {"error": "who?"}), []),
        ({"agent_name": ""}, response(TRANSFER, "t-1"), []),
        (None, response(TRANSFER, "t-1"), []),
        ({"agent_name": "billing"}, text("I will hand this over."), []),
    ],
)  # fmt: skip
def test_a_hand_off_is_a_transfer_that_succeeded(
    args: JsonValue, back: JsonValue, routes: list[str]
) -> None:
    made = event("a-1", "triage", call(TRANSFER, "t-1", args))
    record = adapt_adk([ASKED, made, event("a-2", "triage", back)])
    handed = [
        said.recipient
        for said in select(record, MessageSent)
        if said.message_type is MessageType.INSTRUCTION
    ]
    assert handed == routes


PLACEHOLDER = event(
    "a-2",
    "desk",
    response("clear", "c-1", WAITING),
    actions={"requested_tool_confirmations": {"c-1": {}}, "skip_summarization": True},
)
STARTED = [event("u-1", "user", text("Clear pier 4")), event("a-1", "desk", call("clear", "c-1"))]
REQUEST = asks_approval("a-3", "q-1", "c-1")
YES: JsonValue = {"confirmed": True}
NO: JsonValue = {"confirmed": False}
KAGENT_YES: JsonValue = {"response": '{"hint":"","confirmed":true,"payload":{}}'}
KAGENT_NO: JsonValue = {"response": '{"hint":"","confirmed":false}'}
DONE: JsonValue = {"cleared": True}
REFUSED: JsonValue = {"error": "This tool call is rejected."}
KAGENT_REFUSED: JsonValue = {"result": "Tool call was rejected by user. Reason: not today"}


def invocations(frames: list[JsonValue]) -> list[tuple[str, str, str | None]]:
    """Return the tool, outcome and content of every invocation that is not of the runtime."""
    output = output_of(adapt_adk(frames), source="a test")
    return [(one.tool_name, one.outcome.value, one.content) for one in output.tool_invocations()]


@pytest.mark.parametrize("invocation", ["e-1", "e-2"])
@pytest.mark.parametrize(
    "before",
    [
        pytest.param([PLACEHOLDER, REQUEST], id="stored"),
        pytest.param([REQUEST, PLACEHOLDER], id="yielded"),
        pytest.param([REQUEST], id="kagent"),
    ],
)
@pytest.mark.parametrize(
    ("answer", "result", "outcome"),
    [
        (YES, DONE, "ok"),
        (KAGENT_YES, DONE, "ok"),
        (YES, {"error": "no such pier"}, "tool_error"),
        (NO, REFUSED, "rejected"),
        (KAGENT_NO, KAGENT_REFUSED, "rejected"),
        (NO, {"result": "as you wish"}, "rejected"),
    ],
)
def test_a_confirmation_and_what_follows_are_one_invocation(
    before: list[JsonValue], invocation: str, answer: JsonValue, result: JsonValue, outcome: str
) -> None:
    after = [
        event("u-2", "user", response(CONFIRMATION, "q-1", answer), invocation_id=invocation),
        event("a-4", "desk", response("clear", "c-1", result), invocation_id=invocation),
        event("a-5", "desk", text("So be it."), invocation_id=invocation),
    ]
    record = adapt_adk([*STARTED, *before, *after])
    assert [(tool, ended) for tool, ended, _ in invocations([*STARTED, *before, *after])] == [
        ("clear", outcome)
    ]
    assert len(select(record, TurnStarted)) == 1
    assert reasons(record) == [("response", None)]


@pytest.mark.parametrize("before", [[PLACEHOLDER, REQUEST], [REQUEST, PLACEHOLDER], [REQUEST]])
def test_a_call_that_nobody_approved_is_pending(before: list[JsonValue]) -> None:
    ended = [(tool, outcome) for tool, outcome, _ in invocations([*STARTED, *before])]
    assert ended == [("clear", "pending")]
    later = event("u-9", "user", text("Never mind"), invocation_id="e-9")
    assert invocations([*STARTED, *before, later])[0][:2] == ("clear", "pending")


@pytest.mark.parametrize("after", [[], [event("a-5", "desk", text("So be it."))]])
@pytest.mark.parametrize(
    ("before", "answer", "outcome"),
    [
        ([PLACEHOLDER, REQUEST], NO, "rejected"),
        ([REQUEST], NO, "rejected"),
        ([PLACEHOLDER, REQUEST], YES, "pending"),
    ],
)
def test_what_the_person_said_counts_where_nothing_came_back_since(
    before: list[JsonValue], answer: JsonValue, outcome: str, after: list[JsonValue]
) -> None:
    answered = event("u-2", "user", response(CONFIRMATION, "q-1", answer))
    ended = invocations([*STARTED, *before, answered, *after])
    assert [one[:2] for one in ended] == [("clear", outcome)]


def test_a_call_that_is_approved_after_all_is_no_rejected_one() -> None:
    frames = [
        *STARTED,
        REQUEST,
        event("u-2", "user", response(CONFIRMATION, "q-1", NO)),
        asks_approval("a-6", "q-2", "c-1"),
        event("u-3", "user", response(CONFIRMATION, "q-2", YES)),
        event("a-7", "desk", response("clear", "c-1", DONE)),
    ]
    assert invocations(frames) == [("clear", "ok", '{"cleared":true}')]


def test_a_tool_that_reports_a_rejection_was_not_rejected() -> None:
    told: JsonValue = {"result": "The payment is rejected by the bank"}
    frames = [*STARTED, event("a-2", "desk", response("clear", "c-1", told))]
    assert invocations(frames)[0][1] == "ok"


def test_what_a_request_is_about_need_not_be_recorded() -> None:
    odd = event("a-3", "desk", call(CONFIRMATION, "q-1", {"originalFunctionCall": {"id": 5}}))
    answer = event("u-2", "user", response(CONFIRMATION, "q-1", NO))
    assert outcomes(adapt_adk([odd, answer])) == [(CONFIRMATION, "ok")]


LONG = event("a-1", "desk", call("ask", "c-1"), long_running_tool_ids=["c-1"])


@pytest.mark.parametrize("invocation", ["e-1", "e-2"])
@pytest.mark.parametrize(
    ("placeholder", "superseded"),
    [([event("a-2", "desk", response("ask", "c-1", {"ticket": 7}))], ('{"ticket":7}',)), ([], ())],
)
def test_a_long_call_ends_with_what_the_person_answers(
    placeholder: list[JsonValue], superseded: tuple[str, ...], invocation: str
) -> None:
    answer = event(
        "u-2", "user", response("ask", "c-1", {"result": "yes"}), invocation_id=invocation
    )
    output = output_of(adapt_adk([ASKED, LONG, *placeholder, answer]), source="a test")
    (asked,) = output.tool_invocations()
    assert (asked.outcome.value, asked.content) == ("ok", "yes")
    assert asked.superseded == superseded
    waiting = output_of(adapt_adk([ASKED, LONG, *placeholder]), source="a test")
    assert [one.outcome.value for one in waiting.tool_invocations()] == ["pending"]


def test_a_long_call_without_a_return_is_pending_when_its_turn_ends() -> None:
    later = event("u-9", "user", text("And now?"), invocation_id="e-9")
    record = adapt_adk([ASKED, LONG, event("a-3", "desk", text("I asked.")), later])
    (back,) = select(record, ToolReturned)
    (asked, *_) = select(record, ToolCalled)
    assert (back.outcome.value, back.run_id, back.cause_id) == ("pending", "e-1/desk", "u-1")
    assert (asked.run_id, asked.cause_id) == (back.run_id, back.cause_id)


def test_branches_of_one_agent_may_use_the_same_call_id() -> None:
    def of(branch: str, event_id: str, part: JsonValue) -> JsonValue:
        return event(event_id, "count", part, branch=f"par.{branch}")

    frames = [
        of("p1", "a-1", call("check", "call_0", {"pier": 1})),
        of("p2", "b-1", call("check", "call_0", {"pier": 2})),
        of("p2", "b-2", response("check", "call_0", {"result": "two"})),
        of("p1", "a-2", response("check", "call_0", {"result": "one"})),
    ]
    output = output_of(adapt_adk(frames), source="a test")
    told = [(one.arguments, one.content) for one in output.tool_invocations()]
    assert told == [({"pier": 1}, "one"), ({"pier": 2}, "two")]


def test_a_model_reads_what_it_ran_itself() -> None:
    code: JsonValue = {"executable_code": {"code": "1+1", "language": "PYTHON"}}
    result: JsonValue = {"code_execution_result": {"outcome": "OUTCOME_OK", "output": "2"}}
    record = adapt_adk([ASKED, event("a-1", "desk", code, result)])
    assert reasons(record) == [("quiescent", None)]


@pytest.mark.parametrize(
    ("outcome", "ended"),
    [("OUTCOME_OK", "ok"), ("OUTCOME_FAILED", "tool_error"),
     ("OUTCOME_DEADLINE_EXCEEDED", "tool_error")],
)  # fmt: skip
def test_code_that_an_executor_runs_returns_in_the_next_event(outcome: str, ended: str) -> None:
    code: JsonValue = {"executableCode": {"code": "1+1", "language": "PYTHON"}}
    result: JsonValue = {"codeExecutionResult": {"outcome": outcome, "output": "2"}}
    frames = [
        ASKED,
        event("a-1", "desk", text("I compute."), code),
        event("a-2", "desk", result),
        event("a-3", "desk", text("It is 2.")),
    ]
    assert invocations(frames) == [("code_execution", ended, "2")]
    assert reasons(adapt_adk(frames)) == [("response", None)]


def test_a_tool_of_the_provider_is_a_tool() -> None:
    search: JsonValue = {"toolCall": {"id": "s", "toolType": "GOOGLE_SEARCH_WEB", "args": {"q": 4}}}
    found: JsonValue = {
        "toolResponse": {"id": "s", "toolType": "GOOGLE_SEARCH_WEB", "response": {"hits": 2}}
    }
    frames = [ASKED, event("a-1", "desk", search, found, text("Two."))]
    assert invocations(frames) == [("GOOGLE_SEARCH_WEB", "ok", '{"hits":2}')]
    assert answers(adapt_adk(frames)) == [("desk", "Two.")]


def test_the_parts_of_an_answer_have_ids_of_their_own() -> None:
    record = adapted("adk/2.13.0/code_parts.session.json")
    said = [message for message in select(record, MessageSent) if message.agent == "code_agent"]
    assert said[1].message_id == f"{said[0].message_id}#2"
