"""Whether one case alone got worse, from its repeats: it takes several to tell that from chance."""

from math import comb

from audition.statistics.cases import CaseRuns


def drop_by_chance(base: CaseRuns, candidate: CaseRuns) -> float:
    """Return how probable it is that so few of the passed runs are the candidate's, by chance.

    Fisher's exact test, one-sided: of all ways to deal the runs that passed to the two sides, the
    share that gives the candidate no more than it has. 1 where either has no runs.
    """
    passed = base.passed + candidate.passed
    fewest = max(0, passed - base.runs)
    ways = sum(
        comb(candidate.runs, some) * comb(base.runs, passed - some)
        for some in range(fewest, candidate.passed + 1)
    )
    return ways / comb(base.runs + candidate.runs, passed)
