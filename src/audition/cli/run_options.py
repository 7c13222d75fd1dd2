"""The options of `audition run`, and what of them is measured: that stays the same in a run."""

from dataclasses import dataclass, fields, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from audition.cli.results import ResultFormat
from audition.errors import CallError

if TYPE_CHECKING:
    from audition.datasets.session_files import Given
    from audition.experiment.manifest import Manifest, Selection

Dataset = Annotated[
    Path | None,
    typer.Argument(help="The dataset file: .json, .yaml or .yml; with --resume that of the run."),
]
Cases = Annotated[
    list[str] | None, typer.Option("--case", metavar="NAME", help="Only this case; repeatable.")
]
Tags = Annotated[
    list[str] | None,
    typer.Option("--tag", metavar="TAG", help="Only cases with this tag; repeatable."),
]
Shard = Annotated[
    str | None,
    typer.Option(metavar="I/N", help="Only this part of the cases, such as 2/4; see `merge`."),
]
Team = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Which of the application's teams, such as production."),
]
Session = Annotated[
    Path | None, typer.Option(help="Judge this recorded session, in a session file.")
]
Source = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Take the sessions of a session file from here, as for `audition sessions`.",
    ),
]
Repeat = Annotated[
    int | None,
    typer.Option(
        min=1,
        max=10_000,
        metavar="COUNT",
        help="How often each case is run, in place of what the file says (else once).",
    ),
]
Concurrency = Annotated[
    int, typer.Option(min=1, max=10_000, metavar="COUNT", help="How many cases at a time.")
]
Seed = Annotated[
    int,
    typer.Option(
        min=0, max=2**31 - 1, metavar="NUMBER", help="What the seed of each repeat is made of."
    ),
]
Timeout = Annotated[
    float | None,
    typer.Option(min=0.001, max=86_400, metavar="SECONDS", help="Longest wait for one turn."),
]
Deadline = Annotated[
    float | None,
    typer.Option(min=0.001, max=86_400, metavar="SECONDS", help="Longest time for one case."),
]
TolerateErrors = Annotated[
    float,
    typer.Option(
        min=0,
        max=1,
        metavar="SHARE",
        help="Share of broken cases up to which they are only counted.",
    ),
]
RunDeadline = Annotated[
    float | None,
    typer.Option(min=0.001, max=864_000, metavar="SECONDS", help="Longest time for the whole run."),
]
MaxTokens = Annotated[
    int | None,
    typer.Option(min=1, metavar="COUNT", help="Start no more cases after so many tokens."),
]
MaxCost = Annotated[
    float | None,
    typer.Option(
        "--max-cost-usd", min=0, metavar="DOLLARS", help="Start no more cases after such a cost."
    ),
]
MaxToolCalls = Annotated[
    int | None,
    typer.Option(min=1, metavar="COUNT", help="Start no more cases after so many tool calls."),
]
FailFast = Annotated[
    bool, typer.Option("--fail-fast", help="Start no more cases after the first that fails.")
]
Grace = Annotated[
    float,
    typer.Option(
        min=0,
        max=86_400,
        metavar="SECONDS",
        help="How long what is in flight may take after an interruption.",
    ),
]
Resume = Annotated[
    Path | None,
    typer.Option(metavar="FOLDER", help="Finish what is missing of the run in this folder."),
]
CommonOnly = Annotated[
    bool,
    typer.Option(
        "--common-only", help="With --resume: leave out the cases that have changed since."
    ),
]
LastFailed = Annotated[
    bool, typer.Option("--last-failed", help="With --resume: also run again what failed.")
]
KeepSpans = Annotated[
    bool,
    typer.Option(
        "--keep-spans", help="Keep the spans of each case, for evaluators of spans in `rescore`."
    ),
]
Report = Annotated[
    Path | None,
    typer.Option("--report", "--save-report", help="Also write the native report here."),
]
Reports = Annotated[
    Path, typer.Option(help="The folder under which the folder of this run is made.")
]


Redact = Annotated[
    bool,
    typer.Option(
        "--redact/--no-redact", help="Take secrets out of what is kept and told, or keep them."
    ),
]
ResultsAs = Annotated[ResultFormat, typer.Option("--format", help="How results are printed.")]


class Retry(StrEnum):
    """What is run again when a run is gone on with, besides what is missing."""

    ERRORS = "errors"
    FAILED = "failed"


