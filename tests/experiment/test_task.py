import asyncio
from pathlib import Path
from typing import Any

import pytest

from audition.application import Application
from audition.datasets.loading import LoadedDataset
from audition.errors import CallError, SetupError
from audition.experiment.task import task_of, with_limits
from audition.inputs import CaseInput
from audition.sessions import SessionInput, judge_session
from audition.sources.addresses import SourceAddress
from audition.testing import ScriptedFactory, answer
from tests.experiments import dataset

FACTORY = ScriptedFactory(lambda inputs: [[answer(f"You said {inputs.message}")]])
DESK = Application(name="desk", runtimes={"evaluation": f"{__name__}:FACTORY"})


def loaded(folder: Path, **fields: Any) -> LoadedDataset:
    return dataset(folder, {"one": {}}, **fields)


def test_a_team_answers_through_the_runtime_of_the_application(tmp_path: Path) -> None:
    task = task_of(loaded(tmp_path), DESK)
    out = asyncio.run(_answered(task, CaseInput(message="Hello")))
    assert out.final_response == "You said Hello"


async def _answered(task: Any, inputs: CaseInput) -> Any:
    return await task(inputs)


def test_a_team_that_the_application_lacks_is_told(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="unknown team 'production'"):
        task_of(loaded(tmp_path), DESK, team="production")


def test_a_running_system_is_told_with_what_can_be_done_now(tmp_path: Path) -> None:
    running = loaded(tmp_path, knowledge={"source": "running_system"})
    with pytest.raises(
        CallError, match="recorded sessions are judged by a file of `task: session`"
    ):
        task_of(running, DESK)


def session(folder: Path) -> LoadedDataset:
    made = loaded(folder)
    return LoadedDataset(
        path=made.path, task="session", target="session", dataset=made.dataset, plans={}
    )


def test_a_session_file_needs_no_team(tmp_path: Path) -> None:
    assert task_of(session(tmp_path), Application()) is judge_session
    with pytest.raises(CallError, match="--team: found 'production'; wanted no team"):
        task_of(session(tmp_path), DESK, team="production")


def test_bounds_of_the_call_replace_those_of_a_case() -> None:
    inputs = CaseInput(message="Hello", timeout_seconds=9, deadline_seconds=9)
    bounded = with_limits(inputs, timeout_seconds=2, deadline_seconds=None)
    assert (bounded.timeout_seconds, bounded.deadline_seconds) == (2, 9)
    assert inputs.timeout_seconds == 9


def test_a_recorded_session_has_no_bounds() -> None:
    inputs = SessionInput(session="talk.jsonl")
    assert with_limits(inputs, timeout_seconds=2, deadline_seconds=2) is inputs


class Choosy(ScriptedFactory):
    """A factory that refuses inputs before anything is run."""

    def check(self, inputs: CaseInput) -> None:
        msg = f"cannot answer {inputs.message}"
        raise SetupError(msg)


CHOOSY = Choosy(lambda _: [])


def test_a_factory_may_refuse_a_case_before_anything_is_run(tmp_path: Path) -> None:
    desk = Application(name="desk", runtimes={"evaluation": f"{__name__}:CHOOSY"})
    with pytest.raises(SetupError, match=r"cannot answer one\?"):
        task_of(loaded(tmp_path), desk)


def test_a_source_that_is_not_set_up_is_told_before_anything_is_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("KAGENT_URL", raising=False)
    made = session(tmp_path)
    source = SourceAddress(address="kagent:")
    made.dataset.cases[0].inputs = SessionInput(source=source, session_id="s")
    with pytest.raises(CallError, match="wanted KAGENT_URL in the environment"):
        task_of(made, Application())
