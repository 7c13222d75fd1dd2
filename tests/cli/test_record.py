"""`audition record`: a session, or a case of a live team, as a recording and a suite."""

import json
from pathlib import Path

import pytest

from tests.cli.datasets import write
from tests.cli.doors import Door

RECORDED = Path(__file__).parents[1] / "recordings" / "kagent"
WEATHER = RECORDED / "demo" / "weather-grounded.jsonl"
SECRETS = Path(__file__).parents[1] / "cases" / "52-secrets-in-odd-places.jsonl"


def test_the_suite_passes_on_its_recording_and_fails_on_others(
    audition: Door, tmp_path: Path
) -> None:
    done = audition("record", WEATHER, "-o", "golden", cwd=tmp_path)
    assert (done.code, done.out.split()) == (
        0,
        ["golden/weather-grounded.jsonl", "golden/weather-grounded.yaml"],
    )
    assert "read it before you share it" in done.err
    suite = "golden/weather-grounded.yaml"
    assert audition("validate", "--strict", suite, cwd=tmp_path).code == 0
    codes = [
        audition("run", suite, "--session", WEATHER.with_name(name), cwd=tmp_path).code
        for name in (
            "weather-grounded.jsonl",
            "weather-ungrounded.jsonl",
            "weather-wrong-city.jsonl",
        )
    ]
    assert (audition("run", suite, cwd=tmp_path).code, codes) == (0, [0, 1, 1])


def test_one_invocation_is_recorded_under_another_name(audition: Door, tmp_path: Path) -> None:
    session = RECORDED / "github-assistant-session.jsonl"
    invocation = "e-c51ee408-e4c2-4bee-91aa-feb52996931c"
    call = ["record", session, "-o", ".", "--invocation", invocation, "--name", "retry"]
    assert audition(*call, cwd=tmp_path).code == 0
    text = (tmp_path / "retry.yaml").read_text("utf-8")
    assert ("search_users" in text, "ask_user" in text) == (True, False)
    again = audition(*call, cwd=tmp_path)
    assert (again.code, "wanted a file that is not there yet" in again.err) == (2, True)


def test_a_case_of_a_live_team_is_run_and_recorded(audition: Door, desk: Path) -> None:
    path = write(desk, "good day", "bad day")
    done = audition("record", path, "--case", "good day", "-o", "golden", cwd=desk)
    assert (done.code, done.err.count("audition:")) == (0, 1)
    assert audition("run", "golden/good-day.yaml", cwd=desk).code == 0
    production = ["record", path, "--case", "good day", "--team", "production", "-o", "other"]
    assert audition(*production, cwd=desk).code == 0
    assert "yes, good day" in (desk / "other" / "good-day.jsonl").read_text("utf-8")


def test_a_case_of_a_suite_is_recorded_as_its_session(audition: Door, tmp_path: Path) -> None:
    case = {"name": "one", "session": str(WEATHER), "evaluators": [{"type": "completed"}]}
    data = {"version": 2, "task": "session", "name": "golden", "cases": [case]}
    (tmp_path / "golden.json").write_text(json.dumps(data), "utf-8")
    done = audition("record", "golden.json", "--case", "one", "-o", "new", cwd=tmp_path)
    assert (done.code, audition("run", "new/one.yaml", cwd=tmp_path).code) == (0, 0)


def test_no_secret_is_recorded_and_the_suite_has_none(audition: Door, tmp_path: Path) -> None:
    frames = [json.loads(line) for line in SECRETS.read_text("utf-8").splitlines()]
    whole = [json.dumps(frame) for frame in frames if not frame.get("error_code")]
    (tmp_path / "talk.jsonl").write_text("\n".join(whole), "utf-8")
    done = audition("record", "talk.jsonl", "-o", "golden", cwd=tmp_path)
    assert done.code == 0, done.err
    assert audition("doctor", *(tmp_path / "golden").iterdir(), cwd=tmp_path).code == 0
    assert audition("run", next((tmp_path / "golden").glob("*.yaml")), cwd=tmp_path).code == 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["gone.jsonl"], "gone.jsonl: No such file or directory"),
        ([str(WEATHER), "--team", "production"], "--team: found 'production'; wanted --case"),
        ([str(WEATHER), "--invocation", "e-9"], "no invocation 'e-9'"),
        (["desk.json", "--case", "god day"], "did you mean 'good day'?"),
        (["desk.json", "--case", "break it"], "not completed: turn 0 ended with error"),
    ],
)
def test_what_cannot_be_recorded_ends_with_2(
    audition: Door, desk: Path, arguments: list[str], told: str
) -> None:
    write(desk, "good day", "break it")
    done = audition("record", *arguments, "-o", "golden", cwd=desk)
    assert (done.code, told in done.err) == (2, True), done.err
