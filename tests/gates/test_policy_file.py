from pathlib import Path

import pytest

from audition.errors import DatasetError
from audition.gates.policy_file import read_policy


def written(folder: Path, text: str, name: str = "policy.yaml") -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def test_a_policy_is_read_from_yaml_and_from_json(tmp_path: Path) -> None:
    yaml = written(tmp_path, "version: 1\nbars:\n  - {tag: smoke, at_least: 0.9}\n")
    json = written(
        tmp_path, '{"version": 1, "bars": [{"tag": "smoke", "at_least": 0.9}]}', "policy.json"
    )
    assert read_policy(yaml) == read_policy(json)


def test_everything_that_is_wrong_is_told_at_once_with_its_place_and_what_was_meant(
    tmp_path: Path,
) -> None:
    text = "version: 1\nconfidnce: 0.9\nbars:\n  - at_lest: 0.9\n  - {at_least: '0.9'}\n"
    path = written(tmp_path, text)
    with pytest.raises(DatasetError) as caught:
        read_policy(path)
    told = [str(problem) for problem in caught.value.problems]
    assert [one.partition(":")[0] for one in told] == [
        "/bars/0/at_least",
        "/bars/0/at_lest",
        "/bars/1/at_least",
        "/confidnce",
    ]
    assert "did you mean 'at_least'?" in told[1]
    assert "did you mean 'confidence'?" in told[3]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("- 1", "write an object with version and rules"),
        ("version: 1\nversion: 1\nmust_pass: {}", "given more than once"),
        ("version: 2\nmust_pass: {}", "/version: found 2"),
        ("version: 1", "nothing is asked for"),
    ],
)
def test_what_is_no_policy_is_refused(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(DatasetError, match=told):
        read_policy(written(tmp_path, text))
