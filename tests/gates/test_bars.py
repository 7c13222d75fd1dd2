import pytest

from audition.gates.bars import bar_findings
from audition.gates.findings import Finding, Verdict
from audition.gates.subjects import Subject
from tests.gates.runs import case, cases, policy, run


def of_bar(subject: Subject, **fields: object) -> Finding:
    rules = {"bars": [{"at_least": 0.85, **fields}]}
    (found,) = bar_findings(subject, policy(**rules))
    return found


def of_score(subject: Subject, at_least: float) -> Finding:
    rules = {"scores": [{"score": "grounded", "at_least": at_least}]}
    (found,) = bar_findings(subject, policy(**rules))
    return found


def test_a_bar_that_is_not_shown_says_what_was_seen_and_how_many_cases_would_show_it() -> None:
    found = of_bar(run(*cases(28, 3)))
    assert found.verdict is Verdict.NOT_ENOUGH
    assert str(found) == (
        "all cases: 28 of 31 cases passed (90.3 %), 95 % interval 75.1 % to 96.7 %, wanted at "
        "least 85 %: the lower end is below it; about 142 more cases at this rate would show it"
    )
    assert found.numbers["low"] == pytest.approx(0.751, abs=0.001)


def test_a_bar_that_is_shown_passes_and_one_that_cannot_be_reached_fails() -> None:
    assert of_bar(run(*cases(28, 3)), at_least=0.75).told.endswith("wanted at least 75 %: shown")
    found = of_bar(run(*cases(10, 21)))
    assert (found.verdict, found.told.endswith("not even the upper end reaches it")) == (
        Verdict.FAILED,
        True,
    )
    assert of_bar(run(*cases(26, 5))).told.endswith("more cases would not show it")


def test_repeats_are_not_taken_for_cases() -> None:
    once, often = (of_bar(run(*cases(28, 3, repeats=count))) for count in (1, 20))
    assert once.numbers["low"] == pytest.approx(often.numbers["low"])
    assert "90.3 % over 31 cases, 560 of 620 runs passed" in often.told


def test_a_bar_on_what_the_run_does_not_have_fails_and_names_what_it_has() -> None:
    found = of_bar(run(case("one", "p", tags=("smoke", "deep"))), tag="smok")
    assert found.verdict is Verdict.FAILED
    assert found.told == (
        "the run has no tag of this name; did you mean 'smoke'? wanted one of deep, smoke"
    )


def test_what_broke_or_measured_nothing_is_told_and_never_makes_a_bar_shown() -> None:
    many = cases(40)
    found = of_bar(run(*many, case("lost", "e")))
    assert (found.verdict, "(1 run broke)" in found.told) == (Verdict.PASSED, True)
    found = of_bar(run(*many, case("lost", "n")))
    assert found.verdict is Verdict.NOT_ENOUGH
    assert "(1 run measured nothing)" in found.told
    assert found.told.endswith("the lower end reaches it, but what measured nothing is not known")


def test_where_nothing_was_measured_nothing_is_known() -> None:
    assert of_bar(run(case("lost", "e"))).verdict is Verdict.NOT_ENOUGH


def scored(*scores: float) -> Subject:
    each = [case(f"case-{place}", "p") for place, _ in enumerate(scores)]
    for one, score in zip(each, scores, strict=True):
        one.scores["grounded"] = [score]
    return run(*each)


@pytest.mark.parametrize(
    ("scores", "verdict"),
    [((0.8, 0.8, 0.8), Verdict.PASSED), ((0.1, 0.2, 0.3), Verdict.FAILED)],
)
def test_a_mean_at_the_bar_passes(scores: tuple[float, ...], verdict: Verdict) -> None:
    assert of_score(scored(*scores), 0.8).verdict is verdict
    assert of_score(scored(0.1, 0.2, 0.3), 0.2).verdict is Verdict.PASSED


def test_a_score_that_was_not_measured_is_no_zero_and_leaves_the_mean_open() -> None:
    subject = scored(0.8, 0.8)
    found = of_score(run(*subject.cases.values(), case("c3", "n")), 0.5)
    assert found.verdict is Verdict.NOT_ENOUGH
    assert found.told == "mean 0.8 over 2 cases of 3, 1 not evaluated, wanted at least 0.5"


def test_a_score_that_the_run_does_not_have_fails() -> None:
    assert of_score(run(case("one", "p")), 0.5).told.endswith("it has no score at all")
