"""What stands in every text that holds a secret: a look at it costs a tenth of the finders.

Whatever `shapes` finds, and every name of `names`, has one of the parts here.
"""

from collections.abc import Iterable
from functools import lru_cache

# Parts of the shapes, behind something that all of these have: most texts lack even that.
_PARTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("eyJ", ("eyJ",)),
    ("-", ("-----BEGIN", "sk-", "rk-", "glpat-", "xox", "pypi-", "GOCSPX-", "tvly-")),
    ("-", ("glptt-", "glrt-", "gldt-", "glcbt-", "xapp-", "xai-", "pplx-", "nvapi-", "key-")),
    ("-", ("NRAK-", "pul-", "AGE-SECRET-KEY-")),
    ("-u", ("-u ", "-u=", "--user")),
    ("_", ("sk_", "rk_", "lin_api_", "hf_", "npm_", "dop_v1_", "_pat_", "gsk_", "lsv2_", "whsec_")),
    ("_", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "shpat_", "shpca_", "shppa_", "shpss_")),
    ("_", ("ntn_", "secret_", "figd_", "r8_", "glsa_", "glc_", "fm2_", "rubygems_", "pscale_")),
    ("_", ("pcsk_", "sbp_")),
    ("A", ("ATATT3x", ":AA")),
    ("SK", ("SK",)),
    ("dapi", ("dapi",)),
    ("A", ("AKIA", "ASIA", "AGPA", "AIDA", "AROA", "ANPA", "ANVA", "AIza")),
    (".", ("SG.", "ya29.", "hvs.", "hvb.", "hooks.slack", "dp.")),
    ("/", (":/", "/bot", "/webhooks/", "1//0")),
    ("code=", ("code=",)),
)
_SCHEME_PARTS = ("earer", "BEARER", "asic", "BASIC")
# One of these stands in every name of a secret, in small letters.
_NAME_PARTS = (
    *("pass", "pw", "secret", "token", "key", "auth", "cookie", "bearer", "credential", "sig"),
    *("jwt", "assertion", "verifier"),
)
_SIGNS = (":", "=", "--", " is", "</", "%3")
_LONGEST_CACHED = 100


def is_clean(text: str) -> bool:
    """Return whether a text lacks what every text has that a secret is found in."""
    return _is_clean_short(text) if len(text) <= _LONGEST_CACHED else _lacks_parts(text)


def lacks_every_part(text: str) -> bool:
    """Return whether a text lacks also what every name of a secret has, with no sign behind it.

    So JSON text without escapes has none: in a list, nothing stands behind a name.
    """
    return is_clean(text) and not _has_any(text.lower(), _NAME_PARTS)


@lru_cache(maxsize=16_384)
def _is_clean_short(text: str) -> bool:
    """Return the same of a short text: ids and names come again and again."""
    return _lacks_parts(text)


def _lacks_parts(text: str) -> bool:
    for common, parts in _PARTS:
        if common in text and _has_any(text, parts):
            return False
    return not _has_any(text, _SCHEME_PARTS) and not may_name_one(text)


def may_name_one(text: str) -> bool:
    """Return whether something may stand behind the name of a secret."""
    return _has_any(text, _SIGNS) and _has_any(text.lower(), _NAME_PARTS)


def _has_any(text: str, parts: Iterable[str]) -> bool:
    for part in parts:  # noqa: SIM110  # any() of a generator takes twice the time
        if part in text:
            return True
    return False
