"""`audition add-case`: failures become cases."""

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.datasets import write
from tests.cli.doors import Door

RECORDED = Path(__file__).parents[1] / "recordings" / "kagent" / "demo"


def failed_run(audition: Door, desk: Path, *names: str) -> Path:
    audition("run", write(desk, *names), cwd=desk)
    (folder,) = desk.glob("eval-reports/desk/*")
    return folder


def test_a_failure_of_a_run_fails_again_as_a_case(audition: Door, desk: Path) -> None:
    folder = failed_run(audition, desk, "good day", "bad day")
    done = audition("add-case", "--from", folder, cwd=desk)
    assert (done.code, done.out) == (0, f"{desk / 'kept-retrieval.yaml'}: bad day\n")
    text = (desk / "kept-retrieval.yaml").read_text("utf-8")
    assert ("application: desk" in text, f"kept_from: desk {folder.name}" in text) == (True, True)
    again = audition("run", "kept-retrieval.yaml", "--tag", "kept", cwd=desk)
    assert (again.code, "1 failed of 1" in again.out) == (1, True)
    twice = audition("add-case", "--from", folder, cwd=desk)
    assert (twice.code, "give each case a name of its own with --name" in twice.err) == (2, True)


def test_a_native_report_will_do(audition: Door, desk: Path) -> None:
    folder = failed_run(audition, desk, "good day", "bad day")
    shutil.copy(folder / "report.json", desk / "report.json")
    call = ["--from", "report.json", "--case", "good day", "--to", "new.json", "--name", "fine"]
    done = audition("add-case", *call, cwd=desk)
    assert (done.code, audition("run", "new.json", cwd=desk).code) == (0, 0)
    (case,) = json.loads((desk / "new.json").read_text("utf-8"))["cases"]
    assert (case["name"], case["message"]) == ("fine", "good day")


def test_a_case_that_stands_in_the_dataset_is_not_added_to_it(audition: Door, desk: Path) -> None:
    folder = failed_run(audition, desk, "bad day")
    before = (desk / "desk.json").read_bytes()
    for more in ([], ["--name", "another"]):
        done = audition("add-case", "--from", folder, "--to", "desk.json", *more, cwd=desk)
        assert done.code == 2
    assert (desk / "desk.json").read_bytes() == before


def test_a_session_becomes_a_recording_and_a_case(audition: Door, tmp_path: Path) -> None:
    for kind in ("grounded", "wrong-city"):
        session = RECORDED / f"weather-{kind}.jsonl"
        done = audition("add-case", "--from", session, "--to", "golden.yaml", cwd=tmp_path)
        assert (done.code, done.out) == (0, f"golden.yaml: weather-{kind}\n")
        assert "read it before you share it" in done.err
    assert audition("validate", "--strict", "golden.yaml", cwd=tmp_path).code == 0
    assert audition("run", "golden.yaml", cwd=tmp_path).code == 0


def test_a_judged_session_keeps_what_it_failed(audition: Door, tmp_path: Path) -> None:
    case = {
        "name": "one",
        "evaluators": [{"type": "called_required_tools", "required_tools": ["ask"], "id": "asks"}],
        "extra_tool_denylist": ["other"],
    }
    data = {"version": 2, "task": "session", "name": "golden", "cases": [case]}
    (tmp_path / "golden.json").write_text(json.dumps(data), "utf-8")
    session = RECORDED / "weather-ungrounded.jsonl"
    assert audition("run", "golden.json", "--session", session, cwd=tmp_path).code == 1
    (folder,) = tmp_path.glob("eval-reports/golden/*")
    done = audition("add-case", "--from", folder, "--to", "kept.json", cwd=tmp_path)
    assert done.code == 0, done.err
    (kept,) = json.loads((tmp_path / "kept.json").read_text("utf-8"))["cases"]
    assert (kept["session"], kept["evaluators"], kept["extra_tool_denylist"]) == (
        "recordings/one.jsonl",
        case["evaluators"],
        ["other"],
    )
    assert audition("run", "kept.json", cwd=tmp_path).code == 1


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--from", "gone.jsonl"], "gone.jsonl: No such file or directory"),
        (["--from", "."], "no run is in it"),
        (["--from", "desk.json"], "no session that is known here"),
        (["--from", str(RECORDED / "weather-grounded.jsonl"), "--case", "x"], "wanted a report"),
        (["--from", "{run}", "--session", "s"], "wanted a session, for an id of one"),
        (["--from", "{run}", "--case", "bad"], "did you mean 'bad day'?"),
    ],
)
def test_what_is_no_failure_ends_with_2(
    audition: Door, desk: Path, arguments: list[str], told: str
) -> None:
    folder = failed_run(audition, desk, "bad day")
    call = [one.replace("{run}", str(folder)) for one in arguments]
    done = audition("add-case", *call, cwd=desk)
    assert (done.code, told in done.err) == (2, True), done.err
