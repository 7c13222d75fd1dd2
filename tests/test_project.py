from pathlib import Path

import pytest

from audition.errors import SetupError
from audition.project import Project, find_project
from tests.projects import TABLE, project


def test_the_nearest_project_above_is_found(tmp_path: Path) -> None:
    project(tmp_path, TABLE)
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    project(inner, "[tool.ruff]\n")
    found = find_project(inner)
    applications = {"desk": "desk_of_tests:application"}
    assert found == Project(folder=tmp_path, applications=applications, default="desk")


def test_folders_are_looked_up_in_their_order(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    for folder in (one, other):
        folder.mkdir()
    project(other, TABLE)
    assert find_project(one, other).folder == other
    assert find_project(one) == Project(folder=one)


DESK = '[tool.audition.applications]\ndesk = "a:b"\n'


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            '[tool.audition]\ndefault = "desk"\n',
            "default: found 'desk'; wanted one of tool.audition.applications, which names none",
        ),
        (
            f'[tool.audition]\ndefault = "dsk"\n{DESK}',
            "default: found 'dsk'; did you mean 'desk'? wanted one of desk",
        ),
        (
            f'[tool.audition]\ndefault = ["desk"]\n{DESK}',
            "default: found ['desk']; wanted the name of an application",
        ),
        (
            "[tool.audition.applications]\ndesk = 5\n",
            'applications.desk: found 5; wanted "module:object"',
        ),
        (
            '[tool.audition]\napplications = "desk"\n',
            "applications: found 'desk'; wanted a table of \"module:object\" by name",
        ),
        (
            f'[tool.audition]\ndefualt = "desk"\n{DESK}',
            "unknown key 'defualt'; did you mean 'default'? wanted one of applications, default",
        ),
        ("[tool.audition\n", "Expected ']' at the end of a table declaration"),
        ('[tool]\naudition = "desk"\n', "tool.audition: found 'desk'; wanted a table"),
    ],
)
def test_a_table_that_cannot_be_meant_is_refused(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(SetupError) as error:
        find_project(project(tmp_path, text))
    assert str(error.value).startswith(f"{tmp_path / 'pyproject.toml'}: ")
    assert told in str(error.value)


def test_a_folder_whose_name_is_too_long_has_no_project(tmp_path: Path) -> None:
    assert find_project(tmp_path / ("x" * 5000)).applications == {}
