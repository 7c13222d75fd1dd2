"""Frames are walked through, and found again at their places."""

import io
from pathlib import Path

import pytest

from audition.errors import RecordError
from audition.sources.frames import Document, Frames, JsonLines


@pytest.mark.parametrize(
    ("frames", "lines"),
    [
        (Document(["a", 7, None]), [None, None, None]),
        (JsonLines("a", io.BytesIO(b'"a"\n\n7\r\nnull')), [0, 2, 3]),
    ],
)
def test_frames_are_found_again_at_their_places(frames: Frames, lines: list[int | None]) -> None:
    found = list(frames)
    assert found == list(frames)
    assert [(frame.value, frame.line) for frame in found] == [
        *zip(["a", 7, None], lines, strict=True)
    ]
    assert frames.at([found[2].place, found[0].place]) == [None, "a"]


def test_what_is_broken_is_told_once_however_often_it_is_read() -> None:
    lines = JsonLines("a", io.BytesIO(b'7\n{\n{"a": 1'))
    for _ in range(2):
        assert [frame.value for frame in lines] == [7]
        told = [(one.index, one.reason.partition(":")[0]) for one in lines.broken]
        assert told == [(1, "line 2, no JSON"), (2, "line 3, incomplete JSON")]


def test_a_file_that_is_changed_while_it_is_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("7\n8\n", "utf-8")
    with path.open("rb") as stream:
        lines = JsonLines("a", stream)
        places = [frame.place for frame in lines]
        path.write_text("x" * 1000, "utf-8")
        with pytest.raises(RecordError, match="a: changed while it was read"):
            lines.at(places)


def test_a_file_that_grows_beyond_the_bound_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("audition.sources.frames.MAX_BYTES", 10)
    assert len(list(JsonLines("a", io.BytesIO(b"7\n8\n\n12345")))) == 3
    with pytest.raises(RecordError, match="a: is longer than 10 bytes"):
        list(JsonLines("a", io.BytesIO(b"7\n8\n\n123456")))
