"""Several tests at once: the more there are, the more of them are small by chance."""

from collections.abc import Sequence
from itertools import accumulate


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Return the p values adjusted so that any false alarm among them has the stated probability.

    The i-th smallest of m becomes the largest of (m - j + 1) p_j over j <= i, at most 1 (Holm,
    Scandinavian Journal of Statistics 6, 1979). No assumption on how the tests depend on each
    other. Equal values stay equal, and the order of the input is kept.

    Raises:
        ValueError: One is not from 0 to 1, or is no number. Names its place.

    """
    for place, value in enumerate(p_values):
        if not 0 <= value <= 1:
            msg = f"p value {place} is {value}; wanted one from 0 to 1"
            raise ValueError(msg)
    count = len(p_values)
    order = sorted(range(count), key=p_values.__getitem__)
    grown = accumulate((p_values[at] * (count - rank) for rank, at in enumerate(order)), max)
    adjusted = {at: min(1.0, value) for at, value in zip(order, grown, strict=True)}
    return tuple(adjusted[at] for at in range(count))
