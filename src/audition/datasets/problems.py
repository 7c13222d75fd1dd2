"""What Pydantic says of the data of a file, as places in the file and what would be accepted."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

from pydantic import JsonValue, ValidationError
from pydantic_core import ErrorDetails
from rapidfuzz import process

from audition.datasets.pointers import parts, pointer
from audition.datasets.schema_names import Step, branches_at, fields_at
from audition.errors import Problem
from audition.evaluators.reasons import shortened

UNKNOWN_FIELD = "unknown field"
"""How what was found begins, where a field is one too many."""

_SHOWN = 80
_WANTED = {
    "missing": "it is required",
    "string_too_short": "write text that is not empty",
    "too_short": "write at least one",
    **dict.fromkeys(("string_type", "string_sub_type"), "write text"),
    **dict.fromkeys(("list_type", "tuple_type"), "write a list"),
    **dict.fromkeys(("dict_type", "model_type", "dataclass_type"), "write an object"),
    **dict.fromkeys(("bool_type", "bool_parsing"), "write true or false, without quotes"),
    **dict.fromkeys(
        ("int_type", "int_parsing", "int_from_float"), "write a whole number, without quotes"
    ),
    **dict.fromkeys(("float_type", "float_parsing"), "write a number, without quotes"),
    **dict.fromkeys(
        ("date_type", "date_parsing", "date_from_datetime_parsing"),
        "write a day, as YYYY-MM-DD",
    ),
    "none_required": "remove it",
    "greater_than": "write more than {gt}",
    "greater_than_equal": "write {ge} or more",
    "less_than": "write less than {lt}",
    "less_than_equal": "write {le} or less",
    "string_too_long": "write at most {max_length} characters",
    "too_long": "write at most {max_length}",
    "literal_error": "write {expected}",
}
"""What Pydantic's kinds of errors ask for; its own words stand for those that are not here."""
_PATTERNS = {
    r"^\S(.*\S)?$": "write text, without blanks at its ends",
    r"\S": "write text that is not blank",
}
_SURPLUS = frozenset({"extra_forbidden", "unexpected_keyword_argument"})
_TEXT_ERRORS = frozenset({"string_type", "string_sub_type"})


def problems_of(
    error: ValidationError,
    data: JsonValue,
    *,
    schema: Mapping[str, Any] | None = None,
    at: str = "",
) -> Iterator[Problem]:
    """Yield each thing that is wrong, in the order in which Pydantic found it.

    Args:
        error: What Pydantic says.
        data: What it was said of.
        schema: JSON Schema of the data, to name the fields that exist; None to name none.
        at: JSON pointer of the data in its file.

    """
    for detail in error.errors(include_url=False):
        if not _is_echo(detail):
            place = pointer_of(detail["loc"], data, whole=detail["type"] == "missing")
            place += _discriminator(detail)
            is_key = detail["loc"][-1:] == ("[key]",)
            found = _found(detail, detail["input"] if is_key else _value_at(place, data))
            wanted = _wanted(detail, data, schema or {})
            yield Problem(pointer=at + place, found=found, wanted=wanted)


def _discriminator(detail: ErrorDetails) -> str:
    """Return the place, below that of the error, of the field that says which model it is."""
    if detail["type"] not in {"union_tag_invalid", "union_tag_not_found"}:
        return ""
    return "/" + str(detail.get("ctx", {}).get("discriminator", "")).strip("'")


def _is_echo(detail: ErrorDetails) -> bool:
    """Return whether the error only follows from others: Pydantic counts bad items as absent."""
    return detail["type"] == "too_short" and bool(detail["input"])


def in_order(problems: Iterable[Problem]) -> list[Problem]:
    """Return the problems, each place and text once, in the order of the file's places."""
    return sorted(dict.fromkeys(problems), key=lambda problem: _sort_key(problem.pointer))


def _sort_key(place: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in parts(place)]


