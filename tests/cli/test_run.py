import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from audition.experiment.kept_lines import read_journal
from audition.experiment.native_report import REPORT, load_report
from tests.cli.datasets import run_folder, write
from tests.cli.doors import Done, Door

RECORDED = Path(__file__).parents[1] / "recordings" / "kagent" / "demo"
OLDER = Path(__file__).parents[1] / "cases" / "older-rag-components.json"


def test_a_run_that_passes_ends_with_0(audition: Door, desk: Path) -> None:
    done = audition("run", write(desk, "good day"), cwd=desk)
    assert (done.code, done.out.split("\n")[-2]) == (0, "1 passed of 1: passed (exit 0)")
    assert done.err.startswith("passed good day")
    assert [line.case for line in read_journal(run_folder(desk))] == ["good day"]


def test_a_failed_assertion_ends_with_1(audition: Door, desk: Path) -> None:
    done = audition("run", write(desk, "good day", "bad day"), cwd=desk)
    assert done.code == 1
    assert done.out.startswith("bad day: failed, first failing layer answer: omitted")
    assert "\x1b" not in done.out + done.err


def test_a_case_that_breaks_ends_with_3_unless_it_is_tolerated(audition: Door, desk: Path) -> None:
    path = write(desk, "good day", "break it")
    done = audition("run", path, cwd=desk)
    assert (done.code, "the model is gone" in done.out) == (3, True)
    assert audition("run", path, "--tolerate-errors", "0.5", cwd=desk).code == 0


def test_what_was_not_evaluated_ends_with_4(audition: Door, desk: Path) -> None:
    bare = [{"name": "bare", "message": "good"}]
    without = {"name": "retrieval", "without": [{"id": "completed", "reason": "a test"}]}
    done = audition("run", write(desk, cases=bare, contract=without), cwd=desk)
    assert (done.code, "1 not_evaluated of 1" in done.out) == (4, True)
    assert "no evaluator checks it" in done.err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--case", "good dya"], "case: found 'good dya'; did you mean 'good day'?"),
        (["--tag", "none"], "tags: found ['none']"),
        (["--team", "prod"], "unknown team 'prod'; did you mean 'production'?"),
        (["--timeout", "nan"], "'--timeout'"),
        (["--deadline", "inf"], "'--deadline'"),
        (["--tolerate-errors", "nan"], "'--tolerate-errors'"),
        (["--tolerate-errors", "2"], "'--tolerate-errors'"),
        (["--repeat", "0"], "'--repeat'"),
        (["--max-concurrency", "0"], "'--max-concurrency'"),
        (["--format", "xml"], "'xml' is not one of"),
        (["--unknown"], "No such option"),
        (["--report", "desk.json/report.json"], "--report desk.json/report.json: found"),
    ],
)
def test_a_wrong_call_ends_with_2_before_anything_is_run(
    audition: Door, desk: Path, arguments: list[str], told: str
) -> None:
    done = audition("run", write(desk, "good day"), *arguments, cwd=desk)
    assert (done.code, done.out, list(desk.glob("eval-reports/*/*"))) == (2, "", [])
    assert told in done.err


def test_a_wrong_file_ends_with_2_and_starts_no_team(audition: Door, desk: Path) -> None:
    done = audition("run", write(desk, "good day", nme=1), cwd=desk)
    assert (done.code, "/nme: unknown field 'nme'" in done.err) == (2, True)
    assert not list(desk.glob("eval-reports/*/*"))


def test_a_running_system_ends_with_2_and_says_what_can_be_done_now(
    audition: Door, tmp_path: Path
) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.audition]\n", "utf-8")
    done = audition("run", OLDER, cwd=tmp_path)
    assert done.code == 2
    assert "#/knowledge/source: found 'running_system'; wanted `fixtures`, or no" in done.err


