from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from audition.matching.assignment import assign

MATRICES = st.integers(0, 5).flatmap(
    lambda columns: st.lists(
        st.lists(st.booleans(), min_size=columns, max_size=columns), max_size=5
    )
)


def test_a_loose_row_gives_way_to_a_tight_one() -> None:
    loose, tight = [True, True], [True, False]
    assert assign([loose, tight]) == [1, 0]
    assert assign([tight, loose]) == [0, 1]


def test_giving_way_goes_on_through_a_chain() -> None:
    assert assign([[True, True, False], [True, False, True], [True, False, False]]) == [1, 2, 0]


def test_a_row_without_a_partner_is_left_over() -> None:
    assert assign([[True], [True], [False]]) == [0, None, None]


def test_nothing_is_paired_with_nothing() -> None:
    assert (assign([]), assign([[], []])) == ([], [None, None])


def test_a_thousand_rows_that_each_move_their_neighbours_are_paired() -> None:
    rows = [[abs(row - column) < 2 for column in range(1000)] for row in range(1000)]
    assert None not in assign(rows[::-1])


@given(MATRICES)
def test_a_pairing_is_as_large_as_any(compatible: list[list[bool]]) -> None:
    columns = len(compatible[0]) if compatible else 0
    slots = [*range(columns), *[None] * len(compatible)]
    largest = max(
        sum(
            column is not None and row[column]
            for row, column in zip(compatible, order, strict=True)
        )
        for order in permutations(slots[: max(columns, len(compatible))], len(compatible))
    )
    assert sum(column is not None for column in assign(compatible)) == largest


@given(MATRICES)
def test_a_pairing_pairs_only_what_fits_and_nothing_twice(compatible: list[list[bool]]) -> None:
    pairs = [(row, column) for row, column in enumerate(assign(compatible)) if column is not None]
    assert all(compatible[row][column] for row, column in pairs)
    assert len({column for _, column in pairs}) == len(pairs)
