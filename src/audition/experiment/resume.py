"""Whether a run can be gone on with: one run is of one team, one dataset and one judgement.

What is measured comes from the run (its cases, repeats and bounds); how it is run comes from the
call. What has changed since is named, and nothing of it is mixed into what is kept.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from audition.application import Application
from audition.datasets.loading import LoadedDataset
from audition.errors import CallError
from audition.experiment.manifest import (
    Manifest,
    RescoredFrom,
    file_sha256,
    package_versions,
)
from audition.experiment.plan import (
    UNKNOWN,
    Check,
    PlanHead,
    PlannedCase,
    plan_head,
    planned_cases,
    read_plan,
    write_plan,
)

_TOLD = 10
"""Changes that are named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A case that is another one than when the run began.

    Attributes:
        case: Its name.
        case_id: What tells it from all others.
        what: What of it changed.

    """

    case: str
    case_id: str
    what: str

    def __str__(self) -> str:
        return f"{self.case} ({self.what})"


def changed_cases(folder: Path, manifest: Manifest, loaded: LoadedDataset) -> list[Change]:
    """Return the cases of a run that the dataset has otherwise now, or no more.

    Cases that are new in the dataset are none: a run goes on with those it began with.

    Args:
        folder: The folder of the run.
        manifest: Its manifest.
        loaded: The dataset as it is now.

    Raises:
        RecordError: The plan of the run cannot be read.
        NewerFormat: It was written in a newer format.

    """
    head, cases = read_plan(folder)
    now_head = plan_head(loaded)
    if head.shared == now_head.shared and _is_same_file(manifest, loaded):
        return []  # to look at each of many cases takes longer than to read the whole run
    now = {case.case_id: case for case in planned_cases(loaded)}
    return list(_changes(head, cases, now_head, now))


def _is_same_file(manifest: Manifest, loaded: LoadedDataset) -> bool:
    """Return whether the file, and what reads it, are what they were; recordings are not in it."""
    return (
        loaded.target != "session"
        and manifest.packages == package_versions()
        and manifest.dataset_sha256 is not None
        and manifest.dataset_sha256 == file_sha256(loaded.path)
    )


def _changes(
    head: PlanHead,
    cases: Iterator[PlannedCase],
    now_head: PlanHead,
    now: Mapping[str, PlannedCase],
) -> Iterator[Change]:
    for case in cases:
        other = now.get(case.case_id)
        if other is None:
            yield Change(case=case.case, case_id=case.case_id, what="is no more in the dataset")
        elif case.fingerprint != other.fingerprint:
            yield Change(
                case=case.case, case_id=case.case_id, what=_difference(head, case, now_head, other)
            )


def _difference(head: PlanHead, case: PlannedCase, now_head: PlanHead, now: PlannedCase) -> str:
    what = ["its inputs"] if case.inputs != now.inputs else []
    before, after = {**head.shared, **case.checks}, {**now_head.shared, **now.checks}
    every = (before | after).items()
    other = [check.name for of, check in every if _print(before, of) != _print(after, of)]
    if other:
        names = [*dict.fromkeys(other)]
        more = f" and {len(names) - 3} more" if len(names) > 3 else ""
        what.append(f"its evaluators {', '.join(names[:3])}{more}")
    return f"changed: {' and '.join(what)}" if what else "changed"


def _print(checks: Mapping[str, Check], of: str) -> str | None:
    return checks[of].fingerprint if of in checks else None


def check_team(folder: Path, manifest: Manifest, application: Application) -> None:
    """Refuse to go on with a run of another application or version of it.

    Raises:
        CallError: It is another, or the run was kept in a form that cannot be gone on with.

    """
    now = (
        ("application", manifest.application, application.name),
        ("version of the application", manifest.application_version, application.version),
        ("configuration", dict(manifest.configuration), dict(application.configuration)),
    )
    for what, before, after in now:
        if before != after:
            wanted = f"wanted {before!r}, which the run began with: begin another run"
            raise CallError(after, what=f"{folder}: the {what}", wanted=wanted)


def check_origin(folder: Path, manifest: Manifest, origin: RescoredFrom | None) -> None:
    """Refuse to ask a team where outputs are judged anew, to judge others, or the other way round.

    Args:
        folder: The folder of the run that is gone on with.
        manifest: Its manifest.
        origin: Where the outputs come from that are judged, None where a team is asked.

    Raises:
        CallError: It is not what the run began with.

    """
    before = manifest.rescored_from
    if before is None and origin is not None:
        raise no_rescoring(folder)
    if before is not None and origin is None:
        wanted = f"wanted `audition rescore --resume {folder}`"
        found = "outputs that are judged anew"
        raise CallError(found, what=str(folder), wanted=wanted)
    if before is not None and origin is not None and before.sha256 != origin.sha256:
        found = f"other results in {origin.path}"
        wanted = "wanted those that it began to judge: judge these in another run"
        raise CallError(found, what=str(folder), wanted=wanted)


def no_rescoring(folder: Path) -> CallError:
    """Return that a run asks a team, and is not gone on with by judging outputs anew."""
    wanted = f"wanted `audition run --resume {folder}`"
    return CallError("a run of a team", what=str(folder), wanted=wanted)


def go_on_with(
    folder: Path, manifest: Manifest, loaded: LoadedDataset, *, common_only: bool
) -> list[str]:
    """Refuse a run whose cases have changed, or limit it to those that have not.

    Args:
        folder: The folder of the run.
        manifest: Its manifest, which is told what is left.
        loaded: The dataset as it is now.
        common_only: Whether to leave out the cases that changed, with their results.

    Returns:
        What is to be told, line by line.

    Raises:
        CallError: Cases have changed, and they are not to be left out.
        RecordError: The plan of the run cannot be read.
        NewerFormat: It was written in a newer format.

    """
    changes = changed_cases(folder, manifest, loaded)
    if changes and not common_only:
        shown = "; ".join(map(str, changes[:_TOLD]))
        found = shown + (f"; and {len(changes) - _TOLD} more" if len(changes) > _TOLD else "")
        raise CallError(
            found,
            what=f"{folder}: {len(changes)} of its cases",
            wanted="wanted those that the run began with: begin another run, or leave them out "
            "with --common-only",
        )
    gone = {change.case_id for change in changes}
    if gone:
        head, cases = read_plan(folder)
        left = [case for case in cases if case.case_id not in gone]
        totals = write_plan(folder, head, left)
        manifest.units = totals.units
        manifest.dataset_fingerprint = totals.inputs
        manifest.evaluators_fingerprint = totals.evaluators
    return [*(f"left out: {change}" for change in changes), *_unknown(folder)]


def _unknown(folder: Path) -> Iterator[str]:
    _, cases = read_plan(folder)
    names = [case.case for case in cases if UNKNOWN in (case.inputs, case.fingerprint)]
    if names:
        yield (
            f"{len(names)} case(s), {names[0]} the first, hold values that have no fingerprint: "
            "whether they changed is not known"
        )