def test_cases_are_chosen_by_name_and_by_tag(audition: Door, desk: Path) -> None:
    path = write(desk, "good day", "good night", "bad day")
    named = audition("run", path, "--case", "good day", "--format", "json", cwd=desk)
    tagged = audition("run", path, "--tag", "good", "--format", "json", cwd=desk)
    told = [[one["case"] for one in json.loads(done.out)["cases"]] for done in (named, tagged)]
    assert told == [["good day"], ["good day", "good night"]]


def test_json_on_stdout_is_parseable_and_tells_the_same(audition: Door, desk: Path) -> None:
    path = write(desk, "good yes", "bad day")
    done = audition("run", path, "--format", "json", "--repeat", "2", cwd=desk)
    data = json.loads(done.out)
    assert (done.code, data["exit_code"], len(data["cases"])) == (1, 1, 4)
    assert (data["counts"]["passed"], data["counts"]["failed"]) == (2, 2)
    assert "already stands in the question" in done.err


@pytest.mark.parametrize("option", ["--report", "--save-report"])
def test_the_report_is_also_written_where_it_is_wanted(
    audition: Door, desk: Path, option: str
) -> None:
    done = audition("run", write(desk, "good day"), option, "new/report.json", cwd=desk)
    report = load_report(desk / "new" / "report.json")
    assert (done.code, [case.name for case in report.cases]) == (0, ["good day"])
    metadata = report.experiment_metadata or {}
    assert (metadata["application"], metadata["team"]) == ("desk", "evaluation")
    assert (run_folder(desk) / REPORT).read_bytes() == (desk / "new" / "report.json").read_bytes()


def test_another_team_can_be_chosen(audition: Door, desk: Path) -> None:
    done = audition("run", write(desk, "bad day"), "--team", "production", cwd=desk)
    assert done.code == 0


def test_a_bound_of_the_call_ends_a_slow_case(audition: Door, desk: Path) -> None:
    done = audition("run", write(desk, "slow"), "--timeout", "0.1", cwd=desk)
    assert (done.code, "first failing layer run: timeout" in done.out) == (3, True)
    done = audition("run", write(desk, "slow"), "--deadline", "0.1", cwd=desk)
    assert (done.code, "first failing layer run: deadline" in done.out) == (3, True)


def test_the_results_go_under_the_folder_of_reports(audition: Door, desk: Path) -> None:
    done = audition("run", write(desk, "good day"), "--reports", "kept", cwd=desk)
    (folder,) = (desk / "kept" / "desk").iterdir()
    assert f"kept in kept/desk/{folder.name}: `audition show" in done.err


SEVERAL = "\n".join(
    json.dumps(
        {"author": "user", "invocationId": "e", "session_id": name, "content": {"parts": []}}
    )
    for name in ("a", "b")
)


def golden(folder: Path, *evaluators: Any) -> Path:
    path = folder / "golden.json"
    case = {"name": "one", "evaluators": evaluators}
    data = {"version": 2, "task": "session", "name": "golden", "cases": [case]}
    path.write_text(json.dumps(data), "utf-8")
    return path


def judged(audition: Door, folder: Path, session: str, *evaluators: Any) -> Done:
    recorded = RECORDED / f"weather-{session}.jsonl"
    return audition("run", golden(folder, *evaluators), "--session", recorded, cwd=folder)


TOOL = "get-weather-by-city_get-weather-by-city"


def test_a_recorded_session_is_judged_without_an_application(
    audition: Door, tmp_path: Path
) -> None:
    called = {"type": "called_required_tools", "required_tools": [TOOL]}
    assert judged(audition, tmp_path, "grounded", called).code == 0
    assert judged(audition, tmp_path, "ungrounded", called).code == 1
    reports = tmp_path.glob(f"eval-reports/golden/*/{REPORT}")
    teams = [(load_report(path).experiment_metadata or {})["team"] for path in reports]
    assert teams == [None, None]


