"""The parts of a conversation as events."""

import pytest

from audition.adaptation import NO_FRAME, Adapted, FrameHead
from audition.events import (
    AgentFailed,
    CompletionReason,
    DroppedFrame,
    MessageSent,
    MessageType,
    ModelResponded,
    ToolCalled,
    ToolEvidence,
    ToolOutcome,
    ToolReturned,
    TurnFinished,
    TurnStarted,
)
from audition.tool_payloads import Arguments, Returned
from audition.transcripts.parts import (
    Answered,
    Asked,
    Broke,
    Called,
    Frame,
    HandedOver,
    Part,
    Responded,
    Said,
)
from audition.transcripts.telling import adapt_transcript

ASKED = Asked(text="Free?")
CALL = Called(name="find", call_id="c", arguments=Arguments(raw="{}", value={}))
BACK = Answered(call_id="c", returned=Returned(content="4"))
WAITING = Answered(call_id="c", returned=Returned(content="?", outcome=ToolOutcome.PENDING))
YES = Said(text="Yes.")


def told(*messages: Part | tuple[Part, ...]) -> Adapted:
    """Return what messages come to, those that are of nobody in the team without an agent."""
    frames: list[Frame] = []
    for index, one in enumerate(messages):
        parts = one if isinstance(one, tuple) else (one,)
        is_agents = not any(isinstance(part, Asked | Answered) for part in parts[:1])
        frames.append(
            Frame(
                head=FrameHead(index=index, author="x"),
                agent="desk" if is_agents and parts else None,
                at=float(index),
                event_id=f"m-{index}",
                parts=parts,
            )
        )
    return adapt_transcript(frames)


def reasons(adapted: Adapted) -> list[tuple[str, str | None]]:
    ends = [event for event in adapted.events if isinstance(event, TurnFinished)]
    return [(event.reason.value, event.detail) for event in ends]


def test_a_turn_in_full() -> None:
    responded = Responded(model_name="m", input_tokens=3, cost_usd=0.5)
    adapted = told(ASKED, (responded, CALL), BACK, YES)
    assert adapted.events == (
        TurnStarted(at=0.0, event_id="m-0", turn=0, message="Free?"),
        MessageSent(
            at=0.0,
            agent="user",
            event_id="m-0",
            recipient="desk",
            content="Free?",
            message_id="m-0",
        ),
        ModelResponded(
            at=1.0,
            agent="desk",
            event_id="m-1",
            cause_id="m-0",
            run_id="turn-0/desk",
            model_name="m",
            input_tokens=3,
            cost_usd=0.5,
        ),
        ToolCalled(
            at=1.0,
            agent="desk",
            event_id="m-1",
            cause_id="m-0",
            run_id="turn-0/desk",
            tool_call_id="c",
            tool_name="find",
            arguments_raw="{}",
            arguments={},
        ),
        ToolReturned(
            at=2.0,
            agent="desk",
            event_id="m-2",
            cause_id="m-0",
            run_id="turn-0/desk",
            tool_call_id="c",
            tool_name="find",
        ),
        ToolEvidence(
            at=2.0,
            agent="desk",
            event_id="m-2",
            cause_id="m-0",
            run_id="turn-0/desk",
            tool_call_id="c",
            tool_name="find",
            content="4",
        ),
        MessageSent(
            at=3.0,
            agent="desk",
            event_id="m-3",
            cause_id="m-0",
            recipient="user",
            message_type=MessageType.RESPONSE,
            message_id="m-3",
            content="Yes.",
        ),
        TurnFinished(at=3.0, turn=0, reason=CompletionReason.RESPONSE),
    )
    assert adapted.origins == (0, 0, 1, 1, 2, 2, 3, NO_FRAME)


@pytest.mark.parametrize(
    ("messages", "reason", "detail"),
    [
        ((ASKED, YES), "response", None),
        ((ASKED, Said(text="")), "quiescent", None),
        ((ASKED,), "runtime_stopped", "the record ends with the user's message"),
        ((ASKED, CALL), "runtime_stopped", "the record ends with an open call: find"),
        ((ASKED, CALL, BACK), "runtime_stopped", "the record ends on the return of find"),
        ((ASKED, CALL, BACK, YES), "response", None),
        ((ASKED, CALL, WAITING), "runtime_stopped", "the record ends with an open call: find"),
        ((ASKED, CALL, WAITING, YES), "response", None),
        ((ASKED, CALL, YES), "response", None),
        ((ASKED, Broke(error="limit")), "error", "limit"),
        ((ASKED, Broke(error="limit"), YES), "response", None),
    ],
)
def test_why_a_turn_is_over(messages: tuple[Part, ...], reason: str, detail: str | None) -> None:
    assert reasons(told(*messages)) == [(reason, detail)]


def test_the_next_question_ends_a_turn() -> None:
    ends = [("runtime_stopped", "the turn ends with the user's message"), ("response", None)]
    assert reasons(told(ASKED, ASKED, YES)) == ends


def test_a_result_that_nobody_has_to_read_leaves_nothing_open() -> None:
    last = Answered(call_id="c", returned=Returned(content="4"), is_last_word=True)
    assert reasons(told(ASKED, (YES, CALL), last)) == [("response", None)]


def test_a_result_whose_call_was_not_recorded_is_kept() -> None:
    *_, returned, evidence = told(Answered(returned=Returned(content="4"))).events
    assert isinstance(returned, ToolReturned)
    assert isinstance(evidence, ToolEvidence)
    assert (returned.tool_name, returned.tool_call_id, evidence.content) == (
        "unknown",
        "m-0:0",
        "4",
    )


def test_what_the_runtime_kept_to_itself_is_no_answer() -> None:
    adapted = told(ASKED, Said(text="Maybe.", internal=True))
    said = adapted.events[2]
    assert isinstance(said, MessageSent)
    assert said.internal
    assert reasons(adapted) == [("quiescent", None)]


def test_a_hand_over_is_a_message_of_who_hands_over() -> None:
    handed = told(ASKED, (HandedOver(by="desk", to="billing"),)).events[2]
    assert isinstance(handed, MessageSent)
    assert (handed.agent, handed.recipient) == ("desk", "billing")
    assert handed.message_type is MessageType.INSTRUCTION


def test_what_broke_is_told() -> None:
    (failed,) = [event for event in told(Broke(error="x")).events if isinstance(event, AgentFailed)]
    assert (failed.agent, failed.error) == ("desk", "x")


def test_a_frame_without_parts_is_dropped_for_its_reason() -> None:
    frames = [
        Frame(head=FrameHead(index=0, author="system"), emptiness="instructions"),
        Frame(head=FrameHead(index=1), emptiness="not known", is_foreign=True),
    ]
    adapted = adapt_transcript(frames)
    assert adapted.dropped == (
        DroppedFrame(index=0, author="system", reason="instructions"),
        DroppedFrame(index=1, author=None, reason="not known"),
    )
    assert (adapted.lost, adapted.events, adapted.origins) == (1, (), ())


def test_a_run_has_the_invocation_that_the_record_names() -> None:
    head = FrameHead(index=0, invocation="run-7")
    (called,) = adapt_transcript([Frame(head=head, agent="desk", parts=(CALL,))]).events
    assert isinstance(called, ToolCalled)
    assert called.run_id == "run-7/desk"
