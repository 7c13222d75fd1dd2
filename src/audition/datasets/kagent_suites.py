"""The suites of kagent-agentevals, read strictly and turned into a session file.

What such a suite means where its own tool did something else, `docs/how-to/golden-suites.md` says.
"""

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from audition.datasets.authoring import Authoring
from audition.datasets.formats import Name
from audition.datasets.loading import LoadedDataset, build_dataset
from audition.datasets.problems import in_order, problems_of
from audition.datasets.reading import SourceFile, as_list, as_object
from audition.datasets.session_files import Given
from audition.datasets.session_sources import FixtureSource, SourceSettings
from audition.errors import DatasetError, Problem
from audition.evaluators.tools import ToolName
from audition.inputs import Text

type ArgumentsMode = Literal["exact", "ignore", "subset", "superset"]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ToolsUsedSpec(_Part):
    """Tools by name alone.

    Attributes:
        type: Says which evaluator this is.
        name: That of the assertion.
        mode: As in `audition.evaluators.tools_used`.
        expected: The names.

    """

    type: Literal["tools_used"]
    name: Text | None = None
    mode: Literal["superset", "subset", "unordered"] = "superset"
    expected: Annotated[tuple[ToolName, ...], Field(min_length=1)]


class TrajectoryMatchSpec(_Part):
    """A reference in chat messages.

    Attributes:
        type: Says which evaluator this is.
        name: That of the assertion.
        mode: As in `audition.evaluators.trajectory`.
        tool_args_match_mode: How arguments are compared, None for that of the suite.
        reference: The messages.

    """

    type: Literal["trajectory_match"]
    name: Text | None = None
    mode: Literal["strict", "unordered", "subset", "superset"] = "strict"
    tool_args_match_mode: ArgumentsMode | None = None
    reference: Annotated[list[dict[str, JsonValue]], Field(min_length=1)]


class JudgeSpec(_Part):
    """A model that is asked; read to be refused by its name.

    Attributes:
        type: Says which evaluator this is.
        name: That of the assertion.
        model: The model.
        continuous: Whether it gives a number.
        prompt: What it is asked.
        threshold: The number from which on it holds.
        reference: The messages that it compares with.

    """

    type: Literal["llm_judge"]
    name: Text | None = None
    model: Text | None = None
    continuous: bool = False
    prompt: Text | None = None
    threshold: float | None = None
    reference: list[dict[str, JsonValue]] | None = None


type Spec = Annotated[ToolsUsedSpec | TrajectoryMatchSpec | JudgeSpec, Field(discriminator="type")]


class KagentCase(_Part):
    """A case of a suite.

    Attributes:
        name: Unique in the suite.
        session_id: The session; not looked at where the source is a fixture.
        invocation_id: Only this one of its invocations, None for all.
        drop_internal_tools: As in the defaults, None for those.
        extra_tool_denylist: As in the defaults, None for those.
        evaluators: What must hold.

    """

    name: Name
    session_id: Text
    invocation_id: Text | None = None
    drop_internal_tools: bool | None = None
    extra_tool_denylist: tuple[Name, ...] | None = None
    evaluators: Annotated[tuple[Spec, ...], Field(min_length=1)]


class Defaults(_Part):
    """What cases and evaluators leave out.

    Attributes:
        judge_model: The model of judges.
        tool_args_match_mode: How arguments are compared.
        drop_internal_tools: Keep the runtime's own tools out of what is judged.
        extra_tool_denylist: Other tools that are kept out of it.

    """

    judge_model: Text | None = None
    tool_args_match_mode: ArgumentsMode = "exact"
    drop_internal_tools: bool = True
    extra_tool_denylist: tuple[Name, ...] = ()


class KagentSuite(_Part):
    """A suite.

    Attributes:
        name: Its name, None for that of the file.
        source: Where the sessions stand, None for what the call says.
        defaults: What cases and evaluators leave out.
        cases: At least one.

    """

    name: Name | None = None
    source: SourceSettings | None = None
    defaults: Defaults = Defaults()
    cases: Annotated[tuple[KagentCase, ...], Field(min_length=1)]


def is_kagent_suite(source: SourceFile) -> bool:
    """Return whether a file is a suite of kagent-agentevals.

    Our files say version or task, and the cases of Pydantic Evals' own have inputs.
    """
    if {"version", "task", "knowledge"} & source.data.keys():
        return False
    cases = [as_object(case) for case in as_list(source.data.get("cases"))]
    if any("inputs" in case for case in cases):
        return False
    names_kind = "kind" in as_object(source.data.get("source"))
    return bool(cases) and (names_kind or any("session_id" in case for case in cases))


