"""One case more; nothing else of a file is changed."""

import json
from pathlib import Path
from typing import Any, cast

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from audition.datasets.additions import Fields, new_file, with_case, write_case
from audition.datasets.reading import read_source
from audition.errors import CallError, DatasetError, Problem

CASE: Fields = {"name": "new", "evaluators": [{"type": "completed"}]}


def anything(part: Path) -> None:
    assert part.is_file()


def added(folder: Path, text: str, name: str = "suite.yaml", *comments: str) -> str:
    path = folder / name
    path.write_bytes(text.encode())
    source = read_source(path)
    write_case(path, with_case(source, CASE, comments), source, CASE, check=anything)
    assert [one.name for one in folder.iterdir()] == [name]
    return path.read_bytes().decode()


YAML = """\
# About this suite.
version: 2
cases:
  - name: one   # the first
    evaluators:
      - type: completed

      # A hint of this case.
# Behind all cases.
limits: {}
"""


def test_yaml_keeps_its_comments_and_a_hint_stays_with_its_case(tmp_path: Path) -> None:
    assert added(tmp_path, YAML, "suite.yaml", "a hint") == YAML.replace(
        "# Behind",
        "  - name: new\n    evaluators:\n      - type: completed\n      # a hint\n# Behind",
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("cases:\n- name: one", "cases:\n- name: one\n- name: new\n  evaluators:\n"),
        ("cases:\r\n- name: one\r\n", "cases:\r\n- name: one\r\n- name: new\r\n  evaluators:\r\n"),
        ("cases:\n  - name: |\n      one\n      two\nx: 1\n",
         "cases:\n  - name: |\n      one\n      two\n  - name: new\n    evaluators:\n"),
        ("cases:\n  - {name: one, tags: [\n    a]}\nx: 1\n",
         "cases:\n  - {name: one, tags: [\n    a]}\n  - name: new\n"),
        ("cases:\n  - name:\nx: 1\n", "cases:\n  - name:\n  - name: new\n"),
    ],
)  # fmt: skip
def test_a_case_is_added_at_the_end_of_the_list(tmp_path: Path, before: str, after: str) -> None:
    assert added(tmp_path, before).startswith(after)


JSON = """\
{
    "cases": [
        {"name": "one", "x": [1, 2]}
    ],
    "version": 2
}
"""


def test_json_keeps_its_order_and_indentation(tmp_path: Path) -> None:
    assert added(tmp_path, JSON, "suite.json") == JSON.replace(
        "2]}\n",
        '2]},\n        {\n            "name": "new",\n            "evaluators": [\n'
        '                {\n                    "type": "completed"\n                }\n'
        "            ]\n        }\n",
    )


def test_json_in_one_line_stays_in_one(tmp_path: Path) -> None:
    before = '{"version": 2, "cases": [{"name": "]"}], "x": {"cases": [1]}}'
    made = added(tmp_path, before, "suite.json")
    assert made == before.replace('"]"}', f'"]"}}, {json.dumps(CASE)}')


@pytest.mark.parametrize("text", ['{\n  "cases": []\n}', '{"cases":[ ]}', '{\t"cases":[]}'])
def test_the_first_case_of_a_list_is_added_too(tmp_path: Path, text: str) -> None:
    assert json.loads(added(tmp_path, text, "suite.json"))["cases"] == [CASE]


def test_line_ends_and_tabs_of_json_are_kept(tmp_path: Path) -> None:
    before = '{\r\n\t"cases": [\r\n\t\t{\r\n\t\t\t"name": "one"\r\n\t\t}\r\n\t]\r\n}\r\n'
    made = added(tmp_path, before, "suite.json")
    assert '\r\n\t\t},\r\n\t\t{\r\n\t\t\t"name": "new",\r\n' in made
    assert "\n" not in made.replace("\r\n", "")


@pytest.mark.parametrize(
    "text",
    [
        "cases: [{name: one}]\n",
        "cases: []\n",
        "version: 2\n",
        "{cases: [\n{name: one}]}\n",
        "x: &x {name: one}\ncases:\n  - *x\n  - name: two\n    evaluators: *x\n",
        "cases:\n  - name: one\n  # a\n...\n",
    ],
)
def test_what_cannot_be_added_to_is_left_as_it_is(tmp_path: Path, text: str) -> None:
    path = tmp_path / "suite.yaml"
    path.write_text(text, "utf-8")
    source = read_source(path)
    try:
        write_case(path, with_case(source, CASE), source, CASE, check=anything)
    except CallError as error:
        assert "add the case by hand" in str(error)  # noqa: PT017  # either is right
        assert path.read_text("utf-8") == text
    else:
        assert read_source(path).data == {**source.data, "cases": [*cases_of(source.data), CASE]}


def cases_of(data: dict[str, Any]) -> list[JsonValue]:
    return data["cases"]


def test_what_does_not_pass_its_check_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "suite.yaml"
    path.write_text(YAML, "utf-8")
    source = read_source(path)

    def refuse(part: Path) -> None:
        raise DatasetError(str(part), [Problem(pointer="/x", found="y", wanted="z")])

    with pytest.raises(DatasetError, match="#/x: y; z"):
        write_case(path, with_case(source, CASE), source, CASE, check=refuse)
    assert (path.read_text("utf-8"), len(list(tmp_path.iterdir()))) == (YAML, 1)


@pytest.mark.parametrize("name", ["new.yaml", "new.json"])
def test_a_new_file_holds_the_case(tmp_path: Path, name: str) -> None:
    path = tmp_path / "deep" / name
    text = new_file(path, {"version": 2}, CASE, ["a hint"])
    write_case(path, text, None, CASE, check=anything)
    assert read_source(path).data == {"version": 2, "cases": [CASE]}
    assert ("a hint" in text) is (path.suffix == ".yaml")


TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=12)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


dump: Any = cast("Any", yaml).safe_dump


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("additions")


@given(
    head=st.dictionaries(TEXTS, VALUES, max_size=3),
    cases=st.lists(st.dictionaries(TEXTS, VALUES, min_size=1, max_size=3), min_size=1, max_size=3),
    indent=st.sampled_from([None, 1, 2, "\t"]),
)
def test_every_file_is_added_to_or_left_as_it_is(
    folder: Path, head: dict[str, Any], cases: list[Any], indent: Any
) -> None:
    data = {**head, "cases": cases, "z": head}
    for name, text in (
        ("suite.json", json.dumps(data, indent=indent)),
        ("suite.yaml", dump(data, allow_unicode=indent is None)),
    ):
        path = folder / name
        path.write_text(text, "utf-8", newline="")
        source = read_source(path)
        if source.problems:
            continue
        try:
            write_case(path, with_case(source, CASE), source, CASE, check=anything)
        except CallError:
            assert path.suffix == ".yaml"
            assert path.read_bytes().decode() == text
        else:
            assert read_source(path).data == {
                **source.data,
                "cases": [*cases_of(source.data), CASE],
            }
