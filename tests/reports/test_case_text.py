import asyncio
from typing import Any

import pytest
from pydantic_evals import Case, Dataset
from pydantic_evals.evaluators import Evaluator, EvaluatorContext
from pydantic_evals.reporting import ReportCase, ReportCaseFailure

from audition.collector import collect
from audition.datasets.authoring import Authoring
from audition.evaluators.case_evaluator import CaseEvaluator
from audition.evaluators.completion import Completed
from audition.evaluators.evidence import ToolEvidenceContainsTerms
from audition.evaluators.messages import MessageContainsTerms
from audition.evaluators.responses import HumanResponseContainsNoTerms, HumanResponseContainsTerms
from audition.evaluators.routes import FollowedRoute
from audition.evaluators.tools import CalledRequiredTools, ToolCallCount
from audition.events import (
    AgentFailed,
    CompletionReason,
    DroppedFrame,
    MessageSent,
    MessageType,
    StateChanged,
    ToolCalled,
)
from audition.inputs import CaseInput, ConversationTurn
from audition.output import CaseOutput
from audition.records import TurnRecord
from audition.reports.case_text import case_text, failure_text
from audition.testing import answer, message, output, question, tool_call, tool_use, turn


class Scores(Evaluator[Any, Any, Any]):
    def evaluate(self, ctx: EvaluatorContext[Any, Any, Any]) -> dict[str, float | str]:
        return {"share": 0.5, "mood": "calm \x1b"}


class Breaks(Evaluator[Any, Any, Any]):
    def evaluate(self, ctx: EvaluatorContext[Any, Any, Any]) -> bool:
        raise NotImplementedError


def judged(out: Any, *evaluators: Evaluator[Any, Any, Any]) -> ReportCase[Any, Any, Any]:
    async def task(inputs: CaseInput) -> Any:
        return out

    one: Case[Any, Any, Any] = Case(
        name="who is Mara", inputs=CaseInput(message="?"), evaluators=evaluators
    )
    native: Dataset[Any, Any, Any] = Dataset(name="own", cases=[one])
    return asyncio.run(native.evaluate(task, progress=False)).cases[0]


def text(out: Any, *evaluators: Evaluator[Any, Any, Any]) -> str:
    return case_text(judged(out, *evaluators), Authoring())


OUT = output(
    question("Who is Mara?"),
    message("@Manager", "@Knowledge", "Who is Mara?"),
    *tool_use("@Knowledge", "search", "Mara Ilves\nmodeller", arguments={"q": "Mara"}),
    ToolCalled(agent="@Knowledge", tool_name="mailbox", tool_call_id="m", internal=True),
    MessageSent(agent="@Knowledge", content="note", internal=True),
    answer("I do not know."),
    asked="Who is Mara?",
)


def test_a_case_is_told_in_the_order_in_which_it_happened() -> None:
    lines = text(OUT, Completed(), HumanResponseContainsTerms(("Mara Ilves",))).split("\n")
    assert lines == [
        "case who is Mara: 1 of 2 assertions hold, first failing layer answer: omitted",
        "",
        "turn 0 ended with response",
        "  asked: Who is Mara?",
        "  @Human > @Manager [request]: Who is Mara?",
        "  @Manager > @Knowledge [request]: Who is Mara?",
        '    @Knowledge calls search: {"q":"Mara"}',
        "      ok",
        "      | Mara Ilves",
        "      | modeller",
        "    @Knowledge calls mailbox (internal): not recorded",
        "      unanswered",
        "  @Knowledge > everybody [request] (internal): note",
        "  @Manager > @Human [response]: I do not know.",
        "  answer: I do not know.",
        "ended with response",
        "",
        "assertions, those that fail first",
        "  FAIL human_response_contains_terms(Mara Ilves) (must) [answer: omitted]",
        lines[19],
        "       looked at: I do not know.",
        "  pass completed",
    ]
    assert lines[19].startswith('       the final answer lacks "Mara Ilves"')


