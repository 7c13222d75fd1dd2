import pytest

from audition.collector import collect
from audition.evaluators.view import EvidenceView, Scope
from audition.events import CompletionReason, ToolOutcome, TurnStarted
from audition.output import CaseOutput, RuntimeCapabilities
from audition.testing import answer, message, output, question, tool_use, turn


def conversation(*reasons: CompletionReason) -> CaseOutput:
    """Return the output of turns that say "answer 0", "answer 1", and end like this."""
    events = [
        turn(f"question {number}", [answer(f"answer {number}")], number=number, reason=reason)
        for number, reason in enumerate(reasons)
    ]
    return collect(event for one in events for event in one)


RESPONSE, TIMEOUT = CompletionReason.RESPONSE, CompletionReason.TIMEOUT


def test_without_a_scope_the_answer_is_that_of_the_last_turn() -> None:
    said = EvidenceView(conversation(RESPONSE, RESPONSE)).answer()
    assert said is not None
    assert said.raw == "answer 1"


def test_a_turn_in_the_scope_has_its_own_answer() -> None:
    view = EvidenceView(conversation(RESPONSE, RESPONSE), Scope(turn=0))
    assert [text.raw for text in view.responses()] == ["answer 0"]
    assert (said := view.answer()) is not None
    assert said.raw == "answer 0"


def test_a_turn_that_is_not_there_has_no_answer() -> None:
    view = EvidenceView(conversation(RESPONSE), Scope(turn=3))
    assert view.answer() is None
    assert view.no_answer() == "there is no turn 3: the conversation has 1"


def test_one_completed_turn_is_enough_to_have_observed_something() -> None:
    assert EvidenceView(conversation(RESPONSE, TIMEOUT)).missing() is None


@pytest.mark.parametrize(
    ("scope", "told"),
    [
        (Scope(), "nothing was observed: turn 0 ended with timeout"),
        (Scope(turn=0), "nothing was observed in turn 0: turn 0 ended with timeout"),
        (Scope(turn=2), "nothing was observed: turn 2 is not there, only 1 are"),
    ],
)
def test_without_a_completed_turn_in_scope_nothing_was_observed(scope: Scope, told: str) -> None:
    assert EvidenceView(conversation(TIMEOUT), scope).missing() == told


def test_a_turn_that_was_not_run_was_not_observed() -> None:
    out = output(reason=TIMEOUT)
    left = out.model_copy(
        update={"turns": (out.turns[0].model_copy(update={"not_run": True, "reason": None}),)}
    )
    assert EvidenceView(left).missing() == "nothing was observed: turn 0 was not run"


def without_turns(reason: str) -> CaseOutput:
    """Return what a report of another tool may hold: answers, and no turn."""
    return CaseOutput.model_validate(
        {
            "final_response": "second",
            "human_responses": ["first", "second"],
            "completion_reason": reason,
            "tool_calls": [{"tool_name": "search", "tool_call_id": "1"}],
        }
    )


def test_a_report_without_turns_was_observed_where_it_completed() -> None:
    assert EvidenceView(without_turns("response")).missing() is None
    told = "nothing was observed: the case ended with timeout"
    assert EvidenceView(without_turns("timeout")).missing() == told


def test_a_report_without_turns_says_nothing_of_one_turn() -> None:
    view = EvidenceView(without_turns("response"), Scope(turn=0))
    told = "nothing was observed in turn 0: what belongs to which turn is not known"
    assert view.missing() == told


def test_a_report_without_turns_counts_its_answers_one_by_one() -> None:
    view = EvidenceView(without_turns("response"), Scope(turn=0))
    assert (said := view.answer()) is not None
    assert (said.raw, [text.raw for text in view.responses()]) == ("first", ["first"])
    assert EvidenceView(without_turns("response"), Scope(turn=5)).answer() is None


def test_an_agent_in_the_scope_hides_what_others_did() -> None:
    out = output(
        question("Who?"),
        message("@Manager", "@Knowledge", "Who?"),
        *tool_use("@Knowledge", "search", "Mara"),
        *tool_use("@Manager", "plan", "ok"),
        answer("Mara"),
    )
    view = EvidenceView(out, Scope(agent="@Manager"))
    assert [call.tool_name for call in view.invocations()] == ["plan"]
    assert [record.sender for record in view.messages()] == ["@Manager", "@Manager"]
    assert (list(view.evidence("search")), str(view.scope)) == ([], " by @Manager")


def test_evidence_is_what_came_back_from_calls_that_ended_well() -> None:
    out = output(
        *tool_use("@K", "search", "broken", outcome=ToolOutcome.TOOL_ERROR),
        *tool_use("@K", "search", "Mara Ilves"),
    )
    assert [text.raw for text in EvidenceView(out).evidence("search")] == ["Mara Ilves"]


def test_an_output_without_any_answer_says_how_its_turn_ended() -> None:
    silent = EvidenceView(output(reason=CompletionReason.QUIESCENT))
    assert silent.no_answer() == "the final answer is empty (fell quiet without an answer)"
    no_turns = without_turns("response").model_copy(update={"final_response": None})
    assert EvidenceView(no_turns).no_answer() == "the final answer is empty"


def test_an_answer_in_scope_of_an_agent_is_what_that_agent_said() -> None:
    made = output(question("q"), answer("from desk", sender="@Desk"), answer("from boss"))
    said = EvidenceView(made, Scope(agent="@Desk")).answer()
    assert said is not None
    assert said.raw == "from desk"
    assert EvidenceView(made, Scope(agent="@Nobody")).answer() is None
    assert list(EvidenceView(made, Scope(agent="@Nobody", turn=0)).responses()) == []


def test_a_turn_that_a_recording_tore_off_was_cut_off() -> None:
    made = collect([TurnStarted(turn=0, message="q")])
    assert EvidenceView(made).missing() == "nothing was observed: turn 0 was cut off"


def test_tool_calls_are_seen_where_the_runtime_says_so_or_one_was() -> None:
    blind = output(question("q"), answer("a")).model_copy(
        update={"capabilities": RuntimeCapabilities()}
    )
    assert not EvidenceView(blind).shows_tools()
    assert EvidenceView(output(question("q"))).shows_tools()


def test_where_events_were_lost_nothing_is_known_to_be_absent() -> None:
    made = output(question("q"), answer("a")).model_copy(update={"dropped_events": 2})
    told = "nothing can be said of what is absent: 2 event(s) were lost"
    assert EvidenceView(made).missing() == told


def test_of_an_agent_that_was_never_seen_nothing_is_known() -> None:
    made = output(question("q"), message("@Manager", "@Desk", "Who?"), answer("a"))
    assert EvidenceView(made, Scope(agent="@Desk")).missing() is None
    missing = EvidenceView(made, Scope(agent="@Deks")).missing()
    assert missing == "nothing was observed: @Deks was never seen"


def test_texts_are_a_sequence() -> None:
    out = output(*(event for text in "abc" for event in tool_use("@K", "search", text)))
    texts = EvidenceView(out).evidence("search")
    assert (len(texts), texts[-1].raw, [text.raw for text in texts[:2]]) == (3, "c", ["a", "b"])
