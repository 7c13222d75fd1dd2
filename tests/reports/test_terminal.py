import pytest

from audition.reports.terminal import indented, long_line, one_line, safe


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred", "\\x1b[31mred"),
        ("\x9b31m", "\\x9b31m"),
        ("a\rb\x00\x7f", "a\\x0db\\x00\\x7f"),
        ("a\r\nb\tc\n", "a\nb\tc\n"),
        ("\u202eback", "<RIGHT-TO-LEFT OVERRIDE>back"),
        ("\u061c\u2066", "<ARABIC LETTER MARK><LEFT-TO-RIGHT ISOLATE>"),
        ("one\u2028two", "one<LINE SEPARATOR>two"),
        ("ye\u200bs\ufeff", "ye<ZERO WIDTH SPACE>s<ZERO WIDTH NO-BREAK SPACE>"),
        ("so\u00adft\u2060", "so<SOFT HYPHEN>ft<WORD JOINER>"),
        ("\U000e0041\u2065", "<TAG LATIN CAPITAL LETTER A><U+2065>"),
        ("é 漢 🚢", "é 漢 🚢"),
    ],
)
def test_control_and_direction_characters_are_shown_not_sent(text: str, shown: str) -> None:
    assert safe(text) == shown


def test_a_line_is_one_line_of_bounded_length() -> None:
    assert one_line(" a\n\n b\tc ") == "a b c"
    assert one_line("x" * 300, 10) == "xxxxxxx..."


def test_a_text_is_indented_and_cut_in_its_middle() -> None:
    assert indented("a\nb", "> ") == "> a\n> b"
    cut = indented("a" * 50 + "b" * 50, "", 20)
    assert cut == "aaaaaaaaaa\n[... 80 characters left out]\nbbbbbbbbbb"
    cut = indented("one\ntwo three\nfour five\nsix\n", "", 20)
    assert cut == "one\n[... 21 characters left out]\nsix\n"


def test_a_long_line_is_cut_between_lines_and_says_how_much_is_left_out() -> None:
    assert long_line("one\n two", 10) == "one two"
    assert long_line("one\ntwo three", 10) == "one [... 10 characters left out]"
    assert long_line("a" * 15, 10) == "aaaaaaaaaa [... 5 characters left out]"
