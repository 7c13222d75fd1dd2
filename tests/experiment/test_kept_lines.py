import json
import re
from pathlib import Path
from typing import Any

import pytest

from audition.errors import NewerFormat, RecordError
from audition.experiment.journal import JOURNAL, OUTPUTS, plain_json
from audition.experiment.journal_writer import Journal
from audition.experiment.kept_lines import (
    lines_at,
    read_journal,
    read_places,
    split_output,
    standing_lines,
    standing_places,
    standing_results,
)
from audition.experiment.plan import plan_head, planned_cases, write_plan
from audition.experiment.status import Status
from tests.experiments import dataset, failure
from tests.journals import line, result, written


def test_every_line_is_there_before_the_journal_is_closed(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        journal.write(line("one"), plain_json(result("one")), is_failure=False)
        assert [kept.case for kept in read_journal(tmp_path)] == ["one"]
        journal.write(line("two"), plain_json(failure("two")), is_failure=True)
        kept = list(standing_results(tmp_path))
        assert [(one.line.case, one.is_failure) for one in kept] == [("one", False), ("two", True)]


def test_an_older_line_without_what_models_used_is_read(tmp_path: Path) -> None:
    (kept,) = written(tmp_path, "one")
    journal = tmp_path / JOURNAL
    left_out = ',"cost_usd":null,"input_tokens":null,"output_tokens":null'
    text = journal.read_text("utf-8")
    assert left_out in text
    for older in ("", ',"input_tokens":0,"output_tokens":0'):
        journal.write_text(text.replace(left_out, older), "utf-8")
        (read,) = read_journal(tmp_path)
        assert (read.offset, read.input_tokens) == (kept.offset, 0 if older else None)


def test_a_line_says_where_its_result_is(tmp_path: Path) -> None:
    lines = written(tmp_path, "one", "zwei \u00e9", "three")
    content = (tmp_path / OUTPUTS).read_bytes()
    for one in lines:
        kept = json.loads(content[one.offset : one.offset + one.length])
        assert (kept["kind"], kept["result"]["name"]) == ("case", one.case)
    assert lines[-1].offset + lines[-1].length == len(content)
    assert list(read_journal(tmp_path)) == lines


def test_a_torn_last_line_is_left_out(tmp_path: Path) -> None:
    written(tmp_path, "one", "two")
    path = tmp_path / JOURNAL
    path.write_bytes(path.read_bytes()[:-20])
    assert [one.case for one in read_journal(tmp_path)] == ["one"]


@pytest.mark.parametrize("content", [b"", b"half", b'{"case": "three"'])
def test_whatever_a_crash_left_of_the_last_line_is_left_out(tmp_path: Path, content: bytes) -> None:
    written(tmp_path, "one", "two")
    with (tmp_path / JOURNAL).open("ab") as stream:
        stream.write(content)
    assert [one.case for one in read_journal(tmp_path)] == ["one", "two"]


def test_a_corrupt_line_in_the_middle_is_told_with_its_number(tmp_path: Path) -> None:
    written(tmp_path, "one", "two", "three")
    path = tmp_path / JOURNAL
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([*lines[:2], b"{broken", *lines[3:]]))
    with pytest.raises(RecordError, match=rf"{JOURNAL}:3: no line of a journal") as error:
        list(read_journal(tmp_path))
    assert error.value.line == 3


def test_a_corrupt_last_line_that_was_ended_is_told_too(tmp_path: Path) -> None:
    written(tmp_path, "one")
    with (tmp_path / JOURNAL).open("ab") as stream:
        stream.write(b"{broken\n")
    with pytest.raises(RecordError, match=":3: "):
        list(read_journal(tmp_path))


@pytest.mark.parametrize(
    ("header", "kind"),
    [
        (b'{"format": "audition-journal", "version": 3}', NewerFormat),
        (b'{"format": "audition-journal"}', NewerFormat),
        (b'{"format": "audition-outputs", "version": 1}', RecordError),
        (b"[]", RecordError),
        (b"", RecordError),
    ],
)
def test_a_journal_of_another_format_is_refused(
    tmp_path: Path, header: bytes, kind: type[RecordError]
) -> None:
    (tmp_path / JOURNAL).write_bytes(header + b"\n")
    with pytest.raises(kind):
        list(read_journal(tmp_path))


def test_a_missing_journal_and_missing_results_are_told(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"journal\.jsonl: No such file"):
        list(read_journal(tmp_path))
    written(tmp_path, "one")
    (tmp_path / OUTPUTS).unlink()
    with pytest.raises(RecordError, match=r"outputs\.jsonl: No such file"):
        list(standing_results(tmp_path))


