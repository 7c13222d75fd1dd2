"""Values of attributes and points in time, out of every spelling that exporters have for them.

64-bit integers come as decimal text, as numbers or as `{low, high}`. Time is kept in whole
nanoseconds: as seconds in a float, two spans 40 ns apart could not be told apart.
"""

import math
import re
from base64 import b64decode
from datetime import UTC, datetime

from pydantic import JsonValue

from audition.values import writable_text

type JsonObject = dict[str, JsonValue]

_BYTES = ("bytesValue", "bytes_value")
_PLAIN = (
    *("stringValue", "string_value", *_BYTES),
    *("doubleValue", "double_value", "boolValue", "bool_value"),
)
_INTEGERS = ("intValue", "int_value")
_LISTS = ("arrayValue", "array_value")
_OBJECTS = ("kvlistValue", "kvlist_value")
_DEEPEST = 50
_MOMENT = re.compile(r"(.+\d\d:\d\d:\d\d)(?:[.,](\d{1,9})\d*)?(.*)")
_NANOS = 1_000_000_000
_LONGEST = 40
"""Characters that a whole number or a moment has at most."""


def read_object(value: JsonValue) -> JsonObject:
    """Return the value where it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def read_list(value: JsonValue) -> list[JsonValue]:
    """Return the value where it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def read_attributes(recorded: JsonValue) -> JsonObject:
    """Return attributes by name: of an object, of OTLP's list or of the tags of Jaeger."""
    if isinstance(recorded, dict):
        pairs = [*recorded.items()]
    else:
        entries = map(read_object, read_list(recorded))
        pairs = [(entry.get("key"), entry.get("value")) for entry in entries]
    return {key: read_value(value) for key, value in pairs if isinstance(key, str)}


def read_value(value: JsonValue, depth: int = _DEEPEST) -> JsonValue:
    """Return the JSON value of an AnyValue; one that is none already is returned as it is."""
    if not isinstance(value, dict) or len(value) != 1 or depth <= 0:
        return value
    ((name, held),) = value.items()
    if name in _PLAIN:
        return _of_bytes(held) if name in _BYTES and isinstance(held, str) else held
    if name in _INTEGERS:
        number = whole_number(held)
        return held if number is None else number
    if name in _LISTS:
        items = read_list(read_object(held).get("values"))
        return [read_value(item, depth - 1) for item in items]
    if name in _OBJECTS:
        entries = map(read_object, read_list(read_object(held).get("values")))
        return {
            key: read_value(entry.get("value"), depth - 1)
            for entry in entries
            if isinstance(key := entry.get("key"), str)
        }
    return value


def whole_number(value: JsonValue) -> int | None:
    """Return a 64-bit integer as a number, None where it is none."""
    match value:
        case bool():
            return None
        case int():
            return value
        case float():
            return int(value) if math.isfinite(value) else None
        case str():
            return _parsed(value)
        case {"low": int(low), "high": int(high)}:
            return (high << 32) + (low & 0xFFFF_FFFF)
        case _:
            return None


def nanoseconds(value: JsonValue, *, unit: int | None = None) -> int | None:
    """Return a point in time as nanoseconds since the epoch, None where it is none.

    Args:
        value: A number in any spelling, `[seconds, nanoseconds]`, or a text of RFC 3339.
        unit: Nanoseconds that 1 stands for, None to tell it by the size of the number.

    """
    match value:
        case [int(seconds), int(rest)]:
            return _positive(seconds * _NANOS + rest)
        case float() if math.isfinite(value) and abs(value) < 1e11:
            return _positive(round(value * _NANOS))  # seconds with their fraction
        case str() if ":" in value:
            return _positive(_of_text(value) if len(value) <= _LONGEST else None)
        case _:
            number = whole_number(value)
    if number is None:
        return None
    return _positive(number * (_unit(number) if unit is None else unit))


def named(attributes: JsonObject, *names: str) -> JsonValue:
    """Return the first of the attributes that is there."""
    for name in names:
        value = attributes.get(name)
        if value is not None:
            return value
    return None


def word(attributes: JsonObject, *names: str) -> str | None:
    """Return the first of the attributes that is a text with something in it."""
    for name in names:
        value = attributes.get(name)
        if isinstance(value, str) and value.strip():
            return writable_text(value)
    return None


def _of_bytes(encoded: str) -> str:
    """Return the text that bytes are, in Base64 where they are none."""
    try:
        return b64decode(encoded, validate=True).decode()
    except ValueError:
        return encoded


def _parsed(text: str) -> int | None:
    digits = text.strip() if len(text) <= _LONGEST else ""
    is_number = digits.isascii() and digits.removeprefix("-").isdigit()
    return int(digits) if is_number else None


def _unit(number: int) -> int:
    """Return what a number of this size counts: a second of our time has ten digits."""
    for limit, unit in ((10**11, _NANOS), (10**14, 1_000_000), (10**17, 1000)):
        if number < limit:
            return unit
    return 1


def _of_text(text: str) -> int | None:
    found = _MOMENT.fullmatch(text.strip())
    if found is None:
        return None
    whole, fraction, zone = found.groups()
    try:
        moment = datetime.fromisoformat(whole + zone)
    except ValueError:
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    since = moment - datetime(1970, 1, 1, tzinfo=UTC)
    return (since.days * 86_400 + since.seconds) * _NANOS + int((fraction or "").ljust(9, "0"))


def _positive(nanos: int | None) -> int | None:
    """Return the time where it can be one: an unset time is 0, and no year has twenty digits."""
    return nanos if nanos is not None and 0 < nanos < 2**64 else None
