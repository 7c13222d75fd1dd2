import json
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import pytest

from audition.application import (
    Application,
    load_application,
    load_dataset,
    open_dataset,
)
from audition.errors import DatasetError, SetupError
from audition.project import HOW_TO_NAME, Project, find_project
from tests.datasets.desk import recorded
from tests.projects import TABLE, project


@pytest.mark.parametrize("text", ['tool = "x"\n', "[tool]\n", ""])
def test_a_project_without_a_table_names_no_application(tmp_path: Path, text: str) -> None:
    found = find_project(project(tmp_path, text))
    assert load_application(found) == Application()


def test_an_application_that_is_not_named_is_told_with_the_one_that_was_meant() -> None:
    desk = Project(folder=Path("home"), applications={"desk": "a:b"}, default="desk")
    with pytest.raises(SetupError) as error:
        load_application(desk, "dsk")
    assert str(error.value) == (
        "unknown application 'dsk'; did you mean 'desk'? wanted one of desk; "
        "they are named in home/pyproject.toml, tool.audition.applications"
    )


@pytest.mark.parametrize(
    ("code", "reference", "told"),
    [
        ("", "{module}:application", "the module {module} has no application"),
        ("import not_there_at_all", "{module}:x", "raised ModuleNotFoundError: No module named"),
        ("def", "{module}:x", "raised SyntaxError"),
        ("1 / 0", "{module}:x", "raised ZeroDivisionError: division by zero"),
        ("None.x", "{module}:x", "raised AttributeError: 'NoneType' object has no attribute 'x'"),
        ("", "{module}", "found '{module}'; wanted \"module:object\""),
        ("", ":x", "found ':x'; wanted \"module:object\""),
        ("application = 5", "{module}:application", "is no Application but int"),
    ],
)  # fmt: skip
def test_an_application_that_cannot_be_used_is_a_wrong_set_up(
    tmp_path: Path, request: pytest.FixtureRequest, code: str, reference: str, told: str
) -> None:
    module = f"broken_application_{abs(hash(request.node.name))}"
    (tmp_path / f"{module}.py").write_text(code, "utf-8")
    name = reference.format(module=module)
    with pytest.raises(SetupError) as error:
        load_application(Project(folder=tmp_path, applications={"x": name}), "x")
    at = f"{tmp_path / 'pyproject.toml'}, tool.audition.applications.x: "
    assert str(error.value).startswith(at)
    assert told.format(module=module) in str(error.value)


class Factory:
    def runtime(self, inputs: object) -> object:
        return inputs


FACTORY, NO_FACTORY = Factory(), 5


def application(**runtimes: str) -> Application:
    return Application(
        name="desk", runtimes={name: f"{__name__}:{value}" for name, value in runtimes.items()}
    )


def test_the_first_runtime_is_the_default() -> None:
    desk = application(evaluation="FACTORY", production="NO_FACTORY")
    assert desk.runtime_factory() is desk.runtime_factory("evaluation") is FACTORY


@pytest.mark.parametrize(
    ("team", "told"),
    [
        ("prod", "application 'desk': unknown team 'prod'; did you mean 'production'?"),
        (
            "production",
            "runtimes['production']: found tests.test_application:NO_FACTORY, which has no method",
        ),
    ],
)
def test_a_team_that_cannot_be_made_is_told(team: str, told: str) -> None:
    with pytest.raises(SetupError) as error:
        application(evaluation="FACTORY", production="NO_FACTORY").runtime_factory(team)
    assert told in str(error.value)


def test_a_runtime_may_be_given_itself() -> None:
    desk = Application(name="desk", runtimes={"evaluation": cast("Any", FACTORY)})
    assert desk.runtime_factory() is FACTORY


@pytest.mark.parametrize(
    ("runtimes", "told"),
    [
        ({"evaluation": 5}, "runtimes['evaluation']: found 5, which has no method"),
        ({"evaluation": None}, "runtimes['evaluation']: found None, which has no method"),
        ({"evaluation": Factory}, "Factory'>, which is a class; wanted an instance of it"),
        ("desk_team:EVALUATION", "runtimes: found 'desk_team:EVALUATION'; wanted them by team"),
    ],
)
def test_what_makes_no_runtime_is_told(runtimes: Any, told: str) -> None:
    with pytest.raises(SetupError) as error:
        Application(name="desk", runtimes=runtimes).runtime_factory()
    assert str(error.value).startswith("application 'desk': runtimes")
    assert told in str(error.value)


def test_the_only_application_is_the_default_and_of_more_one_must_be_named(
    tmp_path: Path,
) -> None:
    (tmp_path / "desk_that_is_alone.py").write_text(DESK, "utf-8")
    alone = {"desk": "desk_that_is_alone:application"}
    assert load_application(Project(folder=tmp_path, applications=alone)).name == "desk"
    two = Project(folder=tmp_path, applications={**alone, "other": "a:b"})
    with pytest.raises(SetupError) as error:
        load_application(two)
    told = "tool.audition.default: is missing; wanted one of desk, other"
    assert str(error.value) == f"{tmp_path / 'pyproject.toml'}: {told}"
    assert load_application(two, "desk").name == "desk"


