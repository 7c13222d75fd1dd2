"""What secrets are in JSON values, and the values without them.

A value under the name of a secret goes as a whole, a text loses what stands in it, and JSON inside
a text stays JSON. What was once found under a name is taken out wherever it stands again.
"""

import json
from collections.abc import Container, Iterable, Sequence
from typing import NamedTuple

from pydantic import JsonValue
from pydantic_core import to_json

from audition.redaction.known import known_spans, spellings
from audition.redaction.names import SecretKind, is_ambiguous, secret_kind
from audition.redaction.parts import is_clean, lacks_every_part
from audition.redaction.serialised import is_free
from audition.redaction.shapes import Span, is_plain_name, looks_like_one, spans
from audition.redaction.stand_ins import PLACEHOLDER, is_stand_in
from audition.values import parse_json, pointer_token

_CONTAINERS = frozenset({SecretKind.COOKIE, SecretKind.PASSWORD, SecretKind.SECRET})
"""Kinds under whose name a whole object holds nothing else."""

_HOLDERS = frozenset(
    (
        *("value", "val", "text", "plain", "plaintext", "raw", "stringValue", "string_value"),
        *("bytesValue", "bytes_value"),
        *("default", "const", "enum", "example", "examples"),
    )
)
"""Where the secret itself stands in an object that describes one."""

_SCHEMA_TYPES = ("string", "object", "array", "integer", "number", "boolean", "null")
_DEEP = frozenset({str, dict, list})
_MEASURES = frozenset({"metrics"})
"""Names under which a name is that of a measure: its number is no secret, whatever it counts."""

_MOST_LEVELS = 120
_TOO_DEEP = "[... nested too deep]"
_NAME_FIELDS = ("name", "key", "jsonPath", "json_path")
_VALUE_FIELDS = ("value", "val", "stringValue", "string_value")
"""Where a pair has its two values; a path names the argument that a stream brings a piece of."""

type _Place = tuple[_Place, str | None] | None
"""The place around it and the step from there, None for what is in JSON text; made a pointer where
a secret is found."""


class Secret(NamedTuple):
    """A secret that was found.

    Attributes:
        pointer: Its place as a JSON pointer; "#" and a pointer follow where that is in JSON text.
        kind: What it is.
        text: Itself: not to be told.

    """

    pointer: str
    kind: SecretKind
    text: str


def placeholder(kind: SecretKind) -> str:
    """Return what stands in the place of a secret: the same for all of a kind, in every file."""
    return f"{PLACEHOLDER}{kind}]"


def secrets_in(value: JsonValue) -> list[Secret]:
    """Return the secrets in a value, in the order of their places."""
    walk = _Walk(known={})
    walk.redacted(value, None, _MOST_LEVELS)
    return walk.found


class Redactor:
    """Takes secrets out of the values of one record, and knows those that it took before."""

    def __init__(self) -> None:
        self._known: dict[str, SecretKind] = {}

    def learn(self, values: Iterable[JsonValue]) -> None:
        """Find the secrets of values that are yet to come, so that their first place is known."""
        for value in values:
            self.redacted(value)

    def redacted(self, value: JsonValue) -> JsonValue:
        """Return the value without its secrets; the value itself where it has none."""
        walk = _Walk(known=self._known)
        made = walk.redacted(value, None, _MOST_LEVELS)
        for secret in walk.found:
            known = spellings(secret.text, secret.kind)
            self._known |= dict.fromkeys(known, secret.kind)
        return made

    def whole(self, value: JsonValue) -> JsonValue:
        """Return a value without its secrets, those too that only a later place shows to be one."""
        made = self.redacted(value)
        return made if made is value else self.redacted(value)

    def json(self, text: bytes) -> bytes:
        """Return JSON without its secrets, as `whole` does; the same bytes where it has none.

        Raises:
            ValueError: It is not JSON.

        """
        if not self._known and is_free(text.decode()):
            return text
        value = parse_json(text)
        made = self.whole(value)
        return text if made is value else to_json(made)

    def text(self, text: str) -> str:
        """Return a text without its secrets."""
        if not self._known and lacks_every_part(text):
            return text
        made = self.redacted(text)
        assert isinstance(made, str)  # noqa: S101  # a text stays one
        return made

    def pieces(self, texts: Sequence[str]) -> list[str]:
        """Return the pieces of one text without what stands in them together, piece by piece.

        A secret that is split over pieces leaves its placeholder in the first of them.
        """
        joined = "".join(texts)
        found = _all_spans(joined, self._known)
        made: list[str] = []
        start = 0
        for text in texts:
            made.append(_piece(joined, found, start, start + len(text)))
            start += len(text)
        return made


