"""What tools were called with."""

import re
from collections.abc import Iterator, Sequence
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, JsonValue
from pydantic.dataclasses import dataclass

from audition.evaluators.case_evaluator import (
    EVALUATOR_CONFIG,
    CaseEvaluator,
    Finding,
    Layer,
    Reads,
    absence,
)
from audition.evaluators.reasons import few, shortened
from audition.evaluators.terms import Terms, first_found, tell
from audition.evaluators.tools import (
    ToolName,
    not_called,
    selected_invocations,
    tell_endings,
)
from audition.evaluators.view import EvidenceView, NormalTexts
from audition.invocations import ToolInvocation
from audition.matching.json_values import JsonMode, check_expectation, matches
from audition.values import MAX_EVENT_NODES, canonical_json, structure_of


def _checked(value: dict[str, JsonValue]) -> dict[str, JsonValue]:
    check_expectation(value)
    return value


type Expectation = Annotated[dict[str, JsonValue], AfterValidator(_checked)]
"""Expected arguments; matchers may stand inside, see `audition.matching.json_matchers`."""


@dataclass(config=EVALUATOR_CONFIG, repr=False)
class ToolArgumentsMatch(CaseEvaluator):
    """A tool was called with these arguments.

    Attributes:
        tool_name: The tool.
        arguments: What they must be; matchers may stand inside.
        mode: `superset`: the call has these and may have more; `exact`: these and no more;
            `subset`: none but these.
        calls: Whether one call like that is enough, or every call must be.

    """

    layer: ClassVar[Layer] = Layer.TOOL
    reads: ClassVar[Reads] = Reads.SHOWN

    tool_name: ToolName
    arguments: Expectation
    mode: JsonMode = "superset"
    calls: Literal["any", "every"] = "any"

    def key_text(self) -> str:
        """Return the tool and the arguments."""
        return f"{self.tool_name} {shortened(canonical_json(self.arguments))}"

    def examine(self, view: EvidenceView) -> Finding:
        """Return the difference call by call."""
        silent = not_called(view, (self.tool_name,))
        if silent is not None:
            return Finding(False, silent, cause="not called")
        calls = view.invocations(self.tool_name)
        wrong: list[str] = []
        for call in calls:
            why = self._difference(call)
            if why is not None:
                wrong.append(f"call {call.tool_call_id}: {why}")
            elif self.calls == "any":
                told = f"call {call.tool_call_id} of {self.tool_name} has the arguments"
                return Finding(True, told)
        if not wrong:
            return Finding(True, f"all {len(calls)} call(s) of {self.tool_name} have the arguments")
        return Finding(False, f"{self.tool_name}: {few(wrong)}", cause="wrong arguments")

    def looked_at(self, view: EvidenceView) -> Sequence[str]:
        """Return the calls of the tool."""
        return tell_endings(view.invocations(self.tool_name))

    def _difference(self, call: ToolInvocation) -> str | None:
        if call.parse_error is not None:
            return (
                f"the arguments {call.arguments_raw or ''!r:.200} do not parse: {call.parse_error}"
            )
        if call.arguments_raw is None and call.arguments is None:
            return "the arguments were not recorded"
        mismatch = matches(self.arguments, call.arguments, self.mode)
        return None if mismatch is None else str(mismatch)


@dataclass(config=EVALUATOR_CONFIG, repr=False)
class ToolArgumentsContainNoTerms(CaseEvaluator):
    """No call has any of the terms in its arguments: in no key and no value, however deep.

    Where nothing was called, nothing was kept out of a call: it fails, as it does where the
    arguments of a call were not recorded.

    Attributes:
        forbidden_terms: None of them may be in any argument.
        tool_names: Only calls of these tools, each of which must have been called; empty for the
            calls of all tools.

    """

    layer: ClassVar[Layer] = Layer.TOOL
    reads: ClassVar[Reads] = Reads.TERMS
    key: ClassVar[tuple[str, ...]] = ("forbidden_terms", "tool_names")

    forbidden_terms: Terms
    tool_names: tuple[ToolName, ...] = ()

    @property
    def asserts_absence(self) -> bool:
        """It does, whatever its arguments."""
        return True

    def examine(self, view: EvidenceView) -> Finding:
        """Return the terms that arguments have, and which call has them."""
        calls = selected_invocations(view, self.tool_names)
        said = [told for call in calls for told in self._found(view, call)]
        if said:
            return Finding(False, few(said), cause="forbidden argument")
        told = f"the arguments of {len(calls)} call(s){view.scope} contain none of "
        observed = absence(view, f"{told}{tell(self.forbidden_terms)}")
        if not observed.ok:
            return observed
        silent = not_called(view, self.tool_names)
        if silent is not None:
            return Finding(False, silent, cause="not called")
        blank = [call for call in calls if _is_unrecorded(call)]
        if blank:
            told = f"the arguments of {blank[0].tool_name} were not recorded"
            return Finding(False, f"{told} (call {blank[0].tool_call_id})", cause="not recorded")
        return observed

    def looked_at(self, view: EvidenceView) -> Sequence[str]:
        """Return the calls that count."""
        return tell_endings(selected_invocations(view, self.tool_names))

    def _found(self, view: EvidenceView, call: ToolInvocation) -> Iterator[str]:
        texts = NormalTexts(view.output, list(dict.fromkeys(_texts(call))))
        for term in self.forbidden_terms:
            found = first_found(term, texts)
            if found is not None:
                where = f"{call.tool_name} (call {call.tool_call_id})"
                yield f"{where} was called with {tell([term])}: {found.excerpt!r}"


def _is_unrecorded(call: ToolInvocation) -> bool:
    return call.arguments_raw is None and call.arguments is None


def _texts(call: ToolInvocation) -> Iterator[str]:
    """Yield each text in the arguments of a call; also the whole where they are not read, or cut.

    Else not the whole: in JSON, a quote or a line end inside a text is written as something else.
    """
    raw, seen = call.arguments_raw, 0
    left: list[JsonValue] = [call.arguments]
    while left:  # without recursion: JSON inside a text, inside JSON, can be nested deep
        value = left.pop()
        match value:
            case dict():
                seen += len(value)
                left += [inside for key in reversed(value) for inside in (value[key], key)]
            case list():
                seen += len(value)
                left += reversed(value)
            case str():
                yield value
                left.append(structure_of(value))
            case None:
                pass
            case _:
                yield canonical_json(value)
    if raw is not None and (call.parse_error is not None or seen >= MAX_EVENT_NODES):
        yield raw
        if "\\" in raw:
            yield _unescaped(raw)


_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": " ", "f": " "}


def _unescaped(raw: str) -> str:
    """Return text that is no JSON with the escapes of JSON replaced, as a reader would see it."""
    text = _ESCAPE.sub(
        lambda found: chr(int(found[1], 16)) if found[1] else _ESCAPED.get(found[2], found[2]),
        raw,
    )
    # Two escapes may be the halves of one character.
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
