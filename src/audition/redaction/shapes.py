"""Where in a text a secret stands: by its known shape, or by the name that stands before it.

Shapes are those that issuers document: a prefix and a length, a PEM block, a JWT. Nothing is
taken for a secret since it looks random.
"""

import re
from base64 import b64decode
from binascii import Error
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

from audition.redaction.names import SecretKind, is_ambiguous, secret_kind
from audition.redaction.parts import is_clean, may_name_one
from audition.redaction.stand_ins import is_stand_in


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


_FIXED = {
    SecretKind.PRIVATE_KEY: re.compile(
        r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----"
        r"(?:(?:[^-]|-(?!----(?:END|BEGIN))){0,20000}+-----END [A-Z0-9 ]{0,60}-----|[^-]{0,20000}+)"
    ),
    SecretKind.JWT: re.compile(
        r"\beyJ[A-Za-z0-9_-]{5,}+\.[A-Za-z0-9_-]{2,}+(?:\.[A-Za-z0-9_-]++){0,3}"
    ),
    SecretKind.KEY: re.compile(
        r"\b(?:AKIA|ASIA|AGPA|AIDA|AROA|ANPA|ANVA)[A-Z0-9]{16}\b"
        r"|\bAIza[0-9A-Za-z_-]{35}"
        r"|\b(?:sk|rk)[-_][A-Za-z0-9_-]{16,}+"
        r"|\bSG\.[A-Za-z0-9_-]{16,}+\.[A-Za-z0-9_-]{16,}+"
        r"|\blin_api_[A-Za-z0-9]{32,}+|\bgsk_[A-Za-z0-9]{30,}+|\btvly-[A-Za-z0-9-]{20,}+"
        r"|\blsv2_[a-z]{2}_[A-Za-z0-9_]{30,}+"
        r"|\b(?:xai|pplx|nvapi)-[A-Za-z0-9_-]{20,}+|\bSK[0-9a-f]{32}\b|\bkey-[0-9a-f]{32}\b"
        r"|\bNRAK-[A-Z0-9]{20,}+|\bpcsk_[A-Za-z0-9_]{30,}+|\bAGE-SECRET-KEY-1[A-Z0-9]{40,}+"
    ),
    SecretKind.TOKEN: re.compile(
        r"\bgh[pousr]_[A-Za-z0-9]{30,}+|\bgithub_pat_[A-Za-z0-9_]{22,}+"
        r"|\bgl(?:pat|ptt|rt|dt|cbt)-[A-Za-z0-9_-]{20,}+|\bx(?:ox[abeoprs]|app)-[A-Za-z0-9-]{10,}+"
        r"|\bya29\.[A-Za-z0-9_-]{20,}+|\b1//0[A-Za-z0-9_-]{30,}+|\bhf_[A-Za-z0-9]{30,}+|\bnpm_[A-Za-z0-9]{36}"
        r"|\bpypi-AgEI[A-Za-z0-9_-]{40,}+|\bdop_v1_[a-f0-9]{64}"
        r"|\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}|\bdckr_pat_[A-Za-z0-9_-]{20,}+"
        r"|\bhv[sb]\.[A-Za-z0-9_-]{20,}+|\bdapi[0-9a-f]{32}\b|\bntn_[A-Za-z0-9]{30,}+"
        r"|\bsecret_[A-Za-z0-9]{43}\b|\bfigd_[A-Za-z0-9_-]{30,}+"
        r"|\br8_[A-Za-z0-9]{37}\b|\bgl(?:sa|c)_[A-Za-z0-9+/=_]{30,}+|\bATATT3x[A-Za-z0-9_=-]{50,}+"
        r"|\bfm2_[A-Za-z0-9+/=_]{40,}+|\brubygems_[0-9a-f]{48}\b|\bpul-[0-9a-f]{40}\b"
        r"|\bpscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{20,}+|\bdp\.(?:pt|st|ct)\.[A-Za-z0-9._-]{30,}+"
        r"|\bsbp_[0-9a-f]{40}\b|\b[0-9]{8,10}:AA[A-Za-z0-9_-]{33}\b"
    ),
    SecretKind.SECRET: re.compile(r"\bGOCSPX-[A-Za-z0-9_-]{20,}+|\bwhsec_[A-Za-z0-9+/=]{20,}+"),
}
_BEARER = re.compile(r"\b(?:[Bb]earer|BEARER)[ \t]+([A-Za-z0-9._~+/-]{12,}+=*+)")
_BASIC = re.compile(r"\b(?:[Bb]asic|BASIC)[ \t]+([A-Za-z0-9+/_-]{6,}+={0,2})")
_USER_INFO = re.compile(
    # To the last @: people forget to encode it. A path may have made one slash of the two.
    r"\b[A-Za-z][A-Za-z0-9+.-]{1,20}+:/{1,2}[^\s/?#@:\"']{0,200}+:([^\s/?#\"']{1,200})@"
)
_HEADER = re.compile(
    r"(?i)\b((?:proxy-)?authorization|(?:set-)?cookie)\\?[\"']?[ \t]*+:[ \t]*+\\?[\"']?"
    r"([^\r\n\"'\\]{4,4000}+)"
)
_VALUE = re.compile(
    r"\\?\"[^\"\r\n\\]{1,4000}+|\\?'[^'\r\n\\]{1,4000}+|[^\s\"'&;,<>)\]}\\]{1,4000}+"
)
# The name and its sign alone: what stands behind one name may be the name of something else.
_NAME = re.compile(
    r"(?<![A-Za-z0-9_.-])-{0,2}+([A-Za-z_][A-Za-z0-9_.-]{1,60}+)"
    r"(\\?[\"']?[ \t]{0,3}+(?:=>|:=|[=:])(?!//)[ \t]{0,3}+)"
)
# The end of a line or an object, or the next pair: not the rest of a sentence.
_BEHIND_VALUE = re.compile(
    r"$|[\r\n;\"'}]|,[ \t]{0,3}(?:$|[\r\n\"'}\]]|[A-Za-z_][\w.-]{0,60}[\"']?[ \t]{0,3}[=:])"
)
# In a percent-encoded query, in an element, and in an entry that says its name apart.
_ENCODED = re.compile(r"(?i)%(?:3F|26|22)([A-Z_][A-Z0-9_.-]{1,60}+)%3D([^%&\s\"']{1,2000}+)")
_ELEMENT = re.compile(r"<([A-Za-z_][A-Za-z0-9_.-]{1,60}+)>([^<>\s][^<>]{0,2000}+)</")
_ENTRY = re.compile(
    r"\b(?:name|key)\\?[\"']?[ \t]{0,3}+[=:][ \t]{0,3}+\\?[\"']?([A-Za-z_][A-Za-z0-9_.-]{1,60}+)"
    r"\\?[\"']?(?:[\s,]|\\n){1,40}+\\?[\"']?value\\?[\"']?[ \t]{0,3}+[=:][ \t]{0,3}+"
)
_SAID = re.compile(
    r"(?i)\b(password|passphrase|passcode|token|secret|api[ -]?key)[ \t]+is:?[ \t]+[\"'`]?"
    r"([^\s\"'`,;]{6,400}+)"
)
_USER = re.compile(r"(?:-u|--user)[ =]\\?[\"']?[^\s:\"'`\\]{1,200}+:([^\s\"'`\\]{1,400}+)")
_FLAG = re.compile(r"(?<![\w-])--([A-Za-z][A-Za-z0-9-]{1,60}+)[ \t]{1,3}+(?!-)")
_LONE_USER = re.compile(r"\b[a-z]{2,20}+://([A-Za-z0-9_.~-]{20,400}+)@")
_IN_ADDRESSES = (
    (":/", _USER_INFO, SecretKind.PASSWORD),
    ("hooks.slack", re.compile(r"\.com/services/([A-Za-z0-9/]{20,}+)"), SecretKind.TOKEN),
    ("/webhooks/", re.compile(r"/webhooks/[0-9]{15,20}/([A-Za-z0-9_-]{40,}+)"), SecretKind.TOKEN),
    ("/bot", re.compile(r"/bot([0-9]{6,12}:[A-Za-z0-9_-]{30,}+)"), SecretKind.TOKEN),
    # With a state beside it, a code is one of OAuth.
    ("state=", re.compile(r"[?&]code=([^&\s\"']{1,2000}+)"), SecretKind.SECRET),
)


