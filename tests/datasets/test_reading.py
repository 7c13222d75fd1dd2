import json
import os
from pathlib import Path
from typing import Any, cast

import pytest
from pydantic import JsonValue

from audition.datasets.reading import (
    MAX_BYTES,
    SourceFile,
    as_list,
    as_object,
    plain_scalar,
    read_source,
)
from audition.errors import DatasetError

CASES = Path(__file__).parent.parent / "cases"


def read(tmp_path: Path, text: str, name: str = "file.yaml") -> SourceFile:
    path = tmp_path / name
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    return read_source(path)


def refused(tmp_path: Path, text: str, name: str = "file.yaml") -> str:
    with pytest.raises(DatasetError) as error:
        read(tmp_path, text, name)
    return str(error.value)


def problems(tmp_path: Path, text: str, name: str = "file.yaml") -> list[tuple[str, str]]:
    return sorted((one.pointer, one.found) for one in read(tmp_path, text, name).problems)


def at(data: JsonValue, pointer: str) -> JsonValue:
    for part in pointer.split("/")[1:]:
        data = data[int(part)] if isinstance(data, list) else cast("dict[str, Any]", data)[part]
    return data


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        ("/name", "2031-05-01"),
        ("/cases/0/name", "no"),
        ("/cases/0/session_id", "0123"),
        ("/cases/0/invocation_id", "1_000"),
        ("/cases/0/evaluators/0/expected/0", "on"),
        ("/cases/0/evaluators/1/name", "1.10"),
        ("/cases/0/evaluators/1/reference/0/content", "yes"),
        ("/cases/0/evaluators/1/reference/1/content", None),
        ("/cases/0/evaluators/1/reference/2/content", 10),
        ("/cases/0/evaluators/1/reference/3/content", "on"),
    ],
)
def test_yaml_is_read_with_the_types_of_json(pointer: str, value: JsonValue) -> None:
    found = at(dict(read_source(CASES / "33-yaml-implicit-types.yaml").data), pointer)
    assert (found, type(found)) == (value, type(value))


def test_arguments_in_yaml_are_what_json_would_hold() -> None:
    source = read_source(CASES / "33-yaml-implicit-types.yaml")
    place = "/cases/0/evaluators/1/reference/1/tool_calls/0/function/arguments"
    assert at(dict(source.data), place) == {
        "country": "no",
        "opens": "22:30",
        "version": "1.10",
        "since": "2031-05-01",
        "code": None,
        "huge": "12e3",
        "none": None,
        "quoted": "no",
    }
    (problem,) = source.problems
    assert problem.pointer == f"{place}/code"
    assert (problem.found, problem.wanted) == (
        "0x1F is a number in another base",
        "write it as decimal, or quote it",
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7", 7),
        ("-7", -7),
        ("0", 0),
        ("1.5", 1.5),
        ("-0.25", -0.25),
        ("true", True),
        ("False", False),
        ("~", None),
        ("", None),
        ("Null", None),
        ("-0", "-0"),
        ("+1", "+1"),
        (".5", ".5"),
        ("1.50", "1.50"),
        ("1e3", "1e3"),
        ("01", "01"),
        ("1_000", "1_000"),
        ("Yes", "Yes"),
        ("off", "off"),
        ("12:30:45", "12:30:45"),
        (".inf", ".inf"),
        ("9" * 401, "9" * 401),
    ],
)
def test_an_unquoted_scalar_is_a_number_only_as_json_would_write_it(
    text: str, value: JsonValue
) -> None:
    found = plain_scalar(text)
    assert (found, type(found)) == (value, type(value))


def test_quotes_and_an_explicit_tag_make_text(tmp_path: Path) -> None:
    source = read(tmp_path, "a: '1'\nb: \"no\"\nc: !!str 123\nd: |\n  5\n")
    assert source.data == {"a": "1", "b": "no", "c": "123", "d": "5\n"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a: !!python/name:os.system x", "the tag tag:yaml.org,2002:python/name:os.system"),
        ("a: !!binary aGk=", "is not read"),
        ("? [a]\n: 1", "a key must be text"),
        ("a: &x {b: 1}\nc:\n  <<: *x", "merge keys (<<) are not read"),
        ("a: &x [*x]", "unconstructable recursive node"),
        ("a: 1\n---\nb: 2", "expected a single document"),
        ("a: [", "write valid YAML"),
        ("- 1", "holds list"),
        ("", "holds nothing"),
        ('a: "\\uD800"', "write valid YAML"),
    ],
)
def test_what_yaml_must_not_do_is_refused(tmp_path: Path, text: str, told: str) -> None:
    assert told in refused(tmp_path, text)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"a": 1,}', "line 1, column 9"),
        ("[]", "holds list; write an object"),
        ("{", "write valid JSON"),
        ('{"a": ' + "9" * 5000 + "}", "write plain data"),
    ],
)
def test_what_is_no_json_object_is_refused(tmp_path: Path, text: str, told: str) -> None:
    assert told in refused(tmp_path, text, "file.json")


