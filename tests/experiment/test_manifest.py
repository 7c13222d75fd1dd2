import json
from pathlib import Path
from typing import Any

import pytest

from audition.datasets.authoring import Authoring
from audition.datasets.loading import LoadedDataset, build_dataset
from audition.datasets.reading import read_source
from audition.experiment.manifest import (
    MANIFEST,
    Manifest,
    dataset_fingerprints,
    fingerprint,
    git_state,
    now,
    package_versions,
    python_version,
)
from tests.datasets.desk import recorded

SESSIONS = """\
version: 2
task: session
name: gates
session: talk.jsonl
cases:
  - name: lists all
    metadata:
      note: |
        Gate 1
        Gate 2
    evaluators:
      - {type: human_response_contains_terms, required_terms: ["Gate 1"]}
"""


def checkout(folder: Path, text: str, name: str = "gates.yaml") -> LoadedDataset:
    folder.mkdir()
    recorded(folder / "talk.jsonl", "s-1")
    path = folder / name
    path.write_bytes(text.encode())
    return build_dataset(read_source(path), Authoring())


def test_a_checkout_with_other_line_ends_has_the_same_fingerprints(tmp_path: Path) -> None:
    unix = dataset_fingerprints(checkout(tmp_path / "unix", SESSIONS))
    windows = dataset_fingerprints(checkout(tmp_path / "windows", SESSIONS.replace("\n", "\r\n")))
    assert unix == windows


def test_json_and_yaml_of_one_content_have_the_same_fingerprints(tmp_path: Path) -> None:
    yaml = checkout(tmp_path / "yaml", SESSIONS)
    data = json.dumps(dict(read_source(yaml.path).data), indent=4)
    written = checkout(tmp_path / "json", data.replace("\n", "\r\n"), "gates.json")
    assert dataset_fingerprints(yaml) == dataset_fingerprints(written)


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        ("Gate 2", "Gate 3", (True, False)),
        ('"Gate 1"', '"Gate 2"', (False, True)),
        ("lists all", "lists some", (True, True)),
    ],
)
def test_a_change_of_content_changes_its_fingerprint(
    tmp_path: Path, old: str, new: str, changed: tuple[bool, bool]
) -> None:
    before = dataset_fingerprints(checkout(tmp_path / "before", SESSIONS))
    after = dataset_fingerprints(checkout(tmp_path / "after", SESSIONS.replace(old, new)))
    differs = tuple(one != other for one, other in zip(before, after, strict=True))
    assert differs == changed


def test_a_fingerprint_does_not_depend_on_the_order_of_keys() -> None:
    assert fingerprint({"a": 1, "b": 2}) == fingerprint({"b": 2, "a": 1}) != fingerprint({"a": 1})
    assert len(fingerprint("\ud800")) == 64


def manifest(**fields: Any) -> Manifest:
    return Manifest(
        experiment="e", dataset_name="d", dataset_path="d.json", dataset_fingerprint="x",
        evaluators_fingerprint="y", application="a", application_version=None, team=None,
        model_ids=[], packages={}, python="3.12", git_commit=None, git_dirty=None, limits={},
        started_at=now(), **fields,
    )  # fmt: skip


def test_a_manifest_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    made = manifest(exit_code=3)
    made.write(tmp_path)
    made.write(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [MANIFEST]
    assert Manifest.model_validate_json((tmp_path / MANIFEST).read_bytes()) == made
    assert (made.format, made.version) == ("audition-manifest", 1)


def test_the_versions_that_matter_are_known() -> None:
    versions = package_versions(["pydantic", "no-such-package-at-all"])
    assert versions["pydantic"] is not None
    assert versions["no-such-package-at-all"] is None
    assert python_version().startswith("3.")


def test_the_commit_is_known_inside_a_repository_and_unknown_outside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert git_state() == (None, None)
    monkeypatch.chdir(Path(__file__).parent)
    commit, dirty = git_state()
    assert (commit is None, dirty is None) in {(True, True), (False, False)}


def test_without_git_the_commit_is_unknown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert git_state() == (None, None)


def test_a_source_has_a_fingerprint_without_its_password(tmp_path: Path) -> None:
    dsn = "source: {kind: postgres, dsn: 'postgres://ana:PASSWORD@db/d'}\nsession_id: s-1"
    prints = [
        dataset_fingerprints(
            checkout(tmp_path / name, SESSIONS.replace("session: talk.jsonl", text))
        )
        for name, text in (
            ("one", dsn),
            ("two", dsn.replace("PASSWORD", "other")),
            ("three", dsn.replace("s-1", "s-2")),
        )
    ]
    assert (prints[0] == prints[1], prints[0] == prints[2]) == (True, False)
