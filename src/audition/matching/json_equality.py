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
