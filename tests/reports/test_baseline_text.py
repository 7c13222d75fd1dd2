from pathlib import Path

from audition.gates.baselines import Change, Promotion, Promotions
from audition.reports.baseline_text import baseline_text


def promotion(day: int, change: float | None) -> Promotion:
    return Promotion(
        promoted_at=f"2031-03-0{day}T09:00:00+00:00",
        run=f"run-{day}",
        dataset="desk.json",
        git_commit="0123456789abcdef",
        git_dirty=True,
        application_version="7",
        model_ids=("m1",),
        cases=30,
        rate=0.9,
        change=None
        if change is None
        else Change(cases=29, difference=change, low=change - 0.03, high=change + 0.03),
    )


def test_a_baseline_is_told_with_the_last_promotion_first_and_what_crept() -> None:
    each = (promotion(1, None), promotion(2, -0.02), promotion(3, -0.015))
    lines = baseline_text(Path("kept/desk"), Promotions(promotions=each)).splitlines()
    assert lines[0] == "kept/desk"
    assert lines[1] == (
        "  2031-03-03T09:00:00+00:00 run-3 of desk.json, commit 0123456789 with changes, version "
        "7, m1: 30 cases, 90 % passed; -1.5 points against the one before (29 cases in common, "
        "95 % interval -4.5 to +1.5)"
    )
    assert lines[3].endswith(": 30 cases, 90 % passed")
    assert lines[4] == ("  since the first of 3 promotions: -3.5 points, as the sum of all changes")


def test_one_promotion_has_crept_nowhere() -> None:
    text = baseline_text(Path("kept/desk"), Promotions(promotions=(promotion(1, None),)))
    assert "since the first" not in text
