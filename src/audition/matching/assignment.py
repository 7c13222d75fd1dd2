"""The largest pairing of two sides, each member at most once. Knows nothing of what is paired.

Taking the first fit is wrong where a loose expectation takes the only partner of a tight one;
here it gives its partner back whenever that lets one more pair be made.
"""

from collections import deque
from collections.abc import Sequence


def assign(compatible: Sequence[Sequence[bool]]) -> list[int | None]:
    """Return the column of each row in a largest pairing, None for a row that is left over.

    Equal input gives equal output; among largest pairings, earlier rows are paired first and
    take the lower column where nothing else decides.

    Args:
        compatible: One row for each member of one side; a row says for each member of the other
            side, by its column, whether the two fit.

    """
    row_of: dict[int, int] = {}
    column_of: dict[int, int] = {}
    for row in range(len(compatible)):
        _pair_one_more(compatible, row, row_of=row_of, column_of=column_of)
    return [column_of.get(row) for row in range(len(compatible))]


def _pair_one_more(
    compatible: Sequence[Sequence[bool]],
    row: int,
    *,
    row_of: dict[int, int],
    column_of: dict[int, int],
) -> None:
    """Pair the row too, if moving the pairs made so far can free a column for it."""
    reached_from: dict[int, int] = {}
    waiting = deque([row])
    while waiting:
        current = waiting.popleft()
        for column, fits in enumerate(compatible[current]):
            if not fits or column in reached_from:
                continue
            reached_from[column] = current
            if column not in row_of:
                _shift(column, reached_from, row_of=row_of, column_of=column_of)
                return
            waiting.append(row_of[column])


def _shift(
    column: int | None,
    reached_from: dict[int, int],
    *,
    row_of: dict[int, int],
    column_of: dict[int, int],
) -> None:
    """Give the free column to the row that reached it, that row's old one to the next, and on."""
    while column is not None:
        row = reached_from[column]
        given_up = column_of.get(row)
        row_of[column], column_of[row] = row, column
        column = given_up
