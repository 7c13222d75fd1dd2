from typing import Any

from audition.gates.budgets import budget_findings
from audition.gates.findings import Finding, Verdict
from audition.gates.subjects import Subject
from tests.gates.runs import case, policy, run


def of_budget(subject: Subject, **budgets: Any) -> Finding:
    (found,) = budget_findings(subject, policy(budgets=budgets))
    return found


def paid(*costs: float, repeats: str = "pp") -> Subject:
    one = case("one", repeats)
    one.costs_usd.extend(costs)
    one.tokens.extend(int(1000 * cost) for cost in costs)
    return run(one)


def test_a_total_is_of_all_runs() -> None:
    found = of_budget(paid(0.5, 0.5), cost_usd=1)
    assert (found.verdict, found.told) == (
        Verdict.PASSED,
        "$1 in 2 runs, wanted at most $1",
    )
    assert of_budget(paid(0.5, 0.6), cost_usd=1).verdict is Verdict.FAILED
    assert of_budget(paid(0.5, 0.6), tokens=1000).told.startswith("1,100 tokens in 2 runs")


def test_what_is_not_known_is_within_no_budget() -> None:
    found = of_budget(paid(0.5), cost_usd=1)
    assert found.verdict is Verdict.NOT_ENOUGH
    assert found.told.endswith("; 1 of them do not say theirs")
    assert of_budget(paid(1.5), cost_usd=1).verdict is Verdict.FAILED


def test_seconds_are_those_of_the_slowest_twentieth() -> None:
    subject = run(*(case(f"case-{number}", "p") for number in range(40)))
    found = of_budget(subject, seconds_p95=0.5)
    assert (found.verdict, found.told) == (
        Verdict.PASSED,
        "95th percentile 0.5 s, wanted at most 0.5 s",
    )
    assert of_budget(subject, seconds_p95=0.4).verdict is Verdict.FAILED
    assert of_budget(run(case("one", "-")), seconds_p95=1).verdict is Verdict.NOT_ENOUGH


def test_tool_calls_are_bounded_in_each_case() -> None:
    busy = case("busy", "pp")
    busy.tool_calls[:] = [2, 7]
    found = of_budget(run(busy, case("calm", "p")), tool_calls_per_case=5)
    assert (found.verdict, found.told) == (
        Verdict.FAILED,
        "1 case called more than 5: busy (7)",
    )
    assert of_budget(run(busy), tool_calls_per_case=7).verdict is Verdict.PASSED


def test_without_budgets_there_is_no_finding() -> None:
    assert not [*budget_findings(run(case("one", "p")), policy(must_pass={}))]
