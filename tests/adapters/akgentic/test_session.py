"""Recorded Akgentic teams as our events."""

from dataclasses import dataclass

import pytest
from pydantic import JsonValue

from audition.adaptation import FrameHead
from audition.adapters.akgentic.session import adapt_akgentic
from audition.events import (
    AgentFailed,
    AgentStarted,
    AgentStopped,
    MessageHandled,
    MessageSent,
    MessageType,
    ModelResponded,
    ToolCalled,
    TurnStarted,
)
from tests.adapters.akgentic.records import (
    ANSWERED,
    ASKED,
    CORE,
    DONE,
    adapted,
    address,
    carried,
    dropped,
    output,
    recorded,
    select,
    sent,
    told,
)

type Call = tuple[str, str, JsonValue, str, str | None]
"""Agent, tool, arguments, outcome, content."""


@dataclass(frozen=True, kw_only=True)
class Expected:
    agents: tuple[str, ...] = ("@Manager", "@Specialist")
    calls: tuple[Call, ...] = ()
    internal: tuple[str, ...] = ()
    turns: tuple[tuple[str, str, tuple[str, ...]], ...]
    errors: tuple[str, ...] = ()
    requests: int


def weather(agent: str, city: str) -> Call:
    return (agent, "get_weather", {"city": city}, "ok", f"{city}: sunny, 21C")


def looked_up(agent: str) -> tuple[Call, ...]:
    """Weather and a bad order beside each other, then the right order."""
    return (
        weather(agent, "Paris"),
        (
            agent,
            "lookup_order",
            {"order_id": "bad"},
            "tool_error",
            "order_id 'bad' is not numeric",
        ),
        (agent, "lookup_order", {"order_id": "42"}, "ok", '{"order_id":"42","status":"shipped"}'),
    )


