import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic_evals.evaluators import EvaluationResult, EvaluatorSpec
from pydantic_evals.reporting import ReportCase

from audition.errors import NewerFormat, RecordError
from audition.experiment.journal import (
    JOURNAL,
    OUTPUTS,
    Journal,
    JournalLine,
    plain_json,
    read_journal,
    read_results,
)
from audition.experiment.status import Status
from tests.experiments import failure


def line(case: str) -> JournalLine:
    return JournalLine(
        case=case,
        repeat=1,
        repeats=1,
        status=Status.PASSED,
        assertions={"says yes": True},
        seconds=0.5,
    )


def result(name: str, **fields: Any) -> ReportCase[Any, Any, Any]:
    made: ReportCase[Any, Any, Any] = ReportCase(
        name=name, inputs={"message": "?"}, metadata=None, expected_output=None, output="yes",
        metrics={}, attributes={}, scores={}, labels={}, assertions={},
        task_duration=0.5, total_duration=0.6,
    )  # fmt: skip
    return replace(made, **fields)


def written(folder: Path, *names: str) -> list[JournalLine]:
    with Journal(folder) as journal:
        return [
            journal.write(line(name), plain_json(result(name)), is_failure=False) for name in names
        ]


def test_every_line_is_there_before_the_journal_is_closed(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        journal.write(line("one"), plain_json(result("one")), is_failure=False)
        assert [kept.case for kept in read_journal(tmp_path)] == ["one"]
        journal.write(line("two"), plain_json(failure("two")), is_failure=True)
        kept = list(read_results(tmp_path))
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


def test_a_folder_keeps_one_run(tmp_path: Path) -> None:
    written(tmp_path, "one")
    with pytest.raises(FileExistsError):
        Journal(tmp_path)


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
        (b'{"format": "audition-journal", "version": 2}', NewerFormat),
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
        list(read_results(tmp_path))


def test_a_result_that_is_not_where_the_journal_says_is_told(tmp_path: Path) -> None:
    written(tmp_path, "one", "two")
    path = tmp_path / OUTPUTS
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(RecordError, match="no result of 'two' at byte"):
        list(read_results(tmp_path))


def strict(text: bytes) -> Any:
    """Return what a reader makes of it that takes no NaN, no Infinity and no broken text."""

    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    return json.loads(text.decode("utf-8"), parse_constant=refuse)


def score(value: float) -> EvaluationResult[Any]:
    source = EvaluatorSpec(name="S", arguments=None)
    return EvaluationResult(name="s", value=value, reason=None, source=source)


def test_nan_and_infinity_are_written_as_text() -> None:
    odd = result(
        "one", metrics={"m": math.inf}, attributes={"a": [math.nan]}, scores={"s": score(math.nan)}
    )
    kept = strict(plain_json(odd))
    assert (kept["metrics"], kept["attributes"]) == ({"m": "Infinity"}, {"a": ["NaN"]})
    assert kept["scores"]["s"]["value"] == "NaN"


@pytest.mark.parametrize("value", ["\ud800", b"\xff", {"\udfff": 1}, {"deep": ["x\ud800"]}])
def test_text_that_cannot_be_written_becomes_text_that_can(value: Any) -> None:
    kept = strict(plain_json(result("one", attributes={"a": value}, scores={"s": score(math.nan)})))
    assert (kept["name"], "\ufffd" in json.dumps(kept, ensure_ascii=False)) == ("one", True)
    assert kept["scores"]["s"]["value"] == "nan"


def test_an_object_that_json_does_not_know_is_written_as_its_repr() -> None:
    kept = strict(plain_json(result("one", attributes={"a": 3j})))
    assert kept["attributes"] == {"a": "3j"}
