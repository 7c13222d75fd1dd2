"""Places in a file as JSON pointers (RFC 6901)."""

from collections.abc import Iterable

from pydantic import ValidationError

from audition.values import pointer_token


def pointer(place: Iterable[int | str]) -> str:
    """Return a place as a pointer; the empty text is the whole file."""
    return "".join(f"/{pointer_token(str(part))}" for part in place)


def first_wrong(error: ValidationError) -> str:
    """Return the first thing that Pydantic found wrong, after its place as a pointer."""
    first = error.errors(include_url=False)[0]
    return f"{pointer(first['loc']) or '/'}: {first['msg']}"


def parts(text: str) -> list[str]:
    """Return the keys and positions on the way to what a pointer points at."""
    return [part.replace("~1", "/").replace("~0", "~") for part in text.split("/")[1:]]
