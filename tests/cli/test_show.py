import json
from pathlib import Path

import pytest

from audition.experiment.journal import OUTPUTS
from tests.cli.datasets import run_folder, write
from tests.cli.doors import Door


@pytest.fixture
def report(audition: Door, desk: Path) -> Path:
    """Return the native report of a run with a good, a bad and a broken case."""
    path = write(desk, "good day", "bad day", "break it")
    audition("run", path, "--report", "report.json", "--repeat", "1", cwd=desk)
    return desk / "report.json"


def test_without_a_case_the_table_of_the_run_is_told(audition: Door, desk: Path) -> None:
    path = write(desk, "good day", "bad day", "break it")
    ran = audition("run", path, "--report", "report.json", cwd=desk)
    (folder,) = (desk / "eval-reports" / "desk").iterdir()
    told = audition("show", folder, cwd=desk)
    assert (told.code, told.out) == (0, ran.out)
    assert audition("show", "report.json", cwd=desk).out.split("\n")[-2] == ran.out.split("\n")[-2]


def test_a_run_that_was_killed_is_told_from_what_it_kept(
    audition: Door, desk: Path, report: Path
) -> None:
    (folder,) = (desk / "eval-reports" / "desk").iterdir()
    (folder / "report.json").unlink()
    assert "1 passed of 3" in audition("show", folder, cwd=desk).out
    assert "FAIL says yes (must)" in audition("show", folder, "bad day", cwd=desk).out


def test_one_case_is_told_with_what_each_check_saw(
    audition: Door, desk: Path, report: Path
) -> None:
    done = audition("show", report, "bad day", cwd=desk)
    assert done.out.startswith("case bad day: 1 of 2 assertions hold, first failing layer answer")
    assert "FAIL says yes (must) [answer: omitted]" in done.out
    assert "looked at: no \\x1b[2J" in done.out
    assert "\x1b" not in done.out


def test_the_inventory_of_a_case_is_told_from_a_report_and_from_a_folder(
    audition: Door, desk: Path, report: Path
) -> None:
    (folder,) = (desk / "eval-reports" / "desk").iterdir()
    (metrics,) = [case["metrics"] for case in json.loads(report.read_text("utf-8"))["cases"]
                  if case["name"] == "bad day"]  # fmt: skip
    assert metrics["messages"] > 0
    for kept in (report, folder):
        told = audition("show", kept, "bad day", cwd=desk).out
        assert f"\nmetrics\n  all: messages {metrics['messages']}, tool_calls 0, " in told


def test_the_folder_of_a_run_is_a_report_too(audition: Door, desk: Path, report: Path) -> None:
    (folder,) = (desk / "eval-reports" / "desk").iterdir()
    assert audition("show", folder, "good day", cwd=desk).out.startswith("case good day: 2 of 2")


def test_an_unknown_case_ends_with_2_and_names_the_one_that_was_meant(
    audition: Door, desk: Path, report: Path
) -> None:
    done = audition("show", report, "good dya", cwd=desk)
    assert (done.code, done.out) == (2, "")
    assert "case: found 'good dya'; did you mean 'good day'? wanted one of" in done.err


def test_all_repeats_of_a_case_are_told(audition: Door, desk: Path) -> None:
    audition("run", write(desk, "good day"), "--report", "r.json", "--repeat", "2", cwd=desk)
    done = audition("show", "r.json", "good day", cwd=desk)
    assert done.out.count("case good day [") == 2
    (folder,) = (desk / "eval-reports" / "desk").iterdir()
    assert audition("show", folder, "good day", cwd=desk).out == done.out
    assert audition("show", "r.json", "good day [2/2]", cwd=desk).out.count("case good day [") == 1


