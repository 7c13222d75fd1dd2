"""What a runtime reported that is no event: left out of the output, and told field by field."""

import dataclasses
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from audition.errors import tell_error, tell_value
from audition.events import Event
from audition.output import CaseOutput
from audition.values import writable_text

MAX_TOLD = 20
"""Ill-typed events that are told one by one."""


def output_without_misfits(told: Sequence[str], values: dict[str, Any]) -> CaseOutput:
    """Return the output, without the records of a runtime that reported what is no such record.

    Events are not checked as they come, which would cost as much again as all the rest.

    Args:
        told: What was wrong with events that became no record.
        values: The fields of the output.

    """
    try:
        output = CaseOutput.model_validate(values)
    except ValidationError as error:
        kept, broken = _kept(values, error)
    else:
        if not told:
            return output
        kept, broken = values, []
    problems = [*told, *broken]
    return CaseOutput.model_validate(
        {
            **kept,
            "errors": [*values["errors"], *_tell(problems)],
            "dropped_events": values["dropped_events"] + len(problems),
        }
    )


def _kept(values: dict[str, Any], error: ValidationError) -> tuple[dict[str, Any], list[str]]:
    """Return the values without the records that are none, and one line for each of those."""
    broken: dict[tuple[str, int], str] = {}
    for problem in error.errors(include_url=False):
        name, index, *_ = problem["loc"]
        told = _field(problem)
        broken.setdefault((str(name), int(index)), told)
    places: defaultdict[str, set[int]] = defaultdict(set)
    for name, index in broken:
        places[name].add(index)
    kept = {
        name: [record for index, record in enumerate(values[name]) if index not in indices]
        for name, indices in places.items()
    }
    return {**values, **kept}, list(broken.values())


def _tell(problems: Sequence[str]) -> list[str]:
    """Return the first of the problems as errors of the case, and how many more there are."""
    told = [writable_text(f"the runtime reported ill-typed {one}") for one in problems[:MAX_TOLD]]
    more = len(problems) - len(told)
    return [*told, f"the runtime reported {more} more ill-typed events"] if more else told


def misfit(event: Event, error: Exception) -> str:
    """Return which field of an event has not its type, else the error that it made."""
    kind = type(event)
    values = {one.name: getattr(event, one.name) for one in dataclasses.fields(kind)}
    with suppress(Exception):  # what stands in the fields may break whoever looks at it
        try:
            TypeAdapter(kind).validate_python(values)
        except ValidationError as wrong:
            return f"{kind.__name__}.{_field(wrong.errors(include_url=False)[0])}"
    return f"{kind.__name__}: {tell_error(error)}"


def _field(problem: ErrorDetails) -> str:
    """Return a field, what was found in it, and what was wanted."""
    path = ".".join(str(step) for step in problem["loc"])
    wanted = problem["msg"].replace("Input should be", "wanted")
    return f"{path}: found {tell_value(problem['input'])}; {wanted}"
