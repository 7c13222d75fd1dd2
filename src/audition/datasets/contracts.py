"""The names in the contracts of an application, which stand in its code and in no file."""

import dataclasses
from collections.abc import Iterator

from pydantic import JsonValue
from pydantic_core import to_jsonable_python

from audition.datasets.authoring import Authoring
from audition.datasets.references import unknown_in_evaluator
from audition.errors import Problem
from audition.evaluators.case_evaluator import CaseEvaluator, type_name
from audition.values import pointer_token


def unknown_in_contracts(authoring: Authoring) -> Iterator[Problem]:
    """Yield a problem for each agent or tool of a contract that its application does not declare.

    The places are JSON pointers into the contracts.
    """
    for name, evaluators in authoring.contracts.items():
        for position, evaluator in enumerate(evaluators):
            pointer = f"/{pointer_token(name)}/{position}"
            yield from unknown_in_evaluator(pointer, _written(evaluator), authoring=authoring)


def _written(evaluator: CaseEvaluator) -> dict[str, JsonValue]:
    """Return an evaluator as it would stand in a file."""
    values = {one.name: getattr(evaluator, one.name) for one in dataclasses.fields(evaluator)}
    return {"type": type_name(type(evaluator)), **to_jsonable_python(values, fallback=repr)}
