"""How much of what is found a reason says, and how much of what is looked for a name."""

from collections.abc import Callable, Sequence


def few[T](
    things: Sequence[T],
    tell: Callable[[T], str] = str,
    *,
    most: int = 5,
    separator: str = "; ",
) -> str:
    """Return the first of some things, and how many more there are; nothing for none.

    Args:
        things: All of them.
        tell: Puts one into words; is asked of the first alone.
        most: How many are put into words.
        separator: What stands between two.

    """
    told = separator.join(map(tell, things[:most]))
    return f"{told} and {len(things) - most} more" if len(things) > most else told


def shortened(text: str, most: int = 48) -> str:
    """Return the text, or the beginning of one that has more characters than this."""
    return text if len(text) <= most else f"{text[: most - 3]}..."
