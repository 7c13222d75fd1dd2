"""The trajectory of a case beside one that was expected."""

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import JsonValue, ValidationError

from audition.evaluators.case_evaluator import Finding, Layer, type_name
from audition.evaluators.trajectory import MatchedTrajectory
from audition.evaluators.view import EvidenceView, Scope
from audition.events import CompletionReason, Event, ToolCalled
from audition.output import CaseOutput
from audition.sessions import SessionInput, read_output
from audition.testing import answer, output, tool_use

CASES = Path(__file__).parents[1] / "cases"
MODES = ["strict", "unordered", "superset", "subset", "allowlist"]

type Call = dict[str, Any]


def call(tool: str, **arguments: JsonValue) -> Call:
    return {"tool": tool, "arguments": arguments}


def chat(*calls: Call) -> list[Call]:
    """Return a conversation in which each call has a message of its own and a result."""
    messages: list[Call] = [{"role": "user", "content": "?"}]
    for number, one in enumerate(calls):
        arguments = json.dumps(one["arguments"])
        function = {"name": one["tool"], "arguments": arguments}
        asked = {"id": f"c{number}", "type": "function", "function": function}
        messages.append({"role": "assistant", "content": None, "tool_calls": [asked]})
        messages.append({"role": "tool", "tool_call_id": f"c{number}", "content": "other words"})
    return [*messages, {"role": "assistant", "content": "other words"}]


def made(*calls: Call, reason: CompletionReason = CompletionReason.RESPONSE) -> CaseOutput:
    events: list[Event] = []
    for one in calls:
        events += tool_use("@K", one["tool"], "ok", arguments=one["arguments"])
    return output(*events, answer("Done."), reason=reason)


def find(reference: list[Call], out: CaseOutput, mode: str = "strict", **more: Any) -> Finding:
    evaluator = MatchedTrajectory(reference, mode, **more)  # pyright: ignore[reportArgumentType]  # checked when it is made
    return evaluator.examine(EvidenceView(out, evaluator.scope))


SEARCH, SEND = call("search", q="x"), call("send", to="desk")
OUT = made(SEARCH, SEND)


@pytest.mark.parametrize(
    ("calls", "modes"),
    [
        ([SEARCH, SEND], set(MODES)),
        ([SEND, SEARCH], {*MODES} - {"strict"}),
        ([SEARCH], {"superset"}),
        ([SEARCH, SEND, SEND], {"subset", "allowlist"}),
        ([call("search", q="y"), SEND], {"allowlist"}),
    ],
)
def test_calls_and_chats_are_compared_in_every_mode(calls: list[Call], modes: set[str]) -> None:
    for reference in (calls, chat(*calls)):
        assert {mode for mode in MODES if find(reference, OUT, mode).ok} == modes


def test_a_difference_is_told_call_by_call_beside_what_was_called() -> None:
    found = find([call("search", q="y"), call("drop"), SEND], OUT, "unordered")
    assert found == Finding(
        False,
        'unordered: search: /q: expected "y", was "x"; missing: drop {}; called: search, send',
        cause="wrong arguments",
    )
    assert MatchedTrajectory.layer is Layer.TOOL


def test_an_answer_that_a_chat_expects_is_missed() -> None:
    silent = output(*tool_use("@K", "search", "ok", arguments={"q": "x"}))
    found = find(chat(SEARCH), silent)
    assert found.cause == "other messages"
    assert "missing after step 2: a message of the assistant" in found.reason
    assert find([SEARCH], silent).ok


def test_arguments_that_do_not_parse_fail_with_their_text() -> None:
    broken = ToolCalled(agent="@K", tool_name="search", tool_call_id="1", arguments_raw='{"q": ')
    found = find([SEARCH], output(broken, answer("Done.")))
    assert "search: the arguments '{\"q\": ' do not parse: " in found.reason


