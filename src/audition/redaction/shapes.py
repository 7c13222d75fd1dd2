"""Where in a text a secret stands: by its known shape, or by the name that stands before it.

Shapes are those that issuers document: a prefix and a length, a PEM block, a JWT. Nothing is
taken for a secret since it looks random.
"""

import re
from base64 import b64decode
from binascii import Error
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from audition.redaction.names import SecretKind, is_ambiguous, secret_kind


class Span(NamedTuple):
    """A secret in a text.

    Attributes:
        start: Where it begins.
        end: Where it is over.
        kind: What it is.

    """

    start: int
    end: int
    kind: SecretKind


PLACEHOLDER = "[redacted:"
"""How every placeholder begins."""

_FIXED = {
    SecretKind.PRIVATE_KEY: re.compile(
        r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----"
        r"[^-]{0,20000}+(?:-----END [A-Z0-9 ]{0,60}-----)?"
    ),
    SecretKind.JWT: re.compile(
        r"\beyJ[A-Za-z0-9_-]{5,}+\.[A-Za-z0-9_-]{2,}+(?:\.[A-Za-z0-9_-]++){0,3}"
    ),
    SecretKind.KEY: re.compile(
        r"\b(?:AKIA|ASIA|AGPA|AIDA|AROA|ANPA|ANVA)[A-Z0-9]{16}\b"
        r"|\bAIza[0-9A-Za-z_-]{35}"
        r"|\b(?:sk|rk)[-_][A-Za-z0-9_-]{16,}+"
        r"|\bSG\.[A-Za-z0-9_-]{16,}+\.[A-Za-z0-9_-]{16,}+"
        r"|\blin_api_[A-Za-z0-9]{32,}+"
    ),
    SecretKind.TOKEN: re.compile(
        r"\bgh[pousr]_[A-Za-z0-9]{30,}+|\bgithub_pat_[A-Za-z0-9_]{22,}+"
        r"|\bglpat-[A-Za-z0-9_-]{20,}+|\bxox[abeoprs]-[A-Za-z0-9-]{10,}+"
        r"|\bya29\.[A-Za-z0-9_-]{20,}+|\bhf_[A-Za-z0-9]{30,}+|\bnpm_[A-Za-z0-9]{36}"
        r"|\bpypi-AgEI[A-Za-z0-9_-]{40,}+|\bdop_v1_[a-f0-9]{64}"
        r"|\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"
    ),
}
_BEARER = re.compile(r"\b(?:[Bb]earer|BEARER)[ \t]+([A-Za-z0-9._~+/-]{12,}+=*+)")
_BASIC = re.compile(r"\b(?:[Bb]asic|BASIC)[ \t]+([A-Za-z0-9+/_-]{6,}+={0,2})")
_USER_INFO = re.compile(
    r"\b[A-Za-z][A-Za-z0-9+.-]{1,20}+://[^\s/?#@:\"']{0,200}+:([^\s/?#@\"']{1,200}+)@"
)
_HEADER = re.compile(
    r"(?i)\b((?:proxy-)?authorization|(?:set-)?cookie)\\?[\"']?[ \t]*+:[ \t]*+\\?[\"']?"
    r"([^\r\n\"'\\]{4,4000}+)"
)
_VALUE_PATTERN = r"\\?\"[^\"\r\n\\]{1,4000}+|\\?'[^'\r\n\\]{1,4000}+|[^\s\"'&;,<>)\]}\\]{1,4000}+"
_VALUE = re.compile(_VALUE_PATTERN)
# The name and its sign alone: what stands behind one name may be the name of something else.
_NAME = re.compile(
    r"(?<![A-Za-z0-9_.-])([A-Za-z_][A-Za-z0-9_.-]{1,60}+)"
    r"(\\?[\"']?[ \t]{0,3}+[=:](?!//)[ \t]{0,3}+)"
)
_FLAG = re.compile(r"(?<![\w-])--([A-Za-z][A-Za-z0-9-]{1,60}+)[ \t]{1,3}+(?!-)")
_OAUTH_CODE = re.compile(r"[?&]code=([^&\s\"']{1,2000}+)")

# Parts of the shapes, behind something that all of these have: most texts lack even that.
_PARTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("eyJ", ("eyJ",)),
    ("-", ("-----BEGIN", "sk-", "rk-", "glpat-", "xox", "pypi-")),
    ("_", ("sk_", "rk_", "lin_api_", "hf_", "npm_", "dop_v1_", "github_pat_")),
    ("_", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "shpat_", "shpca_", "shppa_", "shpss_")),
    ("A", ("AKIA", "ASIA", "AGPA", "AIDA", "AROA", "ANPA", "ANVA", "AIza")),
    (".", ("SG.", "ya29.")),
    ("://", ("://",)),
    ("code=", ("code=",)),
)
_SCHEME_PARTS = ("earer", "BEARER", "asic", "BASIC")
# One of these stands in every name of a secret, in small letters.
_NAME_PARTS = (
    *("pass", "pw", "secret", "token", "key", "auth", "cookie", "bearer", "credential", "sig"),
    *("jwt", "assertion", "verifier"),
)
_LONGEST_CACHED = 100


def is_clean(text: str) -> bool:
    """Return whether a text lacks what every text has that a secret is found in."""
    return _is_clean_short(text) if len(text) <= _LONGEST_CACHED else _lacks_parts(text)


def lacks_every_part(text: str) -> bool:
    """Return whether a text lacks also what every name of a secret has, with no sign behind it.

    So JSON text without escapes has none: in a list, nothing stands behind a name.
    """
    return is_clean(text) and not _has_any(text.lower(), _NAME_PARTS)