@pytest.mark.parametrize(
    ("session", "told"),
    [
        ("notes.txt", "--session notes.txt: found 'no session that is known here"),
        ("gone.jsonl", "--session gone.jsonl: found 'No such file or directory'; wanted a session"),
        ("pipe", "--session pipe: found 'is a pipe, a socket or a device, no regular file'"),
        (".", "--session .: found 'is a folder, no regular file'"),
        ("x" * 300, "found 'File name too long'"),
        ("-", "--session: found '-'; wanted a file: each case reads it"),
        (
            "several.jsonl",
            "found '2 sessions are there, and one is wanted: a, b'; wanted a session",
        ),
        ("postgres://u:geheim@h/db", "--session postgres://…: found 'No such file or directory'"),
    ],
)
def test_what_is_no_session_ends_with_2_before_anything_starts(
    audition: Door, tmp_path: Path, session: str, told: str
) -> None:
    (tmp_path / "notes.txt").write_text("# notes", "utf-8")
    (tmp_path / "several.jsonl").write_text(SEVERAL, "utf-8")
    os.mkfifo(tmp_path / "pipe")
    path = golden(tmp_path, {"type": "completed"})
    done = audition("run", path, "--session", session, cwd=tmp_path)
    assert (done.code, done.out, list(tmp_path.glob("eval-reports/*/*"))) == (2, "", [])
    assert told in done.err
    assert "geheim" not in done.err


def test_a_session_for_a_file_of_another_task_ends_with_2(audition: Door, desk: Path) -> None:
    recorded = RECORDED / "weather-grounded.jsonl"
    done = audition("run", write(desk, "good day"), "--session", recorded, cwd=desk)
    assert (done.code, "found 'a file of task retrieval'; wanted" in done.err) == (2, True)


