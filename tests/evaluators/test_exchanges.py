"""What answers which request, how long agents only talk, and what was handled."""

from audition.causality import Happening
from audition.evaluators.exchanges import (
    back_and_forth,
    causes_first,
    responses_to_requests,
    sent,
    to_agents,
    unhandled_messages,
)
from audition.evaluators.patterns import tell
from audition.evaluators.view import EvidenceView, Scope
from audition.events import MessageHandled, MessageSent, MessageType
from audition.output import CaseOutput
from audition.records import MessageRecord
from audition.testing import answer, caused, message, named, output, question, tool_use

RESPONSE = MessageType.RESPONSE


def replies(out: CaseOutput) -> dict[str, list[str]]:
    """Return the texts of what answers each request, by the text of that."""

    def text(one: Happening) -> str:
        assert isinstance(one.record, MessageRecord)
        return one.record.content

    found = responses_to_requests(EvidenceView(out))
    return {text(request): [text(one) for one in given] for request, given in found.items()}


def test_a_response_answers_the_last_request_of_whom_it_goes_to() -> None:
    out = output(
        named("1", question("q")),
        *caused("1", named("2", message("@M", "@K", "k?"))),
        *caused("2", named("3", message("@K", "@M", "which?"))),
        *caused("3", named("4", message("@M", "@K", "that", message_type=RESPONSE))),
        *caused("4", named("5", message("@K", "@M", "so", message_type=RESPONSE))),
        *caused("5", answer("a", sender="@M")),
    )
    assert replies(out) == {"which?": ["that"], "k?": ["so"], "q": ["a"]}


def test_a_request_that_was_handed_over_is_answered_by_another() -> None:
    out = output(
        named("1", question("q")),
        *caused("1", named("2", message("@M", "@K", "k?"))),
        *caused("2", answer("a", sender="@K")),
    )
    assert replies(out) == {"q": ["a"], "k?": ["a"]}


def test_what_was_recorded_before_its_cause_answers_all_the_same() -> None:
    out = output(
        *caused("2", answer("a", sender="@K")),
        *caused("1", named("2", message("@M", "@K", "k?"))),
        named("1", question("q")),
    )
    assert replies(out) == {"q": ["a"], "k?": ["a"]}


def test_an_acknowledgment_answers_nothing() -> None:
    received = message("@M", "@Human", "got it", message_type=MessageType.ACKNOWLEDGMENT)
    out = output(named("1", question("q")), *caused("1", received), answer("stray"))
    assert not replies(out)


def test_a_circle_of_causes_is_walked_once() -> None:
    out = output(
        *caused("y", named("x", message("@A", "@B", "one"))),
        *caused("x", named("y", message("@B", "@A", "two", message_type=RESPONSE))),
    )
    happenings = out.causal_order.happenings
    assert sorted(map(id, causes_first(happenings))) == sorted(map(id, happenings))
    assert replies(out) in ({}, {"one": ["two"]})


def test_messages_of_the_runtime_and_tools_are_not_sent_by_anybody() -> None:
    plumbing = MessageSent(agent="@M", recipient="@K", content="x", internal=True)
    out = output(question("q"), plumbing, *tool_use("@K", "search", ""))
    assert [record.content for _, record in sent(EvidenceView(out))] == ["q"]
    assert not sent(EvidenceView(out, Scope(turn=1)))


def test_neither_the_person_nor_everybody_is_an_agent() -> None:
    everybody = MessageSent(agent="@M", content="to everybody")
    out = output(question("q"), everybody, message("@M", "@K", "k?"), answer("a"))
    assert [record.content for _, record in to_agents(EvidenceView(out))] == ["q", "k?"]


def test_an_exchange_is_as_long_as_nothing_else_is_done_in_it() -> None:
    talk = [
        named("1", message("@M", "@K", "one")),
        *caused("1", named("2", message("@K", "@M", "two"))),
        *caused("2", named("3", message("@M", "@K", "three"))),
        *caused("3", *tool_use("@K", "search", ""), named("4", message("@K", "@M", "four"))),
        *caused("2", message("@M", "@L", "aside")),
    ]
    view = EvidenceView(output(*talk))
    lengths = {tell(last): length for length, last in back_and_forth(view, sent(view))}
    assert list(lengths.values()) == [1, 2, 3, 1, 1]


def test_a_mark_stands_for_one_message_to_its_agent() -> None:
    twice = [named("1", message("@M", "@K", "k?")), named("1", message("@M", "@L", "l?"))]
    marked = output(*twice, MessageHandled(agent="@L", message_id="1"))
    assert [tell(one) for one in unhandled_messages(EvidenceView(marked))] == ["@M>@K 'k?'"]
    assert not unhandled_messages(EvidenceView(output()))
