"""What the evaluation says of the team with a fault: its cases, and the row of a table."""

import asyncio
from functools import partial
from pathlib import Path
from typing import Any

from pydantic_evals.reporting import EvaluationReport

from audition.application import load_dataset
from audition.datasets.selection import select_cases
from audition.diagnosis.fact_trace import trace_facts
from audition.diagnosis.layers import assertion_results, diagnose
from audition.run_case import run_case_with_factory
from evals.knowledge.application import application
from evals.knowledge.contract import FACT_STAGES
from evals.knowledge.fault_table import Fault

DATASETS = Path(__file__).parents[2] / "datasets"
TURN_SECONDS = 2.0
"""How long a turn is waited for: two of the teams never answer."""

type Row = tuple[str, str, str, str]


def evaluated(
    file: str, *names: str, team: str, turn_seconds: float = TURN_SECONDS
) -> EvaluationReport[Any, Any, Any]:
    """Return what comes of the cases of a file, all or some, as a team answers them.

    Args:
        file: Its name, without folder and ending.
        names: The cases, all of them where none is named.
        team: As it is called on the command line.
        turn_seconds: How long a turn is waited for.

    """
    dataset = load_dataset(DATASETS / f"{file}.json").dataset
    select_cases(dataset, names=names)
    for case in dataset.cases:
        case.inputs.timeout_seconds = turn_seconds
    task = partial(run_case_with_factory, runtime_factory=application.runtime_factory(team))
    return asyncio.run(dataset.evaluate(task, progress=False, max_concurrency=8))


def row(fault: Fault) -> Row:
    """Return what is said of a fault: its name, its case, the layer, and the first lost fact."""
    (case,) = evaluated(fault.file, fault.case, team=fault.team).cases
    assertions = assertion_results(case)
    traces = trace_facts(case.output, FACT_STAGES, assertions=assertions, metadata=case.metadata)
    lost = next((str(trace) for trace in traces if trace.lost), "")
    return fault.name, fault.case, str(diagnose(assertions, case.output)), lost