@lru_cache(maxsize=4096)
def is_plain_name(name: str) -> bool:
    """Return whether a name holds no secret, and says of none that it stands under it."""
    return secret_kind(name) is None and not is_ambiguous(name) and not spans(name)


@lru_cache(maxsize=16_384)
def _is_clean_short(text: str) -> bool:
    """Return the same of a short text: ids and names come again and again."""
    return _lacks_parts(text)


def _lacks_parts(text: str) -> bool:
    for common, parts in _PARTS:
        if common in text and _has_any(text, parts):
            return False
    return not _has_any(text, _SCHEME_PARTS) and not _may_name_one(text)


def _may_name_one(text: str) -> bool:
    has_sign = ":" in text or "=" in text or "--" in text
    return has_sign and _has_any(text.lower(), _NAME_PARTS)


def _has_any(text: str, parts: Iterable[str]) -> bool:
    for part in parts:  # noqa: SIM110  # any() of a generator takes twice the time
        if part in text:
            return True
    return False


def spans(text: str) -> list[Span]:
    """Return the secrets in a text, in order, none over another."""
    if is_clean(text):
        return []
    found = [span for finder in _FINDERS for span in finder(text)]
    kept: list[Span] = []
    for span in sorted(found):
        if is_stand_in(text[span.start : span.end]):
            continue
        if kept and span.start < kept[-1].end:
            kept[-1] = kept[-1]._replace(end=max(kept[-1].end, span.end))
        else:
            kept.append(span)
    return kept


def is_stand_in(value: str) -> bool:
    """Return whether this stands where a secret would: a placeholder, a variable, dots."""
    word = value.rsplit(maxsplit=1)[-1] if value.split() else ""
    bare = word.strip("\"'[]<>(){}*.").lower()
    return (
        PLACEHOLDER in value
        or word.startswith(("$", "{{", "<", "%"))
        or not bare.strip("x*.-_…")
        or bare in {"redacted", "none", "null", "true", "false", "placeholder", "masked"}
    )


def looks_like_one(value: str) -> bool:
    """Return whether a value has the form of a credential: long, in one piece, with a digit."""
    return len(value) >= 12 and not re.search(r"\s", value) and bool(re.search(r"[0-9]", value))


def _fixed(text: str) -> Iterator[Span]:
    for kind, pattern in _FIXED.items():
        for match in pattern.finditer(text):
            yield Span(match.start(), match.end(), kind)


def _schemes(text: str) -> Iterator[Span]:
    for match in _BEARER.finditer(text):
        if looks_like_one(match[1]):
            yield Span(*match.span(1), SecretKind.TOKEN)
    for match in _BASIC.finditer(text):
        if _is_user_and_password(match[1]):
            yield Span(*match.span(1), SecretKind.PASSWORD)


def _is_user_and_password(encoded: str) -> bool:
    padded = encoded.rstrip("=") + "=" * (-len(encoded.rstrip("=")) % 4)
    try:
        told = b64decode(padded, altchars=b"-_" if {"-", "_"} & set(encoded) else None)
    except (Error, ValueError):
        return False
    return b":" in told and told.isascii()


def _addresses(text: str) -> Iterator[Span]:
    if "://" in text:
        for match in _USER_INFO.finditer(text):
            yield Span(*match.span(1), SecretKind.PASSWORD)
    if "state=" in text:  # with a state beside it, a code is one of OAuth
        for match in _OAUTH_CODE.finditer(text):
            yield Span(*match.span(1), SecretKind.SECRET)


def _named(text: str) -> Iterator[Span]:
    """Yield what stands behind the name of a secret: `password=…`, `"api_key": …`, `--token …`."""
    if not _may_name_one(text):
        return
    for match in _HEADER.finditer(text):
        kind = secret_kind(match[1])
        if kind is not None and _is_header(kind, match[2]):
            yield Span(*match.span(2), kind)
    for match in _NAME.finditer(text):
        value, kind = _value_behind(match, text)
        if value and kind is not None and ("=" in match[2] or _is_alone(value, text)):
            yield _without_quote(value, kind)
    for match in _FLAG.finditer(text):
        value, kind = _value_behind(match, text)
        if value and kind is not None:
            yield _without_quote(value, kind)


def _value_behind(
    match: re.Match[str], text: str
) -> tuple[re.Match[str] | None, SecretKind | None]:
    """Return what stands behind a name, and what it is; nothing where that is no secret."""
    name = match[1]
    may_be_one = is_ambiguous(name)
    kind = SecretKind.TOKEN if may_be_one else secret_kind(name)
    value = None if kind is None else _VALUE.match(text, match.end())
    if value and may_be_one and not looks_like_one(value[0].lstrip("\\\"'")):
        return None, None
    return value, kind


def _is_header(kind: SecretKind, value: str) -> bool:
    """Return whether this is what stands in a header: a scheme or pairs, not a sentence."""
    if kind is SecretKind.COOKIE:
        return "=" in value
    return len(value.split()) <= 2 or "=" in value


def _is_alone(value: re.Match[str], text: str) -> bool:
    """Return whether the value behind a colon is one: not the first word of a sentence."""
    return (
        value[0][0] in "\"'\\"
        or not value[0].isalpha()
        or text[value.end() : value.end() + 1] in {"", "\n", "\r", ",", ";", '"', "'", "}"}
    )


def _without_quote(value: re.Match[str], kind: SecretKind) -> Span:
    bare = value[0].lstrip("\\\"'")
    return Span(value.end() - len(bare), value.end(), kind)


_FINDERS: tuple[Callable[[str], Iterator[Span]], ...] = (_fixed, _schemes, _addresses, _named)
