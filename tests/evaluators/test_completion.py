import pytest

from audition.collector import collect
from audition.evaluators.case_evaluator import Finding, Layer
from audition.evaluators.completion import Completed, broken_layer
from audition.evaluators.view import EvidenceView, Scope
from audition.events import AgentFailed, CompletionReason
from audition.inputs import ConversationTurn
from audition.output import CaseOutput
from audition.testing import answer, output, turn


def examine(out: CaseOutput, scope: Scope | None = None) -> Finding:
    evaluator = Completed(scope=scope or Scope())
    return evaluator.examine(EvidenceView(out, evaluator.scope))


def test_an_answered_turn_is_complete() -> None:
    assert examine(output(answer("42"))) == Finding(True, "1 turn(s) answered, no error")


@pytest.mark.parametrize(
    ("reason", "layer", "cause", "told"),
    [
        ("timeout", Layer.RUN, "timeout", "turn 0 ended with timeout"),
        ("error", Layer.RUN, "error", "turn 0 ended with error"),
        ("start_failed", Layer.TRANSPORT, "start_failed", "turn 0 ended with start_failed"),
        ("transport_closed", Layer.TRANSPORT, "transport_closed", "ended with transport_closed"),
        ("quiescent", Layer.RUN, "no answer", "turn 0 fell quiet without an answer"),
    ],
)
def test_a_turn_without_an_answer_is_not_complete(
    reason: str, layer: Layer, cause: str, told: str
) -> None:
    found = examine(output(reason=CompletionReason(reason)))
    assert (found.ok, found.layer, found.cause) == (False, layer, cause)
    assert told in found.reason


def test_an_error_beside_an_answer_is_named() -> None:
    found = examine(output(AgentFailed(agent="@K", error="the model is gone"), answer("42")))
    assert (found.ok, found.cause) == (False, "error")
    assert "the model is gone" in found.reason


def test_a_turn_that_was_never_sent_is_named() -> None:
    events = turn("one", [], reason=CompletionReason.TIMEOUT)
    out = collect(events, not_run=[ConversationTurn(message="two")])
    assert "turn 1 was not run" in examine(out).reason


def test_a_scope_looks_at_one_turn() -> None:
    good = turn("one", [answer("1")])
    bad = turn("two", [], number=1, reason=CompletionReason.TIMEOUT)
    out = collect([*good, *bad])
    assert examine(out, Scope(turn=0)).ok
    assert examine(out, Scope(turn=1)).reason == "turn 1 ended with timeout"


def test_a_turn_that_does_not_exist_is_not_complete() -> None:
    found = examine(output(answer("1")), Scope(turn=4))
    assert (found.ok, found.cause) == (False, "no such turn")
    assert found.reason == "there is no turn 4: the conversation has 1"


def test_a_report_without_turns_is_judged_by_its_end() -> None:
    good = CaseOutput.model_validate({"completion_reason": "human_response"})
    bad = CaseOutput.model_validate({"completion_reason": "team_stopped"})
    assert examine(good).ok
    assert examine(bad).reason == "the case ended with runtime_stopped"


def test_the_detail_of_the_end_is_told() -> None:
    out = output(reason=CompletionReason.ERROR).model_copy(
        update={"completion_detail": "no route to host"}
    )
    assert examine(out).reason == "turn 0 ended with error (no route to host)"


def test_only_what_never_reached_the_team_is_lost_in_transport() -> None:
    assert broken_layer(CompletionReason.START_FAILED) is Layer.TRANSPORT
    assert broken_layer(CompletionReason.DEADLINE) is Layer.RUN
