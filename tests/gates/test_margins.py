from typing import Any

from audition.gates.findings import Finding, Verdict
from audition.gates.margins import margin_findings
from audition.gates.subjects import Subject
from tests.gates.runs import case, cases, policy, run


def findings(base: Subject, subject: Subject, **rule: Any) -> list[Finding]:
    asked = policy(baseline={"margin": 0.05, **rule})
    return [*margin_findings(subject, base, asked)]


def test_a_run_that_lost_many_cases_fails_and_names_them() -> None:
    (found,) = findings(run(*cases(28, 3)), run(*cases(18, 13)))
    assert found.verdict is Verdict.FAILED
    assert str(found) == (
        "all cases against the baseline: 31 cases in common, 90.3 % before and 58.1 % now: -32.3 "
        "points, 95 % interval -49.9 to -14.7, wanted less than 5 points worse: it got worse (p "
        "0.00098): case-19 (1 of 1, now 0 of 1); case-20 (1 of 1, now 0 of 1); case-21 (1 of 1, "
        "now 0 of 1) and 7 more"
    )


def test_many_equal_cases_show_that_nothing_got_worse_and_few_do_not() -> None:
    (found,) = findings(run(*cases(150)), run(*cases(150)))
    assert (found.verdict, found.told.endswith(": shown")) == (Verdict.PASSED, True)
    (found,) = findings(run(*cases(20)), run(*cases(20)))
    assert found.verdict is Verdict.NOT_ENOUGH
    assert found.told.endswith("neither that nor harm is shown (p 1)")


def test_a_changed_case_is_no_regression() -> None:
    base = run(*cases(150), case("berth", "p"))
    (found,) = findings(base, run(*cases(150), case("berth", "f", inputs="another")))
    assert (found.verdict, found.numbers["worse"]) == (Verdict.PASSED, [])
    assert "150 cases in common (1 changed: berth (its inputs))" in found.told
    assert found.warns


def test_where_no_case_can_be_compared_nothing_is_shown() -> None:
    (found,) = findings(run(case("one", "p")), run(case("two", "p")))
    assert found.verdict is Verdict.NOT_ENOUGH
    assert found.told == "no case can be compared (1 new, 1 gone)"


def test_several_margins_are_tested_together() -> None:
    base, worse = run(*cases(28, 3, tags=("a",))), run(*cases(21, 10, tags=("a",)))
    also = [{"tag": "a", "margin": 0.05}, {"layer": "answer", "margin": 0.05}]
    alone = findings(base, worse)
    together = findings(base, worse, also=also, correction="bonferroni")
    assert (len(alone), len(together)) == (1, 3)
    assert [one.numbers["p_harm"] for one in together] == [
        3 * float(str(alone[0].numbers["p_harm"]))
    ] * 3


def test_a_margin_on_what_the_run_does_not_have_fails() -> None:
    also = [{"tag": "smoke", "margin": 0.1}]
    _, found = findings(run(*cases(3)), run(*cases(3)), also=also)
    assert (found.rule, found.verdict) == ("/baseline/also/0", Verdict.FAILED)


def test_without_a_baseline_there_is_no_finding() -> None:
    assert not [*margin_findings(run(*cases(3)), None, policy(baseline={"margin": 0.1}))]