HAPPY_ANSWER = "Final answer to user: Paris is sunny; order 42 shipped SCENARIO=happy"
HAPPY = ("Please help SCENARIO=happy", "response", (HAPPY_ANSWER,))
REFUSED = (
    '[{"input":{"town":"Paris"},"loc":["city"],"msg":"Field required","type":"missing"},'
    '{"input":"Paris","loc":["town"],"msg":"Extra inputs are not permitted",'
    '"type":"extra_forbidden"}]'
)
BAD_ARGUMENTS = Expected(
    calls=(("@Specialist", "get_weather", {"town": "Paris"}, "tool_error", REFUSED),),
    turns=(
        (
            "Please help SCENARIO=badargs",
            "response",
            ("Final answer to user: badargs done SCENARIO=badargs",),
        ),
    ),
    requests=4,
)
EXPECTED = {
    "2.62/happy.jsonl": Expected(calls=looked_up("@Specialist"), turns=(HAPPY,), requests=5),
    "2.59/happy.jsonl": Expected(calls=looked_up("@Specialist"), turns=(HAPPY,), requests=5),
    "server/ws-happy.jsonl": Expected(calls=looked_up("@Specialist"), turns=(HAPPY,), requests=5),
    "server/rest-events-happy.json": Expected(
        calls=looked_up("@Specialist"), turns=(HAPPY,), requests=5
    ),
    "2.62/badargs.jsonl": BAD_ARGUMENTS,
    "2.59/badargs.jsonl": BAD_ARGUMENTS,
    "2.62/final_result.jsonl": Expected(
        calls=looked_up("@Specialist"),
        internal=("final_result", "final_result", "final_result"),
        turns=(HAPPY,),
        requests=5,
    ),
    "2.62/absorb.jsonl": Expected(
        calls=tuple(weather("@Specialist", city) for city in ("C0", "C1", "C0", "C1", "C2", "C3")),
        internal=("read_mailbox",),
        turns=(("Please SCENARIO=absorb", "response", ("absorbed both",)),),
        requests=8,
    ),
    "2.62/cancel-msg.jsonl": Expected(
        calls=(weather("@Specialist", "City0"),),
        turns=(("Please help SCENARIO=slow", "quiescent", ()),),
        requests=2,
    ),
    "2.62/human-loop.jsonl": Expected(
        turns=(
            ("Please help SCENARIO=askhuman", "response", ("Need approval SCENARIO=askhuman",)),
            ("Approved SCENARIO=direct", "response", ("direct answer SCENARIO=direct",)),
        ),
        requests=2,
    ),
    "2.59/crash.jsonl": Expected(
        calls=(("@Specialist", "explode", {"why": "boom"}, "unanswered", None),),
        turns=(("Please help SCENARIO=crash", "error", ()),),
        errors=("@Specialist: ValueError: tool exploded: boom",),
        requests=2,
    ),
    "2.59/fanout.jsonl": Expected(
        agents=("@Manager", "@Specialist", "@Specialist2"),
        calls=(*looked_up("@Specialist"), *looked_up("@Specialist2")),
        turns=(("Please help SCENARIO=fanout", "response", (HAPPY_ANSWER, HAPPY_ANSWER)),),
        requests=9,
    ),
    "2.59/silent.jsonl": Expected(
        turns=(("Please help SCENARIO=silent", "quiescent", ()),), requests=1
    ),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_a_recorded_team_did_what_was_seen_of_it(name: str) -> None:
    record = adapted(name)
    made = output(record)
    calls = made.tool_invocations(internal=True)
    started = [str(event.agent) for event in select(record, AgentStarted)]
    assert (
        Expected(
            agents=tuple(agent for agent in started if agent not in {"@Orchestrator", "@Human"}),
            calls=tuple(
                (str(call.agent), call.tool_name, call.arguments, call.outcome.value, call.content)
                for call in calls
                if not call.internal
            ),
            internal=tuple(call.tool_name for call in calls if call.internal),
            turns=tuple((turn.message, str(turn.reason), turn.responses) for turn in made.turns),
            errors=made.errors,
            requests=len(made.llm_usage),
        )
        == EXPECTED[name]
    )


@pytest.mark.parametrize("name", EXPECTED)
def test_every_frame_of_a_recorded_team_is_accounted_for(name: str) -> None:
    record = adapted(name)
    silent = {frame.index for frame in record.dropped}
    told_of = set(record.origins)
    assert [head.index for head in record.heads] == sorted(silent | told_of)
    assert not silent & told_of
    assert (record.human, record.lost, output(record).contaminated) == ("@Human", 0, False)


def test_every_call_message_and_answer_knows_its_turn() -> None:
    made = output(adapted("2.59/fanout.jsonl"))
    of_turns = [made.messages, made.tool_calls, made.tool_returns, made.tool_evidence]
    assert {one.turn for records in of_turns for one in records} == {0}


def test_the_routes_of_a_team_name_their_causes() -> None:
    said = select(adapted("2.62/happy.jsonl"), MessageSent)
    welcome, *others = [(one.agent, one.recipient, one.message_type.value) for one in said]
    assert welcome == ("@ActorSystem", "@Human", "notification")
    assert others == [
        ("@Human", "@Manager", "request"),
        ("@Manager", "@Specialist", "request"),
        ("@Specialist", "@Manager", "response"),
        ("@Manager", "@Human", "response"),
    ]
    ids = [one.message_id for one in said[1:]]
    assert [one.cause_id for one in said[1:]] == [None, *ids[:-1]]
    assert [one.internal for one in said] == [True, False, False, False, False]


def test_an_answer_of_a_model_has_its_cost_and_why_it_stopped() -> None:
    first, second, *_ = select(adapted("2.62/happy.jsonl"), ModelResponded)
    assert (first.agent, first.input_tokens, first.output_tokens) == ("@Manager", 178, 17)
    assert (first.cost_usd, first.finish_reason, first.model_name) == (
        3.69e-05,
        "stop",
        "gpt-4o-mini",
    )
    assert (second.agent, second.finish_reason) == ("@Specialist", "tool_call")


def test_the_stored_events_and_the_frames_of_the_socket_are_the_same_record() -> None:
    stored, streamed = adapted("server/rest-events-happy.json"), adapted("server/ws-happy.jsonl")
    assert (stored.events, stored.origins) == (streamed.events, streamed.origins)


def test_stored_events_in_any_order_are_put_into_that_of_their_sequence() -> None:
    (listing,) = recorded("server/rest-events-happy.json")
    assert isinstance(listing, list)
    turned = adapt_akgentic(reversed(listing))
    assert turned.events == adapt_akgentic(listing).events
    assert turned.heads[0].author == "@Human"


def test_a_replay_of_the_whole_history_adds_nothing() -> None:
    frames = recorded("server/ws-happy.jsonl")
    once, twice = adapt_akgentic(frames), adapt_akgentic([*frames, *frames])
    assert twice.events == once.events
    again = [frame.reason for frame in twice.dropped if frame.index >= len(frames)]
    assert again == ["seen before"] * len(frames)


def test_a_head_says_who_wrote_a_frame_and_which_question_it_goes_back_to() -> None:
    heads = adapt_akgentic([told("StartMessage", "@Desk"), ASKED, ANSWERED, None]).heads
    assert heads == (
        FrameHead(index=0, author="@Desk", role="Desk"),
        FrameHead(index=1, author="@Ada", role="Ada", invocation="m-1"),
        FrameHead(index=2, author="@Desk", role="Desk", invocation="m-1"),
        FrameHead(index=3),
    )


def test_the_person_is_the_user_proxy_that_speaks_first() -> None:
    expert = {**told("StartMessage", "@Expert")}
    expert["sender"] = {"__actor_address__": True, "name": "@Expert", "is_user_proxy": True}
    assert adapt_akgentic([expert, ASKED]).human == "@Ada"
    assert adapt_akgentic([expert]).human == "@Expert"
    assert adapt_akgentic([told("StartMessage", "@Desk")]).human == "@Human"


def test_a_turn_says_when_it_began_and_whom_it_went_to() -> None:
    (started,) = select(adapt_akgentic([ASKED, DONE]), TurnStarted)
    assert (started.at, started.target) == (1772359200.0, "@Desk")


def test_the_end_of_the_handling_names_the_message() -> None:
    (handled,) = select(adapt_akgentic([ASKED, DONE]), MessageHandled)
    assert (handled.agent, handled.message_id) == ("@Desk", "m-1")


def test_all_who_are_up_stop_with_the_team() -> None:
    stopping: JsonValue = {"__model__": f"{CORE}.TeamStoppingEvent"}
    frames = [
        *(told("StartMessage", name) for name in ("@Desk", "@Crane", "@Buoy")),
        told("StopMessage", "@Crane"),
        told("EventMessage", "@Orchestrator", event=stopping),
        told("EventMessage", "@Orchestrator", event=stopping),
    ]
    record = adapt_akgentic(frames)
    assert [event.agent for event in select(record, AgentStopped)] == ["@Crane", "@Desk", "@Buoy"]
    assert dropped(record) == [(5, "@Orchestrator", "the team stops")]


@pytest.mark.parametrize("kind", ["ErrorMessage", "WarningMessage"])
def test_what_broke_is_one_line_of_the_agent_with_the_message_it_handled(kind: str) -> None:
    broken = told(
        kind,
        "@Desk",
        content_type="UsageLimitExceeded",
        content="too\n much",
        traceback="a secret",
        current_message={"id": "m-1"},
    )
    (failed,) = select(adapt_akgentic([ASKED, broken]), AgentFailed)
    assert (failed.agent, failed.cause_id) == ("@Desk", "m-1")
    assert failed.error == "UsageLimitExceeded: too much"


def test_a_notice_to_those_who_watch_is_internal() -> None:
    notice = told("NotificationMessage", "@Desk", content_type="team_description", content="A desk")
    (said,) = select(adapt_akgentic([notice]), MessageSent)
    assert (said.content, said.recipient, said.internal) == ("A desk", None, True)


def test_a_message_without_a_content_has_its_own_fields() -> None:
    fields: dict[str, JsonValue] = {"id": "m-3", "high": True, "__model__": "harbour.Tide"}
    tide = told("SentMessage", "@Desk", message=fields, recipient=address("@Crane"))
    published = {**told("Tide", "@Desk", high=False), "__model__": "harbour.Tide"}
    said = select(adapt_akgentic([tide, published]), MessageSent)
    assert [(one.content, one.internal) for one in said] == [
        ('{"high":true}', False),
        ('{"high":false}', True),
    ]


@pytest.mark.parametrize(
    ("model", "kind", "message_type"),
    [
        ("akgentic.core.messages.message.ResultMessage", None, MessageType.RESPONSE),
        ("akgentic.core.messages.message.UserMessage", None, MessageType.REQUEST),
        ("akgentic.agent.messages.AgentMessage", "acknowledgment", MessageType.ACKNOWLEDGMENT),
        ("harbour.Tide", "high", MessageType.REQUEST),
    ],
)
def test_what_a_message_is_for_is_its_type_or_its_class(
    model: str, kind: str | None, message_type: MessageType
) -> None:
    frame = sent("m-3", "@Desk", "@Ada", "so", type=kind, __model__=model)
    assert [one.message_type for one in select(adapt_akgentic([frame]), MessageSent)] == [
        message_type
    ]


@pytest.mark.parametrize(
    ("frame", "reason", "lost"),
    [
        (told("ReceivedMessage", "@Desk"), "taken up: that it is handled is told later", 0),
        (told("StateChangedMessage", "@Desk", state={}), "state of an agent", 0),
        (carried("CommandsAnnouncedEvent"), "commands of an agent", 0),
        (carried("HighTide"), "event of its own: HighTide", 0),
        (told("EventMessage", "@Desk", event=5), "it does not say what it is about", 1),
        (told("SentMessage", "@Desk"), "it does not say what it is about", 1),
        (told("ProcessedMessage", "@Desk"), "it does not say what it is about", 1),
    ],
)  # fmt: skip
def test_a_frame_that_tells_nothing_is_dropped_with_its_reason(
    frame: JsonValue, reason: str, lost: int
) -> None:
    record = adapt_akgentic([frame])
    assert (dropped(record), record.lost) == ([(0, "@Desk", reason)], lost)


def test_what_nobody_can_read_is_lost_and_a_note_of_the_recorder_is_not() -> None:
    record = adapt_akgentic([{"author": "desk"}, {"_n": 1, "_lifecycle": "on_stop"}])
    assert record.lost == 1
    assert dropped(record) == [
        (0, None, "not an Akgentic message"),
        (1, None, "a note of the recorder"),
    ]


def test_nothing_that_a_frame_names_is_called() -> None:
    named: JsonValue = {**ASKED, "message": {"__model__": "os.getpid", "id": "m-1"}}
    (said,) = select(adapt_akgentic([named]), MessageSent)
    assert said.content == "{}"
    assert not select(adapt_akgentic([{"__model__": "os.getpid"}]), ToolCalled)
