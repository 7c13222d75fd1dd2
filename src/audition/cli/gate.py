"""`audition gate`: whether a run is what a policy asks for, to a sentence and an exit code."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from audition.cli.printing import quiet_end

if TYPE_CHECKING:
    from audition.gates.policy import Policy
    from audition.gates.subjects import Subject


class GateFormat(StrEnum):
    """How a decision is printed."""

    TABLE = "table"
    JSON = "json"
    MARKDOWN = "markdown"


Reports = Annotated[Path, typer.Option(metavar="FOLDER", help="Where runs are kept, for `latest`.")]
Baselines = Annotated[
    Path, typer.Option(metavar="FOLDER", help="Where baselines are kept, for their names.")
]


def gate(
    report: Annotated[
        str,
        typer.Argument(help="The folder of a run, `latest`, a baseline's name, a native report."),
    ],
    policy: Annotated[
        Path, typer.Option(metavar="FILE", help="What the run must be: .json, .yaml or .yml.")
    ],
    baseline: Annotated[
        str | None, typer.Option(metavar="RUN", help="What it is compared with, named likewise.")
    ] = None,
    reports: Reports = Path("eval-reports"),
    baselines: Baselines = Path("eval-baselines"),
    format: Annotated[  # noqa: A002  # the name of the option
        GateFormat, typer.Option(help="How the decision is printed.")
    ] = GateFormat.TABLE,
) -> None:
    """Judge a run by a policy, and say which rule decided, with its numbers."""
    import gc
    import json

    from audition.gates.gate import gate as decided
    from audition.gates.policy_file import read_policy
    from audition.redaction.records import Redactor
    from audition.reports.gate_text import gate_json, gate_markdown, gate_table

    gc.disable()  # all is kept to the end: to look for garbage takes half the time of large runs
    asked = read_policy(policy)
    _check_call(asked, baseline, policy)
    subject = subject_of(report, reports, baselines)
    base = None if baseline is None else subject_of(baseline, reports, baselines)
    _check_other(subject, base, baseline)
    decision = decided(subject, asked, base=base)
    with quiet_end():
        match format:
            case GateFormat.JSON:
                print(json.dumps(gate_json(decision), indent=2))
            case GateFormat.MARKDOWN:
                print(Redactor().text(gate_markdown(decision)))
            case GateFormat.TABLE:
                print(Redactor().text(gate_table(decision)))
    raise typer.Exit(decision.code)


def subject_of(named: str, reports: Path, baselines: Path) -> "Subject":
    """Return the run that is named in a call."""
    from audition.datasets.authoring import Authoring
    from audition.gates.subjects import find_run, read_subject

    return read_subject(find_run(named, reports=reports, baselines=baselines), Authoring())


def _check_call(policy: "Policy", baseline: str | None, path: Path) -> None:
    """Refuse a baseline without a margin, and a margin without a baseline."""
    from audition.errors import CallError

    if policy.baseline is not None and baseline is None:
        wanted = f"wanted a run or a baseline's name: {path} has a margin"
        raise CallError(baseline, what="--baseline", wanted=wanted)
    if policy.baseline is None and baseline is not None:
        wanted = f"wanted `baseline: {{margin: 0.03}}`, or the like, in {path}"
        raise CallError(baseline, what="--baseline", wanted=wanted)


def _check_other(subject: "Subject", base: "Subject | None", named: str | None) -> None:
    from audition.errors import CallError

    if base is not None and base.path.resolve() == subject.path.resolve():
        raise CallError(named, what="--baseline", wanted="wanted another run than the judged one")
