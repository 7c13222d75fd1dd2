"""A suite for one recording that asserts in both directions what it shows; text, for a person.

What does not hold on the recording itself stands in it as a comment, with the reason.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import JsonValue

from audition.datasets.yaml_text import yaml_lines
from audition.evaluators.builtin import BUILTIN, by_type_name
from audition.evaluators.completion import Completed
from audition.evaluators.view import EvidenceView
from audition.invocations import ToolInvocation
from audition.output import CaseOutput
from audition.redaction.stand_ins import PLACEHOLDER

_MOST_TERMS = 5
_TO_BE_CHOSEN = "a word or number that it must have"
_SHOWN = 200
_WORD = re.compile(r"[^\W_][\w.,:-]*\w|\d")


@dataclass(frozen=True, slots=True, kw_only=True)
class StarterCase:
    """A case made of a recording.

    Attributes:
        fields: What stands in the file, the evaluators among them.
        left_out: Evaluators that do not hold on the recording, and why.
        problem: Why the recording was not completed, None where it was: the case fails on it.
        hint: Lines that say what the answer was, for who writes what it must be.

    """

    fields: dict[str, JsonValue]
    left_out: Sequence[tuple[dict[str, JsonValue], str]]
    problem: str | None
    hint: Sequence[str]


def starter_case(output: CaseOutput, *, name: str) -> StarterCase:
    """Return a case that holds on an output; on one that was not completed, that alone does not.

    Args:
        output: What the recording shows.
        name: The name of the case.

    """
    types = by_type_name(BUILTIN)
    kept: list[JsonValue] = []
    left_out: list[tuple[dict[str, JsonValue], str]] = []
    problem: str | None = None
    for written in _candidates(output):
        arguments: dict[str, Any] = {key: written[key] for key in written if key != "type"}
        evaluator = types[str(written["type"])](**arguments)
        finding = evaluator.examine(EvidenceView(output, evaluator.scope))
        if isinstance(evaluator, Completed) and not finding.ok:
            problem = finding.reason
        if finding.ok or isinstance(evaluator, Completed):
            kept.append(written)
        else:
            left_out.append((written, finding.reason))
    fields: dict[str, JsonValue] = {"name": name, "evaluators": kept}
    hint = list(_hint(output))
    return StarterCase(fields=fields, left_out=left_out, problem=problem, hint=hint)


def _candidates(output: CaseOutput) -> Iterator[dict[str, JsonValue]]:
    calls = output.tool_invocations()
    names: list[JsonValue] = [*dict.fromkeys(call.tool_name for call in calls)]
    yield {"type": "completed"}
    if names:
        yield {"type": "called_required_tools", "required_tools": names}
    yield {"type": "called_only_allowed_tools", "allowed_tools": names}
    if names:
        reference: list[JsonValue] = [_call(call) for call in calls]
        yield {"type": "trajectory_match", "mode": "unordered", "reference": reference}


def _call(invocation: ToolInvocation) -> JsonValue:
    """Return a call of a reference; without arguments where none were recorded that parse."""
    value = invocation.arguments
    call: dict[str, JsonValue] = {"tool": invocation.tool_name}
    if isinstance(value, dict):
        call["arguments"] = {key: _expected(item) for key, item in value.items()}
        if any(key.startswith("$") for key in value):
            call["arguments"] = {"$literal": value}
    return call


def _expected(value: JsonValue) -> JsonValue:
    """Return a value as it is expected; where a secret stood, any value will do."""
    match value:
        case str() if PLACEHOLDER in value:
            return {"$present": True}
        case dict() if any(key.startswith("$") for key in value):
            return {"$literal": value}
        case dict():
            return {key: _expected(item) for key, item in value.items()}
        case list():
            return [_expected(item) for item in value]
        case _:
            return value


def _hint(output: CaseOutput) -> Iterator[str]:
    answer = output.final_response
    if answer is None:
        return
    yield "What the answer must say is for you to choose. It was:"
    yield f"  {_comment(answer)}"
    terms: list[JsonValue] = [*(_key_terms(output, answer) or (_TO_BE_CHOSEN,))]
    yield "- type: human_response_contains_terms"
    yield from (f"  {line}" for line in yaml_lines({"required_terms": terms}))


def _key_terms(output: CaseOutput, answer: str) -> Sequence[str]:
    """Return words of the answer that came from a tool and not from the person."""
    asked = " ".join(turn.message for turn in output.turns).casefold()
    told = " ".join(one.content or "" for one in output.tool_evidence)
    words = dict.fromkeys(_WORD.findall(answer))
    found = [word for word in words if word in told and word.casefold() not in asked]
    telling = [word for word in found if not word.islower()]
    return (telling or found)[:_MOST_TERMS]


def _comment(text: str) -> str:
    line = " ".join(text.split())
    shown = "".join(character if character.isprintable() else "?" for character in line)
    return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}..."


def starter_suite(case: StarterCase, *, name: str, session: str) -> str:
    """Return the text of a suite of one case, as YAML.

    Args:
        case: The case.
        name: The name of the suite.
        session: The recording, relative to the suite.

    """
    head: dict[str, JsonValue] = {"version": 2, "task": "session", "name": name, "session": session}
    lines = [
        "# Made of the recording that it names, on which it holds. Keep what must stay true, and",
        "# say what the answer must have: docs/how-to/golden-suites.md.",
        *yaml_lines(head),
        "cases:",
        *case_lines(case),
    ]
    return "".join(f"{line}\n" for line in lines)


def case_lines(case: StarterCase) -> Iterator[str]:
    """Yield the lines of a case in the list of a suite, with its comments."""
    yield from (f"  {line}" for line in yaml_lines([case.fields]))
    yield from (f"      # {line}" for line in case_comments(case))


def case_comments(case: StarterCase) -> Iterator[str]:
    """Yield what stands behind a case as comments."""
    for written, reason in case.left_out:
        yield f"This does not hold on the recording: {_comment(reason)}"
        yield from yaml_lines([written])
    yield from case.hint
