import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audition.matching.text import EXCERPT_WIDTH, NormalText, excerpt, normalise

MARKED = st.text(st.sampled_from(list('ab1*_`#>-+. \n"(:é\u0301\u200b\uff0a\u2014\u2022')))


@given(st.text() | MARKED)
def test_a_normal_form_is_its_own_normal_form(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once


def test_no_character_of_unicode_changes_again_when_normalised_twice() -> None:
    for first in range(0, 0x110000, 256):
        once = normalise(" ".join(f"a{chr(code)}b\u0301" for code in range(first, first + 256)))
        assert normalise(once) == once


@given(st.text() | MARKED)
def test_a_normal_form_is_one_line_with_single_spaces(text: str) -> None:
    once = normalise(text)
    assert once == " ".join(once.split())


@pytest.mark.parametrize(
    ("written", "normal"),
    [
        ("The **north** gate", "the north gate"),
        ("__Total:__ 5", "total: 5"),
        ("*so* and _so_", "so and so"),
        ("***both***", "both"),
        ("run `make check`", "run make check"),
        ("**5**km and **3**rd", "5km and 3rd"),
        ("**Un**moored", "unmoored"),
        ("(**£5**)", "(£5)"),
        ('**"Ready"**, he said', '"ready", he said'),
        ("\u662f**\u91cd\u70b9**\u5185\u5bb9", "\u662f\u91cd\u70b9\u5185\u5bb9"),
        ("\u662f**5**\u4e2a", "\u662f5\u4e2a"),
        ("## Moorings\n\ntext", "moorings text"),
        ("- one\n* two\n+ three\n\u2022 four", "one two three four"),
        ("> > quoted\n> - item", "quoted item"),
        ("above\n---\nbelow", "above below"),
        ("one\r\n# two\r# three", "one two three"),
        ("e**\u0301", "\u00e9"),
    ],
)
def test_marks_of_markdown_are_no_text(written: str, normal: str) -> None:
    assert normalise(written) == normal


@pytest.mark.parametrize(
    "text",
    [
        "snake_case and snake__case",
        "5 * 3 is 5*3",
        "5 ** 3",
        "2**3 and x**2",
        "c# and f#",
        "berth #12",
        "*.txt in src/*",
        "count(*)",
        "/* remark */",
        "name: ____ end",
        "1. first",
        "~~struck~~",
        "a - b > c",
        "-5 degrees",
    ],
)
def test_signs_that_are_no_marks_stay(text: str) -> None:
    assert normalise(text) == text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2029\u20132031", "2029-2031"),
        ("\u2212 5", "- 5"),
        ("\u201cnorth gate\u201d", '"north gate"'),
        ("\u00abnorth gate\u00bb", '"north gate"'),
        ("don\u2019t", "don't"),
        ("don\u00b4t", "don't"),
        ("5\u2032 3\u2033", "5' 3\""),
        ("ber\u00adth", "berth"),
        ("\ufeffberth", "berth"),
        ("e\u200b\u0301", "\u00e9"),
        ("\u2714\ufe0f", "\u2714"),
        ("STRA\u1e9eE", "strasse"),
        ("\u03a3\u03a3", "\u03c3\u03c2"),
        ("\u1fb3", "\u0391\u0345"),
    ],
)
def test_forms_that_a_reader_cannot_tell_apart_are_one(one: str, other: str) -> None:
    assert normalise(f"x {one} y") == normalise(f"x {other} y")


def test_a_normal_text_is_normalised_once() -> None:
    text = NormalText("**North** Gate")
    assert (text.raw, text.normal, text.normal is text.normal) == (
        "**North** Gate",
        "north gate",
        True,
    )


@pytest.mark.parametrize("letter", ["o", "\u00f6", "o\u0308"])
def test_five_megabytes_are_normalised_in_well_under_a_second(letter: str) -> None:
    text = NormalText(f"The **n{letter}rth** gate, `berth_7`:\n- item\n" * 140_000)
    started = time.perf_counter()
    assert len(text.normal) > 3_000_000
    assert time.perf_counter() - started < 2  # 0.2 to 0.5 s where nothing else runs


def test_an_excerpt_shows_what_stands_around_on_one_line() -> None:
    text = "x" * 500 + "\nthe north\tgate\n" + "y" * 500
    start = text.index("north")
    shown = excerpt(text, start, start + 5)
    assert "x the north gate y" in shown
    assert (shown[0], shown[-1], len(shown) <= EXCERPT_WIDTH + 2) == ("\u2026", "\u2026", True)


def test_an_excerpt_of_a_short_text_is_the_text() -> None:
    assert excerpt("the north gate", 4, 9) == "the north gate"


def test_an_excerpt_near_the_end_takes_more_from_before() -> None:
    assert excerpt("a" * 500 + "end", 500, 503) == "\u2026" + "a" * 117 + "end"


def test_an_excerpt_of_a_long_part_shows_its_beginning() -> None:
    shown = excerpt("a" * 50 + "b" * 5000, 50, 5050)
    assert shown == "\u2026" + "b" * EXCERPT_WIDTH + "\u2026"


def test_an_excerpt_shows_controls_as_escapes() -> None:
    shown = excerpt("red \x1b[31m \u202e turned \ud800\x00", 0, 20)
    assert shown == r"red \x1b[31m \u202e turned \ud800\x00"


def test_an_excerpt_keeps_an_emoji_together() -> None:
    mechanic = "\U0001f469\u200d\U0001f527"
    assert excerpt(f"Ask the {mechanic}", 0, 8) == f"Ask the {mechanic}"


@given(st.text(max_size=400), st.integers(0, 400), st.integers(0, 400))
def test_an_excerpt_prints_and_is_short(text: str, one: int, other: int) -> None:
    start, end = sorted((min(one, len(text)), min(other, len(text))))
    shown = excerpt(text, start, end).replace("\u200d", "")
    assert shown.isprintable()
    assert len(shown) <= 10 * EXCERPT_WIDTH + 2


@given(st.text())
def test_composed_and_decomposed_letters_are_the_same(text: str) -> None:
    assert normalise(unicodedata.normalize("NFD", text)) == normalise(text)
