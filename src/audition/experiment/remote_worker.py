"""The other end of a run on many machines: a process that loads the dataset and runs its units.

It is sent names and settings, never a value of its environment, and loads the rest from where it
is. What it has otherwise than the run is refused by name.
"""

import asyncio
import hashlib
import os
import platform
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from pydantic_evals import Case

from audition.application import Application, open_dataset
from audition.datasets.session_files import Given
from audition.errors import AuditionError, tell_error
from audition.experiment.evaluation import Evaluation, FinishedUnit
from audition.experiment.manifest import git_state, package_versions, python_version
from audition.experiment.plan import fingerprint, name_id, planned_cases
from audition.experiment.task import task_of
from audition.experiment.units import PlannedUnit, Unit
from audition.redaction.records import Redactor
from audition.sources.addresses import source_address
from audition.spans import record_spans

CANCELLED = "it was cancelled"
_POLL_SECONDS = 0.2
_SOURCE = Path(__file__).parents[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """What the call of a run names, and each worker loads for itself.

    Attributes:
        folder: What all paths are relative to, the same on each machine.
        dataset: The dataset file.
        session: The recorded session that is judged, None for those that the file names.
        source: Where sessions come from, None likewise; without a password.
        team: The team, None for the application's default.
        environment: Environment variables that a worker must have.

    """

    folder: str
    dataset: str
    session: str | None = None
    source: str | None = None
    team: str | None = None
    environment: tuple[str, ...] = ()

    def given(self) -> Given | None:
        """Return what the call says in place of the sessions that a file names."""
        if self.source is not None:
            return source_address(self.source)
        return None if self.session is None else Path(self.session)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """All that a worker is sent before its units.

    Attributes:
        named: What it loads.
        timeout_seconds: As in `Evaluation`.
        deadline_seconds: As in `Evaluation`.
        today: As in `Evaluation`.
        redact: As in `Evaluation`.
        run_seed: As in `Evaluation`.
        code: What the run is made with, by what it is; a worker must have the same.

    """

    named: Named
    timeout_seconds: float | None
    deadline_seconds: float | None
    today: date
    redact: bool
    run_seed: int
    code: Mapping[str, str | None]


def recipe_of(named: Named, evaluation: Evaluation) -> Recipe:
    """Return what a worker is sent so that it evaluates as this process would."""
    return Recipe(
        named=named,
        timeout_seconds=evaluation.timeout_seconds,
        deadline_seconds=evaluation.deadline_seconds,
        today=evaluation.today,
        redact=evaluation.redact,
        run_seed=evaluation.run_seed,
        code=code_of(evaluation.application),
    )


def code_of(application: Application) -> dict[str, str | None]:
    """Return what a run is made with, by what it is; None where that is not known."""
    packages = package_versions()
    return {
        "Python": python_version(),
        **{f"package {name}": version or "none" for name, version in packages.items()},
        "source of Audition": _source_digest(),
        "commit of the folder": git_state()[0],
        "application": application.name or "none",
        "version of the application": application.version or "none",
        "configuration of the application": fingerprint(dict(application.configuration)),
    }


def _source_digest() -> str:
    hashed = hashlib.sha256()
    for path in sorted(_SOURCE.rglob("*.py")):
        hashed.update(path.read_bytes().replace(b"\r\n", b"\n"))
    return hashed.hexdigest()[:16]


class Worker:
    """Runs the units of a run, one at a time, in the main thread of a process of its own.

    Args:
        recipe: What it loads, and how it evaluates.

    """

    def __init__(self, recipe: Recipe) -> None:
        self._recipe = recipe
        self._runner = asyncio.Runner()  # one loop for all units, as a run in one process has
        self._cases: dict[str, Case[Any, Any, Any]] = {}
        self._fingerprints: dict[str, str] = {}

    def prepare(self) -> str | None:
        """Load what the recipe names; return why that cannot be run here, None where it can."""
        try:
            return next(self._problems(), None)
        except (AuditionError, OSError) as error:
            return _told(str(error))
        except Exception as error:  # noqa: BLE001  # of the application: its module may do anything
            return _told(tell_error(error))

    def _problems(self) -> Iterator[str]:
        named = self._recipe.named
        missing = [name for name in named.environment if not os.environ.get(name)]
        if missing:
            yield _told(f"{', '.join(missing)} is not in its environment; wanted it set there")
        if not Path(named.folder).is_dir():
            yield _told(
                f"there is no folder {named.folder}; wanted the same folder on each machine"
            )
        os.chdir(named.folder)
        application, loaded = open_dataset(Path(named.dataset), session=named.given())
        for what, here in code_of(application).items():
            there = self._recipe.code.get(what)
            if here is not None and there is not None and here != there:
                yield _told(f"{what}: found {here}; wanted {there}, which the run has")
        self._evaluation = Evaluation(
            loaded=loaded,
            application=application,
            task=task_of(loaded, application, team=named.team),
            timeout_seconds=self._recipe.timeout_seconds,
            deadline_seconds=self._recipe.deadline_seconds,
            today=self._recipe.today,
            redact=self._recipe.redact,
            run_seed=self._recipe.run_seed,
        )
        if self._evaluation.may_look_at_spans:
            record_spans()
        self._cases = {name_id(case.name or "case"): case for case in loaded.dataset.cases}
        self._fingerprints = {case.case_id: case.fingerprint for case in planned_cases(loaded)}

    def finish(
        self, unit: Unit, seconds_left: float | None, is_cancelled: Callable[[], bool]
    ) -> FinishedUnit | str:
        """Run a unit and judge it, or return why not.

        Args:
            unit: The unit.
            seconds_left: As in `Evaluation.finish`.
            is_cancelled: Whether nobody waits for it any more.

        """
        found = self._fingerprints.get(unit.case_id, "no such case")
        if found != unit.fingerprint:
            what = f"{self._recipe.named.dataset}, case {unit.case!r}"
            return _told(f"{what}: found {found}; wanted {unit.fingerprint}, which the run has")
        planned = PlannedUnit(unit=unit, case=self._cases[unit.case_id])
        return self._runner.run(self._finished(planned, seconds_left, is_cancelled))

    def close(self) -> None:
        """End its loop."""
        self._runner.close()

    async def _finished(
        self, planned: PlannedUnit, seconds_left: float | None, is_cancelled: Callable[[], bool]
    ) -> FinishedUnit | str:
        finishing = asyncio.ensure_future(
            self._evaluation.finish(planned, seconds_left=seconds_left)
        )
        while not (await asyncio.wait({finishing}, timeout=_POLL_SECONDS))[0]:
            if is_cancelled():
                finishing.cancel()
        return CANCELLED if finishing.cancelled() else finishing.result()


def _told(problem: str) -> str:
    """Return a problem with the machine that has it, without secrets."""
    return Redactor().text(f"the worker on {platform.node()}: {problem}")
