"""What secrets are in JSON values, and the values without them.

A value under the name of a secret goes as a whole, a text loses what stands in it, and JSON inside
a text stays JSON. What was once found under a name is taken out wherever it stands again.
"""

import json
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pydantic import JsonValue
from pydantic_core import to_json

from audition.redaction.names import SecretKind, is_ambiguous, secret_kind
from audition.redaction.shapes import PLACEHOLDER, Span, is_stand_in, looks_like_one, spans
from audition.values import parse_json, pointer_token

_LEAST_KNOWN = 8
"""Characters of a value that is looked for elsewhere: a shorter one may well be a common word."""

_CONTAINERS = frozenset({SecretKind.COOKIE, SecretKind.PASSWORD, SecretKind.SECRET})
"""Kinds under whose name a whole object holds nothing else."""

_MOST_LEVELS = 120
_TOO_DEEP = "[... nested too deep]"
_NAME_FIELDS, _VALUE_FIELDS = ("name", "key"), ("value", "val")


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
    walk.redacted(value, "", _MOST_LEVELS)
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
        made = walk.redacted(value, "", _MOST_LEVELS)
        for secret in walk.found:
            for part in _parts(secret):
                if len(part) >= _LEAST_KNOWN and not part.isalpha():
                    self._known[part] = secret.kind
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
        value = parse_json(text)
        made = self.whole(value)
        return text if made is value else to_json(made)

    def text(self, text: str) -> str:
        """Return a text without its secrets."""
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


def _parts(secret: Secret) -> list[str]:
    """Return a secret and what of it may stand alone: without its scheme, or value by value."""
    if secret.kind is SecretKind.COOKIE:
        pairs = secret.text.split(";")
        return [secret.text, *(pair.partition("=")[2].strip() for pair in pairs)]
    return [secret.text, *secret.text.split()[1:]]


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
    for secret, kind in known.items():
        at = text.find(secret)
        while at >= 0:
            found.append(Span(at, at + len(secret), kind))
            at = text.find(secret, at + len(secret))
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

    def redacted(self, value: JsonValue, at: str, levels: int) -> JsonValue:
        if isinstance(value, str):
            return self._text(value, at, levels)
        if not isinstance(value, dict | list):
            return value
        if levels == 0:
            return _TOO_DEEP  # nobody looked for secrets in it
        if isinstance(value, dict):
            return self._object(value, at, levels - 1)
        return self._array(value, at, levels - 1)

    def _object(self, value: dict[str, JsonValue], at: str, levels: int) -> JsonValue:
        names = _pair(value)
        made: dict[str, JsonValue] = {}
        for key, item in value.items():
            told = self._text(key, at, 0)  # a key may be an address with a token in it
            place = f"{at}/{pointer_token(told)}"
            made[told] = self._under(names.get(key, key), item, place, levels)
        same = made.keys() == value.keys() and not _differs(made.values(), value.values())
        return value if same else made

    def _array(self, value: list[JsonValue], at: str, levels: int) -> JsonValue:
        if len(value) == 2 and isinstance(value[0], str) and secret_kind(value[0]) is not None:
            made = [value[0], self._under(value[0], value[1], f"{at}/1", levels)]
        else:
            made = [self.redacted(item, f"{at}/{i}", levels) for i, item in enumerate(value)]
        return made if _differs(made, value) else value

    def _under(self, name: str, item: JsonValue, at: str, levels: int) -> JsonValue:
        """Return what stands under a name."""
        kind = secret_kind(name)
        if is_ambiguous(name):
            is_one = isinstance(item, str) and looks_like_one(item)
            kind = SecretKind.TOKEN if is_one else None
        if kind is None:
            return self.redacted(item, at, levels)
        if isinstance(item, dict) and kind not in _CONTAINERS and "stringValue" not in item:
            return self.redacted(item, at, levels)
        return self._all_of(item, kind, at, levels)

    def _all_of(self, item: JsonValue, kind: SecretKind, at: str, levels: int) -> JsonValue:
        """Return a value of which every text and number is a secret."""
        if isinstance(item, dict | list) and levels == 0:
            return _TOO_DEEP
        if isinstance(item, dict):
            made = {
                key: self._all_of(value, kind, f"{at}/{pointer_token(key)}", levels - 1)
                for key, value in item.items()
            }
            return made if _differs(made.values(), item.values()) else item
        if isinstance(item, list):
            parts = [self._all_of(one, kind, f"{at}/{i}", levels - 1) for i, one in enumerate(item)]
            return parts if _differs(parts, item) else item
        if item is None or isinstance(item, bool) or is_stand_in(str(item)):
            return item
        self.found.append(Secret(at, kind, str(item)))
        return placeholder(kind)

    def _text(self, text: str, at: str, levels: int) -> str:
        if levels > 0 and text.lstrip()[:1] in {"{", "["}:
            inner = self._inner(text, f"{at}#", levels - 1)
            if inner is not None:
                return inner
        found = _all_spans(text, self._known)
        if not found:
            return text
        self.found += [Secret(at, span.kind, text[span.start : span.end]) for span in found]
        return _piece(text, found, 0, len(text))

    def _inner(self, text: str, at: str, levels: int) -> str | None:
        """Return JSON text without its secrets, None where it is none."""
        try:
            inner = parse_json(text)
        except ValueError:
            return None
        if not isinstance(inner, dict | list):
            return None
        made = self.redacted(inner, at, levels)
        return text if made is inner else json.dumps(made, ensure_ascii=False)


def _pair(value: dict[str, JsonValue]) -> dict[str, str]:
    """Return what to call the two values of a pair of a name and a value; nothing elsewhere."""
    for name_field in _NAME_FIELDS:
        name = value.get(name_field)
        if isinstance(name, str):
            for value_field in _VALUE_FIELDS:
                if value_field in value:
                    return {name_field: "", value_field: name}
    return {}


def _differs(made: Iterable[JsonValue], given: Iterable[JsonValue]) -> bool:
    return any(one is not other for one, other in zip(made, given, strict=True))
