"""`tools_used`: what suites of kagent-agentevals mean by names of tools."""

from typing import Any

import pytest

from audition.evaluators.case_evaluator import Finding, Layer
from audition.evaluators.tools_used import ToolsUsed
from audition.evaluators.view import EvidenceView, Scope
from audition.events import CompletionReason, ToolCalled, ToolOutcome
from audition.output import CaseOutput
from audition.testing import answer, output, tool_call, tool_result, tool_use

TWICE = output(*tool_use("@K", "search", "Mara"), *tool_use("@K", "search", "Oren"), answer("Mara"))
IDLE = output(answer("I made it up."))


def rejected(outcome: ToolOutcome = ToolOutcome.REJECTED) -> CaseOutput:
    ended = tool_result("@K", "send", "no", outcome=outcome)
    return output(tool_call("@K", "send"), *ended, answer("Not sent."))


def examine(out: CaseOutput, *expected: str, **fields: Any) -> Finding:
    evaluator = ToolsUsed(expected, **fields)
    return evaluator.examine(EvidenceView(out, evaluator.scope))


@pytest.mark.parametrize(
    ("mode", "expected", "holds"),
    [
        ("superset", ["search"], True),
        ("superset", ["search", "search"], True),
        ("superset", ["search", "search", "search"], False),
        ("superset", ["search", "send"], False),
        ("subset", ["search"], True),  # an allowlist: however often
        ("subset", ["send"], False),
        ("unordered", ["search", "search"], True),
        ("unordered", ["search"], False),
    ],
)
def test_each_mode_asks_its_own_question(mode: Any, expected: list[str], *, holds: bool) -> None:
    assert examine(TWICE, *expected, mode=mode).ok is holds


def test_who_did_nothing_is_within_an_allowlist_and_used_no_tool() -> None:
    assert examine(IDLE, "search", mode="subset").ok
    finding = examine(IDLE, "search")
    assert (finding.ok, finding.cause) == (False, "not called")
    assert finding.reason == "not used: search; superset of search; called: no tool"


def test_nothing_observed_is_within_no_allowlist() -> None:
    broken = output(reason=CompletionReason.TIMEOUT)
    finding = examine(broken, "search", mode="subset")
    assert (finding.ok, finding.layer) == (False, Layer.RUN)


@pytest.mark.parametrize("outcome", [ToolOutcome.REJECTED, ToolOutcome.PENDING])
def test_a_call_that_never_ran_used_no_tool(outcome: ToolOutcome) -> None:
    finding = examine(rejected(outcome), "send")
    assert (finding.ok, "of these never ran: send" in finding.reason) == (False, True)
    assert examine(rejected(outcome), "send", mode="subset").ok
    assert not examine(rejected(outcome), "send", mode="unordered").ok


def test_a_call_that_was_rejected_was_one_too_many_where_it_is_not_named() -> None:
    for mode in ("subset", "unordered"):
        finding = examine(rejected(), "search", mode=mode)
        assert (finding.ok, finding.cause) == (False, "forbidden call")


def test_a_call_that_failed_used_its_tool() -> None:
    assert examine(rejected(ToolOutcome.TOOL_ERROR), "send").ok


def test_a_tool_of_the_runtime_counts_where_it_is_named() -> None:
    handed = ToolCalled(
        agent="@K", tool_name="transfer", run_id="r", tool_call_id="1", internal=True
    )
    out = output(handed, answer("Over to you."))
    assert examine(out, "transfer").ok
    assert examine(out, "search", mode="subset").ok


def test_it_looks_where_its_scope_says() -> None:
    assert not examine(TWICE, "search", scope=Scope(agent="@Manager")).ok


def test_only_an_allowlist_asserts_absence() -> None:
    assert [ToolsUsed(("a",), mode=mode).asserts_absence for mode in ("superset", "subset")] == [
        False,
        True,
    ]
    name = ToolsUsed(("a", "b", "a"), mode="subset").get_default_evaluation_name()
    assert name == "tools_used(subset a +1)"


def test_what_was_looked_at_is_every_call() -> None:
    looked = ToolsUsed(("send",)).looked_at(EvidenceView(TWICE, Scope()))
    assert len(looked) == 2
