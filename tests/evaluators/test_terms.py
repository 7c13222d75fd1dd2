from audition.evaluators.terms import first_found, missing_terms, nearest_miss, tell, tell_missing
from audition.matching.terms import NumberTerm, RegexTerm, Term
from audition.matching.text import NormalText

TEXTS = [NormalText("The gate is north."), NormalText("It has 12 berths.")]


def test_a_term_is_found_in_any_of_the_texts() -> None:
    found = first_found(NumberTerm(number=12), TEXTS)
    assert found is not None
    assert (found.text, first_found("south", TEXTS)) == ("12", None)


def test_missing_terms_are_those_in_no_text() -> None:
    assert missing_terms(["gate", "south", NumberTerm(number=13)], TEXTS) == [
        "south",
        NumberTerm(number=13),
    ]


def test_the_nearest_miss_is_taken_over_all_texts() -> None:
    near = nearest_miss("12 births", TEXTS)
    assert near is not None
    assert "12 berths" in near.excerpt


def test_missing_terms_are_told_with_their_nearest_miss() -> None:
    terms: list[Term] = ["12 births", RegexTerm(regex="Q[0-9]")]
    told, cause = tell_missing(terms, TEXTS)
    assert told.startswith('"12 births" (nearest, 89%: ')
    assert told.endswith("; the pattern /Q[0-9]/; the text is 'It has 12 berths.'")
    assert cause == "wording"


def test_terms_are_told_in_a_row() -> None:
    assert tell(["a1", NumberTerm(number=3)]) == '"a1", the number 3'