def _piece(text: str, found: Sequence[Span], start: int, end: int) -> str:
    kept: list[str] = []
    at = start
    for span in found:
        if span.end <= at or span.start >= end:
            continue
        kept.append(text[at : max(span.start, at)])
        if span.start >= start:
            kept.append(placeholder(span.kind))
        at = min(span.end, end)
    kept.append(text[at:end])
    return "".join(kept)


def _all_spans(text: str, known: dict[str, SecretKind]) -> list[Span]:
    """Return the secrets in a text, those that are known from elsewhere among them."""
    found = spans(text)
    if known:
        found += known_spans(text, known)
    found.sort(key=lambda span: (span.start, -span.end))
    apart: list[Span] = []
    for span in found:
        if not apart or span.start >= apart[-1].end:
            apart.append(span)
    return apart


class _Walk:
    """One way through a value."""

    def __init__(self, known: dict[str, SecretKind]) -> None:
        self.found: list[Secret] = []
        self._known = known
        self._clean: set[str] = set()

    def redacted(self, value: JsonValue, at: _Place, levels: int) -> JsonValue:
        if isinstance(value, str):
            return self._text(value, at, levels)
        if not isinstance(value, dict | list):
            return value
        if levels == 0:
            return _TOO_DEEP  # nobody looked for secrets in it
        if isinstance(value, dict):
            return self._object(value, at, levels - 1)
        return self._array(value, at, levels - 1)

    def _object(self, value: dict[str, JsonValue], at: _Place, levels: int) -> JsonValue:
        called = _pair(value)
        is_usual, clean = not called and not self._known, self._clean
        made: dict[str, JsonValue] = {}
        is_same = True
        for key, item in value.items():
            if is_usual and is_plain_name(key):  # nearly all of them
                told = key
                is_leaf = item.__class__ not in _DEEP or (item.__class__ is str and item in clean)
                one = item if is_leaf else self.redacted(item, (at, key), levels)
            else:
                told = self._key(key, at, made)
                one = self._under(called.get(key, key), item, (at, told), levels)
            made[told] = one
            is_same = is_same and one is item and told is key
        return value if is_same else made

    def _key(self, key: str, at: _Place, taken: Container[str]) -> str:
        """Return a key without secrets: it may be an address with a token in it."""
        made = told = self._text(key, at, 0)
        number = 2
        while made in taken:  # two keys that differ in their secrets stay two
            made, number = f"{told} ({number})", number + 1
        return made

    def _array(self, value: list[JsonValue], at: _Place, levels: int) -> JsonValue:
        made: list[JsonValue] = []
        name = ""
        for index, item in enumerate(value):
            place = (at, str(index))
            is_named = name and not (isinstance(item, str) and item.startswith("-"))
            made.append(
                self._under(name, item, place, levels)
                if is_named
                else self.redacted(item, place, levels)
            )
            name = _option(item)
            if index == 0 and len(value) == 2 and _is_pair(value, at):
                name = str(item)
        return made if _differs(made, value) else value

    def _under(self, name: str, item: JsonValue, at: _Place, levels: int) -> JsonValue:
        """Return what stands under a name."""
        is_number = not isinstance(item, str | dict | list)
        if is_number and at is not None and at[0] is not None and at[0][1] in _MEASURES:
            return item
        kind = secret_kind(name)
        if kind is None and is_ambiguous(name) and isinstance(item, str) and looks_like_one(item):
            kind = SecretKind.TOKEN
        if kind is None or (isinstance(item, dict) and _is_verdict(item)):
            return self.redacted(item, at, levels)
        if isinstance(item, dict) and levels and (kind not in _CONTAINERS or _is_schema(item)):
            return self._description(item, kind, at, levels - 1)
        return self._all_of(item, kind, at, levels)

    def _description(
        self, item: dict[str, JsonValue], kind: SecretKind, at: _Place, levels: int
    ) -> JsonValue:
        """Return an object that says something of a secret, and may hold it."""
        bare: dict[str, JsonValue] = {
            key: self._all_of(one, kind, (at, key), levels) if key in _HOLDERS else one
            for key, one in item.items()
        }
        return self._object(bare if _differs(bare.values(), item.values()) else item, at, levels)

    def _all_of(self, item: JsonValue, kind: SecretKind, at: _Place, levels: int) -> JsonValue:
        """Return a value of which every text and number is a secret."""
        if isinstance(item, dict | list) and levels == 0:
            return _TOO_DEEP
        if isinstance(item, dict):
            made: dict[str, JsonValue] = {}
            for key, value in item.items():
                told = self._key(key, at, made)
                made[told] = self._all_of(value, kind, (at, told), levels - 1)
            is_same = made.keys() == item.keys() and not _differs(made.values(), item.values())
            return item if is_same else made
        if isinstance(item, list):
            parts = [
                self._all_of(one, kind, (at, str(i)), levels - 1) for i, one in enumerate(item)
            ]
            return parts if _differs(parts, item) else item
        if item is None or isinstance(item, bool) or is_stand_in(str(item)):
            return item
        self.found.append(Secret(_pointer(at), kind, str(item)))
        return placeholder(kind)

    def _text(self, text: str, at: _Place, levels: int) -> str:
        if text in self._clean:
            return text
        may_be_json = levels > 0 and text.lstrip()[:1] in {"{", "["}
        if not self._known and _is_clean(text, may_be_json=may_be_json):
            self._clean.add(text)
            return text
        if may_be_json:
            inner = self._inner(text, (at, None), levels - 1)
            if inner is not None:
                return inner
        found = _all_spans(text, self._known)
        if not found:
            if not self._known and levels > 0:
                self._clean.add(text)
            return text
        place = _pointer(at)
        self.found += [Secret(place, span.kind, text[span.start : span.end]) for span in found]
        return _piece(text, found, 0, len(text))

    def _inner(self, text: str, at: _Place, levels: int) -> str | None:
        """Return JSON text without its secrets, None where it is none."""
        try:
            inner = parse_json(text)
        except ValueError:
            return None
        if not isinstance(inner, dict | list):
            return None
        made = self.redacted(inner, at, levels)
        return text if made is inner else json.dumps(made, ensure_ascii=False)


