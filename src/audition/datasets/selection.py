"""Some of the cases of a dataset."""

import hashlib
import re
from collections.abc import Collection, Iterable
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


def select_shard(dataset: Dataset[Any, Any, Any], shard: str) -> None:
    """Keep one of several parts of a dataset that are as large as each other, but for one case.

    Which part a case is of depends on the names of all: in the order of their hashes, they are
    dealt one after the other.

    Args:
        dataset: Changed in place; no case may be left.
        shard: Which part, from 1, of how many, as "2/4".

    Raises:
        CallError: It is not written so.

    """
    match = re.fullmatch(r"([0-9]{1,4})/([0-9]{1,4})", shard)
    number, count = (int(match[1]), int(match[2])) if match else (0, 0)
    if not 1 <= number <= count:
        wanted = 'wanted which part of how many, as "2/4"'
        raise CallError(shard, what="--shard", wanted=wanted)
    dealt = sorted(_digest(case.name or "") for case in dataset.cases)[number - 1 :: count]
    kept = set(dealt)
    dataset.cases = [case for case in dataset.cases if _digest(case.name or "") in kept]


def could_select(
    names: Collection[str], tags: Collection[str], shard: str | None, name: str, own: Iterable[str]
) -> bool:
    """Return whether a run of some cases would have had this one, had it been in the dataset.

    Args:
        names: The names that were chosen, empty for all.
        tags: The tags that were chosen, empty for all.
        shard: The part that was chosen, None for all. In which one a case would be depends on the
            names of all others.
        name: The name of the case.
        own: Its tags.

    """
    if shard is not None or (names and name not in names):
        return False
    return not tags or not set(tags).isdisjoint(own)


def _digest(name: str) -> bytes:
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest()


def _tags(metadata: Any) -> set[str]:
    tags = cast("dict[str, Any]", metadata or {}).get("tags", ())
    return {tags} if isinstance(tags, str) else set(tags)
