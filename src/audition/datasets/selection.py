"""Some of the cases of a dataset."""

from collections.abc import Iterable
from typing import Any, cast

from pydantic_evals import Dataset

from audition.datasets.problems import accepted
from audition.errors import CallError


def select_case(dataset: Dataset[Any, Any, Any], name: str) -> None:
    """Keep one case of a dataset and forget the others.

    Raises:
        CallError: There is no case of that name.

    """
    select_cases(dataset, names=[name])


def select_cases(
    dataset: Dataset[Any, Any, Any], *, names: Iterable[str] = (), tags: Iterable[str] = ()
) -> None:
    """Keep the cases that have one of the names and one of the tags.

    Args:
        dataset: Changed in place.
        names: Exact names, empty for all.
        tags: Tags, empty for all.

    Raises:
        CallError: A name does not exist, or no case is left.

    """
    wanted, labels = list(names), set(tags)
    known = [case.name or "" for case in dataset.cases]
    for name in wanted:
        if name not in known:
            raise CallError(name, what="case", wanted=accepted(name, known))
    kept = [
        case
        for case in dataset.cases
        if (not wanted or case.name in wanted) and (not labels or labels & _tags(case.metadata))
    ]
    if not kept:
        there = sorted({tag for case in dataset.cases for tag in _tags(case.metadata)})
        wanted = f"wanted a case with one of them; there are {there}"
        raise CallError(sorted(labels), what="tags", wanted=wanted)
    dataset.cases = kept


def _tags(metadata: Any) -> set[str]:
    tags = cast("dict[str, Any]", metadata or {}).get("tags", ())
    return {tags} if isinstance(tags, str) else set(tags)
