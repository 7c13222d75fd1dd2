"""Where a fact may stand on its way to the answer."""

from collections.abc import Sequence
from typing import Any

import pytest

from audition.collector import collect
from audition.events import Event, ToolOutcome
from audition.fact_stages import (
    FactStage,
    KeptBy,
    final_answer,
    messages,
    tool_arguments,
    tool_evidence,
)
from audition.testing import answer, message, output, question, tool_call, tool_use, turn
from audition.tool_rules import ToolRule

HELD: list[Event] = [
    question("Who formed it?"),
    *tool_use("@Web", "fetch", "page one", arguments={"urls": ["https://a.invalid"]}),
    *tool_use("@Web", "fetch", "page two", outcome=ToolOutcome.TOOL_ERROR),
    *tool_use(
        "@Web", "update", "ok", arguments={"facts": [{"name": 'Ad "Hoc"', "n": 7}], "x": None}
    ),
    message("@Knowledge", "@Manager", "It was Ad Hoc."),
    answer("early"),
    answer("It was Ad Hoc."),
]


def texts(stage: FactStage, *events: Event, tool_rules: Sequence[ToolRule] = ()) -> Any:
    return stage.texts(output(*events, tool_rules=tool_rules))


def test_what_stands_at_a_stage() -> None:
    assert texts(tool_evidence("fetched", "fetch"), *HELD) == ["page one"]
    assert texts(tool_arguments("stored", "update", "none"), *HELD) == ['Ad "Hoc"\n7\n']
    handed = messages("handed over", sender="@Knowledge", recipient="@Manager")
    assert texts(handed, *HELD) == ["It was Ad Hoc."]
    assert texts(final_answer("answered"), *HELD) == ["It was Ad Hoc."]


def test_nothing_stands_where_nothing_happened() -> None:
    relayed = messages("handed over", sender="@Knowledge", recipient="@Manager")
    nothing = (
        tool_evidence("f", "fetch"),
        tool_arguments("s", "update"),
        relayed,
        final_answer("a"),
    )
    assert [texts(stage, tool_call("@Web", "fetch")) for stage in nothing] == [None] * 4


def test_what_came_to_nothing_passed_and_left_nothing() -> None:
    failed = [
        event
        for tool in ("fetch", "update")
        for event in tool_use("@Web", tool, "no", outcome=ToolOutcome.TOOL_ERROR)
    ]
    assert texts(tool_evidence("fetched", "fetch"), *failed) == []
    assert texts(tool_arguments("stored", "update"), *failed) == []


NONE_FAILED = ToolRule(tool_name="fetch", path="$.failed", non_empty=True)


def test_of_a_content_with_failures_in_it_only_what_the_path_leads_to_counts() -> None:
    mixed: Any = {"pages": [{"text": "one"}, {"text": "two"}], "failed": ["https://three.invalid"]}
    failed: Any = {"pages": [], "failed": ["https://three.invalid"]}
    whole, pages = (
        tool_evidence("fetched", "fetch", path=path) for path in ("$", "$.pages[*].text")
    )
    for stage, content, wanted in (
        (pages, mixed, ["one", "two"]),
        (pages, failed, []),
        (pages, "no JSON", []),
        (whole, "no JSON", ["no JSON"]),
        (whole, mixed, ["https://three.invalid\none\ntwo"]),
        (tool_evidence("fetched", "fetch"), mixed, []),
    ):
        used = tool_use("@Web", "fetch", content)
        assert texts(stage, *used, tool_rules=[NONE_FAILED]) == wanted
    broken = tool_use("@Web", "fetch", mixed, outcome=ToolOutcome.TOOL_ERROR)
    assert texts(pages, *broken) == []


def test_a_path_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot be read"):
        tool_evidence("fetched", "fetch", path="pages")


def test_what_was_not_committed_was_not_stored() -> None:
    stage = tool_arguments("stored", "update", kept_by=KeptBy("commit"))
    updates = [
        tool_use("@Web", "update", "ok", arguments={"facts": "first"}),
        tool_use("@Web", "update", "refused", arguments={"x": 1}, outcome=ToolOutcome.TOOL_ERROR),
    ]
    done = tool_use("@Web", "commit", "ok")
    refused = tool_use("@Web", "commit", "no", outcome=ToolOutcome.TOOL_ERROR)
    others = tool_use("@Other", "commit", "ok")
    assert texts(stage, *updates[0], *done) == ["first"]
    assert texts(stage, *updates[1], *done) == []
    for after in (refused, others, []):
        assert texts(stage, *updates[0], *after) == []
    assert texts(stage, *done, *updates[0]) == []


def test_a_commit_keeps_what_it_is_about() -> None:
    kept_by = KeptBy("commit", same={"source": "page"}, spelling=lambda page: str(page).casefold())
    stage = tool_arguments("stored", "update", kept_by=kept_by)
    updates = [
        event
        for page, fact in (("a", "first"), ("b", "second"))
        for event in tool_use("@Web", "update", "ok", arguments={"source": page, "fact": fact})
    ]

    def kept(**arguments: str) -> Any:
        return texts(stage, *updates, *tool_use("@Web", "commit", "ok", arguments={**arguments}))

    assert kept(page="b") == ["b\nsecond"]
    assert kept(page="A") == ["a\nfirst"]
    assert kept(page="c") == []
    assert kept(source="a") == []


def test_whoever_is_asked_directly_hands_nothing_over() -> None:
    stage = messages("handed over", sender="@Knowledge", recipient="@Manager")
    direct = [question("q", to="@Knowledge"), answer("a", sender="@Knowledge")]
    relayed = [question("q", to="@Manager"), answer("a", sender="@Manager")]
    assert not stage.is_on_the_way(output(*direct))
    assert stage.is_on_the_way(output(*relayed))
    turns = [*turn("q", relayed), *turn("p", direct, number=1)]
    assert not stage.is_on_the_way(collect(turns))
