"""Places in a file as JSON pointers (RFC 6901)."""

from collections.abc import Iterable


def pointer(place: Iterable[int | str]) -> str:
    """Return a place as a pointer; the empty text is the whole file."""
    return "".join(f"/{_escape(str(part))}" for part in place)


def parts(text: str) -> list[str]:
    """Return the keys and positions on the way to what a pointer points at."""
    return [part.replace("~1", "/").replace("~0", "~") for part in text.split("/")[1:]]


def _escape(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")