def test_arguments_that_were_not_recorded_are_not_empty() -> None:
    blank = output(ToolCalled(agent="@K", tool_name="send", tool_call_id="1"), answer("Done."))
    assert "send: the arguments were not recorded" in find([call("send")], blank).reason
    assert find([{"tool": "send"}], blank).ok
    assert find([call("send")], blank, arguments_mode="ignore").ok


@pytest.mark.parametrize("raw", ["", "null", "{}"])
def test_models_write_no_arguments_in_three_ways(raw: str) -> None:
    event = ToolCalled(agent="@K", tool_name="send", tool_call_id="1", arguments_raw=raw)
    assert find([call("send")], output(event, answer("Done."))).ok


@pytest.mark.parametrize("mode", ["strict", "unordered", "subset", "allowlist"])
def test_that_there_was_nothing_more_is_known_only_of_a_completed_turn(mode: str) -> None:
    broken = made(SEARCH, SEND, reason=CompletionReason.TIMEOUT)
    assert find([SEARCH, SEND], broken, mode).cause == "nothing observed"
    assert find([SEARCH, SEND], broken, "superset").ok
    assert not find([SEARCH], broken, mode).reason.startswith("nothing was observed")


def test_a_reference_of_no_calls_says_that_nothing_was_called() -> None:
    for mode in ("strict", "unordered", "subset", "allowlist"):
        assert find([], made(), mode).ok
        assert not find([], OUT, mode).ok


@pytest.mark.parametrize(
    ("reference", "mode", "absence"),
    [
        ([SEARCH], "strict", False),
        ([SEARCH], "unordered", False),
        ([SEARCH], "superset", False),
        ([SEARCH], "subset", True),
        ([SEARCH], "allowlist", True),
        ([], "strict", True),
        (chat(), "strict", False),
        (chat(), "unordered", True),
    ],
)
def test_what_doing_nothing_would_satisfy_asserts_absence(
    reference: list[Call], mode: Any, *, absence: bool
) -> None:
    assert MatchedTrajectory(reference, mode).asserts_absence is absence


def test_a_scope_is_of_an_agent_or_a_turn() -> None:
    both = output(
        *tool_use("@K", "search", "ok", arguments={"q": "x"}),
        *tool_use("@M", "send", "ok", arguments={"to": "desk"}),
        answer("Done.", sender="@M"),
    )
    assert find([SEARCH], both, scope=Scope(agent="@K")).ok
    assert find(chat(SEND), both, scope=Scope(agent="@M")).ok
    assert find([SEARCH, SEND], both, scope=Scope(turn=0)).ok
    assert find([], both, scope=Scope(turn=1)).cause == "nothing observed"


CONFIRMED = "15-two-results-for-one-call"


def test_a_call_that_was_answered_twice_has_one_result() -> None:
    out = read_output(SessionInput(session=str(CASES / f"{CONFIRMED}.jsonl")))
    assert find(chat(call("wire_funds", amount=900, to="rope maker")), out).ok
    assert not find(chat(call("wire_funds", amount=901, to="rope maker")), out).ok


NESTED = json.loads((CASES / "01-args-nested-superset.json").read_text("utf-8"))


@pytest.mark.parametrize("check", NESTED["checks"])
def test_a_partial_reference_is_partial_at_every_level(check: Any) -> None:
    out = made(call("plan_trip", **NESTED["actual"]))
    reference = chat(call("plan_trip", **check["expected"]))
    found = find(reference, out, arguments_mode=check["mode"])
    assert found.ok is check["match"]
    assert all(name in found.reason for name in check["reason_names"])


@pytest.mark.parametrize(
    "pair", json.loads((CASES / "03-args-explicit-default.json").read_text("utf-8"))
)
def test_an_argument_can_be_left_out_of_the_comparison(pair: Any) -> None:
    out = made(call("search_parts", **pair["actual"]))
    reference = chat(call("search_parts", **pair["expected"]))
    for mode, match in pair["match"].items():
        found = find(reference, out, arguments_mode=mode)
        assert (found.ok, match or "page" in found.reason) == (match, True)
    for rule in ({"page": {"$ignore": True}}, {"page": {"$absent_or": 1}}, ["query"]):
        assert find(reference, out, overrides={"search_parts": rule}).ok


