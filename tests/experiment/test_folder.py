from pathlib import Path

import pytest

from audition.errors import CallError
from audition.experiment.folder import new_folder, runs_below
from audition.experiment.manifest import MANIFEST


def test_a_folder_is_named_by_experiment_and_time(tmp_path: Path) -> None:
    folder = new_folder(tmp_path / "reports", "desk/small set")
    assert folder.is_dir()
    assert folder.parent == tmp_path / "reports" / "desk-small-set"
    assert len(folder.name) >= len("20310501T120000Z")


@pytest.mark.parametrize("name", ["..", "/", "", "."])
def test_a_name_never_leaves_the_folder_of_reports(tmp_path: Path, name: str) -> None:
    folder = new_folder(tmp_path / "reports", name)
    assert folder.parent == tmp_path / "reports" / "experiment"


def test_two_runs_of_one_second_have_two_folders(tmp_path: Path) -> None:
    folders = {new_folder(tmp_path, "desk") for _ in range(5)}
    assert len(folders) == 5


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "reports").touch()
    with pytest.raises(CallError, match="wanted a folder that can be made"):
        new_folder(tmp_path / "reports", "desk")


def test_runs_are_found_below_their_dataset_and_below_all_reports(tmp_path: Path) -> None:
    desk = tmp_path / "desk"
    runs = [desk / "20310501T120000Z", desk / "20310502T120000Z"]
    for run in runs:
        run.mkdir(parents=True)
        (run / MANIFEST).touch()
    (desk / "notes").mkdir()
    assert runs_below(desk) == runs_below(tmp_path) == runs[::-1]
    assert runs_below(runs[0]) == []
