"""Our own recordings as frames."""

from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from audition.adapters.recorded import adapt_recorded, is_recorded
from audition.events import AgentStopped, MessageSent
from audition.output import RuntimeCapabilities

HEADER: JsonValue = {
    "format": "audition-recording",
    "version": 1,
    "human": "@Guest",
    "capabilities": {"tool_evidence": True},
}
STOPPED: JsonValue = {"kind": "agent_stopped", "agent": "@K"}
SAID: JsonValue = {"kind": "message_sent", "agent": "@K", "recipient": "@Guest", "content": "Yes."}


def test_events_come_with_what_the_header_says() -> None:
    adapted = adapt_recorded([HEADER, SAID, STOPPED])
    assert adapted.events == (
        MessageSent(agent="@K", recipient="@Guest", content="Yes."),
        AgentStopped(agent="@K"),
    )
    assert (adapted.origins, adapted.human, adapted.lost) == ((1, 2), "@Guest", 0)
    assert adapted.capabilities == RuntimeCapabilities(tool_evidence=True)
    assert [(one.index, one.author, one.role) for one in adapted.heads] == [
        (1, "@K", "message_sent"),
        (2, "@K", "agent_stopped"),
    ]


def test_what_is_no_event_is_dropped_and_counts_as_lost() -> None:
    adapted = adapt_recorded([HEADER, {"kind": "nothing", "agent": "@K"}, 7, STOPPED])
    assert [(one.index, one.author) for one in adapted.dropped] == [(1, "@K"), (2, None)]
    assert (adapted.lost, adapted.origins) == (2, (3,))


def test_only_the_header_has_a_mark_of_its_own() -> None:
    assert is_recorded(HEADER)
    assert not is_recorded(SAID)
    assert not is_recorded(None)


@given(st.lists(st.recursive(st.none() | st.text(max_size=3), lambda inner: st.dictionaries(
    st.sampled_from(["kind", "agent", "format", "human", "capabilities"]), inner, max_size=4
)), max_size=4))  # fmt: skip
def test_no_json_is_too_strange(frames: list[JsonValue]) -> None:
    adapted = adapt_recorded(frames)
    told = {*adapted.origins, *(one.index for one in adapted.dropped)}
    assert {head.index for head in adapted.heads} <= told