Retries = Annotated[
    list[Retry] | None,
    typer.Option("--retry", help="With --resume: also run again what broke, or what failed."),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What of a call decides what is measured.

    Attributes:
        dataset: The dataset file, None for that of the run that is gone on with.
        names: The names of the cases, empty for all.
        tags: The tags, one of which each case has; empty for all.
        shard: Which part of the cases, None for all.
        team: The team, None for the application's default.
        session: The recorded session that is judged, None for those that the file names.
        source: Where sessions come from, None for what the file names.
        repeat: How often each case is run, None for what the file says.
        seed: What the seed of each (case, repeat) is made of.
        timeout: Longest wait for one turn in seconds, None for that of the cases.
        deadline: Longest time for a case in seconds, None likewise.
        keep_spans: Whether the spans of each case are kept with its result.

    """

    dataset: Path | None
    names: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    shard: str | None = None
    team: str | None = None
    session: Path | None = None
    source: str | None = None
    repeat: int | None = None
    seed: int = 0
    timeout: float | None = None
    deadline: float | None = None
    keep_spans: bool = False

    @property
    def selection(self) -> "Selection":
        """What of it the manifest of a run says."""
        from audition.experiment.manifest import Selection

        return Selection(
            names=self.names,
            tags=self.tags,
            shard=self.shard,
            session=None if self.session is None else str(self.session),
            source=self.source,
        )

    def given(self) -> "Given | None":
        """Return what the call says in place of the sessions that a file names.

        Raises:
            CallError: It says both, or what can be read but once.
            SetupError: The source is none.

        """
        from audition.sources.addresses import source_address
        from audition.sources.files import STDIN

        if self.session is not None and self.source is not None:
            wanted = "wanted one of --source and --session"
            raise CallError(self.source, what="--source", wanted=wanted)
        for option, named in (("--session", str(self.session)), ("--source", self.source)):
            if named == STDIN:
                wanted = (
                    "wanted a file: each case reads it, and standard input can be read but once"
                )
                raise CallError(STDIN, what=option, wanted=wanted)
        return self.session if self.source is None else source_address(self.source)


_OPTIONS = {"names": "--case", "tags": "--tag", "dataset": "DATASET"}


def measured_before(folder: Path, call: Measured) -> Measured:
    """Return what is measured in a run that is gone on with.

    Args:
        folder: The folder of the run.
        call: What the call says of it, which may be nothing or the same.

    Raises:
        CallError: The call says something else.
        RecordError: The manifest of the run cannot be read.
        NewerFormat: It was written in a newer format.

    """
    from audition.experiment.manifest import read_manifest

    before = measured_in(read_manifest(folder))
    default = Measured(dataset=None)
    for field in fields(Measured):
        said, was = getattr(call, field.name), getattr(before, field.name)
        if field.name == "dataset" or said in (getattr(default, field.name), was):
            continue
        option = _OPTIONS.get(field.name, f"--{field.name.replace('_', '-')}")
        wanted = f"wanted {was!r}, as the run began with: what it measures stays the same"
        raise CallError(said, what=f"{option} with --resume {folder}", wanted=wanted)
    return replace(before, dataset=call.dataset or before.dataset)


def measured_in(manifest: "Manifest") -> Measured:
    """Return what is measured in a run, by its manifest."""
    limits, chosen = manifest.limits, manifest.selection
    return Measured(
        dataset=Path(manifest.dataset_path),
        names=chosen.names,
        tags=chosen.tags,
        shard=chosen.shard,
        team=manifest.team,
        session=None if chosen.session is None else Path(chosen.session),
        source=chosen.source,
        repeat=_number(limits.get("repeat"), int),
        seed=_number(limits.get("seed"), int) or 0,
        timeout=_number(limits.get("timeout_seconds"), float),
        deadline=_number(limits.get("deadline_seconds"), float),
        keep_spans=limits.get("keep_spans") is True,
    )


def _number[NumberT: (int, float)](value: object, kind: type[NumberT]) -> NumberT | None:
    return kind(value) if isinstance(value, int | float) else None


def check_common_only(*, common_only: bool, resume: Path | None) -> None:
    """Refuse to leave out changed cases where no run is gone on with.

    Raises:
        CallError: None is.

    """
    if common_only and resume is None:
        wanted = "wanted it beside --resume FOLDER: it leaves out what has changed since that run"
        raise CallError(common_only, what="--common-only", wanted=wanted)


def retried(
    retries: list[Retry] | None, *, last_failed: bool, resume: Path | None
) -> frozenset[str]:
    """Return what is run again of a run that is gone on with.

    Raises:
        CallError: No run is gone on with.

    """
    chosen = {*(retries or ()), *([Retry.FAILED] if last_failed else [])}
    if chosen and resume is None:
        told = "--last-failed" if last_failed else "--retry"
        wanted = "wanted it beside --resume FOLDER: it says what of that run is run again"
        raise CallError(", ".join(sorted(chosen)), what=told, wanted=wanted)
    return frozenset({Retry.ERRORS: "error", Retry.FAILED: "failed"}[one] for one in chosen)
