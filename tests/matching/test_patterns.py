import time

import pytest

from audition.matching.patterns import check_pattern, find_pattern, matched_text


def found(pattern: str, text: str) -> str | None:
    span = find_pattern(pattern, text)
    return None if span is None else text[slice(*span)]


@pytest.mark.parametrize(
    ("pattern", "text", "place"),
    [
        (r"BK-\d{4}", "your code is BK-2045, keep it", "BK-2045,"),
        (r"(?i)north gate", "at the NORTH GATE now", "NORTH GATE"),
        (r"\bcat\b", "catalog cat", "cat"),
        (r"gate\s+7", "gate 6\r\nthe gate  7 is open\r\n", "gate  7"),
        (r"^\s+7$", "  7", "  7"),
        (r"one\ntwo", "zero\none\ntwo", "zero\none\ntwo"),
        (r"gate", "the ga\ud800te, the gate", "gate"),
        (r"\d+", "room \uff11\uff12", "\uff11\uff12"),
        (r"BK-\d", "BK-x", None),
        (r"north", "NORTH", None),
    ],
)
def test_a_pattern_is_found_with_the_whole_words_around_it(
    pattern: str, text: str, place: str | None
) -> None:
    assert found(pattern, text) == place


@pytest.mark.parametrize(
    ("pattern", "problem"),
    [
        ("(", "is not valid: unclosed group"),
        ("gate(?= 7)", "is not valid: look-around, including look-ahead"),
        (r"(.)\1", "is not valid: backreferences are not supported"),
        ("a{1000}{1000}", "is not valid: Compiled regex exceeds size limit"),
        ("", "matches the empty text, so it would match anything"),
        ("a*", "matches the empty text, so it would match anything"),
    ],
)
def test_a_pattern_that_cannot_be_meant_is_refused(pattern: str, problem: str) -> None:
    with pytest.raises(ValueError, match=r"the pattern ") as refused:
        check_pattern(pattern)
    assert problem in str(refused.value)


def test_a_good_pattern_is_given_back() -> None:
    assert check_pattern(r"\d+") == r"\d+"


def test_no_pattern_hangs_on_any_text() -> None:
    started = time.perf_counter()
    assert find_pattern("(a+)+(a|aa)+$z|b", "a" * 1_000_000) is None
    assert time.perf_counter() - started < 2  # milliseconds; a backtracking engine never ends


@pytest.mark.parametrize(
    ("pattern", "text", "matched"),
    [
        ("BK-[0-9]+", "it is BK-1, then BK-22", "BK-1"),
        ("a.*c", "first\nxx abcbc yy\nlast", "abcbc"),
        ("(?s)a.*c", "a\nb\nc d", "a\nb\nc"),
        (r"\bcat\b", "concat a cat", "cat"),
        ("dog$", "hot dog", "dog"),
        ("x+", "\ud800xx", "xx"),
        ("y", "xx", None),
    ],
)
def test_what_a_pattern_matches(pattern: str, text: str, matched: str | None) -> None:
    assert matched_text(pattern, text) == matched


def test_in_a_long_line_whole_words_are_what_matches() -> None:
    assert matched_text("b[0-9]", f"{'a ' * 5_000}ab1c {'d ' * 5_000}") == "ab1c"


def test_in_many_lines_the_line_that_matches_is_found() -> None:
    text = "\n" * 1000 + "berth 6 free\n" * 1000 + "berth 7 is free\n" + "\n" * 1000
    start, end = find_pattern("berth 7 .*", text) or (0, 0)
    assert text[start:end] == "berth 7 is"


def test_a_match_over_the_lines_of_two_blocks_is_the_whole_text() -> None:
    text = "x\n" * 255 + "north\ngate\n" + "x\n" * 300
    assert find_pattern("north\ngate", text) == (0, len(text))
    assert find_pattern("x\nnorth\ngate\nx", text) == (0, len(text))
