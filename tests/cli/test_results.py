import csv
import json
import xml.etree.ElementTree as ET
from io import StringIO
from pathlib import Path

import pytest

from audition.cli.results import ResultFormat, print_results
from tests.cli.datasets import run_folder, write
from tests.cli.doors import Door
from tests.told_runs import six

BEGINNINGS = {
    ResultFormat.TABLE: "broken: error",
    ResultFormat.JSON: '{\n  "format": "audition-results"',
    ResultFormat.JUNIT: "<?xml",
    ResultFormat.MARKDOWN: "## Audition: <code>small</code>",
    ResultFormat.GITHUB: "::error file=datasets/small.yaml,title=broken",
    ResultFormat.CSV: "case,repeat,",
}


def printed(form: ResultFormat) -> str:
    out = StringIO()
    print_results(six(), form, out)
    return out.getvalue()


@pytest.mark.parametrize("form", ResultFormat)
def test_each_format_is_printed(form: ResultFormat, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    assert printed(form).startswith(BEGINNINGS[form])


def test_a_job_summary_is_added_to_the_file_of_the_runner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary = tmp_path / "summary.md"
    summary.write_text("before\n", "utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    out = printed(ResultFormat.GITHUB)
    assert out.count("::") == out.count("\n") * 2
    assert summary.read_text("utf-8") == f"before\n{printed(ResultFormat.MARKDOWN)}"


def test_a_job_summary_that_is_full_already_gets_nothing_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary = tmp_path / "summary.md"
    summary.write_bytes(b"x" * 1024 * 1024)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    printed(ResultFormat.GITHUB)
    assert summary.stat().st_size == 1024 * 1024


def test_without_a_runner_the_job_summary_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "")
    assert printed(ResultFormat.GITHUB).endswith(printed(ResultFormat.MARKDOWN))


def test_a_job_summary_that_cannot_be_written_is_told_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path))
    with pytest.raises(OSError, match="Is a directory") as error:
        printed(ResultFormat.GITHUB)
    assert error.value.filename == str(tmp_path)


@pytest.mark.parametrize("form", ["table", "json", "junit", "markdown", "csv"])
def test_a_run_is_shown_as_it_was_printed_and_with_its_exit_code(
    audition: Door, desk: Path, form: str
) -> None:
    path = write(desk, "good day", "bad day", "break it")
    ran = audition("run", path, "--format", form, "--repeat", "2", cwd=desk)
    told = audition("show", run_folder(desk), "--format", form, cwd=desk)
    assert (ran.code, told.code, told.out) == (3, 0, ran.out)


def test_the_formats_of_a_run_tell_each_repeat_of_each_case(audition: Door, desk: Path) -> None:
    path = write(desk, "good day", "bad day", "break it")
    junit = audition("run", path, "--format", "junit", "--repeat", "2", cwd=desk)
    names = [one.get("name") for one in ET.fromstring(junit.out).iter("testcase")]  # noqa: S314  # our own text
    assert names == [
        *("break it [1/2]", "break it [2/2]", "bad day [1/2]", "bad day [2/2]"),
        *("good day [1/2]", "good day [2/2]"),
    ]
    rows = audition("show", run_folder(desk), "--format", "csv", cwd=desk).out
    records = [(one["case"], one["repeat"], one["tags"]) for one in csv.DictReader(StringIO(rows))]
    assert records[0] == ("break it", "1", "break")
    assert len(records) == 6


def test_what_a_limit_left_out_is_named(audition: Door, desk: Path) -> None:
    path = write(desk, "bad day", "good day", "good night")
    options = ("--fail-fast", "--max-concurrency", "1")
    done = audition("run", path, *options, "--format", "json", cwd=desk)
    data = json.loads(done.out)
    assert (data["not_run"], [one["case"] for one in data["not_run_cases"]]) == (
        2, ["good day", "good night"]
    )  # fmt: skip
    shown = audition("show", run_folder(desk), "--format", "junit", cwd=desk).out
    assert shown.count('<skipped message="not run"/>') == 2
