"""Where an expected fact was lost."""

from collections.abc import Sequence
from typing import Any

import pytest

from audition.diagnosis.fact_trace import FactTrace, trace_facts
from audition.diagnosis.layers import AssertionResult
from audition.evaluators.case_evaluator import CaseEvaluator
from audition.evaluators.completion import Completed
from audition.evaluators.responses import HumanResponseContainsTerms
from audition.evaluators.view import Scope
from audition.events import Event, ToolOutcome
from audition.fact_stages import FactStage, final_answer, messages, tool_arguments, tool_evidence
from audition.output import CaseOutput
from audition.testing import answer, output, question, tool_use

STAGES = (
    tool_evidence("fetched", "fetch"),
    tool_arguments("stored", "update"),
    tool_evidence("found", "search"),
    final_answer("answered"),
)
FETCH = tool_use("@Web", "fetch", "Harbourline and Quillon formed it.")


def store(*names: str) -> list[Event]:
    return tool_use("@Web", "update", "ok", arguments={"names": list(names)})


def find(*names: str) -> list[Event]:
    return tool_use("@Knowledge", "search", ", ".join(names))


def trace(out: CaseOutput, stages: Sequence[FactStage] = STAGES, **metadata: Any) -> list[str]:
    named = {"facts": ["Harbourline", "Quillon"], **metadata}
    return [str(one) for one in trace_facts(out, stages, assertions=(), metadata=named)]


def test_a_fact_that_came_through_passed_every_stage() -> None:
    names = ("Harbourline", "Quillon")
    out = output(*FETCH, *store(*names), *find(*names), answer("Harbourline, Quillon"))
    assert trace(out) == [
        '"Harbourline": fetched, stored, found, answered',
        '"Quillon": fetched, stored, found, answered',
    ]


@pytest.mark.parametrize(
    ("events", "told"),
    [
        ([*FETCH, *store("Harbourline")], "fetched, not stored"),
        ([*FETCH, *store("Quillon")], "stored, not found"),
        ([*FETCH], "fetched, not stored"),
        ([*FETCH, *store("Quillon"), *find("Quillon")], "found, not answered"),
        ([*find("Harbourline")], "never found"),
        ([*find("Quillon")], "found, not answered"),
        ([], "never answered"),
    ],
    ids=str.split("extraction search nothing answer retrieval dropped bare"),
)
def test_the_first_stage_that_lost_it_is_named(events: list[Event], told: str) -> None:
    out = output(question("Who?"), *events, answer("It was Harbourline."))
    assert trace(out)[1] == f'"Quillon": {told}'


def test_a_fact_from_nowhere_is_told() -> None:
    out = output(*find("Harbourline"), answer("Harbourline and Quillon."))
    assert trace(out)[1] == '"Quillon": answered, though not found'
    (kept, unbacked) = trace_facts(
        out, STAGES, assertions=(), metadata={"facts": ["Harbourline", "Quillon"]}
    )
    assert (kept.lost, kept.unbacked) == (None, None)
    assert (unbacked.lost, unbacked.unbacked) == (None, "found")


def test_a_case_may_name_the_stages_that_count() -> None:
    out = output(*FETCH, *store("Harbourline"), answer("Stored."))
    assert trace(out, fact_stages=["fetched", "stored"]) == [
        '"Harbourline": fetched, stored',
        '"Quillon": fetched, not stored',
    ]


def failed(*evaluators: CaseEvaluator) -> list[AssertionResult]:
    return [
        AssertionResult(name="x", ok=False, reason="", evaluator=evaluator)
        for evaluator in evaluators
    ]


def test_without_named_facts_those_that_the_answer_lacks_are_traced() -> None:
    out = output(*find("Quillon"), answer("Nobody."))
    wanted = HumanResponseContainsTerms(("Quillon",))
    other_turn = HumanResponseContainsTerms(("Harbourline",), scope=Scope(turn=7))
    assertions = failed(Completed(), wanted, other_turn, wanted)
    (traced,) = trace_facts(out, STAGES, assertions=assertions, metadata={"facts": 7})
    assert traced == FactTrace(
        fact='"Quillon"', stages={"fetched": None, "stored": None, "found": True, "answered": False}
    )
    assert traced.lost == "answered"


def test_there_is_nothing_to_trace_without_output_stages_or_facts() -> None:
    out = output(answer("a"))
    assert trace_facts(None, STAGES, assertions=(), metadata={"facts": ["a"]}) == []
    assert trace_facts(out, (), assertions=(), metadata={"facts": ["a"]}) == []
    assert trace_facts(out, STAGES, assertions=(), metadata=None) == []


def test_a_stage_that_is_not_on_the_way_loses_nothing() -> None:
    stages = (
        STAGES[2],
        messages("handed over", sender="@Knowledge", recipient="@Manager"),
        STAGES[3],
    )
    direct = question("q", to="@Knowledge")
    out = output(direct, *find("Harbourline", "Quillon"), answer("Quillon", sender="@Knowledge"))
    assert trace(out, stages) == [
        '"Harbourline": found, not answered',
        '"Quillon": found, answered',
    ]


def test_a_page_that_could_not_be_fetched_was_never_fetched() -> None:
    failed = tool_use("@Web", "fetch", "no such host", outcome=ToolOutcome.TOOL_ERROR)
    out = output(*failed, *find("something else"), answer("nobody knows"))
    assert trace(out, facts=["Harbourline"]) == ['"Harbourline": never fetched']
