"""JSON values as evidence: one canonical text, bounded and always writable. No I/O, no clock.

What a team says can hold anything: a lone surrogate or 400 levels of nesting would make the
line that keeps it unwritable, and the case would be lost with it. Everything that becomes a
record passes through here once.
"""

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, cast

from pydantic import ConfigDict, Field, JsonValue, TypeAdapter, ValidationError
from pydantic_core import from_json

MAX_DEPTH = 100
"""Levels of nesting kept in a JSON value; pydantic_core reads up to about 200."""

MAX_NODES = 20_000_000
"""Values kept inside a JSON value: more than the largest output has."""

MAX_EVENT_NODES = 100_000
"""Values kept inside one that an event brings: some tenths of a second at most."""

MAX_BITS = 14_000
"""Bits kept of a whole number: one of more than 4,300 digits is refused by those who read it."""

MAX_TEXT = 32 * 1024 * 1024
"""Characters kept of one text: far above any answer seen (8 MB), far below what fills a machine."""


def writable_text(text: str, limit: int = MAX_TEXT) -> str:
    """Return the text with lone surrogates replaced by U+FFFD and at most `limit` characters."""
    if len(text) > limit:
        text = f"{text[:limit]}[... {len(text) - limit} characters cut]"
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def writable_json(value: object, *, nodes: int = MAX_NODES) -> JsonValue:
    """Return the value as bounded JSON: what JSON cannot hold becomes its text.

    Args:
        value: Anything, also what contains itself.
        nodes: The most values inside of it that are kept.

    """
    if type(value) is dict and len(value) <= _MOST_FLAT <= nodes:  # pyright: ignore[reportUnknownArgumentType]
        try:
            return _flat_object(value)  # pyright: ignore[reportUnknownArgumentType]
        except ValidationError:
            pass  # it is nested, or something in it cannot be written as it is
    return _Writer(nodes).written(value, MAX_DEPTH)  # pyright: ignore[reportUnknownArgumentType]


_MOST_FLAT = 64
type _Int64 = Annotated[int, Field(ge=-(2**63), lt=2**63)]
# What most arguments of tools are: a small object of texts and whole numbers. To copy one here
# takes a tenth of the time that the writer takes. No float: strictly, any number can be one.
_flat_object: Callable[[object], dict[str, JsonValue]] = TypeAdapter(
    dict[str, str | bool | _Int64 | None],
    config=ConfigDict(strict=True, str_max_length=MAX_TEXT),
).validator.validate_python


class _Writer:
    """Copies values as JSON, and so many of them: a tree whose nodes know their parent never ends.

    Args:
        left: How many more values may be looked at.

    """

    __slots__ = ("_left",)

    def __init__(self, left: int) -> None:
        self._left = left

    def written(self, value: object, depth: int) -> JsonValue:
        if isinstance(value, str):  # most values by far
            return writable_text(value)
        if value is None or isinstance(value, (int, float, bytes, bytearray)):
            return _scalar(value)
        if depth <= 0 or self._left <= 0:
            return "[... nested too deep]" if depth <= 0 else "[... too large]"
        if isinstance(value, (dict, Mapping)):  # a dict is seen without asking the slow Mapping
            return self._object(cast("Mapping[object, object]", value), depth - 1)
        if isinstance(value, (list, tuple, Sequence, set, frozenset)):
            return self._array(cast("Iterable[object]", value), depth - 1)
        return _text(repr, value)

    def _object(self, value: Mapping[object, object], depth: int) -> JsonValue:
        kept: dict[str, JsonValue] = {}
        for key, item in value.items():
            if self._left <= 0:
                break
            self._left -= 1
            # The text of a key that is an enum as well, not the name of its member.
            of = str.__str__ if isinstance(key, str) else str
            kept[_text(of, key)] = self.written(item, depth)
        return kept

    def _array(self, value: Iterable[object], depth: int) -> JsonValue:
        kept: list[JsonValue] = []
        for item in value:
            if self._left <= 0:
                break
            self._left -= 1
            kept.append(self.written(item, depth))
        return kept


def _scalar(value: float | bytes | bytearray | None) -> JsonValue:
    match value:
        case float():
            return value if math.isfinite(value) else str(value)
        case bytes() | bytearray():
            return writable_text(value.decode("utf-8", "replace"))
        case None:
            return None
        case _:
            return value if value.bit_length() <= MAX_BITS else f"{value:#x}"


def _text(of: Callable[[Any], str], value: object) -> str:
    try:
        return writable_text(of(value))
    except Exception:  # noqa: BLE001  # a foreign object's own code: its failure must not lose a case
        return f"<{type(value).__name__}>"


def canonical_json(value: JsonValue) -> str:
    """Return JSON text with sorted keys, no blanks and non-ASCII kept: equal values, equal text."""
    return _CANONICAL.encode(value)


# Made once: json.dumps makes one a call, which takes as long as a small object takes to write.
_CANONICAL = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
)


_LINE_ENDS = {0x85: "\\u0085", 0x2028: "\\u2028", 0x2029: "\\u2029"}


def json_line(value: JsonValue) -> str:
    """Return JSON text of one line for every reader, those that end lines as Unicode does too."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except ValueError:  # 1e999 is read as infinity, which JSON has not
        text = json.dumps(writable_json(value), ensure_ascii=False)
    return text.translate(_LINE_ENDS)


def text_of(value: JsonValue) -> str:
    """Return a string as it is, None as the empty text, and anything else as canonical JSON."""
    if value is None:
        return ""
    return value if isinstance(value, str) else canonical_json(value)


def structure_of(text: str) -> JsonValue:
    """Return the JSON object or array that the text is, or None where it is plain text."""
    if text.lstrip()[:1] not in {"{", "["}:
        return None
    try:
        return writable_json(parse_json(text))
    except ValueError:
        return None


def parse_json(text: str | bytes) -> JsonValue:
    """Return the JSON value of the text.

    Raises:
        ValueError: The text is not JSON, or is nested too deep to be read.

    """
    try:
        return cast("JsonValue", from_json(text, allow_inf_nan=False))
    except (ValueError, TypeError):  # the latter of a text with a lone surrogate in it
        pass  # json.loads accepts lone surrogates and says more, once a byte order mark is off
    if isinstance(text, bytes):
        text = text.decode("utf-8-sig")
    try:
        return cast("JsonValue", json.loads(text.removeprefix("\ufeff"), parse_constant=_refuse))
    except RecursionError:
        msg = "nested too deep to be read"
        raise ValueError(msg) from None


def _refuse(constant: str) -> JsonValue:
    msg = f"{constant} is not JSON"
    raise ValueError(msg)


def seconds_of(timestamp: JsonValue) -> float | None:
    """Return the seconds since the epoch of a number or an ISO 8601 text, None where it is none.

    A text without an offset is UTC.
    """
    try:
        if isinstance(timestamp, str):
            moment = datetime.fromisoformat(timestamp)
            return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
        number = float(timestamp) if isinstance(timestamp, int | float) else math.nan
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) and not isinstance(timestamp, bool) else None


def pointer_token(key: str) -> str:
    """Return the key as JSON pointers write it."""
    return key.replace("~", "~0").replace("/", "~1")


def first_problem(error: ValidationError) -> str:
    """Return the first thing that Pydantic found wrong, after its place where it has one."""
    problem = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(map(str, problem["loc"]))
    told = problem["msg"].removeprefix("Value error, ")
    return f"{place}: {told}" if place else told
