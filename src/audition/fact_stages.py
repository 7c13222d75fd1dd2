"""The places that a fact passes on its way to the answer, as an application declares them.

FACT_STAGES = (
    tool_evidence("fetched", "web_fetch_tool"),
    tool_arguments("stored", "update_graph"),
    tool_evidence("found", "search_graph"),
    messages("handed over", sender="@Knowledge", recipient="@Manager"),
    final_answer("answered"),
)
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from audition.invocations import InvocationOutcome
from audition.output import CaseOutput
from audition.values import text_of

_OK = InvocationOutcome.OK
_OPEN = frozenset({InvocationOutcome.UNANSWERED, InvocationOutcome.PENDING})


@dataclass(frozen=True, slots=True, kw_only=True)
class FactStage:
    """One place that a fact passes.

    Attributes:
        name: What has become of a fact that was there, as a participle: "fetched", "stored".
        texts: From an output to the texts that stand there; none where nothing passed.

    """

    name: str
    texts: Callable[[CaseOutput], Sequence[str]]


def tool_evidence(name: str, *tool_names: str) -> FactStage:
    """Return the stage of what tools gave back, in invocations that ended well.

    One that ended badly gave no fact back, but the stage was entered: "never fetched".

    Args:
        name: The name of the stage.
        tool_names: The tools.

    """

    def texts(output: CaseOutput) -> Sequence[str]:
        called = [one for tool in tool_names for one in output.tool_invocations(tool)]
        ended = [one for one in called if one.outcome not in _OPEN and one.content is not None]
        return [one.content or "" if one.outcome is _OK else "" for one in ended]

    return FactStage(name=name, texts=texts)


def tool_arguments(name: str, *tool_names: str) -> FactStage:
    """Return the stage of what tools were called with, but for calls that ended badly.

    Args:
        name: The name of the stage.
        tool_names: The tools.

    """

    def texts(output: CaseOutput) -> Sequence[str]:
        calls = [call for tool in tool_names for call in output.tool_invocations(tool)]
        return [
            "\n".join(_leaves(call.arguments))
            if call.outcome is _OK or call.outcome in _OPEN
            else ""
            for call in calls
        ]

    return FactStage(name=name, texts=texts)


def messages(name: str, *, sender: str, recipient: str) -> FactStage:
    """Return the stage of what one member said to another.

    Args:
        name: The name of the stage.
        sender: Who said it.
        recipient: Who was told.

    """

    def texts(output: CaseOutput) -> Sequence[str]:
        return [
            record.content
            for record in output.spoken
            if (record.sender, record.recipient) == (sender, recipient)
        ]

    return FactStage(name=name, texts=texts)


def final_answer(name: str) -> FactStage:
    """Return the stage of the answer of the last turn."""

    def texts(output: CaseOutput) -> Sequence[str]:
        return [] if output.final_response is None else [output.final_response]

    return FactStage(name=name, texts=texts)


def _leaves(value: JsonValue) -> Iterator[str]:
    """Yield the texts and numbers in a JSON value: terms are not to match its quotes."""
    match value:
        case dict():
            for item in value.values():
                yield from _leaves(item)
        case list():
            for item in value:
                yield from _leaves(item)
        case _:
            yield text_of(value)
