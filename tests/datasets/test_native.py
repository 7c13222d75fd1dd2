import json
from pathlib import Path
from typing import Any

import pytest
from pydantic_evals.evaluators import Contains

from audition.datasets.authoring import Authoring
from audition.datasets.loading import LoadedDataset
from audition.datasets.native import build_native_dataset, is_native
from audition.datasets.reading import read_source
from audition.errors import DatasetError
from audition.evaluators.completion import Completed
from audition.evaluators.responses import HumanResponseContainsTerms
from audition.evaluators.tools import ToolCallCount
from audition.inputs import CaseInput

YAML = """\
# yaml-language-server: $schema=greetings_schema.json
name: greetings
cases:
  - name: hello
    inputs: {message: Hello?}
    metadata: {tags: [smoke]}
    expected_output: anything
    evaluators:
      - Completed
      - HumanResponseContainsTerms: [welcome, {number: 7}]
      - ToolCallCount: {tool_name: search, minimum: 1}
      - Contains: welcome
  - inputs: {message: Again?}
evaluators:
  - Completed: {id: done}
"""


def load(tmp_path: Path, data: Any, name: str = "own.json") -> LoadedDataset:
    path = tmp_path / name
    path.write_text(data if isinstance(data, str) else json.dumps(data), "utf-8")
    return build_native_dataset(read_source(path), Authoring())


def problems(tmp_path: Path, data: Any) -> dict[str, str]:
    with pytest.raises(DatasetError) as error:
        load(tmp_path, data)
    return {one.pointer: f"{one.found}; {one.wanted}" for one in error.value.problems}


def case(*evaluators: Any, **fields: Any) -> dict[str, Any]:
    return {"inputs": {"message": "Hello?"}, "evaluators": list(evaluators), **fields}


def test_a_native_file_loads_with_our_evaluators_and_theirs(tmp_path: Path) -> None:
    loaded = load(tmp_path, YAML, "greetings.yaml")
    hello, again = loaded.dataset.cases
    assert (loaded.dataset.name, loaded.task, loaded.target) == ("greetings", "native", "team")
    assert hello.inputs == CaseInput(message="Hello?")
    terms = HumanResponseContainsTerms(["welcome", {"number": 7}])  # pyright: ignore[reportArgumentType]  # as a file has it
    count = ToolCallCount("search", minimum=1)
    assert hello.evaluators == [Completed(), terms, count, Contains("welcome")]
    assert (again.name, loaded.dataset.evaluators) == ("Case 2", [Completed(id="done")])


def test_a_file_without_a_name_has_that_of_its_path(tmp_path: Path) -> None:
    assert load(tmp_path, {"cases": [case()], "$schema": "x"}).dataset.name == "own"


def test_a_file_is_native_unless_it_says_version_task_or_knowledge(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    for keys, native in (({}, True), ({"task": 1}, False), ({"version": 2}, False)):
        path.write_text(json.dumps({"cases": [], **keys}), "utf-8")
        assert is_native(read_source(path)) is native


def test_everything_that_is_wrong_is_told_at_once_with_its_place(tmp_path: Path) -> None:
    data = {
        "name": "own",
        "evaluators": [{"Completed": {"severity": "mst"}}],
        "cases": [
            case("Complted", {"HumanResponseContainsTerms": {"required_term": ["x1"]}}),
            case({"Contains": {"valu": "x"}}, {"HumanResponseContainsTerms": ["x1", ""]}),
            case({"ToolCallCount": "t"}, {"One": 1, "Two": 2}, name="a"),
            case(name="A ", inputs={"mesage": "Hello?"}),
        ],
    }
    found = problems(tmp_path, data)
    assert list(found) == [
        "/cases/0/evaluators/0",
        "/cases/0/evaluators/1/HumanResponseContainsTerms/required_term",
        "/cases/0/evaluators/1/HumanResponseContainsTerms/required_terms",
        "/cases/1/evaluators/0/Contains",
        "/cases/1/evaluators/1/HumanResponseContainsTerms/1",
        "/cases/2/evaluators/0/ToolCallCount",
        "/cases/2/evaluators/1/arguments",
        "/cases/2/evaluators/1/name",
        "/cases/3/inputs/mesage",
        "/cases/3/name",
        "/evaluators/0/Completed/severity",
    ]
    assert "did you mean 'Completed'?" in found["/cases/0/evaluators/0"]
    assert "did you mean 'message'?" in found["/cases/3/inputs/mesage"]
    misspelt = found["/cases/0/evaluators/1/HumanResponseContainsTerms/required_term"]
    assert "did you mean 'required_terms'?" in misspelt


def test_two_cases_without_a_name_keep_apart(tmp_path: Path) -> None:
    loaded = load(tmp_path, {"cases": [case(), case()]})
    assert list(loaded.plans) == ["Case 1", "Case 2"]
    assert "/cases/1/name" in problems(tmp_path, {"cases": [case(), case(name="Case 1")]})


@pytest.mark.parametrize("cases", [[], 5, {}])
def test_a_file_without_cases_is_refused(tmp_path: Path, cases: Any) -> None:
    assert "/cases" in problems(tmp_path, {"cases": cases})


def test_evaluators_of_reports_are_named_as_not_run(tmp_path: Path) -> None:
    loaded = load(tmp_path, {"cases": [case()], "report_evaluators": ["ConfusionMatrixEvaluator"]})
    (warning,) = loaded.warnings
    assert warning.pointer == "/report_evaluators"


def test_an_unknown_evaluator_of_reports_is_told(tmp_path: Path) -> None:
    found = problems(tmp_path, {"cases": [case()], "report_evaluators": ["Whole"]})
    assert found[""].startswith("Report evaluator 'Whole' is not in the provided")


def test_a_turn_that_can_never_exist_is_told(tmp_path: Path) -> None:
    of_turn_1 = {"Completed": {"scope": {"turn": 1}}}
    two = {"turns": [{"message": "One?"}, {"message": "Two?"}]}
    data = {"cases": [case(of_turn_1), case(of_turn_1, inputs=two)], "evaluators": [of_turn_1]}
    found = problems(tmp_path, data)
    told = "turn 1 can never exist; the case has 1 turn(s): use 0 to 0"
    assert found == {"/cases/0/evaluators/0/Completed/scope/turn": told}
    found = problems(tmp_path, {"cases": [case()], "evaluators": [of_turn_1]})
    assert list(found) == ["/evaluators/0/Completed/scope/turn"]


def test_tags_of_a_wrong_type_are_told(tmp_path: Path) -> None:
    tags: list[Any] = ["smoke", ["ok", 5, " "], ["fine"], None]
    data = {"cases": [case(metadata={"tags": one}) for one in tags]}
    assert problems(tmp_path, data) == {
        "/cases/0/metadata/tags": "found 'smoke'; write a list of texts",
        "/cases/1/metadata/tags/1": "found 5; write text that is not empty",
        "/cases/1/metadata/tags/2": "found ' '; write text that is not empty",
    }