def test_a_named_session_that_cannot_be_read_ends_with_2(audition: Door, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("# notes", "utf-8")
    path = golden(tmp_path, {"type": "completed"})
    data = json.loads(path.read_text("utf-8")) | {"session": "notes.txt"}
    path.write_text(json.dumps(data), "utf-8")
    done = audition("run", path, cwd=tmp_path)
    assert (done.code, done.out, list(tmp_path.glob("eval-reports/*"))) == (2, "", [])
    assert f"golden.json#/session: {tmp_path}/notes.txt: no session that is known here" in done.err


SUITES = RECORDED.parent / "suites"


def suite(folder: Path) -> Path:
    """Return the demo of kagent-agentevals, in a folder with the sessions that it names."""
    (folder / "demo" / "fixtures").mkdir(parents=True)
    for session in RECORDED.glob("*.jsonl"):
        shutil.copy(session, folder / "demo" / "fixtures")
    return Path(shutil.copy(SUITES / "demo.yaml", folder / "demo" / "suite.yaml"))


@pytest.mark.parametrize(
    ("session", "code", "passed"), [("grounded", 0, 3), ("ungrounded", 1, 1), ("wrong-city", 1, 2)]
)
def test_the_demo_of_kagent_agentevals_passes_and_fails_as_it_says(
    audition: Door, tmp_path: Path, session: str, code: int, passed: int
) -> None:
    given = RECORDED / f"weather-{session}.jsonl"
    done = audition("run", suite(tmp_path), "--session", given, "--format", "json", cwd=tmp_path)
    assert (done.code, json.loads(done.out)["counts"]["passed"]) == (code, passed)


def test_a_suite_with_a_judge_ends_with_2_before_anything_starts(
    audition: Door, tmp_path: Path
) -> None:
    done = audition("run", SUITES / "demo-llm-judge.yaml", cwd=tmp_path)
    assert (done.code, done.out, list(tmp_path.iterdir())) == (2, "", [])
    assert "llm_judge 'accuracy' of the case 'retry-trajectory-is-sane'" in done.err


def test_the_trajectory_of_each_case_is_shown(audition: Door, tmp_path: Path) -> None:
    path = suite(tmp_path)
    done = audition("run", path, "--show-trajectory", cwd=tmp_path)
    lines = done.out.splitlines()
    at = next(place for place, line in enumerate(lines) if line.startswith("passed "))
    assert lines[at + 1 : at + 3] == [
        "    user: current weather in London",
        f'    assistant weather_assistant calls {TOOL} {{"city":"London"}}',
    ]
    told = audition("run", path, "--show-trajectory", "--format", "json", cwd=tmp_path)
    roles = [one["role"] for one in json.loads(told.out)["cases"][0]["trajectory"]]
    assert roles == ["user", "assistant", "tool", "assistant"]


@pytest.mark.parametrize(("option", "times"), [((), 0), (("--no-redact",), 1)])
def test_a_trajectory_has_its_secrets_where_they_are_kept(
    audition: Door, tmp_path: Path, option: tuple[str, ...], times: int
) -> None:
    secret = "sk-proj-" + "a1B2c3D4" * 5
    frames = [
        json.dumps({"author": who, "session_id": "s", "invocation_id": "i",
                    "content": {"parts": [{"text": text}]}})
        for who, text in (("user", f"My key is {secret}"), ("desk", "Noted."))
    ]  # fmt: skip
    (tmp_path / "talk.jsonl").write_text("\n".join(frames), "utf-8")
    case = {"name": "one", "session": "talk.jsonl", "evaluators": [{"type": "completed"}]}
    data = {"version": 2, "task": "session", "name": "talks", "cases": [case]}
    (tmp_path / "talks.json").write_text(json.dumps(data), "utf-8")
    done = audition("run", "talks.json", "--show-trajectory", *option, cwd=tmp_path)
    assert (done.code, done.out.count(secret)) == (0, times)


def test_sessions_are_taken_from_another_source_by_their_ids(
    audition: Door, tmp_path: Path
) -> None:
    lines = [
        json.dumps({"author": who, "session_id": name, "invocation_id": name,
                    "content": {"parts": [{"text": text}]}})
        for name in ("a", "b")
        for who, text in (("user", "Where?"), ("desk", f"In {name}."))
    ]  # fmt: skip
    (tmp_path / "talks.jsonl").write_text("\n".join(lines), "utf-8")
    wanted = {"type": "human_response_contains_terms", "required_terms": ["In b"]}
    case = {"name": "one", "source": "kubectl:", "session_id": "b", "evaluators": [wanted]}
    data = {"version": 2, "task": "session", "name": "golden", "cases": [case]}
    (tmp_path / "golden.json").write_text(json.dumps(data), "utf-8")
    done = audition("run", "golden.json", "--source", "talks.jsonl", cwd=tmp_path)
    assert (done.code, "1 passed of 1" in done.out) == (0, True)


def test_no_password_of_a_source_is_printed_or_kept(audition: Door, tmp_path: Path) -> None:
    rest = {"kind": "api", "base_url": "http://ana:pw-1@127.0.0.1:1", "token": "tk-1"}
    case = {"name": "one", "source": rest, "session_id": "s", "evaluators": [{"type": "completed"}]}
    data = {"version": 2, "task": "session", "name": "golden", "cases": [case]}
    (tmp_path / "golden.json").write_text(json.dumps(data), "utf-8")
    done = audition("run", "golden.json", "--show-trajectory", cwd=tmp_path)
    kept = "".join(path.read_text("utf-8") for path in run_folder(tmp_path).iterdir())
    told = done.out + done.err + kept
    assert (done.code, "pw-1" in told, "tk-1" in told) == (3, False, False)
    assert (
        audition("list", "golden.json", cwd=tmp_path).out.split("\n")[1] == "one: session kagent: s"
    )


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--source", "a", "--session", "b"], "wanted one of --source and --session"),
        (["--source", "-"], "found '-'; wanted a file: each case reads it"),
        (["--session", "-"], "found '-'; wanted a file: each case reads it"),
        (["--source", "ftp://x:pw-1@y"], "source: found 'ftp://…'"),
    ],
)
def test_what_is_no_source_ends_with_2(
    audition: Door, tmp_path: Path, arguments: list[str], told: str
) -> None:
    done = audition("run", golden(tmp_path, {"type": "completed"}), *arguments, cwd=tmp_path)
    assert (done.code, told in done.err, "pw-1" in done.err) == (2, True, False)