def _is_clean(text: str, *, may_be_json: bool) -> bool:
    if may_be_json:
        return "\\" not in text and lacks_every_part(text)  # an escape may stand for any letter
    return is_clean(text)


def _pointer(at: _Place) -> str:
    steps: list[str] = []
    while at is not None:
        at, step = at
        steps.append("#" if step is None else f"/{pointer_token(step)}")
    return "".join(reversed(steps))


def _pair(value: dict[str, JsonValue]) -> dict[str, str]:
    """Return what to call the two values of a pair of a name and a value; nothing elsewhere."""
    for value_field in _VALUE_FIELDS:
        if value_field in value and not _is_verdict(value):
            for name_field in _NAME_FIELDS:
                name = value.get(name_field)
                if isinstance(name, str):
                    return {name_field: "", value_field: name}
    return {}


def _option(item: JsonValue) -> str:
    """Return the name of an option whose value is the next of a list, empty where it is none."""
    is_one = isinstance(item, str) and item.startswith("--") and "=" not in item
    return str(item)[2:] if is_one else ""


def _is_pair(value: list[JsonValue], at: _Place) -> bool:
    """Return whether two values are a name and a secret: elsewhere than in a list, no two names."""
    name, item = value
    if not isinstance(name, str) or secret_kind(name) is None:
        return False
    is_name = isinstance(item, str) and item.replace("-", "").replace("_", "").isalpha()
    return not is_name or (at is not None and (at[1] or "").isdigit())


def _is_verdict(value: dict[str, JsonValue]) -> bool:
    """Return whether this is what an evaluator found: its name is that of the evaluator."""
    return "value" in value and "reason" in value and "source" in value


def _is_schema(value: dict[str, JsonValue]) -> bool:
    """Return whether this describes a secret, as the parameters of tools are described."""
    return value.get("type") in _SCHEMA_TYPES


def _differs(made: Iterable[JsonValue], given: Iterable[JsonValue]) -> bool:
    return any(one is not other for one, other in zip(made, given, strict=True))