@pytest.mark.parametrize("name", ["deep.json", "deep.yaml"])
@pytest.mark.parametrize("depth", [200, 100_000])
def test_deep_nesting_is_refused(tmp_path: Path, name: str, depth: int) -> None:
    text = '{"a": ' + "[" * depth + "]" * depth + "}"
    assert refused(tmp_path, text, name)


def test_aliases_that_blow_a_small_file_up_are_refused(tmp_path: Path) -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    assert "nested too deep or too large" in refused(tmp_path, "\n".join(lines))


def test_a_flat_list_that_is_aliased_often_is_counted_each_time(tmp_path: Path) -> None:
    flat = ", ".join(["x"] * 2000)
    text = f"a: &a [{flat}]\nb: [{', '.join(['*a'] * 2000)}]"
    assert "nested too deep or too large" in refused(tmp_path, text)


@pytest.mark.parametrize("name", ["twice.json", "twice.yaml"])
def test_a_key_given_twice_is_told_with_its_place(tmp_path: Path, name: str) -> None:
    text = '{"a": {"b/c": 1, "b/c": 2, "d": 3}, "e": [{"f": 1, "f": 1}]}'
    told = "the key 'b/c' is given more than once"
    assert problems(tmp_path, text, name) == [
        ("/a/b~1c", told),
        ("/e/0/f", "the key 'f' is given more than once"),
    ]


@pytest.mark.parametrize(
    ("text", "pointer", "found"),
    [
        ('{"a": [NaN]}', "/a/0", "NaN is no JSON value"),
        ('{"a": -Infinity}', "/a", "-Infinity is no JSON value"),
        ('{"a": 1e400}', "/a", "is a number too large to be kept"),
        ('{"a": "\\ud800"}', "/a", "found '\\ud800', with half of a surrogate pair"),
        ('{"\\ud800": 1}', "", "a key has half of a surrogate pair"),
    ],
)
def test_what_could_never_be_kept_is_told(
    tmp_path: Path, text: str, pointer: str, found: str
) -> None:
    assert problems(tmp_path, text, "file.json") == [(pointer, found)]


def test_line_ends_and_a_byte_order_mark_change_nothing(tmp_path: Path) -> None:
    unix = "name: gates\ntext: |\n  Gate 1\n  Gate 2\n"
    plain = read(tmp_path, unix)
    assert read(tmp_path, "\ufeff" + unix.replace("\n", "\r\n")).data == plain.data
    assert plain.data["text"] == "Gate 1\nGate 2\n"


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("file.txt", b"{}", "the name ends in '.txt'; write .json, .yaml or .yml"),
        ("file.json", b'{"a": "\xff"}', "byte 7 is not UTF-8; save it as UTF-8"),
    ],
)
def test_a_file_of_another_kind_is_refused(
    tmp_path: Path, name: str, content: bytes, told: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(DatasetError) as error:
        read_source(path)
    assert str(error.value) == f"{path}#/: {told}"


def test_a_missing_file_and_a_folder_are_told_as_such(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="No such file or directory"):
        read_source(tmp_path / "none.json")
    (tmp_path / "folder.json").mkdir()
    with pytest.raises(DatasetError, match="is a folder, no regular file"):
        read_source(tmp_path / "folder.json")


def test_a_huge_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.json"
    with path.open("wb") as stream:
        stream.truncate(MAX_BYTES + 1)
    with pytest.raises(DatasetError, match=f"is {MAX_BYTES + 1} bytes long"):
        read_source(path)


@pytest.mark.parametrize("value", [None, "x", 5, {"a": 1}, [1]])
def test_what_is_no_list_or_object_is_read_as_an_empty_one(value: JsonValue) -> None:
    assert as_list(value) == (value if isinstance(value, list) else [])
    assert as_object(value) == (value if isinstance(value, dict) else {})


def test_json_and_yaml_of_the_same_content_are_the_same(tmp_path: Path) -> None:
    data: JsonValue = {"a": [1, 1.5, True, None, "no", {"b": []}], "c": "é"}
    one = read(tmp_path, json.dumps(data), "same.json")
    other = read(tmp_path, json.dumps(data), "same.yaml")
    assert one.data == other.data == data


def test_what_is_no_file_is_told_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "zero.json").symlink_to("/dev/zero")
    for name, told in (
        ("pipe.json", "no regular file"),
        ("zero.json", "no regular file"),
        (f"{'x' * 300}.json", "File name too long"),
        ("a\0.json", "embedded null byte"),
    ):
        with pytest.raises(DatasetError, match=told):
            read_source(tmp_path / name)


def test_broken_yaml_is_told_by_line_and_column(tmp_path: Path) -> None:
    path = tmp_path / "broken.yaml"
    path.write_text("cases: [\n")
    with pytest.raises(DatasetError, match="at line 2, column 1; write valid YAML"):
        read_source(path)


def test_an_address_in_the_place_of_a_dataset_file_is_told_without_its_password() -> None:
    with pytest.raises(DatasetError) as error:
        read_source(Path("postgres://u:geheim@host/desk"))
    assert (error.value.path, "geheim" in str(error.value)) == ("postgres://…", False)
