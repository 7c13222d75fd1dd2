from collections import Counter
from random import Random

import pytest

from audition.gates.findings import Verdict
from audition.gates.gate import gate
from audition.gates.planning import Forecast, Intended, forecast, spread_like
from audition.gates.policy import Policy
from audition.gates.subjects import Subject
from audition.statistics.populations import BetaPopulation
from tests.gates.runs import case, policy, run

RULES = policy(
    must_pass={"cases": ["case-0", "case-1"], "marked": False},
    bars=[{"at_least": 0.8}],
    baseline={"margin": 0.1},
)
ALONE = {
    "/must_pass": "must pass, 2 of the cases",
    "/bars/0": "all cases at least 80 %",
    "/baseline/margin": "all cases less than 10 points worse",
}


def told(cases: int = 40, repeats: int = 3, rules: Policy = RULES, **fields: object) -> Forecast:
    made = Intended(
        cases=cases,
        repeats=repeats,
        base_repeats=repeats,
        population=BetaPopulation(6, 1),
        simulations=400,
    )
    return forecast(made, rules)


def made_up(random: Random, cases: int, repeats: int) -> tuple[Subject, Subject]:
    """Return two runs of the same cases, between which nothing changed."""
    rates = [random.betavariate(6, 1) for _ in range(cases)]
    one, other = (
        run(
            *(
                case(f"case-{at}", "".join("fp"[random.random() < rate] for _ in range(repeats)))
                for at, rate in enumerate(rates)
            )
        )
        for _ in range(2)
    )
    return one, other


def test_each_rule_of_the_gate_alarms_as_often_as_the_plan_said() -> None:
    planned, gates = told(), 300
    random = Random(7)  # noqa: S311  # no secret is made of it
    found = {rule: Counter[Verdict]() for rule in ALONE}
    whole = Counter[Verdict]()
    for _ in range(gates):
        base, now = made_up(random, 40, 3)
        decision = gate(now, RULES, base=base)
        whole[decision.verdict] += 1
        for finding in decision.findings:
            if finding.rule in found:
                found[finding.rule][finding.verdict] += 1
    for rule, alone in ALONE.items():
        for verdict in Verdict:
            share = planned.by_rule[alone].get(verdict)
            said = 0.0 if share is None else share.value
            assert found[rule][verdict] / gates == pytest.approx(said, abs=0.1)
    for verdict, share in planned.by_drop[0.0].items():
        assert whole[verdict] / gates == pytest.approx(share.value, abs=0.1)


def test_a_margin_alarms_falsely_in_2_and_a_half_percent_at_most() -> None:
    found = told(rules=policy(baseline={"margin": 0.03}))
    assert found.by_drop[0.0][Verdict.FAILED].value < 0.045


def test_larger_drops_fail_more_often_and_more_repeats_find_smaller_ones() -> None:
    margin = policy(baseline={"margin": 0.03})
    few, many = told(repeats=1, rules=margin), told(repeats=5, rules=margin)
    failed = [many.by_drop[drop][Verdict.FAILED].value for drop in (0.0, 0.05, 0.1)]
    assert failed == sorted(failed)
    assert few.least_drop is not None
    assert many.least_drop is not None
    assert many.least_drop < few.least_drop


def test_the_same_seed_says_the_same() -> None:
    assert told(cases=10) == told(cases=10)


def test_what_cannot_be_tried_is_named() -> None:
    found = told(cases=10, rules=policy(budgets={"cost_usd": 1}))
    assert (found.by_drop, found.least_drop) == ({}, None)
    assert found.untold == ["budgets: nothing says how they would be"]


def test_a_rate_and_a_spread_are_those_of_the_cases() -> None:
    found = spread_like(0.9, 0.1)
    a, b = found.a, found.b
    assert found.mean == pytest.approx(0.9)
    assert a * b / ((a + b) ** 2 * (a + b + 1)) == pytest.approx(0.01)
    usual = spread_like(6 / 7, None)
    assert (usual.a, usual.b) == (pytest.approx(6), pytest.approx(1))
    for rate, spread in ((0.9, 0.3), (1.0, None), (0.5, 0.0)):
        with pytest.raises(ValueError, match="wanted a spread below"):
            spread_like(rate, spread)


def test_large_plans_are_made_up_less_often() -> None:
    large = Intended(cases=10_000, repeats=5, base_repeats=5, population=BetaPopulation(6, 1))
    assert large.drawn == 100
