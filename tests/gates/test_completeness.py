from typing import Any

import pytest

from audition.gates.completeness import completeness_findings
from audition.gates.findings import Finding, Verdict
from audition.gates.subjects import Subject
from tests.gates.runs import case, cases, policy, run


def findings(subject: Subject, **tolerate: Any) -> dict[str, Finding]:
    found = completeness_findings(subject, policy(must_pass={}, tolerate=tolerate))
    return {one.subject: one for one in found}


def test_a_whole_run_has_nothing_to_say() -> None:
    found = findings(run(*cases(3)))
    assert {one.verdict for one in found.values()} == {Verdict.PASSED}
    assert not any(one.warns for one in found.values())


@pytest.mark.parametrize(
    ("tolerated", "verdict"), [(0, Verdict.BROKEN), (0.24, Verdict.BROKEN), (0.25, Verdict.PASSED)]
)
def test_more_broken_runs_than_are_tolerated_break_the_gate(
    tolerated: float, verdict: Verdict
) -> None:
    found = findings(run(*cases(3), case("lost", "e")), errors=tolerated)["broken runs"]
    assert (found.verdict, found.warns) == (verdict, True)
    assert found.told.startswith("1 of 4 runs broke (25 %, so that 75 % to 100 % passed), ")
    assert found.told.endswith("lost (timeout)")


def test_what_measured_nothing_is_neither_passed_nor_failed() -> None:
    subject = run(*cases(2), case("c3", "n"))
    found = findings(subject)["unmeasured runs"]
    assert found.verdict is Verdict.NOT_ENOUGH
    assert found.told == (
        "1 of 3 runs measured nothing, neither passed nor failed, tolerated 0 %: c3 (grounded: "
        "measured nan)"
    )
    assert findings(subject, unmeasured=0.5)["unmeasured runs"].verdict is Verdict.PASSED


def test_what_was_not_run_is_not_known_and_why_is_said() -> None:
    found = findings(run(case("one", "p-"), unfinished="it was interrupted"))["whole run"]
    assert found.verdict is Verdict.NOT_ENOUGH
    assert found.told == (
        "1 of 2 planned runs did not run: it was interrupted; `audition run --resume` finishes it"
    )
    assert findings(run())["whole run"].told == "the run has no case"


def test_chosen_cases_pass_only_where_the_policy_lets_them_and_never_in_silence() -> None:
    subject = run(*cases(3), selection="--tag 'smoke'")
    found = findings(subject)["chosen cases"]
    assert (found.verdict, "--tag 'smoke'" in found.told) == (Verdict.NOT_ENOUGH, True)
    found = findings(subject, selection=True)["chosen cases"]
    assert (found.verdict, found.warns) == (Verdict.PASSED, True)


@pytest.mark.parametrize(
    ("repeats", "verdict"),
    [("pp", Verdict.PASSED), ("pf", Verdict.FAILED), ("p", Verdict.NOT_ENOUGH)],
)
def test_flaky_cases_are_those_that_passed_at_times(repeats: str, verdict: Verdict) -> None:
    found = findings(run(case("one", repeats)), flaky=0.5)["flaky cases"]
    assert found.verdict is verdict


def test_how_many_are_flaky_is_told_with_their_numbers() -> None:
    found = findings(run(case("one", "pf"), case("two", "pp")), flaky=0.1)["flaky cases"]
    assert (
        found.told == "1 of 2 repeated cases passed at times (50 %), tolerated 10 %: one (1 of 2)"
    )
