"""Shows what the evaluation says of each planted fault: `make demo-faults`."""

import asyncio
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from pydantic_evals.reporting import ReportCase

from audition.application import load_dataset
from audition.datasets.selection import select_cases
from audition.diagnosis.fact_trace import trace_facts
from audition.diagnosis.layers import assertion_results, diagnose
from audition.run_case import run_case_with_factory
from evals.knowledge.contract import FACT_STAGES
from evals.knowledge.faults import FAULTS

DATASETS = Path(__file__).parents[2] / "datasets"
TURN_SECONDS = 2.0
"""How long a turn is waited for: two of the teams never answer."""

SHOWN = {
    "search-is-empty": ("retrieval", "founders"),
    "names-are-dropped": ("retrieval", "founders"),
    "nothing-is-searched": ("retrieval", "founders"),
    "four-of-six-are-stored": ("scenarios", "ingest-then-list-six"),
    "commit-before-update": ("scenarios", "ingest-then-list-six"),
    "success-is-claimed": ("scenarios", "unreachable-page"),
    "questions-write": ("scenarios", "read-only-question-with-an-address"),
    "searches-repeat": ("retrieval", "unknown-favourite-port"),
    "recommendation-is-dropped": ("retrieval", "unknown-favourite-port"),
    "specialist-dies": ("scenarios", "direct-to-knowledge"),
    "specialist-is-silent": ("scenarios", "direct-to-knowledge"),
}
"""The case in which each fault is shown: its file and its name."""

type Row = tuple[str, str, str, str]


def evaluated(fault: str, file: str, *names: str) -> Sequence[ReportCase]:
    """Return the cases of a file, all or some, as the team with the fault answers them."""
    dataset = load_dataset(DATASETS / f"{file}.json").dataset
    select_cases(dataset, names=names)
    for case in dataset.cases:
        case.inputs.timeout_seconds = TURN_SECONDS
    task = partial(run_case_with_factory, runtime_factory=FAULTS[fault])
    return asyncio.run(dataset.evaluate(task, progress=False, max_concurrency=8)).cases


def row(fault: str) -> Row:
    """Return what is said of a fault: its name, its case, the layer, and the first lost fact."""
    file, name = SHOWN[fault]
    (case,) = evaluated(fault, file, name)
    assertions = assertion_results(case)
    traces = trace_facts(case.output, FACT_STAGES, assertions=assertions, metadata=case.metadata)
    lost = next((str(trace) for trace in traces if trace.lost), "")
    return fault, name, str(diagnose(assertions, case.output)), lost


def main() -> None:
    """Print the table."""
    rows = [("fault", "case", "first failing layer: cause", "a lost fact"), *map(row, FAULTS)]
    widths = [max(len(one[column]) for one in rows) for column in range(4)]
    for one in rows:
        cells = (cell.ljust(width) for cell, width in zip(one, widths, strict=True))
        sys.stdout.write("  ".join(cells).rstrip() + "\n")


if __name__ == "__main__":
    main()
