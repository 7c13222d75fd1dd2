"""The places that a fact passes on its way to the answer, as an application declares them.

FACT_STAGES = (
    tool_evidence("fetched", "fetch", path="$.pages[*].text"),
    tool_arguments("stored", "store", kept_by=KeptBy("commit", same={"page": "page"})),
    tool_evidence("found", "search"),
    messages("handed over", sender="@Knowledge", recipient="@Manager"),
    final_answer("answered"),
)
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue

from audition.invocations import InvocationOutcome, ToolInvocation
from audition.matching.json_paths import parse_path, select
from audition.output import CaseOutput
from audition.values import text_of

FACTS = "facts"
"""Where the metadata of a case holds the facts that its file names."""

STAGES = "fact_stages"
"""Where it holds the names of the stages that these should pass, where these are not all."""

_OK = InvocationOutcome.OK


@dataclass(frozen=True, slots=True, kw_only=True)
class FactStage:
    """One place that a fact passes.

    Attributes:
        name: What has become of a fact that was there, as a participle: "fetched", "stored".
        texts: From an output to the texts that stand there, empty where what passed left none; None
            where nothing passed.
        is_on_the_way: Whether a fact of this output had to pass it.

    """

    name: str
    texts: Callable[[CaseOutput], Sequence[str] | None]
    is_on_the_way: Callable[[CaseOutput], bool] = lambda _: True


@dataclass(frozen=True, slots=True)
class KeptBy:
    """The call that makes what an earlier one did count: a commit.

    It is a call of the same agent, ends well, and comes after what it keeps.

    Attributes:
        tool_name: The tool.
        same: What both are about: an argument of the earlier call, and the one of this call that
            has the same value. Empty where it keeps all that the agent did before.
        spelling: From such a value to what is compared, where one thing has several spellings.

    """

    tool_name: str
    same: Mapping[str, str] = field(default_factory=dict[str, str])
    spelling: Callable[[JsonValue], JsonValue] = lambda value: value

    def keeps(self, call: ToolInvocation, later: ToolInvocation) -> bool:
        """Return whether what the call did is kept by the later one, a call of the tool."""
        if later.outcome is not _OK or later.seq <= call.seq or later.agent != call.agent:
            return False
        given, kept = _named(call.arguments), _named(later.arguments)
        return all(
            mine in given and its in kept and self.spelling(given[mine]) == self.spelling(kept[its])
            for mine, its in self.same.items()
        )


def tool_evidence(name: str, *tool_names: str, path: str | None = None) -> FactStage:
    """Return the stage of what tools gave back, in invocations that ended well.

    One that ended badly gave no fact back, but the stage was entered: "never fetched".

    Args:
        name: The name of the stage.
        tool_names: The tools.
        path: What of a content counts, in the language of `matching.json_paths`: the pages, and not
            the addresses of those that failed. It counts also where a tool rule calls the whole a
            failure, since a part of what was asked for may have come. None for all of a content.

    Raises:
        ValueError: The path cannot be read.

    """
    steps = None if path is None else parse_path(path)

    def given(call: ToolInvocation) -> Iterator[str]:
        content = call.content or ""
        if steps is None:
            if call.outcome is _OK:
                yield content
        elif call.outcome in {_OK, InvocationOutcome.DOMAIN_FAILURE}:
            structure = call.structure
            for value in select(steps, content if structure is None else structure):
                yield "\n".join(_leaves(value))

    def texts(output: CaseOutput) -> Sequence[str] | None:
        called = [one for tool in tool_names for one in output.tool_invocations(tool)]
        ended = [one for one in called if one.has_ended and one.content is not None]
        return [text for one in ended for text in given(one)] if ended else None

    return FactStage(name=name, texts=texts)


def tool_arguments(name: str, *tool_names: str, kept_by: KeptBy | None = None) -> FactStage:
    """Return the stage of what tools were called with, but for calls that came to nothing.

    Args:
        name: The name of the stage.
        tool_names: The tools.
        kept_by: What they did counts once such a call has kept it. None where it counts by itself.

    """

    def counts(call: ToolInvocation, kept: Sequence[ToolInvocation]) -> bool:
        if call.has_ended and call.outcome is not _OK:
            return False
        return kept_by is None or any(kept_by.keeps(call, later) for later in kept)

    def texts(output: CaseOutput) -> Sequence[str] | None:
        kept = () if kept_by is None else output.tool_invocations(kept_by.tool_name)
        calls = [call for tool in tool_names for call in output.tool_invocations(tool)]
        counting = [call for call in calls if counts(call, kept)]
        return ["\n".join(_leaves(call.arguments)) for call in counting] if calls else None

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

    def texts(output: CaseOutput) -> Sequence[str] | None:
        said = [
            record.content
            for record in output.spoken
            if (record.sender, record.recipient) == (sender, recipient)
        ]
        return said or None

    def is_on_the_way(output: CaseOutput) -> bool:
        final = {None, len(output.turns) - 1}
        return any(
            record.turn in final and recipient in {record.sender, record.recipient}
            for record in output.spoken
        )

    return FactStage(name=name, texts=texts, is_on_the_way=is_on_the_way)


def final_answer(name: str) -> FactStage:
    """Return the stage of the answer of the last turn."""

    def texts(output: CaseOutput) -> Sequence[str] | None:
        return None if output.final_response is None else [output.final_response]

    return FactStage(name=name, texts=texts)


def _named(arguments: JsonValue) -> Mapping[str, JsonValue]:
    return arguments if isinstance(arguments, dict) else {}


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
