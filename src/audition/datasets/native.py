"""Pydantic Evals' own dataset files that name our evaluators."""

from collections.abc import Iterator, Mapping
from typing import Any, cast

from pydantic import JsonValue, TypeAdapter, ValidationError
from pydantic_evals import Dataset
from pydantic_evals.evaluators import Evaluator, EvaluatorSpec
from pydantic_evals.evaluators.common import DEFAULT_EVALUATORS

from audition.datasets.authoring import Authoring
from audition.datasets.checks import WrittenEvaluator, impossible_turn, same_names, wrong_tags
from audition.datasets.loading import CasePlan, LoadedDataset, NativeDataset
from audition.datasets.pointers import pointer as pointer_to
from audition.datasets.problems import accepted, in_order, problems_of
from audition.datasets.reading import SourceFile, as_list, as_object
from audition.errors import DatasetError, Problem
from audition.evaluators.builtin import by_class_name

type _Types = Mapping[str, type[Evaluator[Any, Any, Any]]]


def is_native(source: SourceFile) -> bool:
    """Return whether a file is written in Pydantic Evals' own format: ours says version or task."""
    return "cases" in source.data and not {"version", "task", "knowledge"} & source.data.keys()


def build_native_dataset(source: SourceFile, authoring: Authoring) -> LoadedDataset:
    """Return the dataset of a file in Pydantic Evals' own format.

    A case without a name gets "Case N", as Pydantic Evals itself calls it in a report.

    Raises:
        DatasetError: Everything that is wrong with the file, at once.

    """
    data = {key: value for key, value in source.data.items() if key != "$schema"}
    cases = _objects(data.get("cases"))
    names = [_name(case, position) for position, case in enumerate(cases)]
    problems = [*source.problems, *same_names(names), *_evaluator_problems(data, authoring)]
    problems += _turn_problems(data)
    problems += wrong_tags(cases)
    if not data["cases"]:
        problems.append(Problem(pointer="/cases", found="found none", wanted="write at least one"))
    dataset = _read(data, authoring, source, problems)
    if dataset is None or problems:
        raise DatasetError(str(source.path), in_order(problems))
    for case, name in zip(dataset.cases, names, strict=True):
        case.name = name
    return LoadedDataset(
        path=source.path,
        task="native",
        target="team",
        dataset=dataset,
        plans={name: CasePlan() for name in names},
        warnings=tuple(_warnings(data)),
    )


def _read(
    data: dict[str, JsonValue], authoring: Authoring, source: SourceFile, problems: list[Problem]
) -> NativeDataset | None:
    """Return the dataset; what Pydantic Evals says against it is put to the problems."""
    # Whatever is expected is data of the file: no output can be written down there.
    dataset_type: Any = Dataset[authoring.input_type, Any, dict[str, Any]]
    try:
        return dataset_type.from_dict(
            data, custom_evaluator_types=authoring.evaluator_types, default_name=source.path.stem
        )
    except ValidationError as error:
        problems += problems_of(
            error, source.data, schema=dataset_type.model_json_schema_with_evaluators()
        )
    except ExceptionGroup as error:
        # At most three, and without a place; those of evaluators were all told before.
        if not problems:
            problems += [_whole(inner) for inner in error.exceptions]
    return None


def _whole(error: Exception) -> Problem:
    found = " ".join(str(error).split())
    return Problem(pointer="", found=found, wanted="see the documentation of Pydantic Evals")


def _name(case: Mapping[str, JsonValue], position: int) -> str:
    name = case.get("name")
    return f"Case {position + 1}" if name is None else str(name)


def _evaluator_problems(data: Mapping[str, JsonValue], authoring: Authoring) -> Iterator[Problem]:
    types = by_class_name((*DEFAULT_EVALUATORS, *authoring.evaluator_types))
    for pointer, written in _evaluators(data):
        yield from _problems_of_evaluator(pointer, written, types)


def _evaluators(data: Mapping[str, JsonValue]) -> Iterator[tuple[str, JsonValue]]:
    holders = [("", data)]
    holders += [(f"/cases/{n}", case) for n, case in enumerate(_objects(data.get("cases")))]
    for at, holder in holders:
        for position, item in enumerate(as_list(holder.get("evaluators"))):
            yield f"{at}/evaluators/{position}", item


def _problems_of_evaluator(pointer: str, written: JsonValue, types: _Types) -> Iterator[Problem]:
    try:
        spec = EvaluatorSpec.model_validate(written)
    except ValidationError:
        return  # the model of the file says it
    if spec.name not in types:
        wanted = accepted(spec.name, types)
        yield Problem(pointer=pointer, found=f"unknown evaluator {spec.name!r}", wanted=wanted)
        return
    place = pointer + pointer_to([spec.name]) if isinstance(written, dict) else pointer
    arguments = cast("JsonValue", spec.args[0] if spec.args else spec.kwargs)
    try:
        types[spec.name](*spec.args, **spec.kwargs)
    except ValidationError as error:
        schema = TypeAdapter(types[spec.name]).json_schema()
        yield from problems_of(error, arguments, schema=schema, at=place)
    except (TypeError, ValueError) as error:
        yield Problem(pointer=place, found=str(error), wanted="see the evaluator's arguments")


def _turn_problems(data: Mapping[str, JsonValue]) -> Iterator[Problem]:
    """Yield a problem for each evaluator of a turn that no case has for which it is written."""
    counts = [_turns(case) for case in _objects(data.get("cases"))]
    longest = None if None in counts else max((count or 0 for count in counts), default=None)
    for pointer, written in _evaluators(data):
        parts = pointer.split("/")
        turns = counts[int(parts[2])] if parts[1] == "cases" else longest
        try:
            spec = EvaluatorSpec.model_validate(written)
        except ValidationError:
            continue  # the model of the file says it
        if turns is not None:
            place = pointer + pointer_to([spec.name])
            one = WrittenEvaluator(pointer=place, written=spec.kwargs)
            yield from impossible_turn(one, turns=turns)


def _turns(case: Mapping[str, JsonValue]) -> int | None:
    """Return how many turns a case has, None where its inputs are none of ours or wrong."""
    inputs = as_object(case.get("inputs"))
    return len(as_list(inputs.get("turns"))) or (1 if inputs.get("message") is not None else None)


def _warnings(data: Mapping[str, JsonValue]) -> Iterator[Problem]:
    if data.get("report_evaluators"):
        found = "evaluators of whole reports are not run"
        wanted = "run the dataset with Pydantic Evals itself for them"
        yield Problem(pointer="/report_evaluators", found=found, wanted=wanted)


def _objects(value: JsonValue) -> list[dict[str, JsonValue]]:
    return [as_object(item) for item in as_list(value)]
