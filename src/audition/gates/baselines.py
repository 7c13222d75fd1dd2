"""Runs that others are compared with: plan, journal and manifest, without what the team said.

A baseline is a folder that can be committed. Each promotion is written down with what it changed,
so that a margin that is used up a little at a time is seen.
"""

import json
import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from audition.datasets.authoring import Authoring
from audition.datasets.pointers import first_wrong
from audition.errors import CallError, NewerFormat, RecordError
from audition.experiment.exit_codes import ExitCode
from audition.experiment.folder import folder_name
from audition.experiment.journal import JOURNAL
from audition.experiment.manifest import MANIFEST, Manifest, now, read_manifest
from audition.experiment.plan import PLAN
from audition.files import naming
from audition.gates.pairs import pairs_of
from audition.gates.policy import Target
from audition.gates.slices import slice_of
from audition.gates.subjects import Subject, read_subject
from audition.recording import read_record
from audition.statistics.paired import rate_difference
from audition.statistics.rates import pass_rate

PROMOTIONS = "baseline.json"
VERSION = 1
_KEPT = (MANIFEST, PLAN, JOURNAL)
_ENDED_BADLY = "more of its runs broke than it tolerates (exit code 3)"
_MAX_BYTES = 16 * 1024 * 1024


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Change(_Model):
    """A run beside the baseline before it, on the cases of both.

    Attributes:
        cases: How many.
        difference: Of their pass rates, below 0 where it is worse.
        low: The lower end of the interval of 95 %.
        high: The upper end.

    """

    cases: int
    difference: float
    low: float
    high: float


class Promotion(_Model):
    """That a run became the baseline.

    Attributes:
        promoted_at: When, in UTC, ISO 8601.
        run: The name of the folder of the run.
        dataset: Its dataset file, as it was named.
        git_commit: The commit that was evaluated, None where that is not known.
        git_dirty: Whether it had changes, None likewise.
        application_version: The version of the application, None where it has none.
        model_ids: The models that answered.
        cases: How many cases it has.
        rate: Their pass rate, None where none was measured.
        change: Against the baseline before, None where there is none, or no case of both.

    """

    promoted_at: str
    run: str
    dataset: str
    git_commit: str | None
    git_dirty: bool | None
    application_version: str | None
    model_ids: tuple[str, ...]
    cases: int
    rate: float | None
    change: Change | None


class Promotions(_Model):
    """All promotions to a baseline, the last last; at least one."""

    version: int = VERSION
    promotions: tuple[Promotion, ...]

    @property
    def crept(self) -> float | None:
        """The sum of all changes since the first, None where fewer than two are known."""
        changes = [one.change.difference for one in self.promotions if one.change is not None]
        return sum(changes) if len(changes) > 1 else None


def promote(run: Path, baselines: Path, *, name: str | None = None) -> tuple[Path, Promotions]:
    """Make a run the baseline of a name, and return its folder with all promotions to it.

    It is written aside and then put in the place of the one before.

    Args:
        run: The folder of the run.
        baselines: Where baselines are kept.
        name: Its name, None for that of the experiment.

    Raises:
        CallError: The run is not the whole of its dataset, is kept with secrets, or the name is
            none of a folder.
        RecordError: It cannot be read.
        NewerFormat: It was written in a newer format.

    """
    if not run.is_dir():
        raise CallError(str(run), what="RUN", wanted="wanted the folder of a run")
    subject, manifest = read_subject(run, Authoring()), read_manifest(run)
    _check_whole(subject, manifest)
    target = baselines / _checked_name(name or folder_name(manifest.experiment))
    if target.resolve() == run.resolve():
        raise CallError(str(run), what="RUN", wanted="wanted another run than the baseline itself")
    before = _before(target)
    promotions = Promotions(
        promotions=(*_promotions(target), _promotion(subject, manifest, before))
    )
    _write(run, target, promotions)
    return target, promotions


def _check_whole(subject: Subject, manifest: Manifest) -> None:
    """Refuse a run that later ones could not be compared with, and say why."""
    left = sum(case.not_run for case in subject.cases.values())
    why = (
        subject.unfinished,
        subject.selection and f"it is of a part of its dataset alone, {subject.selection}",
        f"{left} of its runs did not run" if left else None,
        _ENDED_BADLY if manifest.exit_code == ExitCode.INFRASTRUCTURE else None,
        None if subject.cases else "it has no case",
        None if manifest.redacted else "it is kept with its secrets (--no-redact)",
    )
    found = next(filter(None, why), None)
    if found is not None:
        wanted = "wanted a whole run, without secrets, since later ones are compared with it"
        raise CallError(found, what=str(subject.path), wanted=wanted)


def _checked_name(name: str) -> str:
    if name != folder_name(name):
        raise CallError(
            name, what="--as", wanted=f"wanted a plain name, such as {folder_name(name)}"
        )
    return name


def _before(target: Path) -> Subject | None:
    return read_subject(target, Authoring()) if (target / MANIFEST).exists() else None


def _promotions(target: Path) -> Sequence[Promotion]:
    return read_promotions(target).promotions if (target / PROMOTIONS).exists() else ()


def _promotion(subject: Subject, manifest: Manifest, before: Subject | None) -> Promotion:
    every = slice_of(subject, Target())
    counts = every.counts if every is not None else ()
    return Promotion(
        promoted_at=now(),
        run=subject.path.resolve().name,
        dataset=Path(manifest.dataset_path).name,
        git_commit=manifest.git_commit,
        git_dirty=manifest.git_dirty,
        application_version=manifest.application_version,
        model_ids=tuple(manifest.model_ids),
        cases=len(subject.cases),
        rate=pass_rate(counts).value if counts else None,
        change=None if before is None else _change(before, subject),
    )


def _change(before: Subject, subject: Subject) -> Change | None:
    pairs = pairs_of(before, subject, Target())
    if pairs is None or not pairs.paired:
        return None
    base, candidate = ([getattr(one, side) for one in pairs.paired] for side in ("before", "after"))
    found = rate_difference(base, candidate)
    return Change(
        cases=len(pairs.paired),
        difference=found.value,
        low=found.interval.low,
        high=found.interval.high,
    )


def _write(run: Path, target: Path, promotions: Promotions) -> None:
    part = target.with_name(f".{target.name}.part-{os.getpid()}")
    old = target.with_name(f".{target.name}.old-{os.getpid()}")
    with naming(target):
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        for name in _KEPT:
            if (run / name).exists():
                shutil.copyfile(run / name, part / name)
        text = json.dumps(promotions.model_dump(mode="json"), indent=2, ensure_ascii=False)
        (part / PROMOTIONS).write_text(f"{text}\n", encoding="utf-8")
        if target.exists():
            target.replace(old)
        part.replace(target)
        shutil.rmtree(old, ignore_errors=True)


def read_promotions(folder: Path) -> Promotions:
    """Return all promotions to a baseline.

    Raises:
        RecordError: They cannot be read, or are none.
        NewerFormat: They were written in a newer format.

    """
    path = folder / PROMOTIONS
    try:
        found = Promotions.model_validate_json(read_record(path, _MAX_BYTES))
    except ValidationError as error:
        raise RecordError(str(path), f"no baseline: {first_wrong(error)}") from None
    if found.version > VERSION:
        raise NewerFormat(str(path), found=found.version, readable=VERSION)
    return found


def promoted(baselines: Path) -> list[Path]:
    """Return the folders of all baselines, by name."""
    return sorted(path.parent for path in baselines.glob(f"[!.]*/{PROMOTIONS}"))
