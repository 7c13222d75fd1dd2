"""A file of conversations, from the command line to the exit code."""

import json
from pathlib import Path
from typing import Any

from tests.cli.doors import Done, Door

CLOSED = {"type": "human_response_contains_terms", "required_terms": ["close T-77"]}


def run(audition: Door, desk: Path, regex: str) -> Done:
    turns: list[dict[str, Any]] = [
        {"message": "My ticket is T-77.", "capture": {"ticket": {"regex": regex}}},
        {"message": "Please close {{ticket}}.", "evaluators": [CLOSED]},
    ]
    data = {"version": 2, "task": "conversation", "name": "desk",
            "cases": [{"name": "close", "turns": turns}]}  # fmt: skip
    path = desk / "talk.json"
    path.write_text(json.dumps(data))
    return audition("run", path, "--team", "production", cwd=desk)


def test_a_value_goes_from_one_turn_to_the_next(audition: Door, desk: Path) -> None:
    done = run(audition, desk, "T-[0-9]+")
    assert (done.code, "1 passed of 1" in done.out) == (0, True)


def test_an_answer_without_the_value_is_a_failure_of_the_answer(audition: Door, desk: Path) -> None:
    done = run(audition, desk, "X-[0-9]+")
    assert done.code == 1
    assert done.out.startswith("close: failed, first failing layer answer: missing_value")
    assert "turn 0 does not give 'ticket', a match of /X-[0-9]+/ in the answer" in done.out
    (report,) = desk.glob("eval-reports/*/*/report.json")
    shown = audition("show", report, "close", cwd=desk)
    assert "Please close {{ticket}}." in shown.out
