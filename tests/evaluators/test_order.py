"""Before, after, eventually, never and concurrent, by cause."""

from typing import Any

import pytest

from audition.evaluators.case_evaluator import CaseEvaluator, Finding, Layer
from audition.evaluators.order import (
    EventuallyHappened,
    HappenedBefore,
    HappenedConcurrently,
    NeverHappened,
)
from audition.evaluators.patterns import MessagePattern, ToolPattern
from audition.evaluators.view import EvidenceView, Scope
from audition.events import Event, ToolOutcome
from audition.output import CaseOutput, RuntimeCapabilities
from audition.testing import (
    answer,
    caused,
    message,
    named,
    output,
    question,
    tool_call,
    tool_result,
    tool_use,
)

CHECK, WRITE, READ = (ToolPattern(tool=name) for name in ("check", "write", "read"))
TO_HUMAN = MessagePattern(recipient="@Human")
FROM_HUMAN = MessagePattern(sender="@Human")
BETWEEN = NeverHappened(WRITE, after=CHECK, before=READ)


def team(*more: Event) -> CaseOutput:
    """Return a question that was handed to two agents, and what they did."""
    return output(
        named("q", question("Is it free?")),
        *caused(
            "q",
            named("desk", message("@Manager", "@Desk", "check it")),
            named("log", message("@Manager", "@Log", "write it")),
        ),
        *more,
    )


def desk(*names: str) -> list[Event]:
    return caused("desk", *[event for name in names for event in tool_use("@Desk", name, "ok")])


def log(*names: str) -> list[Event]:
    return caused("log", *[event for name in names for event in tool_use("@Log", name, "ok")])


ANSWERED = caused("desk", answer("It is free.", sender="@Desk"))


def find(evaluator: CaseEvaluator, out: CaseOutput) -> Finding:
    return evaluator.examine(EvidenceView(out, evaluator.scope))


def verdict(evaluator: CaseEvaluator, out: CaseOutput) -> str | None:
    """Return the cause of a failure, None where the assertion holds."""
    found = find(evaluator, out)
    return None if found.ok else found.cause or "no cause"


@pytest.mark.parametrize(
    ("events", "cause"),
    [
        (desk("check", "write"), None),
        (desk("check", "write", "write"), None),
        (desk("write", "check"), "wrong order"),
        (desk("write", "check", "write"), "wrong order"),
        ([*desk("check"), *log("write")], "concurrent"),
        ([*desk("check"), *caused("lost", *tool_use("@X", "write", ""))], "order unknown"),
        (desk("check"), "not seen"),
        (desk("write"), "not seen"),
        ([], "not seen"),
    ],
    ids=["right", "twice", "wrong", "once wrong", "beside", "unknown", "no then", "no first", "-"],
)
def test_each_then_comes_after_a_first(events: list[Event], cause: str | None) -> None:
    assert verdict(HappenedBefore(CHECK, WRITE), team(*events)) == cause


def test_before_any_is_enough_where_that_is_said() -> None:
    out = team(*desk("write", "check", "write"))
    assert verdict(HappenedBefore(CHECK, WRITE, quantifier="any"), out) is None


def test_what_was_recorded_first_is_not_before_for_that() -> None:
    found = find(HappenedBefore(CHECK, WRITE), team(*desk("check"), *log("write")))
    assert "write by @Log" in found.reason
    assert "is concurrent with check by @Desk" in found.reason


def test_the_reason_says_that_it_was_the_other_way_round() -> None:
    found = find(HappenedBefore(CHECK, WRITE), team(*desk("write", "check")))
    assert "1 of 1 did not come after check: write by @Desk" in found.reason
    assert "came before check by @Desk" in found.reason


def test_where_causes_are_not_told_the_evidence_is_to_blame() -> None:
    out = output(question("Is it free?"), message("@Desk", "@Log", "x"), answer("So."))
    found = find(HappenedBefore(MessagePattern(sender="@Desk"), TO_HUMAN), out)
    assert (found.ok, found.layer, found.cause) == (False, Layer.RUN, "order unknown")
    assert "is in an unknown order to" in found.reason


def test_within_one_model_run_the_order_is_known_without_causes() -> None:
    out = output(*tool_use("@Desk", "check", ""), *tool_use("@Desk", "write", ""), answer("So."))
    assert verdict(HappenedBefore(CHECK, WRITE), out) is None


def test_a_pattern_that_means_the_same_one_as_the_other_orders_nothing() -> None:
    assert verdict(HappenedBefore(CHECK, CHECK), team(*desk("check"))) == "not there"
    assert verdict(HappenedConcurrently(CHECK, CHECK), team(*desk("check"))) == "not there"


@pytest.mark.parametrize(
    ("events", "cause"),
    [
        ([*desk("check"), *ANSWERED], None),
        (desk("check"), "not seen"),
        (ANSWERED, "not seen"),
        ([*ANSWERED, *desk("check")], "wrong order"),
        ([*log("check"), *ANSWERED], "concurrent"),
    ],
    ids=["followed", "no answer", "no check", "before", "beside"],
)
def test_each_is_followed_by_what_must_happen(events: list[Event], cause: str | None) -> None:
    assert verdict(EventuallyHappened(TO_HUMAN, after=CHECK), team(*events)) == cause


def test_one_that_is_not_followed_is_enough_to_fail() -> None:
    out = team(*desk("check"), *ANSWERED, *desk("check"))
    assert verdict(EventuallyHappened(TO_HUMAN, after=CHECK), out) == "wrong order"


