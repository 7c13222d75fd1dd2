"""`audition extract`: what a recorded session holds, in every view."""

import json
from pathlib import Path

import pytest

from tests.cli.doors import Door

HERE = Path(__file__).parents[1]
WEATHER = HERE / "recordings" / "kagent" / "demo" / "weather-grounded.jsonl"
SECRETS = HERE / "cases" / "52-secrets-in-odd-places.jsonl"


def test_the_summary_accounts_for_every_frame(audition: Door, tmp_path: Path) -> None:
    done = audition("extract", str(WEATHER), "--summary", cwd=tmp_path)
    lines = done.out.splitlines()
    assert (done.code, done.err) == (0, "")
    assert lines[0].startswith("#  AUTHOR")
    assert lines[-1].endswith("→ 4 messages, tools: get-weather-by-city_get-weather-by-city")


def test_the_default_is_a_chat_and_a_reminder(audition: Door, tmp_path: Path) -> None:
    done = audition("extract", str(WEATHER), cwd=tmp_path)
    assert [one["role"] for one in json.loads(done.out)] == [
        "user",
        "assistant",
        "tool",
        "assistant",
    ]
    assert "read it before you share it" in done.err


def test_events_are_a_recording_that_is_a_session_again(audition: Door, tmp_path: Path) -> None:
    done = audition("extract", str(WEATHER), "--events", "-o", "own.jsonl", cwd=tmp_path)
    assert (done.code, done.out) == (0, "")
    again = audition("extract", "own.jsonl", "--messages", cwd=tmp_path)
    first = audition("extract", str(WEATHER), "--messages", cwd=tmp_path)
    assert again.out == first.out


def test_raw_frames_are_a_session_again(audition: Door, tmp_path: Path) -> None:
    audition("extract", str(WEATHER), "--raw", "-o", "raw.jsonl", cwd=tmp_path)
    raw = audition("extract", "raw.jsonl", "--summary", cwd=tmp_path)
    assert raw.out == audition("extract", str(WEATHER), "--summary", cwd=tmp_path).out


def test_half_a_character_is_written_to_a_file_as_to_stdout(audition: Door, tmp_path: Path) -> None:
    torn = {"role": "user", "content": "fine \ud83d"}
    (tmp_path / "torn.jsonl").write_text(f"{json.dumps(torn)}\n")
    shown = audition("extract", "torn.jsonl", "--raw", cwd=tmp_path)
    written = audition("extract", "torn.jsonl", "--raw", "-o", "again.jsonl", cwd=tmp_path)
    assert (shown.code, written.code) == (0, 0)
    assert (tmp_path / "again.jsonl").read_text("utf-8") == shown.out
    assert json.loads(shown.out) == torn


@pytest.mark.parametrize("view", ["--summary", "--list-invocations"])
def test_no_secret_is_in_a_name(audition: Door, tmp_path: Path, view: str) -> None:
    secret = "ghp_" + "Fiction0" * 5
    call = {"functionCall": {"id": "c-1", "name": f"open_{secret}"}}
    event = {"id": "e-1", "author": f"at {secret}", "invocationId": f"i {secret}"}
    (tmp_path / "named.jsonl").write_text(json.dumps(event | {"content": {"parts": [call]}}))
    done = audition("extract", "named.jsonl", view, cwd=tmp_path)
    assert done.code == 0
    assert "Fiction0" not in done.out + done.err


def test_secrets_are_kept_where_that_is_asked_for(audition: Door, tmp_path: Path) -> None:
    done = audition("extract", str(SECRETS), "--raw", "--no-redact", cwd=tmp_path)
    assert "pw-LANTERN-5521" in done.out


def test_invocations_are_listed_and_chosen(audition: Door, tmp_path: Path) -> None:
    names = audition("extract", str(WEATHER), "--list-invocations", cwd=tmp_path).out.split()
    assert len(names) == 2
    done = audition("extract", str(WEATHER), "--invocation", names[1], "--summary", cwd=tmp_path)
    assert done.code == 0
    done = audition("extract", str(WEATHER), "--invocation", "e-9", cwd=tmp_path)
    assert (done.code, "no invocation 'e-9'; there are: " in done.err) == (2, True)


def test_a_tool_can_be_left_out(audition: Door, tmp_path: Path) -> None:
    tool = "get-weather-by-city_get-weather-by-city"
    done = audition("extract", str(WEATHER), "--drop-tool", tool, cwd=tmp_path)
    assert [one["role"] for one in json.loads(done.out)] == ["user", "assistant"]
    assert "--drop-tool" not in done.err


def test_a_tool_that_is_not_there_to_be_left_out_is_told(audition: Door, tmp_path: Path) -> None:
    done = audition("extract", str(WEATHER), "--drop-tool", "weather", cwd=tmp_path)
    told = "audition: --drop-tool weather: no such tool is there; did you mean 'get-weather-by-city"
    assert (done.code, told in done.err) == (0, True)


@pytest.mark.parametrize(
    ("content", "options", "told"),
    [
        (
            '{"ship": "Alba"}',
            [],
            "no session that is known here: 1 frame(s): an object with 'ship'",
        ),
        ("", [], "nothing is in it"),
        ('{"author": "user"}', ["--format", "adx"], "--format: found \"no format 'adx'"),
        ('{"author": "user"}', ["--raw", "--events"], "extract: found '--events and --raw'"),
        ('{"author": "user"}', ["-o", "gone/a.json"], "known here"),
    ],
)
def test_what_cannot_be_read_ends_with_2(
    audition: Door, tmp_path: Path, content: str, options: list[str], told: str
) -> None:
    (tmp_path / "a.jsonl").write_text(content)
    done = audition("extract", "a.jsonl", *options, cwd=tmp_path)
    assert (done.code, told in done.err) == (2, True), done.err


def test_an_output_that_cannot_be_written_ends_with_2(audition: Door, tmp_path: Path) -> None:
    done = audition("extract", str(WEATHER), "-o", "gone/a.json", cwd=tmp_path)
    assert (done.code, "gone/a.json: No such file or directory" in done.err) == (2, True)
