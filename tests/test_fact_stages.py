"""Where a fact may stand on its way to the answer."""

from audition.events import Event, ToolOutcome
from audition.fact_stages import FactStage, final_answer, messages, tool_arguments, tool_evidence
from audition.testing import answer, message, output, question, tool_use

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
