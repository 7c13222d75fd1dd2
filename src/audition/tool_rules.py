"""Rules for when what a tool returned is a failure of its domain, though the tool itself ran.

"The function ran and returned" and "it did what was asked" are two questions. The second is
answered by rules that the application declares, never by a guess: a content that no rule speaks
of is no failure, and neither is one where a rule finds nothing to compare. So a missing key is
not a value that differs (`not_equals`); to fail on it, declare `exists: false`.
"""

from collections.abc import Iterable
from typing import Annotated, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    SerializerFunctionWrapHandler,
    StrictBool,
    model_serializer,
    model_validator,
)

from audition.matching.json_paths import JsonPath, parse_path, select
from audition.matching.json_values import check_expectation, matches, shown
from audition.matching.terms import Term, describe, find
from audition.matching.text import NormalText
from audition.values import parse_json, text_of, writable_json

type _Condition = Literal["equals", "not_equals", "exists", "non_empty", "contains"]

_CONDITIONS: tuple[_Condition, ...] = ("equals", "not_equals", "exists", "non_empty", "contains")


class ToolRule(BaseModel):
    """What makes a returned content a domain failure. Exactly one condition is given.

    Where the path leads to several values, one that meets the condition is enough. A content
    that is plain text is the value of `$`; no further step leads anywhere in it. A text such as
    `false` or `404` is compared both as that JSON value and as text.

    Attributes:
        tool_name: The tool whose returns the rule is for.
        path: What to look at, in the language of `matching.json_paths`; None, for `contains`
            alone, is the content as text.
        equals: It is a failure where the value matches this, matchers allowed.
        not_equals: It is a failure where there is a value and it does not match this.
        exists: It is a failure where the path leads to a value, null too (true), or to none.
        non_empty: It is a failure where there is a text, list or object with something in it
            (true), or one with nothing in it, or null (false).
        contains: It is a failure where the term is found in the value as text.
        says: What such a failure means to a reader, None to describe the rule.

    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    tool_name: Annotated[str, Field(min_length=1)]
    path: JsonPath | None = None
    equals: Annotated[JsonValue, AfterValidator(check_expectation)] = None
    not_equals: Annotated[JsonValue, AfterValidator(check_expectation)] = None
    exists: StrictBool = True
    non_empty: StrictBool = True
    contains: Term = "(not given)"
    says: Annotated[str, Field(min_length=1)] | None = None

    @model_validator(mode="after")
    def _has_one_condition(self) -> Self:
        given = self.model_fields_set.intersection(_CONDITIONS)
        if len(given) != 1:
            what = " and ".join(sorted(given)) or "none"
            msg = f"a rule has exactly one of {', '.join(_CONDITIONS)}; given: {what}"
            raise ValueError(msg)
        if self.path is None and self.condition != "contains":
            msg = f'{self.condition} needs a path, "$" for the whole content'
            raise ValueError(msg)
        return self

    @model_serializer(mode="wrap")
    def _only_what_was_given(self, handler: SerializerFunctionWrapHandler) -> dict[str, object]:
        fields: dict[str, object] = handler(self)
        return {name: value for name, value in fields.items() if name in self.model_fields_set}

    @property
    def condition(self) -> _Condition:
        """The name of the condition that was given."""
        return next(name for name in _CONDITIONS if name in self.model_fields_set)

    def __str__(self) -> str:
        where = self.path or "the content"
        match self.condition:
            case "equals":
                return f"{where} equals {shown(self.equals)}"
            case "not_equals":
                return f"{where} does not equal {shown(self.not_equals)}"
            case "exists":
                return f"{where} {'exists' if self.exists else 'does not exist'}"
            case "non_empty":
                return f"{where} is {'not empty' if self.non_empty else 'empty'}"
            case "contains":
                return f"{where} contains {describe(self.contains)}"


def domain_failure(
    rules: Iterable[ToolRule], tool_name: str, *, structure: JsonValue, content: str
) -> str | None:
    """Return why the content is a domain failure by the first rule that says so, None without.

    Args:
        rules: The rules of all tools.
        tool_name: The tool that returned.
        structure: The JSON object or array of the content, None where it is plain text.
        content: The text of what was returned.

    """
    readings: list[JsonValue] = _readings(content) if structure is None else [structure]
    for rule in rules:
        if rule.tool_name != tool_name:
            continue
        values = _values(rule, readings, content)
        met = [value for value in values if _is_met(rule, value)]
        if rule.condition == "not_equals" and len(readings) > 1 and len(met) < len(values):
            continue  # one of the readings does equal
        if met or (not values and rule.condition == "exists" and not rule.exists):
            return _reason(rule, met)
    return None


def _readings(content: str) -> list[JsonValue]:
    """Return what a plain text is: a JSON scalar where it is one, and always the text itself."""
    if not content.lstrip().startswith(_SCALAR_STARTS):
        return [content]
    try:
        return [writable_json(parse_json(content)), content]
    except ValueError:
        return [content]


_SCALAR_STARTS = tuple('"-0123456789tfn')


def _values(rule: ToolRule, readings: list[JsonValue], content: str) -> list[JsonValue]:
    """Return what the rule looks at."""
    if rule.path is None:
        return [content]
    path = parse_path(rule.path)
    # Only an equality may choose its reading: of `null` it is empty, though the text is not.
    chosen = readings if rule.condition in {"equals", "not_equals"} else readings[:1]
    return [value for reading in chosen for value in select(path, reading)]


def _is_met(rule: ToolRule, value: JsonValue) -> bool:
    """Return whether a value that is there meets the condition."""
    match rule.condition:
        case "equals":
            return matches(rule.equals, value) is None
        case "not_equals":
            return matches(rule.not_equals, value) is not None
        case "exists":
            return rule.exists
        case "non_empty":
            return _has_size(value) and bool(value) == rule.non_empty
        case "contains":
            return find(rule.contains, NormalText(text_of(value))) is not None


def _has_size(value: JsonValue) -> bool:
    return value is None or isinstance(value, str | list | dict)


def _reason(rule: ToolRule, values: list[JsonValue]) -> str:
    found = f"was {shown(values[0])}" if values else "nothing is there"
    return f"{rule.says or rule} ({found})"
