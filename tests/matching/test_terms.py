import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from audition.matching.terms import (
    AnyTerm,
    NumberTerm,
    RegexTerm,
    Term,
    WordTerm,
    describe,
    find,
    nearest,
)
from audition.matching.text import NormalText, normalise

CASES = Path(__file__).parents[1] / "cases"
WRITTEN_ALIKE = json.loads((CASES / "24-accents-quotes-full-width.json").read_text())
TERMS: TypeAdapter[Term] = TypeAdapter(Term)


def is_in(term: Term, text: str) -> bool:
    return find(term, NormalText(text)) is not None


@pytest.mark.parametrize("case", WRITTEN_ALIKE, ids=lambda case: case["id"])
def test_a_text_is_found_in_the_forms_that_a_reader_cannot_tell_apart(case: dict[str, Any]) -> None:
    assert is_in(case["term"], case["text"]) == case["found"]


@given(st.text(), st.text(), st.text())
def test_a_text_is_found_where_it_stands(before: str, term: str, after: str) -> None:
    assume(normalise(term))
    assert is_in(term, f"{before} {term} {after}")


@given(st.text(st.sampled_from(list("ab1*_`#>-. \n(\u00e9\u0301"))))
def test_a_marked_text_is_found_where_it_stands(term: str) -> None:
    assume(normalise(term))
    assert is_in(term, f"so {term} it is")


def test_a_found_text_shows_what_stands_around() -> None:
    found = find("NORTH gate", NormalText("Go to the **north** gate."))
    assert found
    assert (found.text, found.excerpt) == ("north gate", "go to the north gate.")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("the cat.", True),
        ("CAT", True),
        ("concat, then cat", True),
        ("**cat**", True),
        ("the cat's", True),
        ("concat", False),
        ("cats", False),
        ("cat_food", False),
        ("cat5", False),
        ("cat\u0903", False),  # an Indic vowel sign
        ("", False),
    ],
)
def test_a_word_is_not_found_inside_a_longer_one(text: str, *, found: bool) -> None:
    assert is_in(WordTerm(word="cat"), text) == found


def test_a_word_may_hold_signs_and_blanks() -> None:
    assert is_in(WordTerm(word="C# desk"), "the C#  Desk!")
    assert not is_in(WordTerm(word="C#"), "C#5")


def test_the_first_alternative_that_is_found_counts() -> None:
    found = find(AnyTerm(any=("west", "north", "gate")), NormalText("gate north"))
    assert found
    assert found.text == "north"
    assert not is_in(AnyTerm(any=("west", WordTerm(word="nor"))), "gate north")


def test_a_number_is_found_as_it_was_written() -> None:
    found = find(NumberTerm(number=1234567.5), NormalText("The hull cost 1'234'567.50 in all."))
    assert found
    assert found.text == "1'234'567.50"
    assert is_in(NumberTerm(number=10, tolerance=0.5), "9.5")
    assert not is_in(NumberTerm(number=10, tolerance=0.5), "9.4")
    assert is_in(NumberTerm(number=1.5, decimal_comma=True), "1,5")


def test_a_pattern_is_applied_to_the_text_as_it_was_said() -> None:
    found = find(RegexTerm(regex=r"`BK-\d+`"), NormalText("Code: `BK-7` **now**"))
    assert found
    assert (found.text, found.excerpt) == ("`BK-7`", "Code: `BK-7` **now**")
    assert not is_in(RegexTerm(regex="bk"), "BK")


@pytest.mark.parametrize(
    ("written", "term"),
    [
        ("software architect", "software architect"),
        (
            {"any": ["a", {"any": ["b", {"word": "c"}]}]},
            AnyTerm(any=("a", AnyTerm(any=("b", WordTerm(word="c"))))),
        ),
        ({"word": "cat"}, WordTerm(word="cat")),
        ({"number": 1234567.5, "tolerance": 0}, NumberTerm(number=1234567.5)),
        ({"number": 5, "decimal_comma": True}, NumberTerm(number=5, decimal_comma=True)),
        ({"regex": "BK-[0-9]{4}"}, RegexTerm(regex="BK-[0-9]{4}")),
    ],
)
def test_a_dataset_file_holds_terms_and_gets_them_back(written: Any, term: Term) -> None:
    assert TERMS.validate_python(written) == term
    assert TERMS.validate_json(json.dumps(written)) == term
    assert TERMS.validate_json(TERMS.dump_json(term)) == term


@pytest.mark.parametrize(
    ("written", "place", "problem"),
    [
        ("", "text", "would match anything"),
        (" \n", "text", "would match anything"),
        ("**", "text", "'**' is empty, blank or Markdown marks alone"),
        ({"word": "#"}, "word/word", "would match anything"),
        ({"any": []}, "any/any", "there are no alternatives"),
        ({"any": ["a", ""]}, "any/any/1/text", "would match anything"),
        ({"any": ["a", 5]}, "any/any/1", "a term is a text, {"),
        ({"any": "ab"}, "any/any", "valid tuple"),
        ({"regex": "("}, "regex/regex", "unclosed group"),
        ({"regexp": "a"}, "", 'or {"regex": pattern}'),
        ({"number": True}, "number/number", "True is not a number"),
        ({"number": "5"}, "number/number", "'5' is not a number"),
        ({"number": float("nan")}, "number/number", "nan is not finite"),
        ({"number": float("inf")}, "number/number", "inf is not finite"),
        ({"number": 5, "tolerance": -1}, "number/tolerance", "greater than or equal to 0"),
        ({"number": 5, "tolerence": 1}, "number/tolerence", "Unexpected keyword"),
        (None, "", "a term is a text"),
        (5, "", "a term is a text"),
    ],
)
def test_a_term_that_cannot_be_meant_is_refused_where_it_stands(
    written: object, place: str, problem: str
) -> None:
    with pytest.raises(ValidationError) as refused:
        TERMS.validate_python(written)
    (error,) = refused.value.errors()
    assert "/".join(map(str, error["loc"])) == place
    assert problem in error["msg"]


