"""What is said of an exception: one line, of bounded length, without anybody's keys."""

import os
import re
from collections.abc import Iterator, Mapping

MAX_LINE = 500
"""Characters kept: a provider's error can hold a whole page of HTML."""

_SECRET_NAME = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS?)$", re.IGNORECASE)
_SHORTEST_SECRET = 8


def failure_line(error: BaseException, environ: Mapping[str, str] = os.environ) -> str:
    """Return the error's class and text in one line.

    Values of environment variables that hold secrets are replaced: providers like to repeat the
    key that they refused.
    """
    line = " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(":")
    for name, secret in _secrets(environ):
        line = line.replace(secret, f"[{name}]")
    return line if len(line) <= MAX_LINE else f"{line[:MAX_LINE]}…"


def _secrets(environ: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for name, value in environ.items():
        if len(value) >= _SHORTEST_SECRET and _SECRET_NAME.search(name):
            yield name, value