NOISE = """\
import os, subprocess, sys
print("from Python")
os.write(1, b"from C\\n")
subprocess.run([sys.executable, "-c", "print('from a process')"])
"""


def test_nothing_but_the_report_is_on_stdout(audition: Door, desk: Path) -> None:
    for module in ("desk_application.py", "desk_team.py"):
        path = desk / module
        path.write_text(NOISE + path.read_text("utf-8"), "utf-8")
    path = write(desk, "good day")
    done = audition("run", path, "--format", "json", cwd=desk)
    assert (done.code, json.loads(done.out)["exit_code"]) == (0, 0)
    for told in ("from Python", "from C", "from a process"):
        assert done.err.count(f"{told}\n") == 2
    listed = audition("list", path, "--format", "json", cwd=desk)
    assert json.loads(listed.out)["dataset"] == "desk"


def test_table_and_json_name_the_application_and_the_team(audition: Door, desk: Path) -> None:
    path = write(desk, "good day")
    told = audition("run", path, "--team", "production", cwd=desk).out
    assert told.split("\n")[0] == "desk, application desk, team production"
    data = json.loads(audition("run", path, "--format", "json", cwd=desk).out)
    assert (data["application"], data["team"], data["not_run"]) == ("desk", "evaluation", 0)


def test_the_project_of_the_dataset_file_is_used_anywhere(
    audition: Door, desk: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "pyproject.toml").write_text("[tool.audition]\n", "utf-8")
    done = audition("run", write(desk, "good day"), cwd=elsewhere)
    assert (done.code, done.out.split("\n")[0]) == (0, "desk, application desk, team evaluation")


def test_a_report_that_cannot_be_written_at_the_end_is_no_wrong_call(
    audition: Door, desk: Path
) -> None:
    done = audition("run", write(desk, "good day"), "--report", "/dev/full", cwd=desk)
    assert (done.code, "1 passed of 1" in done.out) == (3, True)
    assert "audition: /dev/full cannot be written: No space left on device" in done.err


def test_a_native_file_is_run(audition: Door, desk: Path) -> None:
    text = "cases: [{inputs: {message: good day}, evaluators: [{Contains: x}, Completed]}]\n"
    (desk / "own.yaml").write_text(text, "utf-8")
    done = audition("run", "own.yaml", cwd=desk)
    assert (done.code, "Case 1: failed" in done.out) == (1, True)


def test_an_application_that_cannot_be_imported_ends_with_2(audition: Door, desk: Path) -> None:
    (desk / "desk_application.py").write_text("1 / 0", "utf-8")
    done = audition("run", write(desk, "good day"), cwd=desk)
    assert (done.code, "raised ZeroDivisionError" in done.err) == (2, True)


def test_a_project_that_is_written_wrongly_ends_with_2(audition: Door, desk: Path) -> None:
    project = desk / "pyproject.toml"
    project.write_text(project.read_text("utf-8").replace("default", "defualt"), "utf-8")
    done = audition("run", write(desk, "good day"), cwd=desk)
    assert (done.code, done.out) == (2, "")
    assert f"{project}: tool.audition: unknown key 'defualt'; did you mean 'default'?" in done.err


def test_an_interruption_ends_with_130_and_keeps_what_was_finished(desk: Path) -> None:
    path = write(desk, "good day", "slow")
    command = [
        Path(sys.executable).with_name("audition"),
        "run",
        path,
        "--report",
        "report.json",
        "--grace",
        "0",
    ]
    process = subprocess.Popen(  # noqa: S603  # our own command
        command, cwd=desk, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    assert process.stderr.readline().startswith("passed good day")
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=20)
    assert process.returncode == 130
    assert out.endswith("1 passed, 1 not run of 2: interrupted (exit 130)\n")
    assert [line.case for line in read_journal(run_folder(desk))] == ["good day"]
    assert [case.name for case in load_report(desk / "report.json").cases] == ["good day"]
