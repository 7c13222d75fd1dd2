from typing import Any

import pytest

from audition.gates.findings import Finding, Verdict
from audition.gates.must_pass import must_pass_findings
from audition.gates.subjects import Subject
from tests.gates.runs import case, policy, run

PASSED, FAILED, NOT_ENOUGH = Verdict.PASSED, Verdict.FAILED, Verdict.NOT_ENOUGH


def findings(subject: Subject, **rule: Any) -> list[Finding]:
    return [*must_pass_findings(subject, policy(must_pass=rule))]


@pytest.mark.parametrize(
    ("repeats", "wanted", "verdict"),
    [
        ("ppp", 3, PASSED),
        ("pp", 3, NOT_ENOUGH),
        ("ppf", 1, FAILED),
        ("ppe", 1, NOT_ENOUGH),
        ("ppn", 1, NOT_ENOUGH),
        ("e", 1, NOT_ENOUGH),
        ("fe", 1, FAILED),
        ("k", 1, FAILED),
    ],
)
def test_every_repeat_must_pass_and_one_that_broke_never_did(
    repeats: str, wanted: int, verdict: Verdict
) -> None:
    (found,) = findings(run(case("one", repeats, must_pass=True)), repeats=wanted)
    assert found.verdict is verdict


def test_what_the_dataset_marks_must_pass_though_the_policy_does_not_speak_of_it() -> None:
    asked = policy(bars=[{"at_least": 0.5}])
    (found,) = must_pass_findings(run(case("one", "f", must_pass=True)), asked)
    assert found.verdict is FAILED
    assert not [*must_pass_findings(run(case("one", "f")), asked)]


def test_cases_are_named_with_repeats_of_their_own_and_reasons_are_told() -> None:
    subject = run(case("one", "pp"), case("two", "pf"), case("three", "f", must_pass=True))
    rule = {"cases": ["two", {"case": "one", "repeats": 3}], "marked": False}
    (found,) = findings(subject, **rule)
    assert str(found) == (
        "must pass: 0 of 2 cases passed in every repeat; 1 did not: two (1 of 2 passed: says yes: "
        "lacks yes); of 1 it is not known: one (2 of 2 passed, wanted 3)"
    )


def test_a_case_that_the_run_does_not_have_fails_and_the_one_that_was_meant_is_named() -> None:
    named, other = findings(run(case("booking", "p")), cases=["bokking", "booking"])
    assert (named.verdict, other.verdict) == (FAILED, PASSED)
    assert "did you mean 'booking'?" in named.told


def test_where_every_case_must_pass_a_known_failure_is_excused_unless_it_is_marked() -> None:
    known = case("known", "k")
    (found,) = findings(run(case("one", "p"), known), every=True)
    assert found.verdict is PASSED
    (found,) = findings(run(case("one", "p"), known), every=True, cases=["known"])
    assert found.verdict is FAILED


def test_a_rule_that_means_no_case_fails() -> None:
    (found,) = findings(run(case("one", "p")))
    assert (found.verdict, "no case of the run is marked" in found.told) == (FAILED, True)
