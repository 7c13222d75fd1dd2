import json
import time
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audition.matching.numbers import find_number, interval, read_numbers, shared_digits

CASES = Path(__file__).parents[1] / "cases"
GROUPED = json.loads((CASES / "23-thousands-and-decimal-comma.json").read_text())


def read(text: str, *, decimal_comma: bool = False) -> list[str | None]:
    """Return what is read, None for digits that are not."""
    numbers = read_numbers(text, decimal_comma=decimal_comma)
    return [None if number.value is None else f"{number.value:f}" for number in numbers]


@pytest.mark.parametrize("case", GROUPED, ids=lambda case: case["id"])
def test_an_amount_is_found_however_its_digits_are_grouped(case: dict[str, str]) -> None:
    assert (find_number(case["text"], 1234567.5) is not None) == case["found"]


def test_european_notation_is_read_only_where_it_is_declared() -> None:
    text = "Der Rumpf kostet 1.234.567,50 Taler."
    assert read(text) == [None]
    assert read(text, decimal_comma=True) == ["1234567.50"]


def test_a_comma_groups_unless_it_is_declared_to_be_decimal() -> None:
    assert find_number("The fee is 3,145.", 3145)
    assert not find_number("The fee is 3,145.", 3.145)
    assert find_number("The fee is 3,145.", 3.145, decimal_comma=True)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("5", ["5"]),
        ("berths 7 and (8).", ["7", "8"]),
        ("12.5, .5 and 0.50", ["12.5", "0.5", "0.50"]),
        ("No.5 and end...6", ["5", "6"]),
        ("5. Next", ["5"]),
        ("007", ["7"]),
        ("1,234 1'234 1_234", ["1234", "1234", "1234"]),
        ("1 234", ["1", "234"]),
        ("7\u00a01234", ["7", "1234"]),
        ("1.5e3 2E-2 3e\u22122", ["1500", "0.02", "0.03"]),
        ("-5 \u22125 \u20135 (-5) +5 x=-5", ["-5", "-5", "-5", "-5", "5", "-5"]),
        ("-$5 $-5 \u22121,234.5", ["-5", "-5", "-1234.5"]),
        ("$5 \u20ac5 45% 12km 9km\u00b2 2nd", ["5", "5", "45", "12", "9", "2"]),
        ("5 - 3, 5%-6%, a 12-day trip", ["5", "3", "5", "6", "12"]),
        ("2029-2031 and 5\u20137", ["2029", "2031", "5", "7"]),
        ("the price\u201412 crowns\u20143", ["12", "3"]),
        ("\uff11\uff12\uff0e\uff15", ["12.5"]),
        ("\uff11\uff0c\uff12\uff13\uff14", ["1234"]),
        ("\u0661\u0662\u066c\u0663\u0664\u0665\u066b\u0665", ["12345.5"]),
        ("\u670912\u4e2a", ["12"]),
        ("1.2 million", ["1.2"]),
    ],
)
def test_numbers_are_read(text: str, numbers: list[str]) -> None:
    assert read(text) == numbers


@pytest.mark.parametrize(
    "text",
    [
        "gate12",
        "QX-118",
        "berth_7",
        "0x1F",
        "2x4",
        "v1.2.3",
        "10.0.0.1",
        "2029-05-01",
        "22:30",
        "3/4",
        "1\u00bd",
        "\u00bd5",
        "10^6",
        "10\u2076",
        "4K",
        "5M",
        "3bn",
        "5\u4e07",
        "12_a",
        "12,34",
        "1,2,3",
        "0,123",
        "1,234'567",
        "1,234,56",
        "5e9999",
        "1\uff0c234",
    ],
)
def test_digits_that_would_be_a_guess_are_not_read(text: str) -> None:
    assert set(read(text)) == {None}


def test_points_group_where_the_comma_is_decimal() -> None:
    numbers = ["3.145", "1234", None, "234.5", "7"]
    assert read("3,145 1.234 1.5 234,5 7", decimal_comma=True) == numbers


def test_the_place_of_a_number_is_known() -> None:
    (number,) = read_numbers("The hull cost \u22121,234.50 in all.")
    assert number == (15, 23, Decimal("-1234.50"))


def test_a_tolerance_is_exact_in_decimal_digits() -> None:
    assert find_number("0.3", 0.2, tolerance=0.1)
    assert not find_number("0.30000001", 0.2, tolerance=0.1)
    assert interval(0.2, 0.1) == (Decimal("0.1"), Decimal("0.3"))


def test_long_numbers_that_differ_in_the_last_digit_differ() -> None:
    assert find_number("9007199254740993", 9007199254740993)
    assert not find_number("9007199254740993", 9007199254740992)


@given(st.integers(-(10**12), 10**12))
def test_a_number_is_found_plain_and_grouped(number: int) -> None:
    for text in (f"about {number} boats", f"about {number:,} boats", f"({number:_})"):
        assert find_number(text, number)


@given(st.text(st.sampled_from(list("0123456789.,'_-:/eE+%$aK \u00a0\u2019\u2212\uff11\uff0c"))))
def test_whatever_is_read_has_its_place_in_the_text(text: str) -> None:
    end = 0
    for number in read_numbers(text):
        assert end <= number.start < number.end <= len(text)
        end = number.end


def test_megabytes_of_numbers_are_searched_in_seconds() -> None:
    text = "berths 12345 and 1,234\n" * 100_000
    started = time.perf_counter()
    assert not find_number(text, 77)
    assert time.perf_counter() - started < 4  # 0.6 s where nothing else runs


WRITTEN = st.text(alphabet="0123456789.,'-+eE _:/\u00a0\u2019\u0663\uff15\u2212ka(%$", max_size=40)


@settings(max_examples=300)
@given(
    written=st.lists(WRITTEN, max_size=4),
    number=st.one_of(
        st.integers(-2000, 2000), st.sampled_from([0.05, 12.5, 1200, 1e6, 3.45, -7.5])
    ),
    tolerance=st.sampled_from([0, 0.5, 3]),
    decimal_comma=st.booleans(),
)
def test_in_a_long_text_the_same_number_is_found_as_by_reading_all(
    written: list[str], number: float, tolerance: float, *, decimal_comma: bool
) -> None:
    spelled = f"{number:,}" if number % 3 else f"{number:.4e}"
    text = f"{' x '.join(written)} {spelled} {spelled}0 ".ljust(20_002)
    low, high = interval(number, tolerance)
    read = read_numbers(text, decimal_comma=decimal_comma)
    first = next((one for one in read if one.value is not None and low <= one.value <= high), None)
    found = find_number(text, number, tolerance=tolerance, decimal_comma=decimal_comma)
    assert found == first


@pytest.mark.parametrize(
    ("low", "high", "digits"),
    [
        ("12", "12.5", "12"),
        ("1200", "1200", "12"),
        ("100", "100.5", "1"),
        ("-0.0305", "-0.0301", "3"),
        ("9", "11", ""),
        ("-1", "1", ""),
        ("0", "0", ""),
        ("7.5", "8.5", ""),
    ],
)
def test_the_digits_that_all_numbers_between_two_begin_with(
    low: str, high: str, digits: str
) -> None:
    assert shared_digits(Decimal(low), Decimal(high)) == digits
