"""Each planted fault fails exactly these assertions, and the first of them names its layer."""

import asyncio
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from pydantic_evals.reporting import ReportCase

from audition.application import load_dataset
from audition.datasets.selection import select_cases
from audition.diagnosis.layers import assertion_results, diagnose
from audition.run_case import run_case_with_factory
from audition.runtime import TeamRuntimeFactory
from evals.knowledge.faults import FAULTS
from evals.knowledge.runtime import evaluation

DATASET = Path(__file__).parents[3] / "datasets" / "retrieval.json"
SIX = "Harbourline +5"
EVIDENCE = f"tool_evidence_contains_terms(search_graph,{SIX})"
ANSWER = f"human_response_contains_terms({SIX})"

type Evaluated = dict[str, ReportCase[Any, Any, Any]]


def evaluate(factory: TeamRuntimeFactory[Any], *names: str) -> Evaluated:
    """Return the cases of the retrieval dataset, all or some, as a team answers them."""
    dataset = load_dataset(DATASET).dataset
    select_cases(dataset, names=names)
    task = partial(run_case_with_factory, runtime_factory=factory)
    report = asyncio.run(dataset.evaluate(task, progress=False, max_concurrency=8))
    assert not report.failures
    return {case.name: case for case in report.cases}


def failing(case: ReportCase[Any, Any, Any]) -> set[str]:
    return {result.name for result in assertion_results(case) if not result.ok}


def test_the_good_team_passes_every_case() -> None:
    cases = evaluate(evaluation)
    assert len(cases) >= 16
    assert {name: failing(case) for name, case in cases.items() if failing(case)} == {}


@pytest.mark.parametrize(
    ("fault", "expected", "layer"),
    [
        ("search-is-empty", {EVIDENCE, ANSWER}, "evidence: absent"),
        ("names-are-dropped", {ANSWER}, "answer: omitted"),
        (
            "nothing-is-searched",
            {EVIDENCE, ANSWER, "searched", "searches_succeeded"},
            "tool: not called",
        ),
    ],
)
def test_a_fault_fails_exactly_what_it_breaks(fault: str, expected: set[str], layer: str) -> None:
    case = evaluate(FAULTS[fault], "founders")["founders"]
    assert failing(case) == expected
    assert str(diagnose(assertion_results(case), case.output)) == layer


@pytest.mark.parametrize("fault", FAULTS)
def test_every_failing_case_of_a_fault_blames_the_same_layer(fault: str) -> None:
    cases = evaluate(FAULTS[fault])
    found = {diagnose(assertion_results(case), case.output) for case in cases.values()}
    layers = {diagnosis.layer for diagnosis in found if diagnosis is not None}
    assert len(layers) == 1


def test_dropping_names_from_a_list_changes_no_other_case() -> None:
    cases = evaluate(FAULTS["names-are-dropped"])
    assert {name for name, case in cases.items() if failing(case)} == {
        "founders",
        "founders-paraphrase",
    }


def test_an_empty_search_leaves_the_cases_of_missing_facts_alone() -> None:
    cases = evaluate(FAULTS["search-is-empty"])
    assert not failing(cases["unknown-entity"])
    assert not failing(cases["unknown-favourite-port"])
