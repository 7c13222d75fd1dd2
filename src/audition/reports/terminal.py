"""Text from agents and files, made safe for a terminal: no control sequence gets through."""

import re
import unicodedata

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def safe(text: str) -> str:
    """Return the text with control and direction characters visible, but line end and tab."""
    return _CONTROL.sub(_visible, text.replace("\r\n", "\n"))


def _visible(match: re.Match[str]) -> str:
    character = match.group()
    name = unicodedata.name(character, "")
    return f"<{name}>" if name else f"\\x{ord(character):02x}"


def one_line(text: str, limit: int = 160) -> str:
    """Return the text on one line of at most so many characters."""
    line = " ".join(safe(text).split())
    return line if len(line) <= limit else f"{line[: limit - 3]}..."


def indented(text: str, by: str, limit: int = 2000) -> str:
    """Return the text with every line indented, cut in its middle where it is long."""
    shown = safe(text)
    if len(shown) > limit:
        half = limit // 2
        shown = f"{shown[:half]}\n[... {len(shown) - limit} characters]\n{shown[-half:]}"
    return "\n".join(f"{by}{line}" for line in shown.split("\n"))
