"""The secrets in files of every kind. Every secret here is made up."""

from pathlib import Path

import pytest

from audition.errors import RecordError
from audition.redaction.files import leaks


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("one\ntwo password=hunter2\n", [":2: password"]),
        ('{"a": [\n{"api_key": "k-1"}]}', [" /a/0/api_key: key"]),
        (
            '{}\n{"api_key": "k-1"}\n{"torn": "Bearer fiction-12345',
            [":2 /api_key: key", ":3: token"],
        ),
        ("db:\n  password: hunter2\n", [":2: password"]),
        ("export OPENAI_API_KEY=fiction\n", [":1: key"]),
        ("-----BEGIN PRIVATE KEY-----\nRklDVElPTg==\n", [":1: private-key"]),
        ("The password reset link was sent.", []),
        ("", []),
    ],
)
def test_places_are_told_as_the_file_has_them(
    tmp_path: Path, content: str, told: list[str]
) -> None:
    path = tmp_path / "file"
    path.write_text(content)
    assert [str(leak).removeprefix(str(path)) for leak in leaks(path)] == told


def test_bytes_that_are_no_text_are_looked_through(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    path.write_bytes(b"\x00\xff\xfe password=hunter2\x00")
    assert [leak.kind for leak in leaks(path)] == ["password"]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_file_with_a_byte_order_mark_is_read_as_it_says(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "marked.jsonl"
    path.write_text('{"body": "{\\"api_key\\": \\"k-1\\"}"}\n{}\n', encoding)
    assert [str(leak).removeprefix(str(path)) for leak in leaks(path)] == [":1 /body#/api_key: key"]


def test_what_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="No such file"):
        list(leaks(tmp_path / "nothing"))
