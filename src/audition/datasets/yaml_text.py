"""JSON values as YAML, in blocks, that `reading` reads back as the same values."""

import json
import re
from collections.abc import Iterator
from typing import cast

from pydantic import JsonValue

from audition.datasets.reading import plain_scalar

_PLAIN = re.compile(r"[A-Za-z@./][A-Za-z0-9_@./ -]*(?<! )")
_NOT_PRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")
_LONGEST_FLOW = 70


def yaml_lines(value: JsonValue) -> Iterator[str]:
    """Yield the lines of a value: objects and lists as blocks, short lists of scalars in one."""
    match value:
        case dict() if value:
            for key, item in value.items():
                yield from _below(f"{_scalar(key)}:", item, indent="  ")
        case list() if value:
            for item in value:
                yield from _item(item)
        case _:
            yield _scalar(value)


def _item(item: JsonValue) -> Iterator[str]:
    lines = _flow(item)
    if lines is not None:
        yield f"- {lines}"
        return
    first, *others = yaml_lines(item)
    yield f"- {first}"
    yield from (f"  {line}" for line in others)


def _below(head: str, item: JsonValue, *, indent: str) -> Iterator[str]:
    flow = _flow(item)
    if flow is not None:
        yield f"{head} {flow}"
    else:
        yield head
        yield from (f"{indent}{line}" for line in yaml_lines(item))


def _flow(value: JsonValue) -> str | None:
    """Return a value on one line, None where it needs a block."""
    if isinstance(value, list) and not any(isinstance(one, dict | list) for one in value):
        text = f"[{', '.join(_scalar(one) for one in value)}]"
        return text if len(text) <= _LONGEST_FLOW or not value else None
    if isinstance(value, dict | list):
        return None if value else "{}"
    return _scalar(value)


def _scalar(value: JsonValue) -> str:
    if isinstance(value, str):
        is_plain = _PLAIN.fullmatch(value) and plain_scalar(value) == value
        return value if is_plain and not value.startswith("@") else _quoted(value)
    return json.dumps(cast("JsonValue", value))


def _quoted(text: str) -> str:
    quoted = json.dumps(text, ensure_ascii=False)
    return _NOT_PRINTABLE.sub(lambda match: f"\\u{ord(match.group()):04x}", quoted)
