import pytest

from audition.gates.wording import counted, interval, passed_of, percent, points
from audition.statistics.cases import CaseRuns
from audition.statistics.intervals import Interval


@pytest.mark.parametrize(
    ("share", "unlike", "told"),
    [
        (0.9032, None, "90.3 %"),
        (0.85, None, "85 %"),
        (1.0, None, "100 %"),
        (0.9499, 0.95, "94.99 %"),
        (0.84999, 0.85, "84.999 %"),
        (0.95, 0.95, "95 %"),
        (0.9996, None, "99.96 %"),
    ],
)
def test_a_share_never_looks_like_the_bar_that_it_misses(
    share: float, unlike: float | None, told: str
) -> None:
    assert percent(share, unlike=unlike) == told


def test_points_have_a_sign_and_margins_none() -> None:
    assert [points(-0.0149), points(0.0), points(0.1)] == ["-1.5", "+0.0", "+10.0"]
    assert [points(0.03, signed=False), points(0.025, signed=False)] == ["3", "2.5"]


def test_an_interval_is_told_with_its_confidence() -> None:
    told = interval(Interval(low=0.751, high=0.967, confidence=0.95))
    assert told == "95 % interval 75.1 % to 96.7 %"


def test_cases_are_counted_and_repeats_beside_them() -> None:
    once = [CaseRuns(1, 1)] * 28 + [CaseRuns(0, 1)] * 3
    assert passed_of(once) == "28 of 31 cases passed (90.3 %)"
    thrice = [CaseRuns(3, 3), CaseRuns(1, 2)]
    assert passed_of(thrice) == "75 % over 2 cases, 4 of 5 runs passed"
    assert counted(1, "case") == "1 case"
