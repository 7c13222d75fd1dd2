"""Pydantic Evals' own dataset files that name our evaluators."""

from collections.abc import Iterator
from typing import Any, cast

from pydantic import ValidationError
from pydantic_evals import Dataset

from audition.datasets.authoring import Authoring
from audition.datasets.checks import same_names
from audition.datasets.loading import CasePlan, LoadedDataset, NativeDataset
from audition.datasets.problems import problems_of
from audition.datasets.reading import SourceFile
from audition.errors import DatasetError, Problem
from audition.output import CaseOutput


def is_native(source: SourceFile) -> bool:
    """Return whether a file is written in Pydantic Evals' own format: ours says version or task."""
    return "cases" in source.data and not {"version", "task", "knowledge"} & source.data.keys()


def build_native_dataset(source: SourceFile, authoring: Authoring) -> LoadedDataset:
    """Return the dataset of a file in Pydantic Evals' own format.

    Raises:
        DatasetError: Everything that is wrong with the file, at once.

    """
    data: dict[str, Any] = {key: value for key, value in source.data.items() if key != "$schema"}
    problems = [*source.problems, *_same_names(data)]
    dataset_type: Any = Dataset[authoring.input_type, CaseOutput, dict[str, Any]]
    try:
        dataset: NativeDataset = dataset_type.from_dict(
            data,
            custom_evaluator_types=authoring.evaluator_types,
            default_name=source.path.stem,
        )
    except (ValueError, ExceptionGroup) as error:
        problems += _problems(error, source)
        raise DatasetError(str(source.path), problems) from None
    if problems:
        raise DatasetError(str(source.path), problems)
    return LoadedDataset(
        path=source.path,
        task="native",
        target="team",
        dataset=dataset,
        plans={case.name: CasePlan() for case in dataset.cases if case.name is not None},
    )


def _same_names(data: dict[str, Any]) -> Iterator[Problem]:
    cases = cast("list[Any]", data["cases"] if isinstance(data["cases"], list) else [])
    objects = [cast("dict[str, Any]", case if isinstance(case, dict) else {}) for case in cases]
    names = [case.get("name") for case in objects]
    yield from same_names([str(name or f"\0{position}") for position, name in enumerate(names)])


def _problems(error: Exception, source: SourceFile) -> Iterator[Problem]:
    if isinstance(error, ExceptionGroup):
        for inner in cast("ExceptionGroup[Exception]", error).exceptions:
            yield from _problems(inner, source)
    elif isinstance(error, ValidationError):
        yield from problems_of(error, source.data)
    else:
        yield Problem(
            pointer="", found=" ".join(str(error).split()), wanted="as Pydantic Evals reads it"
        )
