"""The first line says what a file is, or why it cannot be read."""

from pathlib import Path

import pytest

from audition.errors import NewerFormat, RecordError
from audition.headers import check_header

PATH = Path("a.jsonl")


def check(line: bytes) -> object:
    return check_header(PATH, line, file_format="audition-x", version=2)


def test_a_header_is_returned_whole() -> None:
    line = b'{"format":"audition-x","version":1,"more":[1]}'
    assert check(line) == {"format": "audition-x", "version": 1, "more": [1]}


@pytest.mark.parametrize("line", [b"", b"{torn", b"[]", b'{"format":"audition-y","version":1}'])
def test_what_is_no_header_is_refused_with_its_line(line: bytes) -> None:
    with pytest.raises(RecordError) as refused:
        check(line)
    told = "a.jsonl:1: the first line must be a header with format 'audition-x'"
    assert str(refused.value) == told


@pytest.mark.parametrize("version", ["3", "null", '"next"'])
def test_a_newer_version_is_refused_by_name(version: str) -> None:
    with pytest.raises(NewerFormat, match="this version reads up to 2"):
        check(f'{{"format":"audition-x","version":{version}}}'.encode())
