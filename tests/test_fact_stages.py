"""Where a fact may stand on its way to the answer."""

from audition.collector import collect
from audition.events import Event, ToolOutcome
from audition.fact_stages import FactStage, final_answer, messages, tool_arguments, tool_evidence
from audition.testing import answer, message, output, question, tool_use, turn

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


def texts(stage: FactStage, *events: Event) -> list[str]:
    return list(stage.texts(output(*events)))


def test_what_stands_at_a_stage() -> None:
    assert texts(tool_evidence("fetched", "fetch"), *HELD) == ["page one", ""]
    assert texts(tool_arguments("stored", "update", "none"), *HELD) == ['Ad "Hoc"\n7\n']
    handed = messages("handed over", sender="@Knowledge", recipient="@Manager")
    assert texts(handed, *HELD) == ["It was Ad Hoc."]
    assert texts(final_answer("answered"), *HELD) == ["It was Ad Hoc."]


def test_nothing_stands_where_nothing_happened() -> None:
    assert texts(final_answer("answered")) == []
    assert texts(tool_arguments("stored", "update")) == []


def test_what_was_not_committed_was_not_stored() -> None:
    stage = tool_arguments("stored", "update", kept_by="commit")
    updates = [
        tool_use("@Web", "update", "ok", arguments={"facts": "first"}),
        tool_use("@Web", "update", "refused", arguments={"x": 1}, outcome=ToolOutcome.TOOL_ERROR),
    ]
    done = tool_use("@Web", "commit", "ok")
    refused = tool_use("@Web", "commit", "no", outcome=ToolOutcome.TOOL_ERROR)
    others = tool_use("@Other", "commit", "ok")
    assert texts(stage, *updates[0], *done) == ["first"]
    assert texts(stage, *updates[1], *done) == [""]
    for after in (refused, others, []):
        assert texts(stage, *updates[0], *after) == [""]
    assert texts(stage, *done, *updates[0]) == [""]


def test_whoever_is_asked_directly_hands_nothing_over() -> None:
    stage = messages("handed over", sender="@Knowledge", recipient="@Manager")
    direct = [question("q", to="@Knowledge"), answer("a", sender="@Knowledge")]
    relayed = [question("q", to="@Manager"), answer("a", sender="@Manager")]
    assert not stage.is_on_the_way(output(*direct))
    assert stage.is_on_the_way(output(*relayed))
    turns = [*turn("q", relayed), *turn("p", direct, number=1)]
    assert not stage.is_on_the_way(collect(turns))
