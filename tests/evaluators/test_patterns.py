"""What a pattern in a dataset file means."""

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from audition.evaluators.patterns import (
    MessagePattern,
    Pattern,
    ToolPattern,
    meant,
    tell,
    tell_all,
)
from audition.evaluators.view import EvidenceView, Scope
from audition.events import MessageSent, ToolOutcome
from audition.matching.terms import AnyTerm
from audition.testing import answer, message, output, question, tool_use

OUT = output(
    question("Where is the Alba?"),
    message("@Manager", "@Desk", "Look for the **Alba**"),
    *tool_use("@Desk", "find_ship", "berth 4", arguments={"name": "Alba", "year": 2031}),
    *tool_use("@Desk", "find_ship", "no", arguments={}, outcome=ToolOutcome.TOOL_ERROR),
    answer("At berth 4.", sender="@Desk"),
    MessageSent(agent="@Desk", content="Alba, to everybody", recipient=None),
    MessageSent(agent="@Desk", content="plumbing", recipient="@Manager", internal=True),
)


def read(data: Any) -> Pattern:
    return TypeAdapter[Pattern](Pattern).validate_python(data)


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ({"sender": "@Desk"}, 2),
        ({"sender": "@Desk", "recipient": "@Manager"}, 0),
        ({"recipient": "@Desk", "contains": "look for the alba"}, 1),
        ({"contains": {"any": ["berth", "everybody"]}}, 2),
        ({"message_type": "response"}, 1),
        ({"tool": "find_ship"}, 2),
        ({"tool": "find_ship", "agent": "@Manager"}, 0),
        ({"tool": "find_ship", "outcome": "tool_error"}, 1),
        ({"tool": "find_ship", "arguments": {"name": {"$term": "alba"}}}, 1),
        ({"tool": "sink_ship"}, 0),
    ],
    ids=str,
)
def test_everything_that_a_pattern_says_must_hold(written: Any, found: int) -> None:
    assert len(meant(read(written), EvidenceView(OUT))) == found


def test_only_the_turn_in_scope_is_looked_at() -> None:
    assert not meant(ToolPattern(tool="find_ship"), EvidenceView(OUT, Scope(turn=1)))


@pytest.mark.parametrize(
    "written",
    [
        {},
        {"sender": ""},
        {"contains": ""},
        {"tool": ""},
        {"tool": "find_ship", "sender": "@Desk"},
        {"sender": "@Desk", "agent": "@Desk"},
        {"tool": "find_ship", "outcome": "fine"},
        "find_ship",
    ],
    ids=str,
)
def test_what_means_nothing_or_two_things_is_refused(written: Any) -> None:
    with pytest.raises(ValidationError):
        read(written)


@pytest.mark.parametrize(
    ("pattern", "told"),
    [
        (MessagePattern(sender="@A"), "@A>*"),
        (read({"recipient": "@B", "message_type": "request"}), "*>@B request"),
        (MessagePattern(contains=AnyTerm(any=("x", "y"))), '*>* with any of "x", "y"'),
        (ToolPattern(tool="find"), "find"),
        (
            read({"tool": "find", "agent": "@A", "arguments": {"q": 1}, "outcome": "ok"}),
            'find {"q":1} by @A -> ok',
        ),
    ],
    ids=["sender", "type", "term", "tool", "everything of a tool"],
)
def test_a_pattern_tells_what_it_means(pattern: Pattern, told: str) -> None:
    assert str(pattern) == told


def test_a_pattern_is_itself_read_back() -> None:
    pattern = ToolPattern(tool="find", agent="@A")
    assert read(pattern) == pattern
    assert read(TypeAdapter(ToolPattern).dump_python(pattern)) == pattern


def test_what_happened_is_told_in_a_few_words() -> None:
    told = [tell(one) for one in OUT.causal_order.happenings]
    assert told[1] == "@Manager>@Desk 'Look for the **Alba**'"
    assert told[3] == "@Desk>everybody 'Alba, to everybody'"
    assert told[5].startswith("find_ship by @Desk (call call-")
    assert told[5].endswith(", ok)")


def test_of_many_the_first_five_are_told() -> None:
    long = output(*[message("@A", "@B", f"{number} {'x' * 100}") for number in range(7)])
    told = tell_all(long.causal_order.happenings)
    assert told.count("@A>@B") == 5
    assert told.endswith("x...' and 2 more")
