"""A failure kept as a case: of a run, or a recorded session, in a dataset file of its kind."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, cast

from pydantic import JsonValue
from pydantic_core import to_jsonable_python

from audition.application import Application, open_dataset
from audition.datasets.additions import new_file, with_case, write_case
from audition.datasets.checks import same_names
from audition.datasets.loading import LoadedDataset
from audition.datasets.reading import Fields, SourceFile, as_list, as_object, read_source
from audition.datasets.starter_suites import case_comments, starter_case
from audition.errors import CallError
from audition.evaluators.case_evaluator import CaseEvaluator
from audition.experiment.golden import file_stem, keep_recording
from audition.experiment.kept_cases import TAG, KeptCase, without_contract, written_evaluator
from audition.recording import Recording

type Check = Callable[[Path], None]
"""Raises where a file is not to be written; given one of the same text that stands beside it."""

RECORDINGS = "recordings"
"""The folder beside a dataset file that the recordings of its cases are kept in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """How a session was, or is to be, judged.

    Attributes:
        fields: The case, with its evaluators and without its session.
        tool_rules: When a returned content is a domain failure.
        comments: Lines that stand behind the case, in a file that can have them.

    """

    fields: Fields
    tool_rules: Sequence[JsonValue] = ()
    comments: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Target:
    """Where a case is added.

    Attributes:
        path: The file.
        source: As it is, None where it is not there yet.
        loaded: Its dataset, None where it is not there yet.

    """

    path: Path
    source: SourceFile | None
    loaded: LoadedDataset | None


def add_team_case(
    kept: KeptCase,
    path: Path,
    *,
    application: Application,
    fixture: tuple[str, JsonValue] | None = None,
) -> None:
    """Add a case of a run to a dataset file for a team, which is made where it is not there.

    Args:
        kept: The case.
        path: The file.
        application: What the case was run for.
        fixture: The fixture of the case with its name, None where it has none.

    Raises:
        CallError: It is there already, or the file cannot hold it as it was.
        DatasetError: The file is wrong, before or then.

    """
    target = _target(path, kept.task)
    contract = (
        application.authoring.contracts.get(kept.task, ())
        if target.loaded is None
        else cast("Sequence[Any]", target.loaded.dataset.evaluators)
    )
    fields = without_contract(kept.fields, contract)
    if fixture is not None:
        fields = {**fields, "fixture": fixture[0]}
    _refuse_duplicate(target, fields, kept.inputs)

    def check(part: Path) -> None:
        loaded = open_dataset(part)[1]
        made = cast("Fields", to_jsonable_python(loaded.dataset.cases[-1].inputs))
        _refuse_other_inputs(path, made, kept.inputs)

    head = _team_head(path, kept, application, fixture)
    _write(target, head, fields, check=check)


def _team_head(
    path: Path, kept: KeptCase, application: Application, fixture: tuple[str, JsonValue] | None
) -> Fields:
    """Return what a new file for a team has beside its cases."""
    head = _head(path, kept.task)
    if application.name is not None:
        head["application"] = application.name
    if fixture is not None:
        head["knowledge"] = {"source": "fixtures", "fixtures": {fixture[0]: fixture[1]}}
    rules = _own_rules(kept, application)
    if rules:
        head["tool_rules"] = rules
    return head


def add_session(
    recording: Recording,
    path: Path,
    *,
    name: str,
    origin: Mapping[str, JsonValue],
    judged: Judged | None = None,
    redact: bool = True,
) -> Path:
    """Add a session to a session file, and its recording beside it; return the recording.

    Args:
        recording: The session.
        path: The file, which is made where it is not there.
        name: The name of the case.
        origin: Where the session comes from, for the metadata.
        judged: How it was judged, None to assert what the session shows.
        redact: False to keep secrets as they are.

    Raises:
        CallError: It is there already.
        DatasetError: The file is wrong, before or then.
        RecordError: There is no turn in the session.

    """
    target = _target(path, "session")
    _refuse_name(target, name)
    kept = path.parent / RECORDINGS / f"{file_stem(name)}.jsonl"
    output = keep_recording(recording, kept, redact=redact)
    try:
        _refuse_recording(target, kept)
        if judged is None:
            case = starter_case(output, name=name)
            about: Fields = {"name": name, "tags": [TAG], "metadata": dict(origin)}
            judged = Judged(fields={**about, **case.fields}, comments=list(case_comments(case)))
        fields: Fields = {**judged.fields, "session": f"{RECORDINGS}/{kept.name}"}
        fields["evaluators"] = fields.pop("evaluators")
        head = _head(path, "session")
        if judged.tool_rules:
            head["tool_rules"] = list(judged.tool_rules)
        _write(target, head, fields, judged.comments, check=partial(_check_rules, judged, path))
    except BaseException:
        kept.unlink()
        raise
    return kept