def is_plain_name(name: str) -> bool:
    """Return whether a name holds no secret, and says of none that it stands under it."""
    return len(name) <= _LONGEST_NAME and _is_plain(name)


@lru_cache(maxsize=4096)
def _is_plain(name: str) -> bool:
    return secret_kind(name) is None and not is_ambiguous(name) and not spans(name)


_LONGEST_NAME = 100


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
    for mark, pattern, kind in _IN_ADDRESSES:
        for match in pattern.finditer(text) if mark in text else ():
            yield Span(*match.span(1), kind)
    for match in _LONE_USER.finditer(text) if "://" in text else ():
        if looks_like_one(match[1]):
            yield Span(*match.span(1), SecretKind.TOKEN)


def _named(text: str) -> Iterator[Span]:
    """Yield what stands behind the name of a secret: `password=…`, `"api_key": …`, `--token …`."""
    if not may_name_one(text):
        return
    for match in _HEADER.finditer(text):
        kind = secret_kind(match[1])
        if kind is not None and _is_header(kind, match[2]):
            yield Span(*match.span(2), kind)
    for pattern in (_NAME, _FLAG, _ENTRY):
        at = 0
        while match := pattern.search(text, at):
            span = _value_behind(match, text)
            if span is not None:
                yield span
            at = match.end() if span is None else span.end


