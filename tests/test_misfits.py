"""Events that are none are left out of the output, and told by field, what was found and wanted."""

from typing import Any, NoReturn

from audition.collector import collect
from audition.events import AgentFailed, MessageSent
from audition.misfits import MAX_TOLD
from audition.testing import answer, turn


def test_an_ill_typed_record_is_left_out_and_named() -> None:
    bad = MessageSent(agent=7, recipient="@K", content="x")  # pyright: ignore[reportArgumentType]  # the mistake of this test
    worse = MessageSent(agent="@K", recipient="@Human", content=None)  # pyright: ignore[reportArgumentType]  # the mistake of this test
    output = collect(turn("q", [answer("a"), bad, worse, answer("b")]))
    assert output.human_responses == ("a", "b")
    assert [message.content for message in output.messages] == ["a", "b"]
    assert output.errors == (
        "the runtime reported ill-typed MessageSent.content: found None; wanted a valid string",
        "the runtime reported ill-typed messages.1.agent: found 7; wanted a valid string",
    )
    assert output.dropped_events == 2


class Evil:
    """Breaks whoever looks at it."""

    __hash__ = None  # pyright: ignore[reportAssignmentType]

    def __eq__(self, other: object) -> NoReturn:
        raise OSError(5)

    def __repr__(self) -> NoReturn:
        raise OSError(6)


def test_an_event_with_an_object_that_breaks_is_left_out_and_named() -> None:
    evil: Any = Evil()
    events = [MessageSent(agent=evil, recipient=evil, content="x"), AgentFailed(error=evil)]
    output = collect(turn("q", [*events, answer("a")]))
    assert (output.final_response, output.dropped_events) == ("a", 2)
    assert [error.partition(" at 0x")[0] for error in output.errors] == [
        "the runtime reported ill-typed MessageSent.agent: found <Evil instance",
        "the runtime reported ill-typed AgentFailed.error: found <Evil instance",
    ]


def test_of_many_ill_typed_events_the_first_are_told() -> None:
    bad = MessageSent(agent=7, recipient="@K", content="x")  # pyright: ignore[reportArgumentType]  # the mistake of this test
    output = collect(turn("q", [bad] * (MAX_TOLD + 5)))
    assert output.dropped_events == MAX_TOLD + 5
    assert output.errors[-1] == "the runtime reported 5 more ill-typed events"
