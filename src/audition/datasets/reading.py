"""A JSON or YAML file as plain data, and what the data alone cannot show. Nothing is evaluated.

YAML is read with the types of JSON, not those of YAML 1.1: a plain scalar is a number only if it
is written as JSON would write it; `no` and `on` are text, so are `0123`, `22:30`, `1.10`, `12e3`
and dates. What a recorded session holds came from JSON, and could never equal what YAML 1.1 makes
of these.
"""

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, cast

import yaml
from pydantic import JsonValue

from audition.datasets.pointers import pointer
from audition.errors import DatasetError, Problem
from audition.files import read_bounded, without_address
from audition.values import MAX_DEPTH, writable_text

MAX_BYTES = 64 * 1024 * 1024
"""Largest dataset file; ten thousand cases take about 20 MB."""

MAX_VALUES = 2_000_000
"""Most values of a file, those behind YAML aliases counted each time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    """A file as plain data.

    Attributes:
        path: Where it was read.
        data: What it holds.
        problems: What is wrong with it that the data cannot show.

    """

    path: Path
    data: dict[str, JsonValue]
    problems: tuple[Problem, ...]


class _Mapping(dict[str, Any]):
    """An object of the file that remembers which of its keys were given twice."""

    twice: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Refused:
    """A value that YAML could read in two ways, and which of them it is must be said."""

    problem: str
    wanted: str


def read_source(path: Path, *, fields: str = "version, task, name and cases") -> SourceFile:
    """Return what a dataset file, or the policy of a gate, holds.

    Args:
        path: `.json`, or `.yaml` or `.yml`.
        fields: What stands in such a file, to be told where it holds something else.

    Raises:
        DatasetError: It cannot be read, is neither, or does not hold an object.

    """
    if path.suffix not in {".json", ".yaml", ".yml"}:
        raise _one(path, f"the name ends in {path.suffix!r}", "write .json, .yaml or .yml")
    text = _text(path)
    try:
        data = _read_json(text) if path.suffix == ".json" else _read_yaml(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise _one(path, f"{where}: {error.msg}", "write valid JSON") from None
    except yaml.YAMLError as error:
        raise _one(path, _yaml_problem(error), "write valid YAML") from None
    except (ValueError, RecursionError) as error:
        raise _one(path, str(error), "write plain data") from None
    if not isinstance(data, _Mapping):
        found = "nothing" if data is None else type(data).__name__
        raise _one(path, f"holds {found}", f"write an object with {fields}")
    problems = tuple(_walk(path, data))
    return SourceFile(path=path, data=data, problems=problems)


def _one(path: Path, found: str, wanted: str) -> DatasetError:
    return DatasetError(without_address(path), [Problem(pointer="", found=found, wanted=wanted)])


def _yaml_problem(error: yaml.YAMLError) -> str:
    """Return what is wrong and where; its own text names a stream that the reader has not seen."""
    told = " ".join(str(error).split())
    return re.sub(r'in "<\w+ string>", ', "at ", told)


def _text(path: Path) -> str:
    try:
        return read_bounded(path, MAX_BYTES).decode("utf-8-sig")
    except OSError as error:
        raise _one(path, str(error.strerror or error), "name a file that can be read") from None
    except UnicodeDecodeError as error:
        raise _one(path, f"byte {error.start} is not UTF-8", "save it as UTF-8") from None
    except ValueError as error:  # after UnicodeDecodeError, which is one
        raise _one(path, str(error), "name a file that can be read") from None


def _mapping(pairs: list[tuple[str, Any]]) -> _Mapping:
    mapping = _Mapping(pairs)
    if len(mapping) < len(pairs):
        seen: set[str] = set()
        mapping.twice = tuple(key for key, _ in pairs if key in seen or seen.add(key) is not None)
    return mapping


def _read_json(text: str) -> Any:
    def refuse(constant: str) -> Any:
        return _Refused(f"{constant} is no JSON value", "write a number, or quote it")

    return json.loads(text, object_pairs_hook=_mapping, parse_constant=refuse)


_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_FLOAT = re.compile(r"-?(?:0|[1-9][0-9]*)\.[0-9]+")
_OTHER_BASE = re.compile(r"[-+]?0[xXoObB][0-9a-fA-F_]+")
_WORDS = {
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys(("null", "Null", "NULL", "~", ""), None),
}


def plain_scalar(text: str) -> bool | int | float | str | _Refused | None:
    """Return what an unquoted YAML scalar means under the rule of this module."""
    if text in _WORDS:
        return _WORDS[text]
    if _OTHER_BASE.fullmatch(text):
        return _Refused(f"{text} is a number in another base", "write it as decimal, or quote it")
    if _INTEGER.fullmatch(text) and len(text) <= 400 and str(int(text)) == text:
        return int(text)
    if _FLOAT.fullmatch(text) and repr(float(text)) == text:
        return float(text)
    return text


_TEXT = "tag:yaml.org,2002:str"
_PLAIN = "tag:audition:plain"

_BaseLoader = cast("type[yaml.SafeLoader]", getattr(yaml, "CSafeLoader", yaml.SafeLoader))


class _Loader(_BaseLoader):
    """Reads YAML into JSON values, without any of YAML's own types."""

    def resolve(self, kind: type[yaml.Node], value: Any, implicit: Any) -> str:
        """Return the tag of a node that has none: an unquoted scalar has one of its own."""
        if kind is yaml.ScalarNode:
            return _PLAIN if implicit[0] else _TEXT
        return cast("Any", super()).resolve(kind, value, implicit)


