"""What answers the cases of a dataset."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, cast

from audition.application import Application
from audition.datasets.loading import LoadedDataset
from audition.errors import CallError
from audition.events import CompletionReason
from audition.inputs import CaseInput
from audition.output import CaseOutput
from audition.run_case import run_case_with_factory
from audition.running_case import RunningCase
from audition.runtime import ChecksInputs
from audition.sessions import SessionInput, judge_session

type Task = Callable[[Any], Awaitable[CaseOutput]]

_NOT_YET = (
    "wanted `fixtures`, or no `knowledge`, to start a team here: one that is already running "
    "cannot be asked yet; its recorded sessions are judged by a file of `task: session`"
)


def task_of(loaded: LoadedDataset, application: Application, *, team: str | None = None) -> Task:
    """Return the task that Pydantic Evals runs for each case.

    Args:
        loaded: The dataset.
        application: What the dataset is for.
        team: One of the application's teams, None for its default.

    Raises:
        CallError: The dataset needs something that was not given.
        SetupError: The application cannot make the team.

    """
    if loaded.target == "session":
        if team is not None:
            wanted = "wanted no team: a session file judges what was recorded"
            raise CallError(team, what="--team", wanted=wanted)
        for case in loaded.dataset.cases:
            if isinstance(case.inputs, SessionInput) and case.inputs.source is not None:
                case.inputs.source.open()  # asks for nothing yet: what is not set up is told now
        return judge_session
    if loaded.target == "running_system":
        found, what = "running_system", f"{loaded.path}#/knowledge/source"
        raise CallError(found, what=what, wanted=_NOT_YET)
    factory = application.runtime_factory(team)
    if isinstance(factory, ChecksInputs):
        checks = cast("ChecksInputs[Any]", factory)
        for case in loaded.dataset.cases:
            checks.check(case.inputs)
    return partial(run_case_with_factory, runtime_factory=factory)


async def answered(task: Task, case: RunningCase, inputs: Any) -> CaseOutput:
    """Return what a task answers; an error where something broke that is not the team's doing.

    A team may make an answer of whatever breaks in it, and that would then be judged.
    """
    output = await task(inputs)
    if not case.problems or not output.completed:
        return output
    broken = {"completion_reason": CompletionReason.ERROR, "completion_detail": case.problems[0]}
    return output.model_copy(update=broken)


def with_limits(
    inputs: Any, *, timeout_seconds: float | None, deadline_seconds: float | None
) -> Any:
    """Return the inputs of a case under other bounds, where they are inputs for a team.

    Args:
        inputs: The inputs.
        timeout_seconds: Longest wait for one turn, None for that of the inputs.
        deadline_seconds: Longest time for the case, None for that of the inputs.

    """
    limits = {"timeout_seconds": timeout_seconds, "deadline_seconds": deadline_seconds}
    given = {name: value for name, value in limits.items() if value is not None}
    return inputs.model_copy(update=given) if isinstance(inputs, CaseInput) else inputs
