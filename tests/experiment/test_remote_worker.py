"""What a worker loads and refuses, in this process."""

import asyncio
import pickle
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from audition.application import open_dataset
from audition.experiment.evaluation import Evaluation, FinishedUnit
from audition.experiment.plan import planned_cases
from audition.experiment.remote_worker import (
    CANCELLED,
    Named,
    Recipe,
    Worker,
    code_of,
    recipe_of,
)
from audition.experiment.status import Status
from audition.experiment.task import task_of
from audition.experiment.units import PlannedUnit, units_of
from tests.foreign.ray.desk import project


class Sent:
    """A project in a folder, the recipe of a run of it, and its units."""

    def __init__(self, folder: Path, *cases: str) -> None:
        application, loaded = open_dataset(project(folder, *cases))
        self.evaluation = Evaluation(
            loaded=loaded, application=application, task=task_of(loaded, application)
        )
        self.recipe = recipe_of(Named(folder=str(folder), dataset="desk.json"), self.evaluation)
        prints = {case.case_id: case.fingerprint for case in planned_cases(loaded)}
        self.workers: list[Worker] = []
        self.units = [*units_of(loaded, fingerprints=prints)]

    def worker(self, **named: Any) -> Worker:
        recipe = replace(self.recipe, named=replace(self.recipe.named, **named))
        sent: Recipe = pickle.loads(pickle.dumps(recipe))  # noqa: S301  # our own
        self.workers.append(Worker(sent))
        return self.workers[-1]


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Sent]]:
    monkeypatch.chdir(tmp_path)  # a worker changes the folder
    monkeypatch.setattr(sys, "path", [*sys.path])  # and puts the project on it
    monkeypatch.delitem(sys.modules, "desk_of_ray", raising=False)
    monkeypatch.setenv("DESK_MARKS", str(tmp_path))
    made: list[Sent] = []

    def sent(*cases: str) -> Sent:
        made.append(Sent(tmp_path, *cases))
        return made[-1]

    yield sent
    for one in made:
        for worker in one.workers:
            worker.close()


def never() -> bool:
    return False


def finished(worker: Worker, planned: PlannedUnit) -> FinishedUnit:
    told = worker.finish(pickle.loads(pickle.dumps(planned.unit)), None, never)  # noqa: S301  # our own
    assert isinstance(told, FinishedUnit), told
    return pickle.loads(pickle.dumps(told))  # noqa: S301  # our own


def test_a_worker_finishes_units_as_the_run_itself_would(make: Callable[..., Sent]) -> None:
    sent = make("a day", "b")
    worker = sent.worker()
    assert worker.prepare() is None
    for planned in sent.units:
        there = finished(worker, planned)
        here = asyncio.run(sent.evaluation.finish(planned))
        assert there.line.status is Status.PASSED
        assert there.line.model_copy(update={"seconds": here.line.seconds}) == here.line
        assert (there.is_failure, there.capabilities) == (here.is_failure, here.capabilities)


@pytest.mark.parametrize(
    ("named", "problem"),
    [
        ({"folder": "/no/such/place"}, "there is no folder /no/such/place; wanted the same folder"),
        ({"dataset": "other.json"}, "other.json"),
        ({"team": "night"}, "unknown team 'night'"),
        ({"environment": ("DESK_MARKS", "DESK_KEY", "NO_KEY")}, "DESK_KEY, NO_KEY is not in its"),
    ],
    ids=["folder", "dataset", "team", "environment"],
)
def test_what_is_not_there_is_refused_by_name(
    make: Callable[..., Sent], named: dict[str, Any], problem: str
) -> None:
    told = str(make("a").worker(**named).prepare())
    assert told.startswith("the worker on ")
    assert problem in told


@pytest.mark.parametrize(
    "what", ["Python", "package pydantic", "source of Audition", "version of the application"]
)
def test_other_code_is_refused_by_name(make: Callable[..., Sent], what: str) -> None:
    sent = make("a")
    sent.recipe = replace(sent.recipe, code={**sent.recipe.code, what: "another"})
    assert f"{what}: found {code_of(sent.evaluation.application)[what]}; wanted another" in str(
        sent.worker().prepare()
    )


def test_a_case_that_is_another_one_there_is_refused_by_name(
    make: Callable[..., Sent], tmp_path: Path
) -> None:
    sent = make("a", "b")
    project(tmp_path, "a", "b", says="no")
    worker = sent.worker()
    assert worker.prepare() is None
    told = worker.finish(sent.units[1].unit, None, never)
    assert isinstance(told, str)
    assert "desk.json, case 'b': found " in told
    assert told.endswith(f"wanted {sent.units[1].unit.fingerprint}, which the run has")


def test_a_unit_that_nobody_waits_for_is_cancelled(make: Callable[..., Sent]) -> None:
    sent = make("slow")
    worker = sent.worker()
    assert worker.prepare() is None
    begun = time.monotonic()
    assert worker.finish(sent.units[0].unit, None, lambda: True) == CANCELLED
    assert time.monotonic() - begun < 5


def test_a_recipe_has_no_value_of_the_environment(
    make: Callable[..., Sent], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DESK_KEY", "pw-GORSE-1188")
    recipe = make("a").recipe
    named = replace(recipe.named, environment=("DESK_KEY",))
    assert b"pw-GORSE-1188" not in pickle.dumps(replace(recipe, named=named))
