import json
from pathlib import Path
from typing import Any

from tests.cli.datasets import SAYS_YES, write
from tests.cli.doors import Door
from tests.datasets.desk import recorded


def test_the_cases_of_a_file_are_listed(audition: Door, desk: Path) -> None:
    done = audition("list", write(desk, "good day", "bad day"), cwd=desk)
    assert done.out.split("\n") == [
        "desk: retrieval, answered by team",
        "every case: completed",
        "good day [good]: good day",
        "  says yes",
        "bad day [bad]: bad day",
        "  says yes",
        "",
    ]


def test_a_tag_chooses_and_json_is_parseable(audition: Door, desk: Path) -> None:
    path = write(desk, "good day", "bad day")
    done = audition("list", path, "--tag", "bad", "--format", "json", cwd=desk)
    assert json.loads(done.out) == {
        "dataset": "desk",
        "cases": [
            {"case": "bad day", "tags": ["bad"], "asks": "bad day", "evaluators": ["says yes"]}
        ],
    }


def test_the_cases_of_a_session_file_name_their_session(audition: Door, tmp_path: Path) -> None:
    recorded(tmp_path / "talk.jsonl", "s-1")
    case: dict[str, Any] = {"name": "one", "evaluators": []}
    data = {"version": 2, "task": "session", "name": "g", "session": "talk.jsonl", "cases": [case]}
    (tmp_path / "golden.json").write_text(json.dumps(data), "utf-8")
    done = audition("list", "golden.json", cwd=tmp_path)
    assert done.out.split("\n")[:3] == [
        "g: session, answered by session",
        "one: session talk.jsonl",
        "  no evaluator of its own",
    ]


def test_a_tag_that_no_case_has_ends_with_2(audition: Door, desk: Path) -> None:
    done = audition("list", write(desk, "good day"), "--tag", "none", cwd=desk)
    assert (done.code, "there are ['good']" in done.err) == (2, True)


def test_nothing_of_a_file_reaches_the_terminal_raw(audition: Door, desk: Path) -> None:
    entry = {**SAYS_YES, "id": "\u001b[31m"}
    cases = [{"name": "a \u001b[31m", "message": "b\u001b[2J\nc", "evaluators": [entry]}]
    done = audition("list", write(desk, cases=cases), cwd=desk)
    assert "\x1b" not in done.out
    assert "a \\x1b[31m: b\\x1b[2J c\n  \\x1b[31m" in done.out
