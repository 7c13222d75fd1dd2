"""A session kept as a golden suite: its recording, and a file that asserts what that shows."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from audition.datasets.starter_suites import starter_case, starter_suite
from audition.errors import CallError
from audition.events import Event
from audition.inputs import CaseInput
from audition.output import CaseOutput
from audition.recording import Recording, write_recording
from audition.run_case import run_case_with_factory
from audition.runtime import TeamRuntimeFactory
from audition.sessions import SessionInput, read_output


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What was written.

    Attributes:
        recording: The recording.
        suite: The suite that judges it.

    """

    recording: Path
    suite: Path


async def record_case(inputs: CaseInput, factory: TeamRuntimeFactory[Any]) -> Recording:
    """Run a case and return all that was seen of it."""
    events: list[Event] = []
    output = await run_case_with_factory(inputs, runtime_factory=factory, on_event=events.append)
    return Recording(events=tuple(events), human=output.human, capabilities=output.capabilities)


def file_stem(name: str) -> str:
    """Return a name as that of a file."""
    return re.sub(r"[^\w.-]+", "-", name).strip("-.")[:100] or "session"


def keep_recording(recording: Recording, path: Path, *, redact: bool = True) -> CaseOutput:
    """Write a recording, and return what it shows.

    Args:
        recording: The recording.
        path: A file that is not there yet.
        redact: False to keep secrets as they are.

    Raises:
        CallError: The file is there.
        RecordError: There is no turn in the recording.

    """
    _refuse_existing(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_recording(path, recording, redact=redact)
    try:
        return read_output(SessionInput(session=str(path)))
    except BaseException:
        path.unlink()
        raise


def keep_suite(recording: Recording, folder: Path, *, name: str, redact: bool = True) -> Kept:
    """Write a recording and a starter suite for it to a folder.

    Args:
        recording: The recording.
        folder: Made where it is not there.
        name: That of the case; the files are called by it.
        redact: False to keep secrets as they are.

    Raises:
        CallError: One of the files is there, or the session did not come to its end.
        RecordError: There is no turn in the recording.

    """
    stem = file_stem(name)
    kept = Kept(recording=folder / f"{stem}.jsonl", suite=folder / f"{stem}.yaml")
    _refuse_existing(kept.suite)
    output = keep_recording(recording, kept.recording, redact=redact)
    case = starter_case(output, name=name)
    if case.problem is not None:
        kept.recording.unlink()
        found = f"a session that was not completed: {case.problem}"
        wanted = "wanted one whose turns were all completed; `audition add-case` keeps a failure"
        raise CallError(found, what=name, wanted=wanted)
    text = starter_suite(case, name=f"golden/{stem}", session=kept.recording.name)
    kept.suite.write_text(text, encoding="utf-8", newline="\n")
    return kept


def _refuse_existing(path: Path) -> None:
    if path.exists():
        wanted = "wanted a file that is not there yet: give another name with --name"
        raise CallError(str(path), what="output", wanted=wanted)
