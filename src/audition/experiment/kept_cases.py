"""A case of a kept run as an entry of a dataset file: its inputs, its evaluators, its origin."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

from pydantic import JsonValue
from pydantic_core import to_jsonable_python
from pydantic_evals.reporting import ReportCase

from audition.application import Application
from audition.datasets.formats import Limits
from audition.datasets.problems import accepted
from audition.datasets.reading import Fields
from audition.diagnosis.layers import evaluator_of
from audition.errors import CallError
from audition.evaluators.builtin import by_class_name
from audition.evaluators.case_evaluator import CaseEvaluator, type_name
from audition.experiment.journal import CaseResult
from audition.experiment.kept import KeptRun
from audition.experiment.kept_rows import unit_of
from audition.experiment.status import Status
from audition.experiment.units import Unit
from audition.fact_stages import FACTS, STAGES
from audition.inputs import CaseInput

TAG = "kept"
"""The tag of cases that were kept from a run or a session."""

_LIMITS = tuple(Limits.model_fields)
_OF_LOADER = {"tags", FACTS, STAGES, "knowledge_source", "fixture"}


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptUnit:
    """A kept (case, repeat).

    Attributes:
        unit: What was run.
        result: Its native result.

    """

    unit: Unit
    result: CaseResult


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptCase:
    """A case of a run, as it stands in a dataset file.

    Attributes:
        task: The format that it can stand in.
        fields: The entry.
        inputs: What it was run with.
        left_out: Its assertions that no dataset file can name.

    """

    task: str
    fields: Fields
    inputs: Fields
    left_out: Sequence[str]


def failed_unit(run: KeptRun, application: Application, case: str | None) -> KeptUnit:
    """Return the case that is meant: the one of that name, or the only one that failed.

    Of several repeats it is the first that failed, else the first.

    Raises:
        CallError: There is none, or more than one.

    """
    rows = partial(run.rows, application.authoring, redact=False)
    failed = dict.fromkeys(row.line.case for row in rows() if row.line.status is not Status.PASSED)
    if case is None and len(failed) != 1:
        found = f"{len(failed)} cases that failed"
        wanted = f"wanted --case with one of {', '.join(failed)}" if failed else "wanted --case"
        raise CallError(found, what=run.name, wanted=wanted)
    wanted_name = case or next(iter(failed))
    named = [row for row in rows() if row.line.case == wanted_name]
    if not named:
        known = dict.fromkeys(row.line.case for row in rows())
        raise CallError(case, what="--case", wanted=accepted(wanted_name, known))
    row = min(named, key=lambda row: (row.line.status is Status.PASSED, row.line.position))
    ((_, result),) = run.kept.results([row])
    return KeptUnit(unit=unit_of(row.line), result=result)


def _name(unit: KeptUnit) -> str:
    return unit.result.source_case_name or unit.unit.case


def kept_case(
    unit: KeptUnit, application: Application, *, origin: Mapping[str, JsonValue]
) -> KeptCase:
    """Return a case of a run as it can be written down.

    Args:
        unit: The case.
        application: What it was run for.
        origin: Where it comes from, for its metadata.

    Raises:
        CallError: Its inputs or its evaluators are not known.

    """
    name = _name(unit)
    inputs = cast("Fields", to_jsonable_python(unit.result.inputs))
    is_session = "session" in inputs and "message" not in inputs
    evaluators, left_out = _evaluators(unit, application)
    fields: Fields = {"name": name, "tags": _tags(unit), "metadata": _metadata(unit, origin)}
    if is_session:
        task = "session"
        fields |= _kept_out(inputs)
    else:
        task = "conversation" if inputs.get("turns") else "retrieval"
        fields |= _asked(inputs, name)
    meta = _written(unit)
    fields |= {key: meta[key] for key in (FACTS, STAGES) if key in meta}
    fields["evaluators"] = evaluators
    return KeptCase(task=task, fields=fields, inputs=inputs, left_out=left_out)


def _kept_out(inputs: Fields) -> Fields:
    """Return which tools of a session were not judged, where that is not as usual."""
    fields: Fields = {}
    if inputs.get("drop_internal_tools") is False:
        fields["drop_internal_tools"] = False
    if inputs.get("drop_tools"):
        fields["extra_tool_denylist"] = inputs["drop_tools"]
    return fields


def _asked(inputs: Fields, name: str) -> Fields:
    """Return what the person says, and the bounds."""
    if not inputs.get("turns") and not isinstance(inputs.get("message"), str):
        wanted = "wanted a case whose inputs are a message or turns"
        raise CallError(sorted(inputs), what=f"{name}: inputs", wanted=wanted)
    fields: Fields = {}
    if inputs.get("turns"):
        turns = cast("list[Fields]", inputs["turns"])
        fields["turns"] = [{key: turn[key] for key in turn if turn[key]} for turn in turns]
    else:
        fields |= {key: inputs[key] for key in ("message", "target") if inputs.get(key)}
    usual = CaseInput(message="x").model_dump()
    limits = {key: inputs[key] for key in _LIMITS if inputs.get(key, usual[key]) != usual[key]}
    if limits:
        fields["limits"] = cast("JsonValue", limits)
    return fields


def fixture_of(unit: KeptUnit) -> tuple[str, JsonValue] | None:
    """Return the fixture of a case with its name, None where it has none."""
    name = _written(unit).get("fixture")
    inputs = cast("Fields", to_jsonable_python(unit.result.inputs))
    return (str(name), inputs.get("fixture")) if name is not None else None


def _evaluators(unit: KeptUnit, application: Application) -> tuple[list[JsonValue], list[str]]:
    if not isinstance(unit.result, ReportCase):
        found, wanted = unit.result.error_message, "wanted a case that was judged: its task raised"
        raise CallError(found, what=_name(unit), wanted=wanted)
    types = by_class_name(application.authoring.evaluator_types)
    written: list[JsonValue] = []
    left_out: list[str] = []
    for name, result in unit.result.assertions.items():
        evaluator = evaluator_of(result, types)
        if evaluator is None:
            left_out.append(name)
        else:
            written.append(written_evaluator(evaluator))
    left_out += [failure.name for failure in unit.result.evaluator_failures]
    return written, left_out


def written_evaluator(evaluator: CaseEvaluator) -> Fields:
    """Return an evaluator as it stands in a dataset file."""
    arguments = cast("Fields", to_jsonable_python(evaluator.as_spec().kwargs))
    return {"type": type_name(type(evaluator)), **arguments}


def without_contract(fields: Fields, contract: Iterable[CaseEvaluator]) -> Fields:
    """Return a case without the evaluators that every case of its file gets."""
    shared = [written_evaluator(one) for one in contract]
    own = [one for one in cast("list[JsonValue]", fields["evaluators"]) if one not in shared]
    return {**fields, "evaluators": own}


def _written(unit: KeptUnit) -> Fields:
    return cast("Fields", to_jsonable_python(unit.result.metadata or {}))


def _tags(unit: KeptUnit) -> JsonValue:
    tags: Any = _written(unit).get("tags") or []
    return list(dict.fromkeys([*tags, TAG]))


def _metadata(unit: KeptUnit, origin: Mapping[str, JsonValue]) -> JsonValue:
    own = {key: value for key, value in _written(unit).items() if key not in _OF_LOADER}
    return {**own, **origin}
