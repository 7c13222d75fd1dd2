import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from audition.application import Application, load_dataset
from audition.datasets.authoring import Authoring
from audition.errors import CallError, DatasetError
from audition.evaluators.completion import Completed
from audition.experiment.keeping import Judged, add_session, add_team_case
from audition.experiment.kept_cases import KeptCase
from audition.inputs import CaseInput
from audition.recording import Recording
from audition.testing import answer, tool_use, turn
from audition.tool_rules import ToolRule

YES: Any = {"type": "human_response_contains_terms", "required_terms": ["yes"]}
FIND = tool_use("@K", "find", "berth 4", arguments={"ship": "Alba"})


@pytest.fixture(autouse=True)
def _outside_any_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def kept(message: str = "Where?", evaluators: Sequence[Any] = (YES,), **inputs: Any) -> KeptCase:
    fields: Any = {
        "name": "where",
        "tags": ["kept"],
        "message": message,
        "evaluators": [*evaluators],
    }
    ran = CaseInput(message=message, **inputs).model_dump(mode="json")
    return KeptCase(task="retrieval", fields=fields, inputs=ran, left_out=())


def add(case: KeptCase, path: Path, application: Application | None = None, **more: Any) -> None:
    add_team_case(case, path, application=application or Application(), **more)


def test_a_file_is_made_and_then_added_to(tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    add(kept(), path)
    other = kept("When?")
    other.fields["name"] = "when"
    add(other, path)
    loaded = load_dataset(path)
    assert [(case.name, case.inputs.message) for case in loaded.dataset.cases] == [
        ("where", "Where?"),
        ("when", "When?"),
    ]


def test_a_case_that_is_there_is_refused_under_any_name(tmp_path: Path) -> None:
    path = tmp_path / "kept.yaml"
    add(kept(), path)
    before = path.read_bytes()
    with pytest.raises(CallError, match="give each case a name of its own with --name"):
        add(kept("Another question?"), path)
    same = kept()
    same.fields["name"] = "elsewhere"
    with pytest.raises(
        CallError, match="wanted another case: 'where' has these inputs and evaluators"
    ):
        add(same, path)
    assert path.read_bytes() == before


def test_what_the_contract_of_the_file_has_is_not_written_again(tmp_path: Path) -> None:
    desk = Application(authoring=Authoring(contracts={"retrieval": (Completed(),)}))
    add(kept(evaluators=[{"type": "completed"}, YES]), tmp_path / "kept.json", desk)
    (case,) = json.loads((tmp_path / "kept.json").read_text("utf-8"))["cases"]
    assert case["evaluators"] == [YES]


def test_rules_go_into_a_new_file_and_must_stand_in_an_old_one(tmp_path: Path) -> None:
    case = kept(tool_rules=(ToolRule(tool_name="find", contains="denied"),))
    add(case, tmp_path / "new.yaml")
    assert load_dataset(tmp_path / "new.yaml").dataset.cases[0].inputs.tool_rules
    add(kept("When?"), tmp_path / "old.yaml")
    case.fields["name"] = "other"
    with pytest.raises(CallError, match="wanted a file in which its tool_rules would be the same"):
        add(case, tmp_path / "old.yaml")


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "kept.yaml"
    add_session(talk(), path, name="one", origin={})
    with pytest.raises(CallError, match="found 'session'; wanted a dataset file of task retrieval"):
        add(kept(), path)
    with pytest.raises(CallError, match=r"wanted a name that ends in \.json"):
        add(kept(), tmp_path / "kept.txt")


def test_a_file_that_is_wrong_is_not_added_to(tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    path.write_text('{"version": 2, "task": "retrieval", "name": "x", "cases": []}', "utf-8")
    with pytest.raises(DatasetError):
        add(kept(), path)


def talk(*said: str) -> Recording:
    text = "".join(said) or "Berth 4."
    return Recording(events=tuple(turn("Where?", [*FIND, answer(text)])))


def test_a_session_stands_beside_its_file_with_what_it_shows(tmp_path: Path) -> None:
    path = tmp_path / "kept.yaml"
    recording = add_session(talk(), path, name="one", origin={"kept_from": "s-1"})
    assert recording == tmp_path / "recordings" / "one.jsonl"
    loaded = load_dataset(path)
    (case,) = loaded.dataset.cases
    assert (case.inputs.session, case.metadata) == (
        str(recording),
        {"kept_from": "s-1", "tags": ["kept"]},
    )
    assert [one.as_spec().name for one in case.evaluators] == [
        "Completed",
        "CalledRequiredTools",
        "CalledOnlyAllowedTools",
        "MatchedTrajectory",
    ]
    assert "# What the answer must say is for you" in path.read_text("utf-8")


def test_a_session_is_kept_once(tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    add_session(talk(), path, name="one", origin={})
    with pytest.raises(CallError, match="with --name"):
        add_session(talk("Other."), path, name="One", origin={})
    with pytest.raises(
        CallError, match="wanted another session: the case 'one' has this recording"
    ):
        add_session(talk(), path, name="two", origin={})
    add_session(talk("Berth 5."), path, name="three", origin={})
    assert list(load_dataset(path).plans) == ["one", "three"]
    assert {one.name for one in (tmp_path / "recordings").iterdir()} == {
        "one.jsonl",
        "three.jsonl",
    }


def test_a_session_that_was_judged_keeps_its_evaluators_and_rules(tmp_path: Path) -> None:
    rule = {"tool_name": "find", "contains": "berth"}
    judged = Judged(fields={"name": "one", "evaluators": [YES]}, tool_rules=[rule_of(rule)])
    path = tmp_path / "kept.json"
    add_session(talk(), path, name="one", origin={}, judged=judged)
    (case,) = load_dataset(path).dataset.cases
    assert (len(case.inputs.tool_rules), len(case.evaluators)) == (1, 1)
    other = Judged(fields={"name": "two", "evaluators": [YES]})
    with pytest.raises(CallError, match="in which its tool_rules would be the same"):
        add_session(talk("Berth 5."), path, name="two", origin={}, judged=other)


def rule_of(written: dict[str, Any]) -> Any:
    return ToolRule.model_validate(written).model_dump(mode="json")