def _construct_text(loader: _Loader, node: yaml.ScalarNode) -> str:
    del loader
    return node.value


def _construct_plain(loader: _Loader, node: yaml.ScalarNode) -> Any:
    del loader
    return plain_scalar(node.value)


def _constructed(loader: _Loader, node: yaml.Node) -> Any:
    return cast("Any", loader).construct_object(node, deep=True)


def _construct_sequence(loader: _Loader, node: yaml.SequenceNode) -> Iterator[Any]:
    items: list[Any] = []
    yield items
    items.extend(_constructed(loader, item) for item in node.value)


def _construct_mapping(loader: _Loader, node: yaml.MappingNode) -> Iterator[Any]:
    mapping = _Mapping()
    yield mapping
    pairs: list[tuple[str, Any]] = []
    for key, value in node.value:
        if not isinstance(key, yaml.ScalarNode):
            _refuse("a key must be text", key)
        if key.tag == _PLAIN and key.value == "<<":
            _refuse("merge keys (<<) are not read", key)
        pairs.append((key.value, _constructed(loader, value)))
    filled = _mapping(pairs)
    mapping.update(filled)
    mapping.twice = filled.twice


def _refuse_tag(loader: _Loader, node: yaml.Node) -> Any:
    del loader
    _refuse(f"the tag {node.tag} is not read", node)


def _refuse(problem: str, node: yaml.Node) -> NoReturn:
    raise yaml.constructor.ConstructorError(None, None, problem, node.start_mark)


_Loader.yaml_implicit_resolvers = {}
_Loader.yaml_constructors = {}
_Loader.add_constructor(_TEXT, _construct_text)
_Loader.add_constructor(_PLAIN, _construct_plain)
_Loader.add_constructor("tag:yaml.org,2002:seq", _construct_sequence)
_Loader.add_constructor("tag:yaml.org,2002:map", _construct_mapping)
_Loader.add_constructor(None, _refuse_tag)


def _read_yaml(text: str) -> Any:
    return yaml.load(text, Loader=_Loader)  # noqa: S506  # a safe loader, with fewer types than SafeLoader


def _walk(path: Path, data: Any) -> Iterator[Problem]:
    """Yield what is wrong at each place, and put plain values where something was refused."""
    left = MAX_VALUES
    waiting: list[tuple[str, int, Any]] = [("", 0, data)]
    while waiting:
        at, depth, value = waiting.pop()
        left -= 1 + len(value)
        if left < 0 or depth > MAX_DEPTH:
            bound = f"{MAX_DEPTH} levels and {MAX_VALUES} values"
            raise _one(path, "is nested too deep or too large", f"write at most {bound}")
        if isinstance(value, _Mapping):
            yield from (_given_twice(at, key) for key in value.twice)
            yield from (_not_text(at) for key in value if not _is_writable(key))
        for key, child in list(_children(value)):
            place = at + pointer([key])
            if isinstance(child, dict | list):
                waiting.append((place, depth + 1, cast("object", child)))
            elif (refused := _refused(child)) is not None:
                yield Problem(pointer=place, found=refused.problem, wanted=refused.wanted)
                cast("dict[Any, Any]", value)[key] = None


def _refused(value: Any) -> _Refused | None:
    """Return why a scalar is none that can be kept, None where it can."""
    match value:
        case _Refused():
            return value
        case float() if not math.isfinite(value):
            return _Refused("is a number too large to be kept", "write a smaller one, or quote it")
        case str() if not _is_writable(value):
            return _Refused(f"found {value!r}, with half of a surrogate pair", "write whole text")
        case _:
            return None


def _is_writable(text: str) -> bool:
    return writable_text(text) == text


def _not_text(at: str) -> Problem:
    found = "a key has half of a surrogate pair"
    return Problem(pointer=at, found=found, wanted="write whole text")


def _children(value: Any) -> Iterator[tuple[str | int, Any]]:
    if isinstance(value, list):
        yield from enumerate(cast("list[Any]", value))
    else:
        yield from cast("dict[str, Any]", value).items()


def _given_twice(at: str, key: str) -> Problem:
    return Problem(
        pointer=at + pointer([key]),
        found=f"the key {key!r} is given more than once",
        wanted="keep one: only the last would count",
    )


type Written = Mapping[str, JsonValue]
"""An object of a file, as it stands there."""

type Fields = dict[str, JsonValue]
"""An object that is to stand in a file."""


def as_list(value: object) -> list[JsonValue]:
    """Return a list of the file, an empty one where something else stands there."""
    return cast("list[JsonValue]", value) if isinstance(value, list) else []


def as_object(value: object) -> dict[str, JsonValue]:
    """Return an object of the file, an empty one where something else stands there."""
    return cast("dict[str, JsonValue]", value) if isinstance(value, dict) else {}
