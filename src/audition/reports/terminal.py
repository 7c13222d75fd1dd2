"""Text from agents and files, made safe for a terminal: no control sequence gets through."""

import re
import unicodedata

_CONTROL = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    r"\ufff9-\ufffb\U000e0000-\U000e007f]"
)


def safe(text: str) -> str:
    """Return the text with control and direction characters visible, but line end and tab.

    Those without width are shown too: they hide what a text holds, and what a search for it misses.
    """
    return _CONTROL.sub(_visible, text.replace("\r\n", "\n"))


def _visible(match: re.Match[str]) -> str:
    character = match.group()
    name = unicodedata.name(character, "")
    if name:
        return f"<{name}>"
    return f"\\x{ord(character):02x}" if ord(character) < 256 else f"<U+{ord(character):04X}>"


def one_line(text: str, limit: int = 160) -> str:
    """Return the text on one line of at most so many characters."""
    line = " ".join(safe(text).split())
    return line if len(line) <= limit else f"{line[: limit - 3]}..."


def indented(text: str, by: str, limit: int = 2000) -> str:
    """Return the text with every line indented, cut in its middle where it is long.

    It is cut between lines, except where a line alone is longer than what is shown.
    """
    shown = safe(text)
    if len(shown) > limit:
        half = limit // 2
        head = shown[:half].rpartition("\n")[0] or shown[:half]
        tail = shown[-half:].partition("\n")[2] or shown[-half:]
        left_out = len(shown) - len(head) - len(tail)
        shown = f"{head}\n[... {left_out} characters left out]\n{tail}"
    return "\n".join(f"{by}{line}" for line in shown.split("\n"))


def long_line(text: str, limit: int) -> str:
    """Return the text on one line, cut between its lines where it is long, and say how much."""
    shown = safe(text)
    head = shown
    if len(shown) > limit:
        head = shown[:limit].rpartition("\n")[0] or shown[:limit]
    line = " ".join(head.split())
    left_out = len(shown) - len(head)
    return f"{line} [... {left_out} characters left out]" if left_out else line
