"""A dataset file, to a native dataset and what Pydantic Evals has no field for."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

from pydantic_evals import Case, Dataset

from audition.datasets.authoring import Authoring
from audition.datasets.file_reader import FileReader
from audition.datasets.formats import (
    TASKS,
    VERSION,
    DatasetFile,
    Fixtures,
    KnownFailure,
    Limits,
    RetrievalFile,
    RunningSystem,
    SessionCase,
    SessionFile,
)
from audition.datasets.problems import accepted
from audition.datasets.reading import SourceFile
from audition.errors import DatasetError, Problem
from audition.output import CaseOutput
from audition.sessions import SessionInput

type NativeDataset = Dataset[Any, CaseOutput, dict[str, Any]]
type Target = Literal["team", "running_system", "session"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CasePlan:
    """What a file says of a case besides its inputs and evaluators.

    Attributes:
        tags: Words to select it by.
        must_pass: A gate lets nothing through while it fails.
        repeat: How often it is run, None for what the call says.
        known_failure: It is known to fail, and until when that is an excuse.

    """

    tags: tuple[str, ...] = ()
    must_pass: bool = False
    repeat: int | None = None
    known_failure: KnownFailure | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedDataset:
    """A dataset file that can be run.

    Attributes:
        path: The file.
        task: The format it is written in; "native" for a file of Pydantic Evals' own.
        target: What answers its cases.
        dataset: The native dataset.
        plans: What the file says besides, by case name.
        warnings: What is doubtful in it.

    """

    path: Path
    task: str
    target: Target
    dataset: NativeDataset
    plans: Mapping[str, CasePlan]
    warnings: tuple[Problem, ...] = ()


def build_dataset(
    source: SourceFile, authoring: Authoring, *, session: Path | None = None
) -> LoadedDataset:
    """Return the dataset of a file in our format.

    Args:
        source: What the file holds.
        authoring: What the application adds.
        session: Judge this session in every case of a session file, None for those it names.

    Raises:
        DatasetError: Everything that is wrong with the file, at once.

    """
    task = _task(source)
    reader = FileReader(source, authoring, task)
    file = reader.read()
    if file is None or reader.problems:
        raise DatasetError(str(source.path), reader.in_order())
    cases = list(_cases(file, reader, source.path, session=session))
    if reader.problems:
        raise DatasetError(str(source.path), reader.in_order())
    dataset: NativeDataset = Dataset(name=file.name, cases=cases, evaluators=reader.contract)
    return LoadedDataset(
        path=source.path,
        task=task,
        target=_target(file),
        dataset=dataset,
        plans={case.name: _plan(case) for case in _entries(file)},
        warnings=tuple(reader.warnings),
    )


def _task(source: SourceFile) -> str:
    task, version = source.data.get("task"), source.data.get("version")
    problems: list[Problem] = []
    if isinstance(version, int) and version > VERSION:
        found = f"version {version}, written for a newer Audition"
        problems.append(
            Problem(pointer="/version", found=found, wanted=f"this one reads version {VERSION}")
        )
    if not isinstance(task, str) or task not in TASKS:
        found = "is missing" if task is None else f"found {task!r}"
        wanted = accepted(str(task or ""), TASKS)
        problems.append(Problem(pointer="/task", found=found, wanted=wanted))
    if problems:
        raise DatasetError(str(source.path), [*source.problems, *problems])
    return cast("str", task)


def _target(file: DatasetFile) -> Target:
    if isinstance(file, SessionFile):
        return "session"
    knowledge = cast("RetrievalFile[Any, Any]", file).knowledge
    return "running_system" if isinstance(knowledge, RunningSystem) else "team"


def _entries(file: DatasetFile) -> Sequence[Any]:
    return cast("Any", file).cases


def _plan(case: Any) -> CasePlan:
    return CasePlan(
        tags=case.tags,
        must_pass=case.must_pass,
        repeat=case.repeat,
        known_failure=case.known_failure,
    )


def _cases(
    file: DatasetFile, reader: FileReader, path: Path, *, session: Path | None
) -> Iterator[Case[Any, CaseOutput, dict[str, Any]]]:
    for position, (entry, evaluators) in enumerate(
        zip(_entries(file), reader.evaluators, strict=True)
    ):
        metadata: dict[str, Any] = {**file.default_metadata, **entry.metadata}
        if entry.tags:
            metadata["tags"] = list(entry.tags)
        inputs = (
            _session_input(cast("SessionFile[Any]", file), entry, position, reader, path, session)
            if isinstance(file, SessionFile)
            else _team_input(cast("Any", file), entry, position, reader, metadata)
        )
        yield Case(name=entry.name, inputs=inputs, metadata=metadata, evaluators=evaluators)


def _session_input(
    file: DatasetFile,
    entry: SessionCase[Any],
    position: int,
    reader: FileReader,
    path: Path,
    session: Path | None,
) -> SessionInput:
    named = entry.session or cast("SessionFile[Any]", file).session or ""
    found = session or path.parent / named
    if not found.is_file():
        pointer = f"/cases/{position}/session" if entry.session else "/session"
        reader.problems.append(
            Problem(
                pointer=pointer,
                found=f"no file {found}",
                wanted="name a session file, relative to this one",
            )
        )
    rules = (*reader.authoring.tool_rules, *file.tool_rules)
    return SessionInput(session=str(found), invocation=entry.invocation, tool_rules=rules)


def _team_input(
    file: RetrievalFile[Any, Any],
    entry: Any,
    position: int,
    reader: FileReader,
    metadata: dict[str, Any],
) -> Any:
    metadata["knowledge_source"] = file.knowledge.source
    arguments: dict[str, Any] = {
        **_given(file.limits),
        **_given(entry.limits),
        "message": entry.message,
        "target": entry.target,
        "tool_rules": (*reader.authoring.tool_rules, *file.tool_rules),
    }
    name, problem = _fixture_name(file.knowledge, entry.fixture, position)
    if problem is not None:
        reader.problems.append(problem)
    elif name is not None:
        metadata["fixture"] = name
        arguments["fixture"] = cast("Fixtures[Any]", file.knowledge).fixtures[name]
    return reader.authoring.input_type(**arguments)


def _given(limits: Limits) -> dict[str, Any]:
    return limits.model_dump(exclude_none=True)


def _fixture_name(
    knowledge: Fixtures[Any] | RunningSystem, named: str | None, position: int
) -> tuple[str | None, Problem | None]:
    """Return the fixture of a case, or what is wrong with its choice."""
    pointer = f"/cases/{position}/fixture"
    if isinstance(knowledge, RunningSystem):
        if named is None:
            return None, None
        found = "a fixture for a running system"
        return None, Problem(
            pointer=pointer, found=found, wanted="remove it: it has its own knowledge"
        )
    name = named or knowledge.default_fixture
    if name is None:
        wanted = accepted("", knowledge.fixtures)
        return None, Problem(
            pointer=pointer, found="is missing, and there is no default", wanted=wanted
        )
    if name not in knowledge.fixtures:
        where = pointer if named else "/knowledge/default_fixture"
        found = f"unknown fixture {name!r}"
        return None, Problem(pointer=where, found=found, wanted=accepted(name, knowledge.fixtures))
    return name, None
