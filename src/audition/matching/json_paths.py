"""The small path language that picks values out of JSON.

`$` is the whole value, `.name` a key, `[0]` an element from the start, `[*]` every element of a
list: `$.results[*].error`. There is no more of it: no wildcard over keys, no filter, no negative
index, and a key with a point, a bracket or a blank cannot be named.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Annotated

from pydantic import AfterValidator, JsonValue

type Steps = tuple[str | int | None, ...]
"""The steps of a path: a key, an index, or None for every element."""

_STEP = re.compile(r"\.(?P<key>[^\s.\[\]*$'\"]+)|\[(?P<index>\d+)\]|\[\*\]", re.ASCII)


@cache
def parse_path(path: str) -> Steps:
    """Return the steps of the path.

    Raises:
        ValueError: It is not of the path language. Names the place where it stops being.

    """
    position = 1 if path.startswith("$") else 0
    steps: list[str | int | None] = []
    while position and (step := _STEP.match(path, position)):
        steps.append(int(step["index"]) if step["index"] else step["key"])
        position = step.end()
    if not position or position < len(path):
        wanted = '"$", then steps such as .name, [0] or [*]'
        msg = f"the path {path!r} cannot be read from position {position}: wanted {wanted}"
        raise ValueError(msg)
    return tuple(steps)


def _readable(path: str) -> str:
    parse_path(path)
    return path


type JsonPath = Annotated[str, AfterValidator(_readable)]
"""A path as it is written; one that cannot be read is refused."""


def select(path: Steps, value: JsonValue) -> Iterator[JsonValue]:
    """Yield the values that the path leads to; none where a step finds nothing to stand on."""
    if not path:
        yield value
        return
    step, rest = path[0], path[1:]
    match step, value:
        case None, list():
            for element in value:
                yield from select(rest, element)
        case int(), list() if step < len(value):
            yield from select(rest, value[step])
        case str(), dict() if step in value:
            yield from select(rest, value[step])
        case _:
            pass
