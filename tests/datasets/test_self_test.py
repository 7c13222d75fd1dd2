import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest
from pydantic.dataclasses import dataclass

from audition.datasets.authoring import Authoring
from audition.datasets.loading import LoadedDataset, build_dataset
from audition.datasets.native import build_native_dataset
from audition.datasets.reading import read_source
from audition.datasets.self_test import SelfTestResult, self_test
from audition.errors import DatasetError
from audition.evaluators.builtin import BUILTIN
from audition.evaluators.case_evaluator import EVALUATOR_CONFIG, CaseEvaluator, Finding, Layer
from audition.evaluators.completion import Completed
from audition.evaluators.view import EvidenceView
from audition.events import CompletionReason, Event
from audition.output import RuntimeCapabilities
from audition.recording import Recording, write_recording
from audition.testing import answer, tool_use, turn

SAYS_7 = {"type": "human_response_contains_terms", "required_terms": ["Berth 7"], "id": "says 7"}
SAYS_7_TOO = {**SAYS_7, "id": "says 7 too"}
SEARCHED = {"type": "called_required_tools", "required_tools": ["search"], "id": "searched"}
GOOD = [*tool_use("@K", "search", "Berth 7"), answer("Berth 7 is free.")]
BAD = [*tool_use("@K", "search", "Berth 7"), answer("I do not know.")]
WORSE = [answer("Berth 7, I would guess.")]


