"""`audition show`: one case of a report, with everything it left behind."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from audition.experiment.native_report import Report


def show(
    report: Annotated[Path, typer.Argument(help="A native report, or the folder of a run.")],
    case: Annotated[
        str | None, typer.Argument(help="The case; without one, all are listed.")
    ] = None,
) -> None:
    """Print one case of a report: turns, messages, tools, evidence, and what each check saw."""
    from audition.application import find_project, load_application
    from audition.experiment.native_report import REPORT, load_report
    from audition.reports.case_text import case_text

    loaded = load_report(report / REPORT if report.is_dir() else report)
    if case is None:
        _list(loaded)
        return
    types = load_application(find_project(Path.cwd())).authoring.evaluator_types
    found = [one for one in loaded.cases if case in {one.name, one.source_case_name}]
    broken = [one for one in loaded.failures if case in {one.name, one.source_case_name}]
    if not found and not broken:
        names = ", ".join(one.name for one in (*loaded.cases, *loaded.failures))
        print(f"audition: no case {case!r} in {report}; there are: {names}", file=sys.stderr)
        raise typer.Exit(2)
    for one in found:
        print(case_text(one, types))
    for failure in broken:
        print(f"case {failure.name}: the task raised {failure.error_message}")


def _list(report: "Report") -> None:
    from audition.experiment.engine import LABEL
    from audition.reports.terminal import one_line

    for one in report.cases:
        held = sum(bool(result.value) for result in one.assertions.values())
        layer = one.labels.get(LABEL)
        told = f", first failing layer {one_line(str(layer.value))}" if layer else ""
        print(f"{one.name}: {held} of {len(one.assertions)} assertions hold{told}")
    for failure in report.failures:
        print(f"{failure.name}: the task raised {one_line(failure.error_message)}")