def build_kagent_suite(source: SourceFile, *, session: Given | None = None) -> LoadedDataset:
    """Return the dataset of a suite of kagent-agentevals.

    Args:
        source: What the file holds.
        session: Judge this session in every case, or the sessions of this source; None for
            what the suite says.

    Raises:
        DatasetError: Everything that is wrong with the file, at once.

    """
    suite = _read(source)
    problems = [*source.problems, *_judges(suite)]
    if problems:
        raise DatasetError(str(source.path), in_order(problems))
    made = replace(source, data=_session_file(suite, source.path))
    try:
        return build_dataset(made, Authoring(), session=session)
    except DatasetError as error:
        told = [replace(one, pointer=_as_written(one.pointer)) for one in error.problems]
        raise DatasetError(str(source.path), told) from None


def _read(source: SourceFile) -> KagentSuite:
    try:
        return KagentSuite.model_validate(source.data)
    except ValidationError as error:
        schema = KagentSuite.model_json_schema()
        found = [*source.problems, *problems_of(error, source.data, schema=schema)]
        raise DatasetError(str(source.path), in_order(found)) from None


def _judges(suite: KagentSuite) -> Iterator[Problem]:
    for position, case in enumerate(suite.cases):
        for number, spec in enumerate(case.evaluators):
            if isinstance(spec, JudgeSpec):
                named = f"llm_judge {spec.name!r}" if spec.name else "llm_judge"
                yield Problem(
                    pointer=f"/cases/{position}/evaluators/{number}",
                    found=f"{named} of the case {case.name!r} asks a model, and there are no "
                    "judges yet",
                    wanted="remove it: an evaluator that cannot run is never passed over",
                )


def _session_file(suite: KagentSuite, path: Path) -> dict[str, JsonValue]:
    """Return a suite as a session file, with everything at the places of the suite."""
    defaults = suite.defaults
    data: dict[str, JsonValue] = {
        "version": 2,
        "task": "session",
        "name": suite.name or path.stem,
        "drop_internal_tools": defaults.drop_internal_tools,
        "extra_tool_denylist": list(defaults.extra_tool_denylist),
        "cases": [_case(case, defaults) for case in suite.cases],
    }
    if suite.source is not None:
        data["source"] = _source(suite.source, path.parent)
    return data


def _source(settings: SourceSettings, folder: Path) -> JsonValue:
    if isinstance(settings, FixtureSource):
        return {"kind": "fixture", "path": _beside(settings.path, folder)}
    written = settings.model_dump(exclude_none=True)
    return {key: _plain(value) for key, value in written.items()}


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else value.get_secret_value()


def _beside(named: str, folder: Path) -> str:
    """Return the path of a fixture, relative to the suite.

    The suites of kagent-agentevals name it from the root of their repository, in which they may
    stand in a folder: it is what is there in the nearest folder above.
    """
    for above in (folder, *folder.resolve().parents):
        if (above / named).is_file():
            return Path(os.path.relpath(above / named, folder)).as_posix()
    return named


def _case(case: KagentCase, defaults: Defaults) -> JsonValue:
    made: dict[str, JsonValue] = {
        "name": case.name,
        "session_id": case.session_id,
        "evaluators": [_evaluator(spec, defaults) for spec in case.evaluators],
    }
    if case.invocation_id is not None:
        made["invocation"] = case.invocation_id
    if case.drop_internal_tools is not None:
        made["drop_internal_tools"] = case.drop_internal_tools
    if case.extra_tool_denylist is not None:
        made["extra_tool_denylist"] = list(case.extra_tool_denylist)
    return made


def _evaluator(spec: Spec, defaults: Defaults) -> JsonValue:
    made: dict[str, JsonValue] = {"type": spec.type}
    if spec.name is not None:
        made["id"] = spec.name
    match spec:
        case ToolsUsedSpec():
            made |= {"mode": spec.mode, "expected": list(spec.expected)}
        case TrajectoryMatchSpec():
            arguments_mode = spec.tool_args_match_mode or defaults.tool_args_match_mode
            made |= {"mode": spec.mode, "arguments_mode": arguments_mode}
            made["reference"] = [dict(message) for message in spec.reference]
        case JudgeSpec():
            pass  # refused before
    return made


_RENAMED: Sequence[tuple[re.Pattern[str], str]] = (
    (re.compile(r"^(/cases/\d+)/invocation$"), r"\1/invocation_id"),
    (re.compile(r"^(/cases/\d+/evaluators/\d+)/id$"), r"\1/name"),
    (re.compile(r"^(/cases/\d+/evaluators/\d+)/arguments_mode$"), r"\1/tool_args_match_mode"),
)


def _as_written(pointer: str) -> str:
    for ours, theirs in _RENAMED:
        pointer = ours.sub(theirs, pointer)
    return pointer