@pytest.mark.parametrize(
    "pair",
    json.loads((CASES / "05-args-list-order.json").read_text("utf-8")),
    ids=lambda pair: pair["id"],
)
def test_the_order_of_a_list_counts_but_where_a_rule_says_that_it_does_not(pair: Any) -> None:
    unordered = {"item_ids": {"$unordered": pair["expected"]["item_ids"]}}
    overrides = {"pack": unordered} if pair["mode"] == "unordered" else None
    out = made(call("pack", **pair["actual"]))
    found = find(chat(call("pack", **pair["expected"])), out, overrides=overrides)
    assert found.ok is pair["match"]
    if pair["id"] == "reordered":
        assert "whose elements agree and only their order differs" in found.reason


@pytest.mark.parametrize(
    "pair",
    json.loads((CASES / "07-args-greedy-pairing.json").read_text("utf-8")),
    ids=lambda pair: pair["id"],
)
def test_a_loose_expectation_leaves_a_tight_one_its_only_partner(pair: Any) -> None:
    out = made(*(call("reserve", **arguments) for arguments in pair["actual"]))
    reference = [call("reserve", **arguments) for arguments in pair["expected"]]
    for mode in ("unordered", "superset"):
        assert find(reference, out, mode, arguments_mode="superset").ok is pair["match"]


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"mode": "strct"}, "Input should be 'strict', 'unordered'"),
    ({"arguments_mode": "exactt"}, "Input should be 'exact', 'subset'"),
    ({"overrides": {"search": "exactt"}}, "Input should be 'exact', 'subset'"),
    ({"overrides": {"search": None}}, "Input should be 'exact', 'subset'"),
    ({"overrides": {"search": []}}, "at least 1 item"),
    ({"overrides": {"search": {}}}, "at least 1 item"),
    ({"overrides": {"search": {"q": {"$trm": "x"}}}}, "/q: $trm is no matcher"),
    ({"overrides": {"serch": "exact"}}, "overrides/serch: no expected call is of this tool"),
    ({"overrides": {"search": ["qq"]}}, "no expected call has 'qq' among its arguments"),
    ({"mode": "allowlist", "arguments_mode": "subset"}, "an allowlist is of names"),
    ({"mode": "allowlist", "overrides": {"search": "exact"}}, "an allowlist is of names"),
    ({"reference": [], "mode": "superset"}, "any trajectory would do"),
    ({"reference": chat(), "mode": "superset"}, "any trajectory would do"),
    ({"reference": [{"role": "bot"}]}, '/0: the role "bot" is none'),
    ({"reference": [{"tool": "s", "args": {}}]}, "/0: args is no field of a call"),
    ({"reference": [{"tool": "s", "arguments": {"q": {"$x": 1}}}]}, "s: /q: $x is no matcher"),
]


@pytest.mark.parametrize(("wrong", "told"), WRONG)
def test_what_could_never_be_meant_is_refused_when_it_is_read(
    wrong: dict[str, Any], told: str
) -> None:
    arguments: dict[str, Any] = {"reference": [SEARCH], **wrong}
    with pytest.raises(ValidationError) as caught:
        MatchedTrajectory(**arguments)
    assert told in str(caught.value)


def test_its_name_in_files_is_not_that_of_its_class() -> None:
    assert type_name(MatchedTrajectory) == "trajectory_match"
    evaluator = MatchedTrajectory([SEARCH, SEND, SEARCH], "subset")
    assert evaluator.get_default_evaluation_name() == "trajectory_match(subset search,send)"
    long = MatchedTrajectory([call(f"tool_number_{number}") for number in range(9)])
    assert len(long.key_text()) == 48


def test_what_was_looked_at_are_the_calls() -> None:
    looked = MatchedTrajectory([SEARCH]).looked_at(EvidenceView(OUT))
    assert looked == ['search {"q":"x"} -> ok', 'send {"to":"desk"} -> ok']
