"""The places that a fact passes on its way to the answer, as an application declares them.

FACT_STAGES = (
    tool_evidence("fetched", "web_fetch_tool"),
    tool_arguments("stored", "update_graph", kept_by="commit_web_ingestion"),
    tool_evidence("found", "search_graph"),
    messages("handed over", sender="@Knowledge", recipient="@Manager"),
    final_answer("answered"),
)
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from audition.invocations import InvocationOutcome, ToolInvocation
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
        is_on_the_way: Whether a fact of this output had to pass it.

    """

    name: str
    texts: Callable[[CaseOutput], Sequence[str]]
    is_on_the_way: Callable[[CaseOutput], bool] = lambda _: True


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


def tool_arguments(name: str, *tool_names: str, kept_by: str | None = None) -> FactStage:
    """Return the stage of what tools were called with, but for calls that came to nothing.

    Args:
        name: The name of the stage.
        tool_names: The tools.
        kept_by: What they did counts once the same agent has called this tool after it, and that
            ended well: a commit. None where it counts by itself.

    """

    def texts(output: CaseOutput) -> Sequence[str]:
        kept = output.tool_invocations(kept_by) if kept_by is not None else ()

        def counts(call: ToolInvocation) -> bool:
            if call.outcome is not _OK and call.outcome not in _OPEN:
                return False
            return kept_by is None or any(
                one.outcome is _OK and one.seq > call.seq and one.agent == call.agent
                for one in kept
            )

        calls = [call for tool in tool_names for call in output.tool_invocations(tool)]
        return ["\n".join(_leaves(call.arguments)) if counts(call) else "" for call in calls]

    return FactStage(name=name, texts=texts)


def messages(name: str, *, sender: str, recipient: str) -> FactStage:
    """Return the stage of what one member said to another.

    It is on the way where the other took part in the final turn: whoever is asked directly has
    nobody to hand anything over to.

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

    def is_on_the_way(output: CaseOutput) -> bool:
        final = {None, len(output.turns) - 1}
        return any(
            record.turn in final and recipient in {record.sender, record.recipient}
            for record in output.spoken
        )

    return FactStage(name=name, texts=texts, is_on_the_way=is_on_the_way)


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
