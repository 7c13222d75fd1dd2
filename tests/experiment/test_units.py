from pathlib import Path

from audition.experiment.units import units_of
from tests.experiments import dataset


def names(folder: Path, *, repeat: int | None = None) -> list[str]:
    loaded = dataset(folder, {"one": {}, "two": {"repeat": 2}})
    return [planned.unit.name for planned in units_of(loaded, repeat=repeat)]


def test_a_case_is_run_as_often_as_its_file_says(tmp_path: Path) -> None:
    assert names(tmp_path) == ["one", "two [1/2]", "two [2/2]"]


def test_the_call_says_more_than_the_file(tmp_path: Path) -> None:
    assert names(tmp_path, repeat=1) == ["one", "two"]
    assert len(names(tmp_path, repeat=3)) == 6


def test_units_know_their_place(tmp_path: Path) -> None:
    loaded = dataset(tmp_path, {"one": {}, "two": {"repeat": 2}})
    planned = [one.unit for one in units_of(loaded)]
    units = [(unit.position, unit.repeat, unit.repeats) for unit in planned]
    assert units == [(0, 1, 1), (1, 1, 2), (2, 2, 2)]


def test_a_case_without_a_name_is_called_case(tmp_path: Path) -> None:
    loaded = dataset(tmp_path, {"one": {}})
    loaded.dataset.cases[0].name = None
    assert [planned.unit.name for planned in units_of(loaded)] == ["case"]