def test_a_result_that_is_not_where_the_journal_says_is_told(tmp_path: Path) -> None:
    written(tmp_path, "one", "two")
    path = tmp_path / OUTPUTS
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(RecordError, match="no result at byte"):
        list(standing_results(tmp_path))


@pytest.mark.parametrize("place", [(10**30, 5), (0, 10**15), (10**15, 10**30)])
def test_a_place_that_no_file_has_is_told(tmp_path: Path, place: tuple[int, int]) -> None:
    written(tmp_path, "one")
    with pytest.raises(RecordError, match=f"no result at byte {place[0]}"):
        list(read_places(tmp_path, [place]))


def test_a_place_before_the_file_is_told(tmp_path: Path) -> None:
    written(tmp_path, "one")
    path = tmp_path / JOURNAL
    path.write_text(re.sub(r'"offset":\d+', '"offset":-5', path.read_text("utf-8")), "utf-8")
    with pytest.raises(RecordError, match="greater than or equal to 0"):
        list(standing_results(tmp_path))


def test_a_journal_of_version_1_is_read(tmp_path: Path) -> None:
    text = plain_json(result("one"))
    whole = b'{"kind":"case","result":' + text + b"}\n"
    head = json.dumps({"format": "audition-outputs", "version": 1}).encode() + b"\n"
    (tmp_path / OUTPUTS).write_bytes(head + whole)
    old: dict[str, Any] = {
        "case": "one", "repeat": 1, "repeats": 1, "position": 0, "status": "passed",
        "assertions": {}, "seconds": None, "offset": len(head), "length": len(whole),
    }  # fmt: skip
    lines = [{"format": "audition-journal", "version": 1}, old]
    (tmp_path / JOURNAL).write_text("".join(f"{json.dumps(one)}\n" for one in lines), "utf-8")
    (kept,) = standing_results(tmp_path)
    assert (kept.line.case, kept.text) == ("one", text)


def test_a_result_that_holds_what_looks_like_its_end_is_split_where_it_ends(tmp_path: Path) -> None:
    tricky = plain_json(result("one", attributes={"result": ',"line":{}}'}))
    with Journal(tmp_path) as journal:
        journal.write(line("one"), tricky, is_failure=False)
    (kept,) = standing_results(tmp_path)
    assert kept.text == tricky


@pytest.mark.parametrize(
    "whole", [b"", b"{}\n", b'{"kind":"case","bytes":5,"result":{},"line":{}}\n', b"\xff\n"]
)
def test_what_is_no_whole_result_is_not_split(whole: bytes) -> None:
    with pytest.raises(ValueError, match=r"^$"):
        split_output(whole)


@pytest.mark.parametrize(
    ("statuses", "standing"),
    [
        (["passed"], 1),
        (["error", "passed"], 2),
        (["error", "error"], 2),
        (["failed", "passed"], 1),
        (["error", "failed", "passed"], 2),
    ],
)
def test_a_later_attempt_stands_for_an_error_and_for_nothing_that_was_measured(
    tmp_path: Path, statuses: list[str], standing: int
) -> None:
    lines = [
        line("one", status=Status(status), attempt=number)
        for number, status in enumerate(statuses, start=1)
    ]
    written(tmp_path, *lines)
    (stands,) = standing_lines(tmp_path)
    assert stands.attempt == standing


def test_a_line_of_a_case_that_is_another_now_does_not_count(tmp_path: Path) -> None:
    loaded = dataset(tmp_path, {"one": {}, "two": {}})
    one, two = planned_cases(loaded)
    write_plan(tmp_path, plan_head(loaded), [one, two])
    written(
        tmp_path,
        line("one", case_id=one.case_id, fingerprint="another"),
        line("two", case_id=two.case_id, fingerprint=two.fingerprint),
    )
    assert [kept.case for kept in standing_lines(tmp_path)] == ["two"]


def test_lines_are_read_in_another_order_by_their_places(tmp_path: Path) -> None:
    lines = [line("one", position=2), line("two", position=0), line("three", position=1)]
    kept = written(tmp_path, *lines)
    places = standing_places(tmp_path, lambda one: (0, one.position))
    assert list(lines_at(tmp_path, places)) == [kept[1], kept[2], kept[0]]
    assert standing_places(tmp_path) == sorted(places)


def test_a_journal_that_went_away_meanwhile_is_told(tmp_path: Path) -> None:
    written(tmp_path, "one")
    places = standing_places(tmp_path)
    (tmp_path / JOURNAL).unlink()
    with pytest.raises(RecordError, match=r"journal\.jsonl: No such file"):
        list(lines_at(tmp_path, places))
