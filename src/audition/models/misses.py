"""Why a request is not in a recording: what was recorded nearest, and where the two part. No I/O.

Requests and names come here without their secrets.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, takewhile, zip_longest
from typing import cast

from pydantic import JsonValue
from rapidfuzz import fuzz

from audition.models.calls import Asked, ReadCalls, RecordedCall
from audition.models.placeholders import covers
from audition.values import canonical_json, pointer_token

_MOST_COMPARED = 500
"""Recorded requests that are compared: each takes about a tenth of a millisecond."""

_COMPARED = 2_000
"""Characters of a message that are compared."""

_SHOWN, _SHOWN_BEFORE = 60, 15
"""Characters of a text that are shown, and how many of them stand before the difference."""

_NAME = 60
_NOTHING = object()


def told_miss(recorded: ReadCalls, asked: Asked, occurrence: int, request: JsonValue) -> str:
    """Return who asked what, and what of the recording comes nearest, in one line.

    Args:
        recorded: The recording.
        asked: Who asked, and where.
        occurrence: Which time it was that this was asked there.
        request: What was asked.

    """
    who = f"found no answer to {_told(asked, occurrence)}"
    calls = [*recorded.calls.values()]
    if not calls:
        return f"{who}: nothing is recorded"
    same = [(line, call) for line, call in calls if covers(call.request, request)]
    if same:
        told = ", ".join(
            f"{_told(call.asked, call.occurrence)} (line {line})" for line, call in same[:2]
        )
        more = f" and {len(same) - 2} more" if len(same) > 2 else ""
        return f"{who}: the same request is recorded of {told}{more}"
    line, nearest = _nearest(calls, asked, request)
    return f"{who}: the nearest, line {line}, differs at {_difference(request, nearest.request)}"


def _told(asked: Asked, occurrence: int) -> str:
    agent = "an agent without a name" if asked.agent is None else f"agent {_cut(asked.agent)!r}"
    time = "" if occurrence == 1 else f", time {occurrence}"
    if asked.case is None:
        return f"{agent} outside of a case{time}"
    return f"{agent} in case {_cut(asked.case)!r}, repeat {asked.repeat}{time}"


def _cut(name: str) -> str:
    return name if len(name) <= _NAME else f"{name[:_NAME]}…"


def _nearest(
    calls: Sequence[tuple[int, RecordedCall]], asked: Asked, request: JsonValue
) -> tuple[int, RecordedCall]:
    """Return the recorded call that shares the most messages, of the same agent and case first."""
    closeness: tuple[Callable[[RecordedCall], bool], ...] = (
        lambda call: (call.agent, call.case) == (asked.agent, asked.case),
        lambda call: call.agent == asked.agent,
        lambda _: True,
    )
    near = next(
        found for is_near in closeness if (found := [one for one in calls if is_near(one[1])])
    )
    return max(near[-_MOST_COMPARED:], key=lambda one: _likeness(request, one[1].request))


def _likeness(request: JsonValue, recorded: JsonValue) -> tuple[int, float]:
    """Return how many first messages are the same, and how alike the next ones are."""
    pairs = [*zip_longest(_messages(request), _messages(recorded))]
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    if same == len(pairs):
        return same, 100.0
    one, other = map(_beginning, pairs[same])
    return same, fuzz.ratio(one, other)


def _beginning(message: JsonValue) -> str:
    """Return the first texts in a message: to write the whole of a large one takes long."""
    texts, length = list[str](), 0
    waiting = [message]
    while waiting and length < _COMPARED:
        match waiting.pop():
            case str() as text:
                texts.append(text[: _COMPARED - length])
                length += len(texts[-1])
            case dict() as fields:
                waiting += reversed(fields.values())
            case list() as items:
                waiting += reversed(items)
            case _:
                pass
    return "".join(texts)


def _messages(request: JsonValue) -> list[JsonValue]:
    messages = request.get("messages") if isinstance(request, dict) else None
    return messages if isinstance(messages, list) else []


def _difference(found: JsonValue, recorded: JsonValue) -> str:
    """Return the first place at which two requests differ, with what stands there."""
    place, one, other = next(_partings(found, recorded, ""))
    start = 0
    if isinstance(one, str) and isinstance(other, str):
        pairs = zip(one, other, strict=False)
        start = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return f"{place}: asked {_shown(one, start)}, recorded {_shown(other, start)}"


def _partings(found: object, recorded: object, place: str) -> Iterator[tuple[str, object, object]]:
    """Yield where two JSON values differ, in the order of the first."""
    pairs = _pairs(found, recorded)
    if pairs is not None:
        for key, one, other in pairs:
            yield from _partings(one, other, f"{place}/{pointer_token(key)}")
    elif not covers(recorded, found):
        yield place, found, recorded


def _pairs(found: object, recorded: object) -> Iterable[tuple[str, object, object]] | None:
    """Return what stands at the same places of two objects or two arrays, None of other values."""
    if isinstance(found, list) and isinstance(recorded, list):
        one, other = cast("list[object]", found), cast("list[object]", recorded)
        items = enumerate(zip_longest(one, other, fillvalue=_NOTHING))
        return ((str(index), *pair) for index, pair in items)
    if isinstance(found, dict) and isinstance(recorded, dict):
        here, then = cast("dict[str, object]", found), cast("dict[str, object]", recorded)
        keys = dict.fromkeys((*here, *then))
        return ((key, here.get(key, _NOTHING), then.get(key, _NOTHING)) for key in keys)
    return None


def _shown(value: object, start: int) -> str:
    if value is _NOTHING:
        return "nothing"
    first = max(0, start - _SHOWN_BEFORE)
    text = value if isinstance(value, str) else canonical_json(cast("JsonValue", value))
    cut = "".join(islice(text, first, first + _SHOWN))
    return repr(f"{'…' * (first > 0)}{cut}{'…' * (first + _SHOWN < len(text))}")
