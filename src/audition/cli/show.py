"""`audition show`: one case of a report, with everything it left behind."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from audition.reports.terminal import safe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from audition.evaluators.case_evaluator import CaseEvaluator
    from audition.experiment.native_report import Report


def show(
    report: Annotated[Path, typer.Argument(help="A native report, or the folder of a run.")],
    case: Annotated[
        str | None, typer.Argument(help="The case; without one, all are listed.")
    ] = None,
) -> None:
    """Print one case of a report: turns, messages, tools, evidence, and what each check saw."""
    from audition.datasets.problems import accepted
    from audition.errors import CallError
    from audition.experiment.native_report import REPORT, load_report
    from audition.reports.case_text import case_text, failure_text

    loaded = load_report(report / REPORT if report.is_dir() else report)
    if case is None:
        _list(loaded)
        return
    found = [one for one in loaded.cases if case in {one.name, one.source_case_name}]
    broken = [one for one in loaded.failures if case in {one.name, one.source_case_name}]
    if not found and not broken:
        names = [one.name for one in (*loaded.cases, *loaded.failures)]
        raise CallError(case, what=f"{report}: case", wanted=accepted(case, names))
    types = _evaluator_types(loaded)
    for one in found:
        print(case_text(one, types))
    for failure in broken:
        print(failure_text(failure))


def _evaluator_types(report: "Report") -> "Sequence[type[CaseEvaluator]]":
    """Return the evaluators of the application that the report is about, else the library's."""
    from audition.application import find_project, load_application
    from audition.errors import SetupError
    from audition.evaluators.builtin import BUILTIN

    name = (report.experiment_metadata or {}).get("application")
    try:
        project = find_project(Path.cwd())
        named = str(name) if name in project.applications else None
        return load_application(project, named).authoring.evaluator_types
    except SetupError as error:
        print(f"audition: {safe(str(error))}; what it adds is not known here", file=sys.stderr)
        return BUILTIN


def _list(report: "Report") -> None:
    from audition.experiment.engine import LABEL
    from audition.reports.terminal import one_line

    for one in report.cases:
        held = sum(bool(result.value) for result in one.assertions.values())
        layer = one.labels.get(LABEL)
        told = f", first failing layer {one_line(str(layer.value))}" if layer else ""
        print(f"{one_line(one.name)}: {held} of {len(one.assertions)} assertions hold{told}")
    for failure in report.failures:
        print(one_line(f"{failure.name}: the task raised {failure.error_message}"))
