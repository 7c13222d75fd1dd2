import asyncio
from pathlib import Path

from audition.experiment.engine import LocalEngine
from audition.experiment.status import Status
from audition.experiment.units import units_of
from tests.experiments import experiment


def test_the_local_engine_finishes_a_unit_here(tmp_path: Path) -> None:
    run = experiment(tmp_path, {"good": "yes"})
    (planned,) = units_of(run.loaded)

    async def finish() -> Status:
        engine = LocalEngine(run.evaluation)
        finished = await engine.finish(planned)
        await engine.close()
        return finished.line.status

    assert asyncio.run(finish()) is Status.PASSED
