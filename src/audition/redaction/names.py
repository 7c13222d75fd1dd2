"""Which names say that a secret stands under them: keys, headers, parameters, variables."""

import re
from enum import StrEnum
from functools import lru_cache


class SecretKind(StrEnum):
    """What a secret is; the word in its placeholder."""

    AUTHORIZATION = "authorization"
    COOKIE = "cookie"
    JWT = "jwt"
    KEY = "key"
    PASSWORD = "password"  # noqa: S105  # the kind, not one
    PRIVATE_KEY = "private-key"
    SECRET = "secret"  # noqa: S105
    TOKEN = "token"  # noqa: S105


_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_LONGEST_NAME = 80

_PASSWORDS = frozenset({"password", "passwd", "pwd", "pw", "passphrase", "passcode"})
_SECRETS = frozenset({"secret", "secrets", "clientassertion", "codeverifier"})
_COOKIES = frozenset({"cookie", "cookies"})
_AUTHORIZATIONS = frozenset({"authorization", "bearer"})
_RUN_TOGETHER = {
    "accesskey": SecretKind.KEY,
    "accesstoken": SecretKind.TOKEN,
    "accountkey": SecretKind.KEY,
    "apikey": SecretKind.KEY,
    "apitoken": SecretKind.TOKEN,
    "authtoken": SecretKind.TOKEN,
    "authkey": SecretKind.KEY,
    "clientsecret": SecretKind.SECRET,
    "idtoken": SecretKind.TOKEN,
    "jwt": SecretKind.JWT,
    "privatekey": SecretKind.PRIVATE_KEY,
    "refreshtoken": SecretKind.TOKEN,
    "secretkey": SecretKind.SECRET,
    "sessiontoken": SecretKind.TOKEN,
    "sharedaccesssignature": SecretKind.KEY,
}
_ENDS = tuple(name for name in ("password", "passwd", *_RUN_TOGETHER) if len(name) > 5)
"""How a name may end that is written as one word: `PGPASSWORD`, `xapikey`."""
# A place in a list of results, or a piece of a text: the other things that are called a token.
_HARMLESS_TOKENS = frozenset(
    (
        *("page", "next", "continuation", "continue", "sync", "cursor", "resume", "pagination"),
        *("start", "end", "stop", "eos", "bos", "pad", "unk", "mask", "sep", "cls"),
        *("first", "last", "previous", "prev", "max", "min", "count"),
        *("input", "output", "prompt", "completion"),
    )
)
_KEYS = frozenset(
    (
        *("access", "account", "admin", "api", "auth", "client", "consumer", "encryption"),
        *("function", "host", "license", "master", "secret", "service", "shared", "signing"),
        *("ssh", "storage", "subscription"),
    )
)
_PAIRS = {
    ("access", "signature"): SecretKind.KEY,
    ("amz", "signature"): SecretKind.SECRET,
    ("goog", "signature"): SecretKind.SECRET,
    ("client", "assertion"): SecretKind.SECRET,
    ("code", "verifier"): SecretKind.SECRET,
    ("private", "key"): SecretKind.PRIVATE_KEY,
}
_AFTER = frozenset(
    {"value", "text", "data", "hash", "plain", "raw", "old", "new", "current", "confirm"}
)
"""Words behind the word that decides: `password_hash` is a secret as well."""

AMBIGUOUS = frozenset({"token", "key", "auth", "credential", "credentials", "sig", "signature"})
"""Names that by themselves also mean something else: there the value has to look like one."""


@lru_cache(maxsize=4096)
def secret_kind(name: str) -> SecretKind | None:
    """Return what stands under a name, None where that is no secret.

    `access_token`, `accessToken`, `ACCESS-TOKEN` and `accesstoken` are one name; `token_count`,
    `max_tokens`, `tokenizer` and `page_token` are other names.
    """
    words = _words(name)
    while len(words) > 1 and (words[-1] in _AFTER or words[-1].isdigit()):
        words = words[:-1]
    if not words:
        return None
    last, before = words[-1], words[-2] if len(words) > 1 else ""
    return _kind_of_word(last) or _kind_of_pair(before, last)


@lru_cache(maxsize=4096)
def is_ambiguous(name: str) -> bool:
    """Return whether the value under the name has to look like a secret to be taken for one."""
    words = _words(name)
    return len(words) == 1 and words[0] in AMBIGUOUS


def _words(name: str) -> list[str]:
    if len(name) > _LONGEST_NAME:
        return []
    return [word.lower() for word in _WORD.findall(name)]


def _kind_of_word(word: str) -> SecretKind | None:
    if word in _PASSWORDS:
        return SecretKind.PASSWORD
    if word in _SECRETS:
        return SecretKind.SECRET
    if word in _COOKIES:
        return SecretKind.COOKIE
    if word in _AUTHORIZATIONS:
        return SecretKind.AUTHORIZATION
    if word in _RUN_TOGETHER:
        return _RUN_TOGETHER[word]
    end = next((end for end in _ENDS if word.endswith(end)), None)
    return None if end is None else _RUN_TOGETHER.get(end, SecretKind.PASSWORD)


def _kind_of_pair(before: str, last: str) -> SecretKind | None:
    if last == "token":
        return None if before in _HARMLESS_TOKENS or not before else SecretKind.TOKEN
    if last == "key" and before in _KEYS:
        return SecretKind.KEY
    return _PAIRS.get((before, last))