def test_a_task_that_raised_is_told(audition: Door, desk: Path, report: Path) -> None:
    data = json.loads(report.read_text("utf-8"))
    failure = {"name": "lost", "inputs": None, "metadata": None, "expected_output": None,
               "error_message": "down \x1b[31m", "error_stacktrace": "line 3"}  # fmt: skip
    report.write_text(json.dumps({**data, "failures": [failure]}), "utf-8")
    listed = audition("show", report, cwd=desk)
    assert "lost: error\n  the task raised down \\x1b[31m" in listed.out
    told = audition("show", report, "lost", cwd=desk)
    assert told.out == "case lost: the task raised down \\x1b[31m\n\n  line 3\n"


@pytest.mark.parametrize("application", ["1 / 0", "application = 5"])
def test_a_report_is_told_though_its_application_is_broken(
    audition: Door, desk: Path, report: Path, application: str
) -> None:
    (desk / "desk_application.py").write_text(application, "utf-8")
    done = audition("show", report, "bad day", cwd=desk)
    assert (done.code, "FAIL says yes (must) [answer: omitted]" in done.out) == (0, True)
    assert "what it adds is not known here" in done.err


def test_a_report_can_be_told_anywhere(
    audition: Door, desk: Path, report: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "pyproject.toml").write_text("[tool.audition]\n", "utf-8")
    assert audition("show", report, "bad day", cwd=elsewhere).code == 0


def test_what_is_no_report_ends_with_2(audition: Door, desk: Path) -> None:
    done = audition("show", write(desk, "good day"), cwd=desk)
    assert (done.code, "no native report" in done.err) == (2, True)
    for wrong in ("gone.json", "/dev/zero", "x" * 300):
        done = audition("show", wrong, cwd=desk)
        assert (done.code, "Traceback" in done.err, wrong in done.err) == (2, False, True)


def test_a_case_is_told_as_text_alone(audition: Door, desk: Path, report: Path) -> None:
    done = audition("show", report, "bad day", "--format", "junit", cwd=desk)
    assert (done.code, done.out) == (2, "")
    assert "--format: found 'junit'; wanted it without a CASE" in done.err


def test_of_one_case_no_other_is_read(audition: Door, desk: Path, report: Path) -> None:
    folder = run_folder(desk)
    outputs = (folder / OUTPUTS).read_bytes().split(b"\n")
    broken = [b"x" * len(one) if b"good day" in one else one for one in outputs]
    (folder / OUTPUTS).write_bytes(b"\n".join(broken))
    assert audition("show", folder, "bad day", cwd=desk).code == 0
    assert "1 passed of 3" in audition("show", folder, cwd=desk).out
    lost = audition("show", folder, "good day", cwd=desk)
    assert (lost.code, "no result at byte" in lost.err) == (2, True)


def test_the_chat_messages_of_a_run_are_shown(audition: Door, desk: Path, report: Path) -> None:
    told = audition("show", run_folder(desk), "--show-trajectory", cwd=desk).out
    assert "    user: bad day\n    assistant @Manager: no \\x1b[2J\n" in told


def test_what_the_repeats_show_is_told_of_a_folder_and_of_a_report(
    audition: Door, desk: Path
) -> None:
    path = write(desk, "good day", "bad day", "break it")
    audition("run", path, "--report", "r.json", "--repeat", "2", cwd=desk)
    (folder,) = (desk / "eval-reports" / "desk").iterdir()
    for kept in (folder, "r.json"):
        done = audition("show", kept, "--repeats", cwd=desk)
        assert done.code == 0
        assert done.out.startswith("4 repeats of 2 of 3 cases were measured; in no number below: 2")
        assert "  2  50.0%" in done.out
        assert "1 failing\n  bad day: 0 of 2 passed" in done.out


@pytest.mark.parametrize("more", [["bad day"], ["--format", "json"], ["--show-trajectory"]])
def test_the_repeats_of_all_cases_are_told_in_one_form(
    audition: Door, desk: Path, report: Path, more: list[str]
) -> None:
    done = audition("show", run_folder(desk), *more, "--repeats", cwd=desk)
    assert (done.code, done.out) == (2, "")
    assert "wanted --repeats without it" in done.err
