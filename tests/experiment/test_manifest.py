from pathlib import Path
from typing import Any

import pytest

from audition.errors import RecordError
from audition.experiment.manifest import (
    MANIFEST,
    Manifest,
    git_state,
    now,
    package_versions,
    python_version,
    read_manifest,
)


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


@pytest.mark.parametrize("value", ["1e999", "-Infinity", "NaN"])
def test_a_bound_that_is_no_number_is_told(tmp_path: Path, value: str) -> None:
    manifest().write(tmp_path)
    path = tmp_path / MANIFEST
    text = path.read_text("utf-8").replace('"limits": {}', f'"limits": {{"seed": {value}}}')
    path.write_text(text, "utf-8")
    with pytest.raises(RecordError, match=r"no manifest: /limits: .*seed is .*wanted a number"):
        read_manifest(tmp_path)


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
