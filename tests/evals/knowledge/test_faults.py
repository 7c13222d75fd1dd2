"""Each planted fault fails exactly these assertions, and the first of them names its layer."""

from typing import Any

import pytest
from pydantic_evals.reporting import ReportCase

from audition.application import load_dataset
from audition.diagnosis.layers import assertion_results, diagnose
from evals.knowledge.fault_models import without_last
from evals.knowledge.fault_runs import DATASETS, evaluated, row
from evals.knowledge.fault_table import FAULTS, Fault

SIX = "Harbourline +5"
EVIDENCE = f"tool_evidence_contains_terms(search_graph,{SIX})"
ANSWER = f"human_response_contains_terms({SIX})"
BY_NAME = {fault.name: fault for fault in FAULTS}

type Evaluated = dict[str, ReportCase[Any, Any, Any]]

of_each_fault = pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)


def evaluate(file: str, *names: str, team: str, **more: float) -> Evaluated:
    """Return the cases of a dataset file, all or some, none of which may break on the way."""
    report = evaluated(file, *names, team=team, **more)
    assert report.failures == []
    assert [case.name for case in report.cases if case.evaluator_failures] == []
    return {case.name: case for case in report.cases}


def failing(case: ReportCase[Any, Any, Any]) -> set[str]:
    return {result.name for result in assertion_results(case) if not result.ok}


@pytest.mark.parametrize("file", ["retrieval", "scenarios"])
def test_the_good_team_passes_every_case(file: str) -> None:
    cases = evaluate(file, team="evaluation", turn_seconds=30)
    dataset = load_dataset(DATASETS / f"{file}.json").dataset
    assert set(cases) == {case.name for case in dataset.cases}
    assert {name: failing(case) for name, case in cases.items() if failing(case)} == {}


INGESTED = "tool_calls_succeeded(web_fetch_tool +2)"
UNCHANGED = "did_not_call_tools(web_fetch_tool +1)"
TIDE = "human_response_contains_terms(tide modeller)@0"
EXACTLY = {
    "search-is-empty": ({EVIDENCE, ANSWER}, "evidence: absent"),
    "names-are-dropped": ({ANSWER}, "answer: omitted"),
    "nothing-is-searched": (
        {EVIDENCE, ANSWER, "searched", "searches_succeeded"},
        "tool: not called",
    ),
    "four-of-six-are-stored": ({f"{EVIDENCE}@1", f"{ANSWER}@1"}, "evidence: absent"),
    "commit-before-update": ({f"{INGESTED}@0", f"{EVIDENCE}@1", f"{ANSWER}@1"}, "tool: failed"),
    "success-is-claimed": (
        {"human_response_contains_any_term(could not be fetched +2)@0"},
        "answer: omitted",
    ),
    "questions-write": ({f"{UNCHANGED}@0"}, "tool: forbidden call"),
    "searches-repeat": ({"search_budget"}, "budget: called too often"),
    "recommendation-is-dropped": ({"recommendation_kept"}, "answer: omitted"),
    "specialist-dies": (
        {
            "completed",
            "followed_route@0",
            "did_not_involve_agents(@Manager +1)@0",
            f"{UNCHANGED}@0",
            TIDE,
        },
        "run: timeout",
    ),
    "specialist-is-silent": (
        {
            "completed",
            "followed_route@0",
            "did_not_involve_agents(@Manager +1)@0",
            "called_required_tools(search_graph)@0",
            f"{UNCHANGED}@0",
            TIDE,
        },
        "run: timeout",
    ),
}


@of_each_fault
def test_a_fault_fails_exactly_what_it_breaks(fault: Fault) -> None:
    case = evaluate(fault.file, fault.case, team=fault.team)[fault.case]
    expected, layer = EXACTLY[fault.name]
    assert failing(case) == expected
    assert str(diagnose(assertion_results(case), case.output)) == layer


def test_four_of_six_facts_were_fetched_and_two_not_stored() -> None:
    assert row(BY_NAME["four-of-six-are-stored"]) == (
        "four-of-six-are-stored",
        "ingest-then-list-six",
        "evidence: absent",
        '"Quillon Consultants": fetched, not stored',
    )


ASKING = {
    "changed-page",
    "direct-to-knowledge",
    "ingest-then-ask",
    "ingest-then-list-six",
    "instructions-in-a-page",
    "read-only-question-with-an-address",
    "two-pages-one-question",
}
STORING = {
    "changed-page",
    "direct-to-web-ingest",
    "forced-page",
    "ingest-then-ask",
    "ingest-then-list-six",
    "instructions-in-a-page",
    "two-pages-one-question",
    "unchanged-page",
}
INVOLVED = {
    "search-is-empty": ASKING,
    "names-are-dropped": {"ingest-then-list-six"},
    "nothing-is-searched": ASKING,
    "four-of-six-are-stored": {"ingest-then-list-six"},
    "commit-before-update": STORING,
    "success-is-claimed": {"unreachable-page"},
    "questions-write": ASKING,
    "searches-repeat": {"read-only-question-with-an-address"},
    "recommendation-is-dropped": set[str](),
    "specialist-dies": ASKING,
    "specialist-is-silent": ASKING,
}


@of_each_fault
def test_a_fault_changes_no_scenario_that_does_not_involve_it(fault: Fault) -> None:
    cases = evaluate("scenarios", team=fault.team)
    assert {name for name, case in cases.items() if failing(case)} == INVOLVED[fault.name]


OF_RETRIEVAL = ["search-is-empty", "names-are-dropped", "nothing-is-searched", "questions-write",
                "searches-repeat", "recommendation-is-dropped"]  # fmt: skip


@pytest.mark.parametrize("name", OF_RETRIEVAL)
def test_every_failing_case_of_a_fault_blames_its_layer(name: str) -> None:
    cases = evaluate("retrieval", team=BY_NAME[name].team)
    found = {diagnose(assertion_results(case), case.output) for case in cases.values()}
    layers = {str(diagnosis).partition(":")[0] for diagnosis in found if diagnosis is not None}
    assert layers == {EXACTLY[name][1].partition(":")[0]}


def test_dropping_names_from_a_list_changes_no_other_case() -> None:
    cases = evaluate("retrieval", team="fault-names-are-dropped")
    assert {name for name, case in cases.items() if failing(case)} == {
        "founders",
        "founders-paraphrase",
    }


def test_an_empty_search_leaves_the_cases_of_missing_facts_alone() -> None:
    cases = evaluate("retrieval", team="fault-search-is-empty")
    assert not failing(cases["unknown-entity"])
    assert not failing(cases["unknown-favourite-port"])


SIX_NAMES = ["Kestrel Mill", "Ada Lorn", "Bram Oster", "Cleo Pitt", "Dirk Quast", "Finn"]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (
            "Kestrel Mill was founded by Ada Lorn, Bram Oster, Cleo Pitt, Dirk Quast and Finn.",
            "Kestrel Mill was founded by Ada Lorn, Bram Oster, Cleo Pitt.",
        ),
        ("It was: Ada Lorn, Bram Oster, Cleo Pitt, and Finn.", "It was: Ada Lorn, Bram Oster."),
        ("It was Ada Lorn, Bram Oster and Finn.", "It was Ada Lorn, Bram Oster and Finn."),
        ("Nobody knows.", "Nobody knows."),
    ],
)
def test_names_are_dropped_however_they_are_told(text: str, left: str) -> None:
    assert without_last(text, SIX_NAMES) == left


def test_what_was_never_committed_is_told_as_not_stored() -> None:
    assert row(BY_NAME["commit-before-update"])[-1] == '"Harbourline": fetched, not stored'