def record(
    folder: Path,
    name: str,
    events: Sequence[Event],
    reason: CompletionReason = CompletionReason.RESPONSE,
) -> None:
    every = turn("Which berth is free?", events, reason=reason)
    capabilities = RuntimeCapabilities(tool_evidence=True)
    write_recording(
        folder / f"{name}.jsonl", Recording(events=tuple(every), capabilities=capabilities)
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    record(tmp_path, "good", GOOD)
    record(tmp_path, "bad", BAD)
    record(tmp_path, "worse", WORSE)
    record(tmp_path, "broken", BAD, CompletionReason.TIMEOUT)
    (tmp_path / "none.jsonl").write_text("{}", encoding="utf-8")
    return tmp_path


def case(*evaluators: Any, good: str = "good", bad: str = "bad", name: str = "one") -> Any:
    return {
        "name": name,
        "message": "Which berth is free?",
        "evaluators": evaluators,
        "self_test": {"good": f"{good}.jsonl", "bad": f"{bad}.jsonl"},
    }


def loaded(
    folder: Path, *cases: Any, authoring: Authoring | None = None, task: str = "retrieval"
) -> LoadedDataset:
    data = {"version": 2, "task": task, "name": "small", "cases": cases}
    path = folder / "small.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return build_dataset(read_source(path), authoring or Authoring())


def proved(folder: Path, *cases: Any, **more: Any) -> SelfTestResult:
    return self_test(loaded(folder, *cases, **more))


def test_what_fails_on_the_bad_recording_tells_it_from_the_good_one(folder: Path) -> None:
    result = proved(folder, case(SAYS_7))
    assert (result.told_apart, result.problems, result.warnings) == ({"one": ["says 7"]}, [], [])


def test_an_evaluator_that_fails_on_the_good_recording_is_told_where_it_is_written(
    folder: Path,
) -> None:
    result = proved(folder, case(SAYS_7, SEARCHED, good="worse"))
    (problem,) = result.problems
    assert str(problem) == (
        "/cases/0/evaluators/1: searched fails on the good recording worse.jsonl: "
        "not called: search; called: no tool; mend the evaluator, or name another recording"
    )
    assert result.told_apart == {}


def test_an_evaluator_of_a_turn_is_told_where_it_is_written(folder: Path) -> None:
    turns = [{"message": "Which berth is free?", "evaluators": [SAYS_7, SEARCHED]}]
    recorded = {"good": "worse.jsonl", "bad": "bad.jsonl"}
    talk = {"name": "one", "turns": turns, "evaluators": [SAYS_7_TOO], "self_test": recorded}
    result = proved(folder, talk, task="conversation")
    (problem,) = result.problems
    assert problem.pointer == "/cases/0/turns/0/evaluators/1"
    assert problem.found.startswith("searched fails on the good recording worse.jsonl")


def test_a_bad_recording_that_passes_is_told(folder: Path) -> None:
    (problem,) = proved(folder, case(SAYS_7, bad="worse")).problems
    assert problem.pointer == "/cases/0/self_test/bad"
    assert problem.found == "all 1 assertion(s) that must hold do on the bad recording worse.jsonl"


def test_what_only_should_hold_tells_nothing_apart(folder: Path) -> None:
    (problem,) = proved(folder, case({**SAYS_7, "severity": "should"})).problems
    assert problem.found.startswith("all 0 assertion(s)")


def test_a_contract_tells_apart_too_and_is_told_at_the_recording(folder: Path) -> None:
    authoring = Authoring(contracts={"retrieval": (Completed(id="completed"),)})
    record(folder, "quiet", [], CompletionReason.QUIESCENT)
    assert proved(folder, case(SEARCHED, bad="quiet"), authoring=authoring).told_apart == {
        "one": ["searched", "completed"]
    }
    (problem,) = proved(folder, case(bad="quiet", good="broken"), authoring=authoring).problems[1:]
    assert problem.pointer == "/cases/0/self_test/good"
    assert problem.found.startswith("completed fails on the good recording broken.jsonl: turn 0")


def test_a_good_recording_must_have_been_completed(folder: Path) -> None:
    result = proved(folder, case(SEARCHED, good="broken", bad="worse"))
    (problem,) = result.problems
    assert problem.found == "the good recording broken.jsonl ended with timeout"


def test_a_bad_recording_that_broke_proves_little(folder: Path) -> None:
    result = proved(folder, case(SAYS_7, bad="broken"))
    (warning,) = result.warnings
    assert warning.pointer == "/cases/0/self_test/bad"
    assert warning.found == "the bad recording broken.jsonl ended with timeout"
    assert result.told_apart == {"one": ["says 7"]}


def test_a_file_that_holds_no_recording_is_told_beside_the_others(folder: Path) -> None:
    result = proved(folder, case(SAYS_7, bad="none"), case(SAYS_7, name="two"))
    (problem,) = result.problems
    assert problem.pointer == "/cases/0/self_test/bad"
    assert "no session that is known here" in problem.found
    assert result.told_apart == {"two": ["says 7"]}


def test_an_evaluator_that_fails_nowhere_in_the_file_is_doubted(folder: Path) -> None:
    first = case(SAYS_7, SEARCHED)
    (warning,) = proved(folder, first).warnings
    assert str(warning).startswith("/cases/0/evaluators/1: searched holds on every recording of")
    assert proved(folder, first, case(SEARCHED, bad="worse", name="two")).warnings == []


def test_cases_without_recordings_are_counted(folder: Path) -> None:
    bare = [{"name": f"case {number}", "message": "?"} for number in range(12)]
    (warning,) = proved(folder, case(SAYS_7), *bare).warnings
    assert warning.pointer == "/cases"
    assert warning.found.startswith("12 case(s) have no self_test: case 0, case 1, ")
    assert warning.found.endswith("case 9 and 2 more")


def test_the_tool_rules_of_the_file_count(folder: Path) -> None:
    record(folder, "full", [*tool_use("@K", "search", {"free": 0}), answer("Berth 7")])
    data = {
        "version": 2, "task": "retrieval", "name": "small",
        "tool_rules": [{"tool_name": "search", "path": "$.free", "equals": 0, "says": "full"}],
        "cases": [case({"type": "tool_calls_succeeded", "id": "worked"}, bad="full")],
    }  # fmt: skip
    path = folder / "rules.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    result = self_test(build_dataset(read_source(path), Authoring()))
    assert result.told_apart == {"one": ["worked"]}


def test_the_recordings_of_a_session_are_looked_at_as_its_case_is(folder: Path) -> None:
    unasked = {**case(SEARCHED, bad="worse"), "session": "good.jsonl"}
    del unasked["message"]
    assert proved(folder, unasked, task="session").told_apart == {"one": ["searched"]}
    only: dict[str, Any] = {"type": "called_only_allowed_tools", "allowed_tools": [], "id": "none"}
    denied = {**unasked, "evaluators": [only], "extra_tool_denylist": ["search"]}
    (problem,) = proved(folder, {**denied}, task="session").problems
    assert problem.pointer == "/cases/0/self_test/bad"


@dataclass(config=EVALUATOR_CONFIG, repr=False)
class Raises(CaseEvaluator):
    """An application's own that breaks."""

    layer: ClassVar[Layer] = Layer.ANSWER

    def examine(self, view: EvidenceView) -> Finding:
        raise ZeroDivisionError


@dataclass(config=EVALUATOR_CONFIG, repr=False)
class Judged(Raises):
    """One that would ask a model."""

    layer: ClassVar[Layer] = Layer.JUDGE


OWN = Authoring(evaluator_types=(*BUILTIN, Raises, Judged))


def test_an_evaluator_that_raises_is_told_for_each_recording(folder: Path) -> None:
    result = proved(folder, case(SAYS_7, {"type": "raises"}), authoring=OWN)
    assert [problem.pointer for problem in result.problems] == ["/cases/0/evaluators/1"] * 2
    assert "raises could not run on good.jsonl: ZeroDivisionError" in result.problems[0].found


def test_no_judge_is_asked(folder: Path) -> None:
    result = proved(folder, case(SAYS_7, {"type": "judged"}), authoring=OWN)
    assert (result.told_apart, result.problems) == ({"one": ["says 7"]}, [])


def test_a_recording_that_is_not_there_is_an_error_of_the_file(folder: Path) -> None:
    with pytest.raises(DatasetError, match=r"/cases/0/self_test/good: no file 'gone\.jsonl'"):
        loaded(folder, case(SAYS_7, good="gone"))


def test_a_file_of_pydantic_evals_has_no_recordings(tmp_path: Path) -> None:
    path = tmp_path / "own.json"
    path.write_text(json.dumps({"cases": [{"name": "one", "inputs": {"message": "?"}}]}), "utf-8")
    result = self_test(build_native_dataset(read_source(path), Authoring()))
    assert [warning.found for warning in result.warnings] == ["1 case(s) have no self_test: one"]
