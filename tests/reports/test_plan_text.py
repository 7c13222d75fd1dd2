import json

from audition.gates.extrapolation import Amount
from audition.gates.planning import Intended, forecast
from audition.reports.plan_text import plan_json, plan_table
from audition.statistics.populations import BetaPopulation
from tests.gates.runs import policy

INTENDED = Intended(
    cases=20, repeats=1, base_repeats=2, population=BetaPopulation(6, 1), simulations=100
)
TOLD = forecast(INTENDED, policy(baseline={"margin": 0.1}, budgets={"cost_usd": 1}))
TAKEN = {
    "seconds": Amount(median=9, total=200, known=10),
    "cost_usd": Amount(median=0.01, total=0.2, known=10),
}


def test_a_plan_says_what_the_gate_would_say_and_what_it_takes() -> None:
    told = plan_table(INTENDED, TOLD, TAKEN)
    lines = told.splitlines()
    assert lines[0] == (
        "20 cases, 1 repeat(s) each, 2 in the baseline; a case passes in 85.7 % of its runs on "
        "average"
    )
    assert [line.partition(":")[0] for line in lines[2:5]] == [
        "nothing changed",
        "5 points worse",
        "10 points worse",
    ]
    assert "100 made-up runs each, so within " in told
    assert "not tried: budgets: nothing says how they would be" in told
    assert "with one repeat a case that passes at times looks like one that passes" in told
    assert "20 runs take about 3.33 min one after the other; median 9 s a run, of 10 runs" in told
    assert "20 runs take about $0.2; median $0.01 a run" in told


def test_json_has_the_shares_with_their_intervals() -> None:
    told = json.loads(json.dumps(plan_json(INTENDED, TOLD, TAKEN), allow_nan=False))
    assert [one["drop"] for one in told["gate"]] == [0.0, 0.05, 0.1]
    shares = told["gate"][0]["verdicts"].values()
    assert sum(one["share"] for one in shares) == 1
    assert all(one["low"] <= one["share"] <= one["high"] for one in shares)


def test_where_no_rule_can_be_tried_that_is_said() -> None:
    nothing = forecast(INTENDED, policy(budgets={"cost_usd": 1}))
    assert "no rule of the policy can be tried" in plan_table(INTENDED, nothing, {})
