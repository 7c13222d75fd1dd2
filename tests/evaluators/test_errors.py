import pytest
from pydantic import ValidationError

from audition.collector import collect
from audition.evaluators.case_evaluator import Finding, Layer
from audition.evaluators.errors import NoErrors
from audition.evaluators.view import EvidenceView, Scope
from audition.events import AgentFailed, CompletionReason, ToolOutcome
from audition.inputs import ConversationTurn
from audition.output import CaseOutput
from audition.testing import answer, output, tool_use, turn


def examine(out: CaseOutput, *tolerated: str) -> Finding:
    return NoErrors(tolerated).examine(EvidenceView(out))


def failed(*errors: str) -> CaseOutput:
    return output(*(AgentFailed(agent="@K", error=error) for error in errors), answer("42"))


def test_a_run_without_errors_broke_nowhere() -> None:
    assert examine(output(answer("42"))) == Finding(True, "nothing broke")


def test_an_error_is_told_though_the_turn_was_answered() -> None:
    found = examine(failed("the model is gone"))
    assert found == Finding(False, "@K: the model is gone", Layer.RUN, "error")


def test_a_tolerated_error_does_not_count() -> None:
    assert examine(failed("429 slow down"), "429").reason == "nothing broke; 1 tolerated"
    found = examine(failed("429 slow down", "no route to host"), "429")
    assert found.reason == "@K: no route to host; 1 tolerated"


def test_what_a_tool_gave_back_as_an_error_is_its_answer() -> None:
    out = output(*tool_use("@K", "s", "no", outcome=ToolOutcome.TOOL_ERROR), answer("42"))
    assert examine(out).ok


def test_a_tool_whose_infrastructure_failed_broke() -> None:
    use = tool_use("@K", "s", "out of disk", outcome=ToolOutcome.INFRASTRUCTURE_ERROR)
    found = examine(output(*use, answer("42")))
    assert (found.ok, found.layer) == (False, Layer.TOOL)
    assert found.reason.endswith("ended with infrastructure_error: out of disk")
    assert examine(output(*use, answer("42")), "out of disk").ok


def test_what_ended_a_turn_counts_whatever_is_tolerated() -> None:
    out = output(AgentFailed(agent="@K", error="429"), reason=CompletionReason.ERROR)
    found = examine(out, "429")
    assert found == Finding(False, "turn 0 ended with error; 1 tolerated", Layer.RUN, "error")


def test_a_team_that_could_not_be_reached_is_lost_in_transport() -> None:
    out = output(reason=CompletionReason.START_FAILED)
    assert examine(out).layer is Layer.TRANSPORT


def test_turns_that_were_cut_off_or_not_run_are_told() -> None:
    events = turn("one", [answer("1")])[:-1]
    out = collect(events, not_run=[ConversationTurn(message="two")])
    assert examine(out).reason == "turn 0 was cut off; turn 1 was not run"


def test_a_report_without_turns_is_judged_by_its_end() -> None:
    good = CaseOutput.model_validate({"completion_reason": "human_response"})
    bad = CaseOutput.model_validate({"completion_reason": "team_stopped"})
    assert examine(good).ok
    assert examine(bad).reason == "the case ended with runtime_stopped"


def test_where_events_were_lost_an_error_may_be_among_them() -> None:
    lost = output(answer("42")).model_copy(update={"dropped_events": 2})
    assert examine(lost).cause == "nothing observed"


def test_many_and_long_errors_are_told_in_part() -> None:
    found = examine(failed(*(f"{number}{'x' * 9000}" for number in range(15))))
    assert found.reason.endswith(" and 5 more")
    assert len(found.reason) < 25_000


@pytest.mark.parametrize("scope", [Scope(turn=0), Scope(agent="@K")])
def test_an_error_has_no_scope(scope: Scope) -> None:
    with pytest.raises(ValidationError, match="no scope can be used here"):
        NoErrors(scope=scope)


def test_a_pattern_that_would_tolerate_anything_is_refused() -> None:
    with pytest.raises(ValidationError, match="would match anything"):
        NoErrors((".*",))


def test_what_was_looked_at_is_all_that_broke() -> None:
    assert NoErrors(("429",)).looked_at(EvidenceView(failed("429"))) == ["@K: 429"]
    assert NoErrors().asserts_absence
