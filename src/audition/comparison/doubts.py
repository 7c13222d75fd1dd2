"""What else is not the same in two runs, so that a difference may come from it.

What a comparison is made for is among it: a new model, another version of the team.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from audition.comparison.sides import Known, Side
from audition.experiment.manifest import Manifest
from audition.values import canonical_json, writable_json


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """Something that is not the same on both sides.

    Attributes:
        what: What it is.
        base: What it was before.
        candidate: What it is now.

    """

    what: str
    base: str
    candidate: str


def doubts(base: Side, candidate: Side) -> list[Doubt]:
    """Return what is not the same, and what is not known of a side, the most important first."""
    each = zip(_facts(base), _facts(candidate), strict=True)
    told = [
        Doubt(what=what, base=_told(old), candidate=_told(new))
        for (what, old), (_, new) in each
        if _differs(old, new)
    ]
    rest = (_packages, _shared, _unfinished, _by_name)
    return [*told, *(doubt for find in rest for doubt in find(base, candidate))]


def _facts(side: Side) -> Iterator[tuple[str, object]]:
    """Yield what is to be the same; None is not known, and differs from nothing."""
    manifest, is_report = side.history.manifest, side.known is Known.REPORT
    yield "application", manifest.application
    yield "version of the application", manifest.application_version
    yield "team", manifest.team
    yield "models", sorted(manifest.model_ids) or None
    yield "configuration", None if is_report else dict(manifest.configuration)
    yield "dataset", manifest.dataset_name or None
    yield "what is asked", manifest.dataset_fingerprint[:12] or None
    yield "evaluators", manifest.evaluators_fingerprint[:12] or None
    yield "selection of cases", None if is_report else _selection(manifest)
    yield "repeats of a case", sorted({case.planned for case in side.history.cases.values()})
    yield from ((f"limit: {name}", manifest.limits.get(name)) for name in _LIMITS)
    yield "secrets taken out", None if is_report else manifest.redacted
    yield "Python", manifest.python or None
    yield "commit", manifest.git_commit
    yield "uncommitted changes", manifest.git_dirty


_LIMITS = ("seed", "timeout_seconds", "deadline_seconds")


def _selection(manifest: Manifest) -> object:
    return {name: value for name, value in manifest.selection.model_dump().items() if value}


def _differs(old: object, new: object) -> bool:
    if old is None or new is None:
        return False
    return old != new


def _told(value: object) -> str:
    return value if isinstance(value, str) else canonical_json(writable_json(value))


def _packages(base: Side, candidate: Side) -> Iterator[Doubt]:
    old, new = base.history.manifest.packages, candidate.history.manifest.packages
    both = [(name, old[name], new[name]) for name in sorted(old) if name in new]
    other = [(name, before, after) for name, before, after in both if before != after]
    if other:
        yield Doubt(
            what="packages",
            base=", ".join(f"{name} {before or 'not there'}" for name, before, _ in other),
            candidate=", ".join(f"{name} {after or 'not there'}" for name, _, after in other),
        )


def _shared(base: Side, candidate: Side) -> Iterator[Doubt]:
    """Yield the evaluators of all cases that are not the same: they count in no verdict."""
    if base.known is not candidate.known:
        return
    old, new = (
        {of: (check.name, check.fingerprint) for of, check in side.history.shared.items()}
        for side in (base, candidate)
    )
    only = [
        sorted(told[0] for of, told in one.items() if other.get(of) != told)
        for one, other in ((old, new), (new, old))
    ]
    if any(only):
        lost, added = (", ".join(names) or "none" for names in only)
        yield Doubt(what="evaluators of all cases on one side alone", base=lost, candidate=added)


def _unfinished(base: Side, candidate: Side) -> Iterator[Doubt]:
    ends = [_end(base), _end(candidate)]
    if any(ends):
        yield Doubt(what="unfinished", base=ends[0] or "no", candidate=ends[1] or "no")


def _end(side: Side) -> str:
    """Return why not all of a run was run, empty where it was."""
    manifest, cases = side.history.manifest, side.history.cases.values()
    missing = side.history.lost + sum(case.not_run for case in cases)
    if missing or (side.known is not Known.REPORT and manifest.finished_at is None):
        why = manifest.stopped_by or ("it was left" if manifest.finished_at else "no end is known")
        return f"{missing} repeats not run: {why}"
    return ""


def _by_name(base: Side, candidate: Side) -> Iterator[Doubt]:
    if base.known is not candidate.known or base.known is Known.NOTHING:
        yield Doubt(
            what="cases and evaluators are paired by name alone, and may have changed: known from",
            base=str(base.known),
            candidate=str(candidate.known),
        )