def test_it_may_happen_at_any_time() -> None:
    assert verdict(EventuallyHappened(CHECK), team(*desk("check"))) is None
    assert verdict(EventuallyHappened(CHECK), team(*desk("write"))) == "not seen"
    scoped = EventuallyHappened(CHECK, scope=Scope(turn=1))
    assert find(scoped, team(*desk("check"))).reason == "not seen in turn 1: check"


@pytest.mark.parametrize(
    ("evaluator", "events", "cause"),
    [
        (NeverHappened(WRITE), desk("check"), None),
        (NeverHappened(WRITE), desk("write"), "it happened"),
        (NeverHappened(WRITE, after=CHECK), desk("write", "check"), None),
        (NeverHappened(WRITE, after=CHECK), desk("check", "write"), "it happened"),
        (NeverHappened(WRITE, after=CHECK), [*desk("check"), *log("write")], None),
        (NeverHappened(WRITE, after=CHECK), desk("write"), None),
        (NeverHappened(WRITE, before=CHECK), desk("write", "check"), "it happened"),
        (NeverHappened(WRITE, before=CHECK), desk("check", "write"), None),
        (BETWEEN, desk("check", "write", "read"), "it happened"),
        (BETWEEN, desk("check", "read", "write"), None),
        (BETWEEN, desk("write", "check", "read"), None),
        (
            NeverHappened(WRITE, after=CHECK),
            [*desk("check"), *caused("lost", *tool_use("@X", "write", ""))],
            "order unknown",
        ),
        (
            NeverHappened(WRITE, before=CHECK),
            [*caused("lost", *tool_use("@X", "check", "")), *desk("write")],
            "order unknown",
        ),
    ],
)  # fmt: skip
def test_nothing_of_it_happened_there(
    evaluator: NeverHappened, events: list[Event], cause: str | None
) -> None:
    assert verdict(evaluator, team(*events)) == cause


def test_never_says_where_a_bound_was_not_there() -> None:
    found = find(NeverHappened(WRITE, after=CHECK), team(*desk("write")))
    assert "elsewhere: write by @Desk" in found.reason
    assert found.reason.endswith("nothing was there of: check")


def test_never_needs_a_run_in_which_it_would_have_been_seen() -> None:
    out = team(*desk("check")).model_copy(update={"dropped_events": 1})
    assert verdict(NeverHappened(WRITE), out) == "nothing observed"
    assert NeverHappened(WRITE, after=CHECK).asserts_absence


def test_a_call_that_never_ended_may_have_ended_before_what_followed_it() -> None:
    check = caused("desk", tool_call("@Desk", "check"))
    never = NeverHappened(WRITE, after=CHECK)
    assert verdict(never, team(*check, *desk("write"))) == "order unknown"
    assert verdict(never, team(*desk("write"), *check)) is None
    pending = tool_result("@Desk", "check", "", outcome=ToolOutcome.PENDING)
    assert verdict(never, team(*desk("write"), *pending)) == "order unknown"


def test_a_source_that_does_not_name_every_cause_cannot_show_that_it_never_happened() -> None:
    out = team(*desk("check"), *log("write"))
    untold = out.model_copy(update={"capabilities": RuntimeCapabilities()})
    assert verdict(NeverHappened(WRITE, after=CHECK), untold) == "order unknown"


@pytest.mark.parametrize(
    ("events", "quantifier", "cause"),
    [
        ([*desk("check"), *log("write")], "any", None),
        ([*desk("check"), *log("write")], "every", None),
        ([*desk("check", "write"), *log("write")], "any", None),
        ([*desk("check", "write"), *log("write")], "every", "wrong order"),
        (desk("check", "write"), "any", "wrong order"),
        (desk("check"), "any", "not seen"),
        ([*desk("check"), *tool_use("@X", "write", "")], "any", "order unknown"),
    ],
)
def test_what_no_cause_ties_together_is_concurrent(
    events: list[Event], quantifier: Any, cause: str | None
) -> None:
    evaluator = HappenedConcurrently(CHECK, WRITE, quantifier=quantifier)
    assert verdict(evaluator, team(*events)) == cause


@pytest.mark.parametrize(
    "evaluator_type", [HappenedBefore, EventuallyHappened, NeverHappened, HappenedConcurrently]
)
def test_the_patterns_say_who_is_meant(evaluator_type: type[CaseEvaluator]) -> None:
    scoped: Any = evaluator_type
    with pytest.raises(ValueError, match=r"scope\.agent cannot be used here"):
        scoped(CHECK, WRITE, scope=Scope(agent="@Desk"))


def test_what_was_looked_at_is_shown() -> None:
    view = EvidenceView(team(*desk("check", "write"), *ANSWERED))
    evaluators = [
        HappenedBefore(CHECK, WRITE),
        EventuallyHappened(CHECK, after=FROM_HUMAN),
        NeverHappened(WRITE, before=CHECK),
        HappenedConcurrently(CHECK, TO_HUMAN),
    ]
    assert [len(evaluator.looked_at(view)) for evaluator in evaluators] == [2, 2, 2, 2]


def test_the_name_says_the_patterns() -> None:
    name = HappenedBefore(CHECK, TO_HUMAN).get_default_evaluation_name()
    assert name == "happened_before(check,*>@Human)"
    assert EventuallyHappened(CHECK).get_default_evaluation_name() == "eventually_happened(check,*)"