@pytest.mark.parametrize(
    ("evaluator", "looked_at"),
    [
        (ToolEvidenceContainsTerms("search", ("Oren",)), "looked at: Mara Ilves modeller"),
        (ToolCallCount("search", minimum=2), 'looked at: search {"q":"Mara"} -> ok'),
        (CalledRequiredTools(("send",)), 'looked at: search {"q":"Mara"} -> ok'),
        (FollowedRoute((("a", "b"),)), "looked at: @Manager > @Knowledge"),
        (
            MessageContainsTerms(("Oren",), recipient="@Knowledge"),
            "looked at: @Manager > @Knowledge: Who is Mara?",
        ),
        (HumanResponseContainsNoTerms(("know",)), "looked at: I do not know."),
    ],
)
def test_a_failed_assertion_stands_beside_what_it_looked_at(
    evaluator: CaseEvaluator, looked_at: str
) -> None:
    assert looked_at in text(OUT, evaluator)


def test_the_metrics_of_a_case_are_told_together_and_by_agent() -> None:
    case = judged(OUT, Completed())
    case.metrics = {
        "messages": 3, "cost_usd": 0.00042, "seconds": 1234.567, "tool_seconds": 0.0,
        "requests/@M\x1b": 2, "messages/@K": 1, "requests/@K": 12345678,
    }  # fmt: skip
    lines = case_text(case, Authoring()).split("\n")
    place = lines.index("metrics")
    assert lines[place - 1 : place + 5] == [
        "",
        "metrics",
        "  all: messages 3, cost_usd 0.00042, seconds 1235, tool_seconds 0",
        "  @K: messages 1, requests 12345678",
        "  @M\\x1b: requests 2",
        "",
    ]
    assert lines[place + 5].startswith("assertions")


def test_a_case_without_metrics_tells_none() -> None:
    assert "metrics" not in text(OUT, Completed())


def test_a_run_that_broke_is_told_with_its_errors() -> None:
    events = turn("One?", [AgentFailed(agent="@K", error="no key")], reason=CompletionReason.ERROR)
    out = collect(
        events,
        not_run=[ConversationTurn(message="Two?", target="@K")],
        dropped=[DroppedFrame(index=4, author=None, reason="line 5, incomplete JSON")],
        completion=(CompletionReason.ERROR, "the model is gone"),
    )
    told = text(out, Completed())
    for line in (
        "turn 0 ended with error",
        "turn 1 to @K was not run",
        "  answer: none",
        "ended with error: the model is gone",
        "frame 4 dropped: line 5, incomplete JSON",
    ):
        assert f"{line}\n" in told
    assert "error: " in told
    assert "no key" in told


def test_what_happened_outside_any_turn_is_told_there() -> None:
    stray = MessageSent(
        agent="@K", recipient="@M", content="early", message_type=MessageType.REQUEST
    )
    out = collect([stray, *turn("One?", [answer("1")])])
    assert "outside any turn\n  @K > @M [request]: early\n" in text(out)


def test_a_tool_call_outside_any_turn_is_told_there() -> None:
    called = ToolCalled(agent="@K", tool_name="search", tool_call_id="1")
    out = collect([called, *turn("One?", [answer("1")])])
    assert "outside any turn\n    @K calls search: not recorded\n" in text(out)


def test_a_turn_that_the_recording_tore_off_was_cut_off() -> None:
    out = CaseOutput(
        completion_reason=CompletionReason.TRANSPORT_CLOSED,
        turns=(TurnRecord(message="One?", target=None),),
    )
    assert "turn 0 was cut off\n" in text(out)


def test_seconds_and_failures_of_a_call_are_told() -> None:
    out = output(tool_call("@K", "search", at=1.0), answer("?"))
    assert "    @K calls search: {}\n      unanswered\n" in text(out)


def test_scores_labels_and_evaluators_that_could_not_run_are_told() -> None:
    told = text(OUT, Scores(), Breaks())
    assert "  share: 0.5\n  mood: calm \\x1b\n  could not run Breaks: NotImplementedError" in told


