from knowledge_team.failures import MAX_LINE, failure_line


def test_an_error_is_one_line() -> None:
    assert failure_line(ValueError("two\n  lines"), {}) == "ValueError: two lines"


def test_an_error_without_text_is_its_class() -> None:
    assert failure_line(TimeoutError(), {}) == "TimeoutError"


def test_a_long_text_is_cut() -> None:
    assert len(failure_line(ValueError("x" * 9000), {})) == MAX_LINE + 1


def test_secrets_of_the_environment_are_replaced() -> None:
    environ = {"OPENAI_API_KEY": "pier-key-12345678", "HOME": "/home/dockhand"}
    line = failure_line(PermissionError("refused pier-key-12345678 of /home/dockhand"), environ)
    assert line == "PermissionError: refused [OPENAI_API_KEY] of /home/dockhand"


def test_a_short_value_is_no_secret() -> None:
    assert failure_line(ValueError("a b c"), {"SORT_KEY": "b"}) == "ValueError: a b c"
