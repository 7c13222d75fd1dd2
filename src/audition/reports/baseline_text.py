"""Baselines as text: where each came from, and what each promotion changed."""

from collections.abc import Iterator
from pathlib import Path

from audition.gates.baselines import Change, Promotion, Promotions
from audition.gates.wording import counted, percent, points
from audition.reports.terminal import one_line


def baseline_text(folder: Path, promotions: Promotions) -> str:
    """Return a baseline with all its promotions, the last first."""
    lines = [*map(told, reversed(promotions.promotions)), *_crept(promotions)]
    return "\n".join([one_line(str(folder), 400), *(f"  {one_line(line, 400)}" for line in lines)])


def told(promotion: Promotion) -> str:
    """Return a promotion in a line."""
    dirty = " with changes" if promotion.git_dirty else ""
    commit = f", commit {promotion.git_commit[:10]}{dirty}" if promotion.git_commit else ""
    version = f", version {promotion.application_version}" if promotion.application_version else ""
    models = f", {' and '.join(promotion.model_ids)}" if promotion.model_ids else ""
    rate = "none measured" if promotion.rate is None else f"{percent(promotion.rate)} passed"
    return (
        f"{promotion.promoted_at} {promotion.run} of {promotion.dataset}{commit}{version}{models}: "
        f"{counted(promotion.cases, 'case')}, {rate}{_change(promotion.change)}"
    )


def _change(change: Change | None) -> str:
    if change is None:
        return ""
    between = f"95 % interval {points(change.low)} to {points(change.high)}"
    cases = f"{counted(change.cases, 'case')} in common"
    return f"; {points(change.difference)} points against the one before ({cases}, {between})"


def _crept(promotions: Promotions) -> Iterator[str]:
    crept = promotions.crept
    if crept is not None:
        yield (
            f"since the first of {len(promotions.promotions)} promotions: {points(crept)} points, "
            "as the sum of all changes"
        )
