"""A tool call beside the one that was expected, and the rules for comparing their arguments.

The direction is that of `json_values`, whatever else is asked: `superset` means that the call has
what was expected and may have more, `subset` that it has nothing else. A rule for one tool, or for
`"*"`, the tools that have none of their own, goes before the general mode. It is

    "superset"                    a mode
    ["query", "filters.city"]     the keys that are compared, exactly; nothing else is
    {"page": {"$ignore": true}}   expected values that replace those of the reference, by their key

A key is one of the arguments, or a path: `filters.city`, `items.0.id`, or `$.items[*].id`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue

from audition.matching.json_equality import is_part_of, same_json
from audition.matching.json_paths import Steps, parse_path, select
from audition.matching.json_values import JsonMode, matches, shown
from audition.matching.text import shown_text

type Arguments = dict[str, JsonValue]
type ArgumentRule = JsonMode | tuple[str, ...] | Arguments
"""A mode, the keys that are compared, or expected values by their key."""

EVERY_OTHER = "*"
"""The name of the rule for the tools that have none of their own."""


@dataclass(slots=True)  # a frozen one takes twice as long to make; nobody changes one
class ToolCall:
    """One call of a tool, expected or made.

    Attributes:
        tool: The tool.
        arguments: Its arguments; None where nothing is expected of them, or where those of a call
            that was made cannot be compared.
        problem: Why they cannot, with their text, None where they can.
        text: How they were written, if that is known and no matcher is in them: of two calls that
            have it, the arguments are the same where the texts are.

    """

    tool: str
    arguments: JsonValue = None
    problem: str | None = None
    text: str | None = field(default=None, compare=False)

    def __str__(self) -> str:
        if self.arguments is None:
            return self.tool if self.problem is None else f"{self.tool} ({self.problem})"
        return f"{self.tool} {shown(self.arguments)}"


def unparsed(text: str, error: str) -> str:
    """Return why arguments that do not parse cannot be compared."""
    return f"the arguments {shown_text(repr(text))} do not parse: {error}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ArgumentRules:
    """How the arguments of calls are compared.

    Attributes:
        mode: How, where no rule says otherwise.
        overrides: Rules by tool.

    """

    mode: JsonMode = "exact"
    overrides: Mapping[str, ArgumentRule] = field(default_factory=dict[str, ArgumentRule])

    def problems(self, expected: Iterable[ToolCall]) -> Iterator[str]:
        """Yield what is wrong with the rules for these calls: a rule that could never apply."""
        calls = list(expected)
        names = {call.tool for call in calls}
        for tool, rule in self.overrides.items():
            if tool != EVERY_OTHER and tool not in names:
                there = ", ".join(sorted(names)) or "none"
                yield f"overrides/{tool}: no expected call is of this tool; there are: {there}"
            elif tool == EVERY_OTHER and names <= self.overrides.keys():
                yield f"overrides/{tool}: every expected call is of a tool with a rule of its own"
            elif not isinstance(rule, str | dict):
                yield from self._missing_keys(tool, rule, calls)

    def _missing_keys(
        self, tool: str, keys: Sequence[str], calls: Sequence[ToolCall]
    ) -> Iterator[str]:
        theirs = [call.arguments for call in calls if self._named(call.tool) == tool]
        for key in keys:
            try:
                found = any(_selected(key, arguments) for arguments in theirs)
            except ValueError as error:
                yield f"overrides/{tool}: {error}"
                continue
            if not found:
                yield f"overrides/{tool}: no expected call has {key!r} among its arguments"

    def _named(self, tool: str) -> str:
        return tool if tool in self.overrides else EVERY_OTHER

    def agree(self, expected: ToolCall, made: ToolCall) -> bool:
        """Return whether two calls are of one tool and their arguments agree."""
        if expected.tool != made.tool:
            return False
        if expected.text is None or self.overrides or made.problem is not None:
            return self.difference(expected, made) is None
        if self.mode == "ignore" or expected.text == made.text:  # nearly always
            return True
        return _PLAINLY[self.mode](expected.arguments, made.arguments)

    def difference(self, expected: ToolCall, made: ToolCall) -> str | None:
        """Return how the arguments of two calls of one tool differ, None where they agree."""
        rule = self.overrides.get(self._named(expected.tool), self.mode)
        if rule == "ignore" or (expected.arguments is None and not isinstance(rule, dict)):
            return None
        if made.problem is not None:
            return made.problem
        mismatch = _compared(expected.arguments, made.arguments, rule, self.mode)
        return None if mismatch is None else str(mismatch)


_PLAINLY: Mapping[JsonMode, Callable[[JsonValue, JsonValue], bool]] = {
    "exact": same_json,
    "superset": is_part_of,
    "subset": lambda expected, made: is_part_of(made, expected),
}
"""What `matches` says without a matcher, in a twentieth of the time: it makes no reason."""


def _compared(
    expected: JsonValue, made: JsonValue, rule: ArgumentRule, mode: JsonMode
) -> object | None:
    if isinstance(rule, str):
        return matches(expected, made, rule)
    if not isinstance(rule, dict):
        return matches(_of_keys(rule, expected), _of_keys(rule, made))
    if mode == "ignore" or not isinstance(expected, dict):
        return matches(rule, made, "superset")
    return matches({**expected, **rule}, made, mode)


def _of_keys(keys: Sequence[str], arguments: JsonValue) -> JsonValue:
    """Return what the keys lead to, by key; those that lead to nothing are left out."""
    found: dict[str, JsonValue] = {}
    for key in keys:
        values = _selected(key, arguments)
        if values:
            place = key.removeprefix("$").removeprefix(".")  # else it would be read as a matcher
            found[place] = values if "[*]" in key else values[0]
    return found


def _selected(key: str, arguments: JsonValue) -> list[JsonValue]:
    if isinstance(arguments, dict) and key in arguments:
        return [arguments[key]]
    return list(select(_path(key), arguments))


def _path(key: str) -> Steps:
    if key.startswith("$"):
        return parse_path(key)
    return tuple(int(step) if step.isdecimal() else step for step in key.split("."))
