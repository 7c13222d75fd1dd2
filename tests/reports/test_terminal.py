import pytest

from audition.reports.terminal import indented, one_line, safe


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
    assert cut == "aaaaaaaaaa\n[... 80 characters]\nbbbbbbbbbb"
