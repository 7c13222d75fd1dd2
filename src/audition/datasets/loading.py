"""A dataset file, to a native dataset and what Pydantic Evals has no field for."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

from pydantic import ValidationError
from pydantic_core import to_jsonable_python
from pydantic_evals import Case, Dataset
from rapidfuzz import process

from audition.datasets.authoring import Authoring
from audition.datasets.checks import PlacedEvaluator
from audition.datasets.file_reader import FileReader
from audition.datasets.formats import (
    TASKS,
    VERSION,
    ConversationCase,
    DatasetFile,
    Fixtures,
    KnownFailure,
    Limits,
    RetrievalCase,
    RunningSystem,
    SelfTest,
    SessionFile,
    TeamFile,
)
from audition.datasets.pointers import pointer
from audition.datasets.reading import SourceFile
from audition.datasets.session_files import Given, session_input
from audition.errors import DatasetError, Problem
from audition.fact_stages import FACTS, STAGES
from audition.inputs import CaseInput, ConversationTurn
from audition.output import CaseOutput
from audition.sessions import SessionInput

type NativeDataset = Dataset[Any, CaseOutput, dict[str, Any]]
type Target = Literal["team", "running_system", "session"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CasePlan:
    """What a file says of a case besides its inputs and evaluators.

    Attributes:
        must_pass: Written beside its results, for a gate.
        repeat: How often it is run, None for what the call says.
        known_failure: It is known to fail, and until when that is an excuse.
        self_test: Recordings that its evaluators must tell apart, None where there are none.
        pointers: Where each of its evaluators is written, in their order, as JSON pointers.

    """

    must_pass: bool = False
    repeat: int | None = None
    known_failure: KnownFailure | None = None
    self_test: SelfTest | None = None
    pointers: tuple[str, ...] = ()


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
    source: SourceFile, authoring: Authoring, *, session: Given | None = None
) -> LoadedDataset:
    """Return the dataset of a file in our format.

    Args:
        source: What the file holds; its cases are taken out as they are read, since of many they
            are much memory.
        authoring: What the application adds.
        session: Judge this session in every case of a session file, or the sessions of this
            source; None for what it names.

    Raises:
        DatasetError: Everything that is wrong with the file, at once.

    """
    _check_version(source)
    task = _task(source)
    reader = FileReader(source, authoring, task=task, session=session)
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
        plans={
            case.name: _plan(case, placed)
            for case, placed in zip(_entries(file), reader.evaluators, strict=True)
        },
        warnings=tuple(reader.warnings),
    )


def _check_version(source: SourceFile) -> None:
    """Refuse a newer format at once: what else is wrong with it cannot be known here."""
    version = source.data.get("version")
    if isinstance(version, int) and version > VERSION:
        found = f"version {version}, written for a newer Audition"
        wanted = f"this one reads version {VERSION}"
        problem = Problem(pointer="/version", found=found, wanted=wanted)
        raise DatasetError(str(source.path), [*source.problems, problem])


def _task(source: SourceFile) -> str:
    """Return the task of a file, or the one that was probably meant: the rest is read as that."""
    task = source.data.get("task")
    if task in TASKS:
        return cast("str", task)
    meant = process.extractOne(task, TASKS, score_cutoff=60) if isinstance(task, str) else None
    return meant[0] if meant else "session" if "session" in source.data else "retrieval"


def _target(file: DatasetFile) -> Target:
    if isinstance(file, SessionFile):
        return "session"
    knowledge = cast("TeamFile[Any]", file).knowledge
    return "running_system" if isinstance(knowledge, RunningSystem) else "team"


def _entries(file: DatasetFile) -> Sequence[Any]:
    return cast("Any", file).cases


def _plan(case: Any, placed: Sequence[PlacedEvaluator]) -> CasePlan:
    return CasePlan(
        must_pass=case.must_pass,
        repeat=case.repeat,
        known_failure=case.known_failure,
        self_test=case.self_test,
        pointers=tuple(one.pointer for one in placed),
    )


def _cases(
    file: DatasetFile, reader: FileReader, path: Path, *, session: Given | None
) -> Iterator[Case[Any, CaseOutput, dict[str, Any]]]:
    rules = (*reader.authoring.tool_rules, *file.tool_rules)
    for position, (entry, placed) in enumerate(zip(_entries(file), reader.evaluators, strict=True)):
        try:
            inputs = _input(file, entry, authoring=reader.authoring, path=path, session=session)
        except ValidationError as error:
            reader.problems += _refused_inputs(error, position)
            continue
        yield Case(
            name=entry.name,
            inputs=inputs.model_copy(update={"tool_rules": rules}),
            metadata=_metadata(file, entry),
            evaluators=tuple(one.evaluator for one in placed),
        )


def _input(
    file: DatasetFile, entry: Any, *, authoring: Authoring, path: Path, session: Given | None
) -> CaseInput | SessionInput:
    if isinstance(file, SessionFile):
        of_session = cast("SessionFile[Any]", file)
        return session_input(of_session, entry, folder=path.parent, given=session)
    return _team_input(cast("TeamFile[Any]", file), entry, input_type=authoring.input_type)


def _refused_inputs(error: ValidationError, position: int) -> Iterator[Problem]:
    """Yield what the application's own type of inputs does not take."""
    for detail in error.errors(include_url=False):
        yield Problem(
            pointer=pointer(["cases", position, *detail["loc"]]),
            found=f"refused by the inputs of the application: {detail['msg']}",
            wanted="see the type of its inputs",
        )


def _metadata(file: DatasetFile, entry: Any) -> dict[str, Any]:
    metadata: dict[str, Any] = {**file.default_metadata, **entry.metadata}
    if entry.tags:
        metadata["tags"] = list(entry.tags)
    if entry.facts:
        metadata[FACTS] = to_jsonable_python(entry.facts)
        if entry.fact_stages is not None:
            metadata[STAGES] = list(entry.fact_stages)
    if isinstance(file, TeamFile):
        knowledge = cast("TeamFile[Any]", file).knowledge
        if knowledge is not None:
            metadata["knowledge_source"] = knowledge.source
        fixture = _fixture_name(knowledge, entry)
        if fixture is not None:
            metadata["fixture"] = fixture
    return metadata


def _team_input(
    file: TeamFile[Any],
    entry: RetrievalCase[Any] | ConversationCase[Any],
    *,
    input_type: type[CaseInput],
) -> CaseInput:
    arguments: dict[str, Any] = {**_given(file.limits), **_given(entry.limits), **_said(entry)}
    fixture = _fixture_name(file.knowledge, entry)
    if fixture is not None:
        arguments["fixture"] = cast("Fixtures[Any]", file.knowledge).fixtures[fixture]
    return input_type(**arguments)


def _said(entry: RetrievalCase[Any] | ConversationCase[Any]) -> dict[str, Any]:
    """Return what the human says in a case, as the inputs take it."""
    if isinstance(entry, RetrievalCase):
        return {"message": entry.message, "target": entry.target}
    turns: list[ConversationTurn] = [
        ConversationTurn(message=turn.message, target=turn.target, capture=turn.capture)
        for turn in entry.turns
    ]
    return {"turns": turns}


def _given(limits: Limits) -> dict[str, Any]:
    return limits.model_dump(exclude_none=True)


def _fixture_name(
    knowledge: Fixtures[Any] | RunningSystem | None,
    entry: RetrievalCase[Any] | ConversationCase[Any],
) -> str | None:
    if not isinstance(knowledge, Fixtures):
        return None
    return entry.fixture or knowledge.default_fixture
