"""Runs of parts of a dataset, put together into one run of all of it.

The parts must be of one team, judged by the same evaluators. What two of them hold alike is taken
once; what they hold otherwise is refused: nobody could say which of both is meant.
"""

import hashlib
import re
import shutil
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp

from audition.errors import CallError
from audition.experiment.exit_codes import ExitCode
from audition.experiment.journal import JournalLine
from audition.experiment.journal_writer import Journal
from audition.experiment.kept_lines import counts_in, read_journal, read_results
from audition.experiment.limits import Limits, Spent
from audition.experiment.lock import locked
from audition.experiment.manifest import Manifest, now, read_manifest
from audition.experiment.native_report import report_of_run
from audition.experiment.plan import (
    PlanHead,
    PlannedCase,
    PlanTotals,
    fingerprints,
    read_plan,
    write_plan,
)
from audition.experiment.progress import Progress
from audition.experiment.status import exit_code

_SAME = ("experiment", "application", "application_version", "configuration", "team", "redacted")
_MEASURED = ("repeat", "timeout_seconds", "deadline_seconds", "seed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """What became of putting runs together.

    Attributes:
        code: The exit code that one run of all would have had.
        missing: Parts that were not given, such as "2/4".

    """

    code: ExitCode
    missing: Sequence[str]


def merge_runs(
    folders: Sequence[Path], target: Path, *, tolerated_error_share: float = 0
) -> Merged:
    """Put runs of parts of a dataset together, and return what became of that.

    Args:
        folders: The folders of the runs, at least one.
        target: The folder of the whole run, which is not there yet.
        tolerated_error_share: Share of errors from 0 to 1 up to which they are only counted.

    Raises:
        CallError: They are not parts of one run, or the folder cannot be made.
        RecordError: One cannot be read.
        NewerFormat: One was written in a newer format.

    """
    manifests = [read_manifest(folder) for folder in folders]
    _check_alike(folders, manifests)
    if target.exists():
        raise CallError(str(target), what="--output", wanted="wanted a folder that is not there")
    with _part_of(target) as part:
        with ExitStack() as held:
            for folder in {folder.resolve() for folder in folders}:
                held.enter_context(locked(folder))  # a run that still goes on would be cut off
            totals = write_plan(part, _head(folders), _cases(folders))
            progress = _write_lines(folders, part)
        missing = _missing(manifests)
        manifest = _manifest(manifests, folders, totals, progress)
        code = exit_code(
            progress.statuses(),
            tolerated_error_share=tolerated_error_share,
            not_run=totals.units - progress.finished + len(missing),
        )
        manifest.exit_code = int(code)
        if missing:
            manifest.stopped_by = f"parts {', '.join(missing)} are missing"
        report_of_run(part, manifest)
        manifest.write(part, redact=manifest.redacted)
    return Merged(code=code, missing=missing)


@contextmanager
def _part_of(target: Path) -> Generator[Path]:
    """Give a new folder that becomes the target where all went well, and goes where it did not."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        part = Path(mkdtemp(prefix=f".{target.name[:100]}.", dir=target.parent))
        part.chmod(0o755)
    except OSError as error:
        wanted = f"wanted a folder that can be made: {error.strerror}"
        raise CallError(str(target), what="--output", wanted=wanted) from None
    try:
        yield part
        part.rename(target)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise


def _check_alike(folders: Sequence[Path], manifests: Sequence[Manifest]) -> None:
    first = manifests[0]
    for folder, manifest in zip(folders[1:], manifests[1:], strict=True):
        for field in _SAME:
            _check_same(folder, field, getattr(manifest, field), getattr(first, field))
        for name in _MEASURED:
            _check_same(folder, name, manifest.limits.get(name), first.limits.get(name))
        if manifest.model_ids and first.model_ids:  # a part may have asked none
            _check_same(folder, "models", sorted(manifest.model_ids), sorted(first.model_ids))
    heads = [read_plan(folder)[0] for folder in folders]
    for folder, head in zip(folders[1:], heads[1:], strict=True):
        if head != heads[0]:
            found, wanted = "other evaluators of all cases", f"wanted those of {folders[0]}"
            raise CallError(found, what=str(folder), wanted=wanted)


def _check_same(folder: Path, what: str, found: object, wanted: object) -> None:
    if found != wanted:
        told = f"wanted {wanted!r}, as the first has it: one run is of one team"
        raise CallError(found, what=f"{folder}: {what}", wanted=told)


def _head(folders: Sequence[Path]) -> PlanHead:
    return read_plan(folders[0])[0]


def _cases(folders: Sequence[Path]) -> Iterator[PlannedCase]:
    """Yield the cases of all runs, each once, in the order of their places in the parts."""
    cases: dict[str, tuple[PlannedCase, Path]] = {}
    for folder in folders:
        for case in read_plan(folder)[1]:
            before, held = cases.setdefault(case.case_id, (case, folder))
            if before.fingerprint != case.fingerprint:
                found = f"{case.case} with other inputs or evaluators"
                raise CallError(found, what=str(folder), wanted=f"wanted those of {held}")
    every = sorted((case for case, _ in cases.values()), key=lambda case: case.position)
    for position, case in enumerate(every):
        yield case.model_copy(update={"position": position})


def _write_lines(folders: Sequence[Path], part: Path) -> Progress:
    progress = Progress(Spent(limits=Limits()))
    written: dict[tuple[str, int, int], bytes] = {}
    with Journal(part) as journal:
        for folder in folders:
            of_cases = fingerprints(folder)
            lines = (line for line in read_journal(folder) if counts_in(line, of_cases))
            for kept in read_results(folder, lines):
                digest = hashlib.sha256(kept.text).digest()
                unit = (*kept.line.key, kept.line.attempt)
                if unit not in written:
                    written[unit] = digest
                    progress.add(journal.write(kept.line, kept.text, is_failure=kept.is_failure))
                elif written[unit] != digest:
                    raise _twice(folder, kept.line)
    return progress


def _twice(folder: Path, line: JournalLine) -> CallError:
    found = f"another result of {line.name}, attempt {line.attempt}"
    return CallError(found, what=str(folder), wanted="wanted each result in one part only")


def _missing(manifests: Iterable[Manifest]) -> list[str]:
    """Return the parts that are not there, of as many as the given ones say that there are."""
    found = [re.fullmatch(r"(\d+)/(\d+)", one.selection.shard or "") for one in manifests]
    given = {(int(match[1]), int(match[2])) for match in found if match}
    counts = sorted({count for _, count in given})
    return [
        f"{number}/{count}"
        for count in counts
        for number in range(1, count + 1)
        if (number, count) not in given
    ]


def _manifest(
    manifests: Sequence[Manifest], folders: Sequence[Path], totals: PlanTotals, progress: Progress
) -> Manifest:
    first = manifests[0]
    return first.model_copy(
        update={
            "selection": first.selection.model_copy(update={"shard": None}),
            "dataset_fingerprint": totals.inputs,
            "evaluators_fingerprint": totals.evaluators,
            "units": totals.units,
            "model_ids": progress.model_ids,
            "merged_from": [str(folder) for folder in folders],
            "started_at": min(manifest.started_at for manifest in manifests),
            "resumed_at": [],
            "finished_at": now(),
            "stopped_by": None,
        }
    )
