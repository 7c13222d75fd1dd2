"""Each planted fault fails exactly these assertions, and the first of them names its layer."""

import asyncio
from functools import partial
from typing import Any

import pytest
from pydantic_evals.reporting import ReportCase

from audition.application import load_dataset
from audition.diagnosis.layers import assertion_results, diagnose
from audition.run_case import run_case_with_factory
from evals.knowledge.demo_faults import DATASETS, SHOWN, evaluated, row
from evals.knowledge.faults import FAULTS, without_last
from evals.knowledge.runtime import evaluation

SIX = "Harbourline +5"
EVIDENCE = f"tool_evidence_contains_terms(search_graph,{SIX})"
ANSWER = f"human_response_contains_terms({SIX})"

type Evaluated = dict[str, ReportCase[Any, Any, Any]]


def evaluate(fault: str, file: str, *names: str) -> Evaluated:
    """Return the cases of a dataset file, all or some, as a team with a fault answers them."""
    return {case.name: case for case in evaluated(fault, file, *names)}


def failing(case: ReportCase[Any, Any, Any]) -> set[str]:
    return {result.name for result in assertion_results(case) if not result.ok}


@pytest.mark.parametrize(("file", "cases"), [("retrieval", 16), ("scenarios", 12)])
def test_the_good_team_passes_every_case(file: str, cases: int) -> None:
    dataset = load_dataset(DATASETS / f"{file}.json").dataset
    task = partial(run_case_with_factory, runtime_factory=evaluation)
    report = asyncio.run(dataset.evaluate(task, progress=False, max_concurrency=8))
    assert len(report.cases) >= cases
    assert {case.name: failing(case) for case in report.cases if failing(case)} == {}


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


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_fails_exactly_what_it_breaks(fault: str) -> None:
    file, name = SHOWN[fault]
    case = evaluate(fault, file, name)[name]
    expected, layer = EXACTLY[fault]
    assert failing(case) == expected
    assert str(diagnose(assertion_results(case), case.output)) == layer


def test_four_of_six_facts_were_fetched_and_two_not_stored() -> None:
    assert row("four-of-six-are-stored") == (
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


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_changes_no_scenario_that_does_not_involve_it(fault: str) -> None:
    cases = evaluate(fault, "scenarios")
    assert {name for name, case in cases.items() if failing(case)} == INVOLVED[fault]


OF_RETRIEVAL = ["search-is-empty", "names-are-dropped", "nothing-is-searched", "questions-write",
                "searches-repeat", "recommendation-is-dropped"]  # fmt: skip


@pytest.mark.parametrize("fault", OF_RETRIEVAL)
def test_every_failing_case_of_a_fault_blames_the_same_layer(fault: str) -> None:
    cases = evaluate(fault, "retrieval")
    found = {diagnose(assertion_results(case), case.output) for case in cases.values()}
    layers = {diagnosis.layer for diagnosis in found if diagnosis is not None}
    assert len(layers) == 1


def test_dropping_names_from_a_list_changes_no_other_case() -> None:
    cases = evaluate("names-are-dropped", "retrieval")
    assert {name for name, case in cases.items() if failing(case)} == {
        "founders",
        "founders-paraphrase",
    }


def test_an_empty_search_leaves_the_cases_of_missing_facts_alone() -> None:
    cases = evaluate("search-is-empty", "retrieval")
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
    assert row("commit-before-update")[-1] == '"Harbourline": fetched, not stored'
