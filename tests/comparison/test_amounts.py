from typing import Any

import pytest

from audition.comparison.amounts import score_changes, usages
from audition.comparison.pairing import Pair
from audition.statistics.mean_differences import mean_difference
from tests.comparison.made_up_sides import case, pair


def paired(name: str, before: dict[str, Any], after: dict[str, Any]) -> Pair:
    return pair(*(case(name, "", **{"planned": 1, **fields}) for fields in (before, after)))


def test_what_is_used_is_told_with_its_ratio_case_by_case() -> None:
    found = [
        paired("a", {"seconds": [1.0, 3.0]}, {"seconds": [4.0]}),
        paired("b", {"seconds": [10.0]}, {"seconds": [15.0]}),
        paired("c", {"seconds": [1.0]}, {"seconds": [1.0]}),
        paired("gone", {"seconds": [100.0]}, {}),
    ]
    (seconds,) = usages(found)
    assert (seconds.name, seconds.cases) == ("seconds", 3)
    assert seconds.ratio is not None
    assert (seconds.ratio.value, seconds.candidate_median.value) == (1.5, 4.0)
    assert seconds.candidate_p95.high is None


def test_what_cost_nothing_before_has_no_ratio() -> None:
    (cost,) = usages([paired("a", {"costs_usd": [0.0]}, {"costs_usd": [0.5]})])
    assert (cost.name, cost.ratio) == ("cost_usd", None)


def test_scores_are_compared_case_by_case() -> None:
    before, after = [[0.5], [2.0], [1.0]], [[1.0, 2.0], [2.5], [4.0]]
    found = [
        paired(str(number), {"scores": {"tone": old}}, {"scores": {"tone": new, "new": [1.0]}})
        for number, (old, new) in enumerate(zip(before, after, strict=True))
    ]
    (tone,) = score_changes(found)
    told = mean_difference(before, after)
    assert (tone.name, tone.cases, tone.difference) == ("tone", 3, told.value)
    assert tone.interval == told.interval


@pytest.mark.parametrize("score", [float("nan"), float("inf")])
def test_what_is_no_number_is_no_score(score: float) -> None:
    one = {"scores": {"tone": [score]}}
    assert list(score_changes([paired("a", one, one)])) == []
