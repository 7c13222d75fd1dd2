"""Secrets in odd places of a session are in nothing that any command writes or prints of it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.doors import Door

SESSION = Path(__file__).parents[1] / "cases" / "52-secrets-in-odd-places.jsonl"
SECRETS = (
    "tkn-ORCHARD-4f1c9a7e2b6d",
    "ck-THISTLE-99aa88bb77cc",
    "tkn-QUARRY-88d1f0c2a4e6",
    "pw-LANTERN-5521",
    "sk-test-HARBOUR-0123456789abcdef",
    "key-MEADOW-7c7c7c7c7c7c",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJmaWN0aW9uIn0.c2lnbmF0dXJlLWZpY3Rpb24tb25seQ",
    "RklDVElPTi1LRVktTUFURVJJQUw=",
    "pw-GORSE-1188",
    "cs-BRACKEN-6a6a6a6a",
    "AKIAFICTIONEXAMPLE00",
    "dXNlcjpwdy1MQU5URVJO",
)
KEPT = (
    *("token_count", "421", "max_tokens", "256", "wordpiece", "page_token=cursor-42"),
    *("the tokens on the board game are blue", "password reset link", "api.orchard.example"),
)
OF_STATE = "req-77"


def leaked(*texts: str) -> list[str]:
    return [secret for secret in SECRETS for text in texts if secret in text]


def written(folder: Path) -> Iterator[str]:
    for file in folder.rglob("*"):
        if file.is_file():
            yield file.read_text("utf-8")


@pytest.mark.parametrize("view", ["--summary", "--events", "--messages", "--raw"])
def test_no_view_holds_a_secret(audition: Door, tmp_path: Path, view: str) -> None:
    done = audition("extract", SESSION, view, "--include-internal", cwd=tmp_path)
    assert (done.code, leaked(done.out, done.err)) == (0, [])


@pytest.mark.parametrize("view", ["--events", "--raw", "--messages"])
def test_what_only_resembles_a_secret_is_kept(audition: Door, tmp_path: Path, view: str) -> None:
    done = audition("extract", SESSION, view, cwd=tmp_path)
    no_message = [OF_STATE] if view == "--messages" else []
    assert [word for word in (*KEPT, OF_STATE) if word not in done.out] == no_message


def test_the_arguments_stay_json_inside_and_out(audition: Door, tmp_path: Path) -> None:
    events = audition("extract", SESSION, "--events", cwd=tmp_path).out.splitlines()
    (call,) = (one for one in map(json.loads, events) if one.get("kind") == "tool_called")
    arguments: dict[str, Any] = json.loads(call["arguments_raw"])
    assert arguments == call["arguments"]
    assert json.loads(arguments["body"]) == {
        "headers": {
            "X-Api-Key": "[redacted:key]",
            "Authorization": "[redacted:authorization]",
        }
    }


def test_the_state_is_evidence_without_its_secrets(audition: Door, tmp_path: Path) -> None:
    events = audition("extract", SESSION, "--events", cwd=tmp_path).out.splitlines()
    (state,) = (one for one in map(json.loads, events) if one.get("kind") == "state_changed")
    assert (state["agent"], state["changes"]["headers"]) == (
        "system",
        {
            "authorization": "[redacted:authorization]",
            "Cookie": "[redacted:cookie]",
            "x-request-id": "req-77",
        },
    )
    summary = audition("extract", SESSION, "--summary", cwd=tmp_path).out
    assert "only state: headers" in summary.splitlines()[1]


def test_no_run_writes_or_prints_a_secret(audition: Door, tmp_path: Path) -> None:
    terms = {"type": "human_response_contains_terms", "required_terms": ["no such word"]}
    checks = [{"type": "completed"}, terms]
    case = {"name": "one", "session": str(SESSION), "evaluators": checks}
    data = {"version": 2, "task": "session", "name": "odd", "cases": [case]}
    (tmp_path / "odd.json").write_text(json.dumps(data), "utf-8")
    ran = audition("run", "odd.json", "--report", "a.json", "--show-trajectory", cwd=tmp_path)
    printed = audition("run", "odd.json", "--format", "json", cwd=tmp_path)
    shown = audition("show", "a.json", "one", cwd=tmp_path)
    told = [text for one in (ran, printed, shown) for text in (one.out, one.err)]
    assert leaked(*told, *written(tmp_path)) == []
    assert (ran.code, OF_STATE in shown.out) == (1, True)
    assert audition("doctor", "a.json", "eval-reports", cwd=tmp_path).code == 0


def test_a_recording_of_it_is_the_same_session(audition: Door, tmp_path: Path) -> None:
    audition("extract", SESSION, "--events", "-o", "own.jsonl", cwd=tmp_path)
    again = audition("extract", "own.jsonl", "--events", cwd=tmp_path)
    assert again.out == (tmp_path / "own.jsonl").read_text("utf-8")


def test_the_check_names_places_and_kinds_and_no_value(audition: Door, tmp_path: Path) -> None:
    done = audition("doctor", SESSION, cwd=tmp_path)
    assert (done.code, leaked(done.out, done.err)) == (1, [])
    assert f"{SESSION}:1 /actions/state_delta/headers/authorization: authorization" in done.out
