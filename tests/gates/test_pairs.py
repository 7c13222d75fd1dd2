from audition.experiment.plan import name_id
from audition.gates.pairs import Pairs, pairs_of, worst
from audition.gates.policy import Target
from audition.gates.subjects import Subject
from tests.gates.runs import SAYS_YES, case, run

OTHER = {name_id("says yes"): SAYS_YES.model_copy(update={"fingerprint": "9"})}


def paired(base: Subject, subject: Subject, target: Target | None = None) -> Pairs:
    pairs = pairs_of(base, subject, target or Target())
    assert pairs is not None
    return pairs


def test_a_case_is_the_same_by_its_content_and_what_changed_is_said() -> None:
    base = run(case("pier", "p"), case("berth", "p"), case("ship", "p"))
    now = run(case("pier", "p"), case("berth", "f", checks=OTHER), case("ship", "f", inputs="?"))
    pairs = paired(base, now)
    assert [one.case.case for one in pairs.paired] == ["pier"]
    assert pairs.changed == ("berth (its evaluators says yes)", "ship (its inputs)")
    assert [*worst(pairs)] == []


def test_what_is_new_gone_or_not_measured_is_left_out_and_counted() -> None:
    base = run(case("one", "p"), case("gone", "p"), case("broke", "p"))
    pairs = paired(base, run(case("one", "p"), case("new", "p"), case("broke", "e")))
    assert (pairs.new, pairs.gone, pairs.unmeasured) == (1, 1, ("broke",))
    assert pairs.left_out == "1 not measured in one of both, 1 new, 1 gone"


def test_an_evaluator_that_the_target_does_not_look_at_may_change() -> None:
    before, now = run(case("one", "p")), run(case("one", "f", checks=OTHER))
    assert paired(before, now, Target(evaluator="says yes")).paired == ()
    more = {**case("one", "p").checks, name_id("new"): SAYS_YES.model_copy(update={"name": "new"})}
    now = run(case("one", "f", checks=more))
    assert len(paired(before, now, Target(evaluator="says yes")).paired) == 1
    assert paired(before, now).changed == ("one (its evaluators new)",)


def test_those_that_lost_most_come_first() -> None:
    base = run(case("one", "pp"), case("two", "pp"), case("three", "ff"))
    told = [*worst(paired(base, run(case("one", "pf"), case("two", "ff"), case("three", "pp"))))]
    assert told == ["two (2 of 2, now 0 of 2)", "one (2 of 2, now 1 of 2)"]


def test_what_the_run_does_not_have_is_none() -> None:
    assert pairs_of(run(case("one", "p")), run(case("one", "p")), Target(tag="smoke")) is None
