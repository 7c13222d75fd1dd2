from audition.gates.findings import Verdict
from audition.gates.planned_rules import planned_rules
from audition.statistics.cases import CaseRuns
from audition.statistics.populations import BetaPopulation
from audition.statistics.power import Plan
from tests.gates.runs import case, policy, run

PLAN = Plan(cases=6, repeats=2, population=BetaPopulation(6, 1))
LIKE = run(
    case("one", "p", tags=("smoke",)),
    case("two", "p", must_pass=True),
    case("three", "f", tags=("smoke",)),
)
PASSED, FAILED = CaseRuns(2, 2), CaseRuns(0, 2)


def test_cases_that_must_pass_come_first_and_tags_go_round() -> None:
    asked = policy(bars=[{"tag": "smoke", "at_least": 0.3}])
    must, smoke = planned_rules(PLAN, asked, LIKE).rules
    assert (must.told, must.places) == ("must pass, 1 of the cases", range(1))
    assert (smoke.told, smoke.places) == ("tag smoke at least 30 %", [1, 2, 3, 4, 5])
    assert smoke.alone.cases == 5


def test_the_joint_verdict_is_that_of_the_gate() -> None:
    asked = policy(bars=[{"at_least": 0.5}], baseline={"margin": 0.5})
    planned = planned_rules(PLAN, asked, LIKE)
    good = [PASSED] * 6
    assert planned.joint_verdict(good, good) is Verdict.PASSED
    assert planned.joint_verdict(good, [FAILED, *good[1:]]) is Verdict.FAILED  # it must pass
    assert planned.joint_verdict(good, [*good[:5], FAILED]) is Verdict.NOT_ENOUGH


def test_a_layer_has_as_many_cases_as_in_the_run_and_is_tried_alone() -> None:
    asked = policy(bars=[{"layer": "answer", "at_least": 0.3}])
    like = run(case("one", "p"), case("two", "p", checks={}))
    (rule,) = planned_rules(PLAN, asked, like).rules
    assert (rule.places, rule.alone.cases) == (None, 3)


def test_rules_that_nothing_is_known_of_are_named() -> None:
    rules = [{"tag": "smok", "at_least": 0.5}]
    asked = policy(bars=rules, scores=[{"score": "near", "at_least": 1}], must_pass={})
    without = planned_rules(PLAN, asked, None).untold
    assert without == [
        "cases that the dataset marks `must_pass`: name a run of them",
        "tag smok: name a run, to know of how many cases it is",
        "scores: nothing says how they would be",
    ]
    assert planned_rules(PLAN, asked, LIKE).untold == [
        "tag smok: the run has none of it, so that the gate would fail",
        "scores: nothing says how they would be",
    ]


def test_without_a_run_named_cases_need_their_own_repeats() -> None:
    asked = policy(must_pass={"cases": ["a", {"case": "b", "repeats": 3}], "marked": False})
    (rule,) = planned_rules(PLAN, asked, None).rules
    assert rule.decide([], [PASSED, PASSED]) is Verdict.NOT_ENOUGH
    assert rule.decide([], [PASSED, FAILED]) is Verdict.FAILED
