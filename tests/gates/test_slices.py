import pytest

from audition.evaluators.case_evaluator import Severity
from audition.experiment.plan import Check, name_id
from audition.gates.policy import Target
from audition.gates.slices import known_names, slice_of
from audition.statistics.cases import CaseRuns
from tests.gates.runs import SAYS_YES, case, run


def test_repeats_are_counted_in_their_case_and_what_broke_is_beside_them() -> None:
    part = slice_of(run(case("one", "ppf"), case("two", "en")), Target())
    assert part is not None
    assert part.counts == [CaseRuns(2, 3)]
    assert (part.broken, part.unmeasured, part.unseen) == (1, 1, 1)


@pytest.mark.parametrize(
    "target",
    [
        Target(tag="smoke"),
        Target(layer="answer"),
        Target(evaluator="says yes"),
        Target(agent="@Manager"),
    ],
)
def test_a_target_is_what_its_cases_say_of_it(target: Target) -> None:
    part = slice_of(run(case("one", "pf", tags=("smoke",)), case("two", "f", checks={})), target)
    assert part is not None
    first = part.counts[0]
    assert first == CaseRuns(1, 2)


def test_what_a_run_does_not_have_is_none() -> None:
    subject = run(case("one", "p"))
    assert slice_of(subject, Target(tag="smoke")) is None
    assert slice_of(subject, Target(layer="route")) is None


def test_an_assertion_that_need_not_hold_is_in_no_layer() -> None:
    should = SAYS_YES.model_copy(update={"severity": Severity.SHOULD})
    subject = run(case("one", "f", checks={name_id("says yes"): should}))
    assert slice_of(subject, Target(layer="answer")) is None
    assert slice_of(subject, Target(evaluator="says yes")) is not None


def test_a_run_in_which_one_of_two_is_not_known_is_not_one_that_held() -> None:
    grounded = Check(name="grounded", fingerprint="2", layer="answer")
    both = {name_id("says yes"): SAYS_YES, name_id("grounded"): grounded}
    part = slice_of(run(case("one", "pf", checks=both)), Target(layer="answer"))
    assert part is not None
    assert (part.counts, part.unmeasured) == ([CaseRuns(0, 1)], 1)


def test_the_names_that_a_run_has_are_known() -> None:
    subject = run(case("one", "p", tags=("smoke",)))
    names = [known_names(subject, kind) for kind in ("tag", "layer", "evaluator", "agent", "score")]
    assert names == [["smoke"], ["answer"], ["says yes"], ["@Manager"], []]
