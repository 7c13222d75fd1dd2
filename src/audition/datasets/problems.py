"""What Pydantic says of the data of a file, as places in the file and what would be accepted."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

from pydantic import JsonValue, ValidationError
from pydantic_core import ErrorDetails
from rapidfuzz import process

from audition.datasets.pointers import parts, pointer
from audition.errors import Problem

_SHOWN = 80
_WANTED = {
    "missing": "it is required",
    "string_too_short": "write text that is not empty",
    "too_short": "write at least one",
}
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
            yield Problem(pointer=at + place, found=found, wanted=_wanted(detail, schema or {}))


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
    named = list(place)
    found: list[int | str] = []
    for position, part in enumerate(named):
        inside = _child(data, part)
        following = named[position + 1 : position + 2]
        if inside is _NOTHING:
            if not (whole and not following):
                continue
        elif _is_branch(cast("JsonValue", inside), data, following):
            continue
        else:
            data = cast("JsonValue", inside)
        found.append(part)
    return pointer(found)


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
        return f"unknown field {detail['loc'][-1]!r}"
    text = repr(value)
    return f"found {text if len(text) <= _SHOWN else f'{text[: _SHOWN - 3]}...'}"


def _wanted(detail: ErrorDetails, schema: Mapping[str, Any]) -> str:
    kind = detail["type"]
    context = detail.get("ctx", {})
    if kind in _SURPLUS:
        return accepted(str(detail["loc"][-1]), _fields_at(schema, detail["loc"][:-1]))
    if kind in _TEXT_ERRORS and not isinstance(detail["input"], dict | list):
        return "write text; quote it where it looks like a number, true, false or null"
    if kind == "union_tag_not_found":
        return accepted("", _branches_at(schema, detail["loc"]))
    if "expected_tags" in context:
        return accepted(str(context.get("tag", "")), _quoted(context["expected_tags"]))
    if kind in {"literal_error", "enum"} and _quoted(context.get("expected")):
        return accepted(str(cast("object", detail["input"])), _quoted(context["expected"]))
    return _PATTERNS.get(str(context.get("pattern"))) or _WANTED.get(
        kind, detail["msg"].removeprefix("Value error, ")
    )


def _quoted(words: object) -> list[str]:
    return re.findall(r"'([^']*)'", str(words))


def _fields_at(schema: Mapping[str, Any], place: Iterable[int | str]) -> list[str]:
    """Return the names of the fields that exist at a place, as far as the schema tells."""
    definitions = cast("dict[str, Any]", schema.get("$defs", {}))
    node = _node_at(schema, place)
    branches = iter((node,)) if "properties" in node else _branches(node, definitions)
    return [name for one in branches for name in one.get("properties", {})]


def _branches_at(schema: Mapping[str, Any], place: Iterable[int | str]) -> list[str]:
    """Return the words that select a model at a place, as far as the schema tells."""
    definitions = cast("dict[str, Any]", schema.get("$defs", {}))
    return [
        word for one in _branches(_node_at(schema, place), definitions) for word in _mapping(one)
    ]


def _node_at(schema: Mapping[str, Any], place: Iterable[int | str]) -> dict[str, Any]:
    definitions = cast("dict[str, Any]", schema.get("$defs", {}))
    node = dict(schema)
    for part in place:
        node = _follow(_resolved(node, definitions), part, definitions)
    return _resolved(node, definitions)


def _branches(node: dict[str, Any], definitions: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a node, and those that may stand in its place, unions of unions included."""
    resolved = _resolved(node, definitions)
    yield resolved
    if not _mapping(resolved):  # else its branches are reached by their words
        for branch in (*resolved.get("anyOf", ()), *resolved.get("oneOf", ())):
            yield from _branches(branch, definitions)


def _mapping(node: dict[str, Any]) -> dict[str, str]:
    """Return the models of a union by the words that select them."""
    return node.get("discriminator", {}).get("mapping", {})


def _resolved(node: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in node:
        node = definitions.get(str(node["$ref"]).rpartition("/")[2], {})
    return node


def _follow(node: dict[str, Any], part: int | str, definitions: dict[str, Any]) -> dict[str, Any]:
    """Return what stands behind a part of a place: a field, an item, or a branch of a union."""
    if isinstance(part, int):
        return node.get("items", {})
    for resolved in _branches(node, definitions):
        if part in resolved.get("properties", {}):
            return resolved["properties"][part]
        if part in _mapping(resolved):
            return {"$ref": _mapping(resolved)[part]}
    return node.get("additionalProperties") or node


def accepted(found: str, names: Iterable[str]) -> str:
    """Return which names would be accepted, the one that was probably meant first."""
    choices = sorted(names)
    if not choices:
        return "remove it: no name is known here"
    best = process.extractOne(found, choices, score_cutoff=60) if found else None
    meant = f"did you mean {best[0]!r}? " if best else ""
    return f"{meant}wanted one of {', '.join(choices)}"