def test_the_project_of_the_file_comes_before_that_of_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    for folder in (here, there):
        folder.mkdir()
        module = f"desk_{folder.name}"
        (folder / f"{module}.py").write_text(DESK.replace('"desk"', f'"{module}"'), "utf-8")
        project(folder, f'[tool.audition.applications]\ndesk = "{module}:application"\n')
    monkeypatch.chdir(here)
    assert open_dataset(dataset(there))[0].name == "desk_there"
    (there / "pyproject.toml").unlink()
    assert open_dataset(dataset(there))[0].name == "desk_here"


def test_an_application_without_a_runtime_says_so() -> None:
    with pytest.raises(SetupError, match="application 'desk': there is no runtime"):
        Application(name="desk").runtime_factory()


def test_where_no_application_is_named_an_error_says_what_to_write() -> None:
    with pytest.raises(SetupError) as unnamed:
        Application().runtime_factory()
    with pytest.raises(SetupError) as unknown:
        load_application(Project(folder=Path("home")), "desk")
    assert str(unnamed.value) == (
        f"no application is named, so nothing can answer the cases; {HOW_TO_NAME}"
    )
    assert str(unknown.value) == f"unknown application 'desk'; {HOW_TO_NAME}"


def dataset(folder: Path, **fields: Any) -> Path:
    path = folder / "desk.json"
    case = {"name": "one", "message": "Who?", "evaluators": [{"type": "completed"}]}
    data = {"version": 2, "task": "retrieval", "name": "desk", "cases": [case], **fields}
    path.write_text(json.dumps(data), "utf-8")
    return path


DESK = """\
from audition.application import Application
from audition.datasets.authoring import Authoring
application = Application(name="desk", authoring=Authoring(agents=frozenset({"@Manager"})))
"""


def test_a_file_is_read_for_the_application_that_it_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "desk_that_is_named.py").write_text(DESK, "utf-8")
    project(tmp_path, '[tool.audition.applications]\ndesk = "desk_that_is_named:application"\n')
    inner = tmp_path / "datasets"
    inner.mkdir()
    found, loaded = open_dataset(dataset(inner, application="desk"))
    assert (found.name, loaded.dataset.name) == ("desk", "desk")
    assert load_dataset(dataset(inner, application="desk")).path == inner / "desk.json"


CONTRACT_WITH_A_TYPO = """\
from audition.application import Application
from audition.datasets.authoring import Authoring
from audition.evaluators.tools import DidNotCallTools
application = Application(name="desk", authoring=Authoring(
    contracts={"safety": [DidNotCallTools(("cancl",))]}, tools=frozenset({"cancel"})))
"""


def test_a_contract_that_names_an_unknown_tool_is_a_wrong_set_up(tmp_path: Path) -> None:
    (tmp_path / "desk_with_a_typo.py").write_text(CONTRACT_WITH_A_TYPO, "utf-8")
    project(tmp_path, '[tool.audition.applications]\ndesk = "desk_with_a_typo:application"\n')
    with pytest.raises(SetupError) as error:
        open_dataset(dataset(tmp_path))
    assert str(error.value) == (
        "application 'desk': contracts: /safety/0/forbidden_tools/0: unknown tool 'cancl'; "
        "did you mean 'cancel'? wanted one of cancel"
    )


def test_an_unknown_application_is_an_error_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    project(tmp_path, "[tool.audition]\n")
    with pytest.raises(DatasetError, match="/application: found 'dsk'; unknown application 'dsk'"):
        open_dataset(dataset(tmp_path, application="dsk"))


def test_a_file_of_pydantic_evals_is_read_too(tmp_path: Path) -> None:
    project(tmp_path, "[tool.audition]\n")
    path = tmp_path / "own.yaml"
    path.write_text("cases: [{inputs: {message: Hi}, evaluators: [Completed]}]\n", "utf-8")
    assert load_dataset(path).task == "native"


SESSION_IN_BROKEN_PROJECT = """\
import sys
from audition.application import open_dataset
from pathlib import Path
print(open_dataset(Path("golden.json"))[0].name)
"""


def test_a_session_file_needs_no_application(tmp_path: Path) -> None:
    project(tmp_path, TABLE)
    recorded(tmp_path / "talk.jsonl", "s-1")
    dataset(tmp_path).rename(tmp_path / "golden.json")
    case = {"name": "one", "evaluators": [{"type": "completed"}]}
    data = {"version": 2, "task": "session", "name": "g", "session": "talk.jsonl", "cases": [case]}
    (tmp_path / "golden.json").write_text(json.dumps(data), "utf-8")
    command = [sys.executable, "-c", SESSION_IN_BROKEN_PROJECT]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)  # noqa: S603  # our own script
    assert done.stdout == "None\n"


def test_a_default_that_cannot_be_imported_is_a_wrong_set_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project(tmp_path, TABLE))
    with pytest.raises(SetupError, match="desk_of_tests:application: importing"):
        open_dataset(dataset(tmp_path))