def test_an_output_of_another_kind_has_its_assertions_alone() -> None:
    told = text("plain text", Scores())
    assert told.startswith("case who is Mara: 0 of 0 assertions hold\n\nassertions")


def test_an_assertion_of_an_unknown_evaluator_is_told_without_what_it_saw() -> None:
    case = judged(OUT, CalledRequiredTools(("send",)))
    told = case_text(case, Authoring(evaluator_types=()))
    assert "FAIL called_required_tools(send) (must) [answer]" in told
    assert "looked at" not in told


def test_nothing_reaches_the_terminal_raw() -> None:
    evil = "\x1b[2J\u202e"
    events = turn(
        f"Who{evil}?",
        [
            message(f"@M{evil}", f"@K{evil}", f"hi{evil}"),
            *tool_use(f"@K{evil}", f"search{evil}", f"x{evil}", arguments={"q": evil}),
            AgentFailed(agent="@K", error=f"broke{evil}"),
            answer(f"no{evil}"),
        ],
    )
    out = collect(events, completion=(CompletionReason.ERROR, f"bad{evil}"))
    case = judged(
        out, HumanResponseContainsTerms((f"yes{evil}",)), CalledRequiredTools((f"a{evil}",))
    )
    case.name = f"case{evil}"
    told = case_text(case, Authoring())
    assert "\x1b" not in told
    assert "\u202e" not in told


def test_a_task_that_raised_is_told_with_where_it_did() -> None:
    failure: ReportCaseFailure[Any, Any, Any] = ReportCaseFailure(
        name="one", inputs=None, metadata=None, expected_output=None,
        error_message="ValueError: \x1b[31m", error_stacktrace="Traceback\n  line 3\n",
    )  # fmt: skip
    assert failure_text(failure) == (
        "case one: the task raised ValueError: \\x1b[31m\n\n  Traceback\n    line 3"
    )


def test_an_output_of_an_older_report_without_turns_is_told() -> None:
    out = CaseOutput.model_validate(
        {"completion_reason": "human_response",
         "messages": [{"sender": "@Human", "recipient": "@M", "content": "Who?"}]}
    )  # fmt: skip
    assert "outside any turn\n  @Human > @M [request]: Who?\nended with response" in text(out)


def test_an_error_that_ended_the_case_is_told_once() -> None:
    told = "start raised ValueError: down"
    failed = output(AgentFailed(error=told), reason=CompletionReason.START_FAILED)
    case = failed.model_copy(update={"completion_detail": told, "errors": (told, "late", "late")})
    shown = text(case)
    assert f"ended with start_failed: {told}" in shown
    assert (shown.count(told), shown.count("error: late")) == (1, 1)


def test_long_evidence_is_cut_between_lines_and_says_how_much_is_left_out() -> None:
    content = "\n".join(f"line {number:04} of the evidence" for number in range(400))
    shown = text(output(*tool_use("@K", "search", content), answer("yes")))
    (cut,) = [line for line in shown.split("\n") if "characters left out]" in line]
    kept = [line for line in shown.split("\n") if line.startswith("      | line")]
    assert all(line.endswith("of the evidence") for line in kept)
    assert cut == f"      | [... {len(content) - 26 * len(kept) + 2} characters left out]"


def test_a_change_of_the_state_stands_where_it_happened() -> None:
    before = StateChanged(agent="system", changes={"headers": {"x-request-id": "req-77"}})
    within = [question("q"), StateChanged(changes={"cart": ["x" * 500]}), answer("a")]
    lines = text(collect([before, *turn("q", within)])).split("\n")
    at = lines.index("outside any turn")
    assert lines[at + 1] == '    system changes the state: {"headers": {"x-request-id": "req-77"}}'
    assert [line[:40] for line in lines[4:7]] == [
        "  @Human > @Manager [request]: q",
        '    ? changes the state: {"cart": ["xxxx',
        "  @Manager > @Human [response]: a",
    ]
    assert len(lines[5]) < 450
