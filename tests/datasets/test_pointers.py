import pytest
from hypothesis import given
from hypothesis import strategies as st

from audition.datasets.pointers import parts, pointer


@pytest.mark.parametrize(
    ("place", "text"),
    [((), ""), (("cases", 0, "name"), "/cases/0/name"), (("a/b", "~1"), "/a~1b/~01"), (("",), "/")],
)
def test_a_place_is_written_as_a_pointer(place: tuple[int | str, ...], text: str) -> None:
    assert pointer(place) == text


@given(st.lists(st.text()))
def test_a_pointer_is_read_back(place: list[str]) -> None:
    assert parts(pointer(place)) == place
