"""Failures that are there before and after, but of another layer or agent.

The pass rate does not show them: a team that no longer finds the page and one that no longer says
what it found fail as often.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from audition.comparison.pairing import Pair
from audition.experiment.histories import Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """Cases that fail on both sides, and whose failure moved from one place to another.

    Attributes:
        base: The layer before, with the agent where one is to blame: `tool/@Knowledge`.
        candidate: The same after.
        cases: The names of the cases.

    """

    base: str
    candidate: str
    cases: tuple[str, ...]


def moves(paired: Iterable[Pair]) -> list[Move]:
    """Return where failures moved, the most cases first.

    Of a case that fails in at least half of its repeats on both sides, the place is the most
    common one. Repeats in which an assertion fails that the other side does not have say nothing.
    """
    found: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for pair in paired:
        if all(2 * side.passed <= side.runs for side in (pair.before, pair.after)):
            common = frozenset(pair.common)
            before = _place(pair.base.outcomes, common)
            after = _place(pair.candidate.outcomes, common)
            if before and after and before != after:
                found[before, after].append(pair.candidate.case)
    ordered = sorted(found.items(), key=lambda one: (-len(one[1]), one[0]))
    return [Move(base=old, candidate=new, cases=tuple(cases)) for (old, new), cases in ordered]


def _place(outcomes: Sequence[Outcome], common: frozenset[str]) -> str | None:
    """Return the most common place of the failures, None where none is known."""
    places = Counter(
        f"{one.blame.layer}/{one.blame.agent}" if one.blame.agent else one.blame.layer
        for one in outcomes
        if one.blame is not None and one.failed <= common
    )
    return min(places, key=lambda place: (-places[place], place)) if places else None
