"""The account of a recorded session, frame by frame."""

from collections.abc import Callable, Sequence

from audition.adaptation import Adapted, FrameHead
from audition.events import (
    AgentFailed,
    DroppedFrame,
    Event,
    MessageSent,
    ModelResponded,
    StateChanged,
    ToolCalled,
    ToolEvidence,
    ToolOutcome,
    ToolReturned,
    TurnStarted,
)
from audition.redaction.records import Redactor
from audition.reports.session_text import FrameAccount, account, account_table

ADAPTED = Adapted(
    human="user",
    events=(
        TurnStarted(turn=0, message="Where?"),
        MessageSent(agent="user", recipient="desk", content="Where?"),
        ToolCalled(agent="desk", tool_name="find", tool_call_id="1"),
        ToolCalled(agent="desk", tool_name="adk_request_input", tool_call_id="2", internal=True),
        ToolReturned(agent="desk", tool_name="find", tool_call_id="1", outcome=ToolOutcome.OK),
        ToolEvidence(agent="desk", tool_name="find", tool_call_id="1", content="x"),
        ToolReturned(
            agent="desk", tool_name="load", tool_call_id="3", outcome=ToolOutcome.TOOL_ERROR
        ),
        ModelResponded(agent="desk", input_tokens=3),
        AgentFailed(agent="desk", error="gone\nfor good"),
    ),
    origins=(0, 0, 1, 2, 3, 3, 4, 5, 6),
    heads=tuple(FrameHead(index=index, author="desk", role="model") for index in range(8)),
    dropped=(
        DroppedFrame(index=7, author="desk", reason="partial"),
        DroppedFrame(index=9, author=None, reason="line 10, no JSON"),
    ),
)


def rows(accounts: Sequence[FrameAccount]) -> list[tuple[int, str, str]]:
    return [(one.head.index, one.contributed, one.why_not) for one in accounts]


def test_every_frame_contributed_or_says_why_not() -> None:
    assert rows(account(ADAPTED)) == [
        (0, 'text "Where?"', ""),
        (1, "call find", ""),
        (2, "", "filtered: adk_request_input"),
        (3, "result find", ""),
        (4, "result load [tool_error]", ""),
        (5, "", "only usage"),
        (6, "error gone for good", ""),
        (7, "", "partial"),
        (9, "", "line 10, no JSON"),
    ]


def test_plumbing_can_be_shown_and_tools_left_out() -> None:
    told = rows(account(ADAPTED, include_internal=True, drop_tools={"find"}))
    assert told[1:4] == [
        (1, "", "filtered: find"),
        (2, "call adk_request_input", ""),
        (3, "", "filtered: find"),
    ]


def test_a_text_is_cleaned_before_it_is_cut() -> None:
    first, *_ = account(ADAPTED, clean=str.upper)
    assert first.contributed == 'text "WHERE?"'


def test_the_table_has_a_line_of_totals() -> None:
    table = account_table(account(ADAPTED), messages=4, tools=["find", "load", "find"])
    lines = table.splitlines()
    assert lines[0].split() == ["#", "AUTHOR", "ROLE", "CONTRIBUTED", "WHY", "NOT"]
    assert lines[3] == "2  desk    model                            filtered: adk_request_input"
    assert lines[-1] == "9 events, 5 contributed → 4 messages, tools: find, load"


def test_no_control_sequence_of_a_record_gets_through() -> None:
    head = FrameHead(index=0, author="\x1b[31mdesk", role="x\ny")
    table = account_table(
        account(Adapted(human="user", events=(), heads=(head,))), messages=0, tools=["\x1b[2J"]
    )
    assert "\x1b" not in table
    assert len(table.splitlines()) == 4


def told_of_state(*events: Event, clean: Callable[[str], str] = str) -> list[tuple[str, str]]:
    adapted = Adapted(
        human="user",
        events=events,
        origins=(0,) * len(events),
        heads=(FrameHead(index=0, author="desk"),),
    )
    return [(one.contributed, one.why_not) for one in account(adapted, clean=clean)]


def test_a_change_of_the_state_alone_is_told_by_its_names() -> None:
    state = StateChanged(agent="desk", changes={"user:b": 1, "a": "MOSS-77"})
    assert told_of_state(state) == [("", "only state: a, user:b")]
    said = MessageSent(agent="desk", content="Free.")
    assert told_of_state(said, state) == [('text "Free."', "")]


def test_of_many_names_ten_are_told() -> None:
    state = StateChanged(changes={f"{n:050}": n for n in range(20)})
    told = ", ".join([f"{0:037}..."] * 10)
    assert told_of_state(state) == [("", f"only state: {told}")]


def test_a_name_in_the_state_is_cleaned_before_it_is_cut() -> None:
    state = StateChanged(changes={f"{'at ' * 9} ghp_{'Fiction0' * 5}": 1})
    ((_, told),) = told_of_state(state, clean=Redactor().text)
    assert "Fiction" not in told