def _enclosed(text: str) -> Iterator[Span]:
    """Yield what stands in a place of a name of its own: an element, a part of an address."""
    for pattern in (_ENCODED, _ELEMENT) if may_name_one(text) else ():
        for match in pattern.finditer(text):
            kind = secret_kind(match[1])
            if kind is not None:
                yield Span(*match.span(2), kind)
    for match in _USER.finditer(text) if "-u" in text else ():
        yield Span(*match.span(1), SecretKind.PASSWORD)


def _said(text: str) -> Iterator[Span]:
    """Yield what somebody says to be one, where it has a digit: "my password is hunter2"."""
    for match in _SAID.finditer(text) if " is" in text else ():
        kind = secret_kind(match[1]) or SecretKind.TOKEN
        value = match[2].rstrip(".!?)")
        if looks_like_one(value) or (kind is SecretKind.PASSWORD and re.search(r"[0-9]", value)):
            yield Span(match.start(2), match.start(2) + len(value), kind)


def _value_behind(match: re.Match[str], text: str) -> Span | None:
    """Return the secret behind a name, None where the name, or what stands there, is none."""
    name = match[1]
    kind = SecretKind.TOKEN if is_ambiguous(name) else secret_kind(name)
    value = None if kind is None else _VALUE.match(text, match.end())
    if kind is None or value is None:
        return None
    bare = value[0].lstrip("\\\"'")
    if is_ambiguous(name) and not looks_like_one(bare):
        return None
    if match.re is _NAME and match[2].strip().endswith(":") and not _is_alone(value, text):
        return None
    return Span(value.end() - len(bare), value.end(), kind)


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
        or _BEHIND_VALUE.match(text, value.end()) is not None
    )


_FINDERS: tuple[Callable[[str], Iterator[Span]], ...] = (
    *(_fixed, _schemes, _addresses, _named, _enclosed, _said),
)
