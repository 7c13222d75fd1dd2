"""Equality of JSON values, which Python's is not: there `True == 1`. Knows no matcher."""

from pydantic import JsonValue


def same_json(one: JsonValue, other: JsonValue) -> bool:
    """Return whether two JSON values are equal: `true` is not `1`, and `1` is `1.0`."""
    match one, other:
        case dict(), dict():
            return one.keys() == other.keys() and all(
                same_json(value, other[key]) for key, value in one.items()
            )
        case list(), list():
            return len(one) == len(other) and all(map(same_json, one, other))
        case _:
            return isinstance(one, bool) == isinstance(other, bool) and one == other


def is_part_of(part: JsonValue, whole: JsonValue) -> bool:
    """Return whether two JSON values are equal but for keys, at any level, that the part lacks."""
    match part, whole:
        case dict(), dict():
            return part.keys() <= whole.keys() and all(
                is_part_of(value, whole[key]) for key, value in part.items()
            )
        case list(), list():
            return len(part) == len(whole) and all(map(is_part_of, part, whole))
        case _:
            return same_json(part, whole)
