import pytest

from audition.datasets.other_formats import advice


@pytest.mark.parametrize(
    ("task", "pointer", "told"),
    [
        ("retrieval", "/cases/0/turns", "write `task: conversation` for several turns"),
        ("conversation", "/cases/12/message", "give it to a turn: `turns: [{message: ...}]`"),
        ("conversation", "/cases/0/target", "give it to a turn: `turns: [{message: ..., target"),
        ("retrieval", "/cases/0/session", "it is of task session, which judges recordings"),
        ("conversation", "/source", "it is of task session, which judges recordings"),
        ("session", "/cases/0/message", "to ask a team write `task: retrieval` and no `session`"),
        ("session", "/cases/0/turns", "to ask a team write `task: conversation`"),
        ("session", "/knowledge", "remove it: nobody is asked"),
    ],
)
def test_a_field_of_another_format_is_told_with_what_to_write(
    task: str, pointer: str, told: str
) -> None:
    assert told in (advice(task, pointer) or "")


@pytest.mark.parametrize(
    ("task", "pointer"),
    [
        ("retrieval", "/cases/0/mesage"),
        ("retrieval", "/cases/0/evaluators/0/turns"),
        ("retrieval", "/knowlege"),
        ("conversation", "/cases/0"),
    ],
)
def test_a_field_that_no_format_has_there_is_told_otherwise(task: str, pointer: str) -> None:
    assert advice(task, pointer) is None
