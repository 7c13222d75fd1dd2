"""What stands where a secret would and is none: placeholders, variables, code, the name alone."""

import re

from audition.redaction.names import is_ambiguous, secret_kind

PLACEHOLDER = "[redacted:"
"""How every placeholder of ours begins."""

PLACEHOLDERS = re.compile(rf"{re.escape(PLACEHOLDER)}[a-z-]+\]")
"""Every placeholder of ours."""

_WORDS = frozenset({"redacted", "none", "null", "true", "false", "placeholder", "masked"})
_SCHEMES = frozenset({"bearer", "basic", "token"})
_LONGEST_NAME = 16
_CODE = re.compile(
    r"\{[A-Za-z_][\w.]*\}|[\[(]+[A-Za-z_][\w.]*[\[(].*|[A-Za-z_][\w.]*\(.*"  # {name}, f(
    r"|(?:self|cls)\.[\w.]+|[A-Z]\w*\.[A-Z_]+|[0-9]{1,2}"
)


def is_stand_in(value: str) -> bool:
    """Return whether this stands where a secret would: a placeholder, a variable, code, dots."""
    words = value.split()
    word = words[1] if len(words) == 2 and words[0].lower() in _SCHEMES else value.strip()
    bare = word.strip("\"'[]<>(){}*.").lower()
    return (
        PLACEHOLDER in value
        or word.startswith(("$", "{{", "<", "%"))
        or not bare.strip("x*.-_…|>")
        or bool(_CODE.fullmatch(word))
        or _is_its_own_name(bare)
        or bare in _WORDS
    )


def _is_its_own_name(word: str) -> bool:
    """Return whether nothing but what it is called stands in its place: USER:PASSWORD@HOST."""
    if not word.replace("-", "").replace("_", "").isalpha() or len(word) > _LONGEST_NAME:
        return False
    return secret_kind(word) is not None or is_ambiguous(word)