def _check_rules(judged: Judged, path: Path, part: Path) -> None:
    """Refuse a file under whose tool rules another thing would be judged."""
    made = to_jsonable_python(open_dataset(part)[1].dataset.cases[-1].inputs.tool_rules)
    _refuse_other_inputs(path, {"tool_rules": made}, {"tool_rules": list(judged.tool_rules)})


def _target(path: Path, task: str) -> _Target:
    """Return the file with what it holds.

    Raises:
        CallError: It is for cases of another kind.

    """
    if not path.exists():
        if path.suffix not in {".json", ".yaml", ".yml"}:
            wanted = "wanted a name that ends in .json, .yaml or .yml"
            raise CallError(str(path), what="--to", wanted=wanted)
        return _Target(path=path, source=None, loaded=None)
    source = read_source(path)
    loaded = open_dataset(path)[1]
    if source.data.get("task") != task:
        found = source.data.get("task") or "a file in a format that is not ours"
        raise CallError(found, what=str(path), wanted=f"wanted a dataset file of task {task}")
    return _Target(path=path, source=source, loaded=loaded)


def _head(path: Path, task: str) -> Fields:
    return {"version": 2, "task": task, "name": path.stem}


def _write(
    target: _Target, head: Fields, fields: Fields, comments: Sequence[str] = (), *, check: Check
) -> None:
    if target.source is None:
        text = new_file(target.path, head, fields, comments)
    else:
        text = with_case(target.source, fields, comments)
    write_case(target.path, text, target.source, fields, check=check)


def _cases(target: _Target) -> list[Fields]:
    return [as_object(one) for one in as_list(target.source.data["cases"])] if target.source else []


def _refuse_name(target: _Target, name: str) -> None:
    names = [str(case.get("name")) for case in _cases(target)]
    for problem in same_names([*names, name]):
        raise CallError(name, what=str(target.path), wanted=f"{problem.wanted} with --name")


def _refuse_duplicate(target: _Target, fields: Fields, inputs: Fields) -> None:
    """Refuse a case that is there, by its name or under another one."""
    _refuse_name(target, str(fields["name"]))
    wanted = as_list(fields["evaluators"])
    for case in target.loaded.dataset.cases if target.loaded else ():
        own = [written_evaluator(one) for one in case.evaluators if isinstance(one, CaseEvaluator)]
        is_same = len(own) == len(wanted) and all(one in wanted for one in own)
        if is_same and to_jsonable_python(case.inputs) == inputs:
            told = f"wanted another case: {case.name!r} has these inputs and evaluators"
            raise CallError(fields["name"], what=str(target.path), wanted=told)


def _refuse_recording(target: _Target, kept: Path) -> None:
    """Refuse a recording that a case of the file has already."""
    content = kept.read_bytes()
    for case in _cases(target):
        there = target.path.parent / str(case.get("session"))
        if there != kept and there.is_file() and there.read_bytes() == content:
            wanted = f"wanted another session: the case {case.get('name')!r} has this recording"
            raise CallError(kept.stem, what=str(target.path), wanted=wanted)


def _own_rules(kept: KeptCase, application: Application) -> list[JsonValue]:
    """Return the tool rules of a case that its application does not give."""
    given = cast("list[JsonValue]", to_jsonable_python(application.authoring.tool_rules))
    return [rule for rule in as_list(kept.inputs.get("tool_rules")) if rule not in given]


def _refuse_other_inputs(path: Path, made: Fields, kept: Fields) -> None:
    """Refuse a case that would not be what was run: of another fixture, or under other rules."""
    other = sorted(key for key in {*made, *kept} if made.get(key) != kept.get(key))
    if other:
        wanted = f"wanted a file in which its {', '.join(other)} would be the same"
        raise CallError(kept.get("message") or "turns", what=str(path), wanted=wanted)