def test_an_empty_text_is_not_found_in_everything() -> None:
    with pytest.raises(ValueError, match="would match anything"):
        find("**", NormalText("the gate"))


@pytest.mark.parametrize("ask", [find, nearest])
def test_what_is_no_term_is_an_error_and_no_miss(ask: Callable[[Any, Any], object]) -> None:
    with pytest.raises(AssertionError):
        ask({"word": "x"}, NormalText("x"))


def test_what_is_no_term_is_not_described() -> None:
    written: Any = {"word": "x"}
    with pytest.raises(TypeError):
        describe(written)


def test_terms_have_a_json_schema() -> None:
    schema = TERMS.json_schema()["$defs"]
    assert {"AnyTerm", "WordTerm", "NumberTerm", "RegexTerm"} < schema.keys()
    assert schema["AnyTerm"]["properties"]["any"]["minItems"] == 1


@pytest.mark.parametrize(
    ("term", "text"),
    [
        ("north\ngate", '"north gate"'),
        (WordTerm(word="cat"), 'the word "cat"'),
        (NumberTerm(number=5), "the number 5"),
        (NumberTerm(number=1.5, tolerance=0.1), "the number 1.5 \u00b1 0.1"),
        (RegexTerm(regex=r"\d+"), r"the pattern /\d+/"),
        (AnyTerm(any=("a", WordTerm(word="b"))), 'any of "a", the word "b"'),
    ],
)
def test_a_term_describes_itself_for_a_reason(term: Term, text: str) -> None:
    assert describe(term) == text


def test_the_nearest_miss_of_a_text_is_what_looks_like_it() -> None:
    miss = nearest("BERTH 8 CONFIRMED", NormalText("It says BERTH 7 CONFIRMED here."))
    assert miss
    assert miss.similarity == pytest.approx(0.94, abs=0.01)
    assert (miss.text, miss.excerpt) == (
        "berth 7 confirmed",
        "it says berth 7 confirmed here.",
    )


def test_the_nearest_miss_of_a_word_is_the_longer_word_it_is_in() -> None:
    miss = nearest(WordTerm(word="cat"), NormalText("concatenate"))
    assert miss
    assert (miss.similarity, miss.text) == (1, "cat")


@pytest.mark.parametrize(
    ("number", "text", "near"),
    [
        (1234567.5, "Der Rumpf kostet 1.234.567,50 Taler, 7 Tage.", "1.234.567,50"),
        (3.145, "7 fees of 3,145", "3,145"),
        (42, "41 of 4200", "41"),
        (0, "9 or 0.0", "0.0"),
        (5, "none: -0", "0"),
    ],
)
def test_the_nearest_miss_of_a_number_is_near_in_value_or_writing(
    number: float, text: str, near: str
) -> None:
    miss = nearest(NumberTerm(number=number), NormalText(text))
    assert miss
    assert miss.text == near


def test_a_number_near_in_value_is_not_written_alike() -> None:
    miss = nearest(NumberTerm(number=2029), NormalText("in 2031"))
    assert miss
    assert miss.similarity == 0.5


def test_the_nearest_miss_of_alternatives_is_the_nearest_of_all() -> None:
    miss = nearest(AnyTerm(any=("west quay", RegexTerm(regex="x"), "nort")), NormalText("north"))
    assert miss
    assert miss.text == "nort"


@pytest.mark.parametrize(
    ("term", "text"),
    [
        ("gate", ""),
        ("gate", "12"),
        ("north gate", "\u2192"),
        (NumberTerm(number=5), "none"),
        (RegexTerm(regex="a"), "b"),
        (AnyTerm(any=("gate", NumberTerm(number=5))), ""),
    ],
)
def test_nothing_comparable_has_no_nearest_miss(term: Term, text: str) -> None:
    assert nearest(term, NormalText(text)) is None


def test_a_text_shorter_than_the_term_is_no_perfect_miss() -> None:
    miss = nearest("the north gate", NormalText("gate"))
    assert miss
    assert miss.similarity < 0.5


def test_the_last_line_of_megabytes_is_found() -> None:
    text = NormalText("The tide table goes on.\n" * 210_000 + "BERTH 7 CONFIRMED")
    assert find("BERTH 7 CONFIRMED", text)
    assert not find("BERTH 8", text)


@pytest.mark.parametrize(
    "term",
    ["BERTH 8", "harbour master of the south " * 9, NumberTerm(number=77), WordTerm(word="BER")],
)
def test_the_nearest_miss_in_megabytes_is_bounded_in_time(term: Term) -> None:
    filler = "The tide table 1,234 goes on.\n" * 80_000
    text = NormalText(f"{filler}The harbour master: BERTH 7.\n{filler}")
    assert text.normal
    started = time.perf_counter()
    miss = nearest(term, text)
    assert time.perf_counter() - started < 1  # under 0.1 s where nothing else runs
    assert miss


def test_the_nearest_miss_in_the_middle_of_megabytes_is_seen_by_its_words() -> None:
    filler = "The tide table goes on.\n" * 90_000
    miss = nearest("berth eight", NormalText(f"{filler}berth eighty? no, berth eigth!\n{filler}"))
    assert miss
    assert "berth eigth" in miss.excerpt