def pointer_of(place: Iterable[int | str], data: JsonValue, *, whole: bool = False) -> str:
    """Return a place that Pydantic names as a JSON pointer into the data.

    Pydantic also names the branches of unions, which are no part of the data; they are left out,
    also where a branch has the name of a key.

    Args:
        place: As in an error of Pydantic.
        data: What the error was found in.
        whole: The last part is not in the data: it is what is missing.

    """
    return pointer(part for part, is_in_data in _steps(place, data, whole=whole) if is_in_data)


def _steps(place: Iterable[int | str], data: JsonValue, *, whole: bool = False) -> list[Step]:
    """Return the parts of a place, each with whether it is in the data; as `pointer_of`."""
    named = list(place)
    steps: list[Step] = []
    for position, part in enumerate(named):
        inside = _child(data, part)
        following = named[position + 1 : position + 2]
        if inside is _NOTHING:
            is_in_data = whole and not following
        else:
            is_in_data = not _is_branch(cast("JsonValue", inside), data, following)
            data = cast("JsonValue", inside) if is_in_data else data
        steps.append((part, is_in_data))
    return steps


def _is_branch(inside: JsonValue, data: JsonValue, following: list[int | str]) -> bool:
    """Return whether a part is no key but a branch: what follows is beside it, not in it."""
    return any(
        _child(inside, part) is _NOTHING and _child(data, part) is not _NOTHING
        for part in following
    )


_NOTHING = object()


def _child(data: JsonValue, part: int | str) -> object:
    if isinstance(data, dict) and isinstance(part, str):
        return data.get(part, _NOTHING)
    if isinstance(data, list) and isinstance(part, int) and part < len(data):
        return data[part]
    return _NOTHING


def _value_at(place: str, data: JsonValue) -> JsonValue:
    for key in parts(place):
        inside = _child(data, int(key) if isinstance(data, list) else key)
        data = None if inside is _NOTHING else cast("JsonValue", inside)
    return data


def _found(detail: ErrorDetails, value: JsonValue) -> str:
    if detail["type"] in {"missing", "union_tag_not_found"}:
        return "is missing"
    if detail["type"] in _SURPLUS:
        return f"{UNKNOWN_FIELD} {detail['loc'][-1]!r}"
    return f"found {shortened(repr(value), _SHOWN)}"


def _wanted(detail: ErrorDetails, data: JsonValue, schema: Mapping[str, Any]) -> str:
    kind = detail["type"]
    context = detail.get("ctx", {})
    if kind in _SURPLUS:
        fields = fields_at(schema, _steps(detail["loc"], data)[:-1])
        return accepted(str(detail["loc"][-1]), fields, otherwise="remove it")
    if kind in _TEXT_ERRORS and not isinstance(detail["input"], dict | list):
        return "write text; quote it where it looks like a number, true, false or null"
    if kind == "union_tag_not_found":
        return accepted("", branches_at(schema, _steps(detail["loc"], data)))
    if "expected_tags" in context:
        return accepted(str(context.get("tag", "")), _quoted(context["expected_tags"]))
    if kind in {"literal_error", "enum"} and _quoted(context.get("expected")):
        return accepted(str(cast("object", detail["input"])), _quoted(context["expected"]))
    asked = _PATTERNS.get(str(context.get("pattern"))) or _WANTED.get(kind)
    return asked.format(**context) if asked else detail["msg"].removeprefix("Value error, ")


def _quoted(words: object) -> list[str]:
    return re.findall(r"'([^']*)'", str(words))


def accepted(found: str, names: Iterable[str], *, otherwise: str = "there is none") -> str:
    """Return which names would be accepted, the one that was probably meant first.

    Args:
        found: What stands there, the empty text for nothing.
        names: Those that there are.
        otherwise: What to do where there are none.

    """
    choices = sorted(names)
    if not choices:
        return otherwise
    best = process.extractOne(found, choices, score_cutoff=60) if found else None
    meant = f"did you mean {best[0]!r}? " if best else ""
    return f"{meant}wanted one of {', '.join(choices)}"
