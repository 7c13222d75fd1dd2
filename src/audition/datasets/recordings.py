"""Whether what a session file names can be judged, so that nothing starts where it cannot."""

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from audition.datasets.reading import Written, as_list, as_object
from audition.datasets.session_files import names_place
from audition.errors import CallError, Problem, RecordError
from audition.sessions import SessionInput, read_output
from audition.sources.addresses import is_file_address

READABLE = (
    "a session file that can be read and holds one session; `audition extract --raw` writes one"
)
"""What a recording has to be."""


def unreadable_sessions(
    data: Written, folder: Path, *, given: Path | None = None
) -> Iterator[Problem]:
    """Yield a problem for each recording that is there and cannot be judged, and each invocation.

    Each is read once; it is not kept, since a file may name thousands.

    Args:
        data: The session file.
        folder: What its recordings are relative to.
        given: The recording that every case judges, None for those that the file names.

    """
    problem_of = cache(_problem_of)
    for position, case in enumerate(map(as_object, as_list(data.get("cases")))):
        at = f"/cases/{position}"
        place, place_at = (case, at) if names_place(case) else (data, "")
        named = _named(case, place, folder) if given is None else _Named(given)
        if named is None or not os.path.isfile(named.path):  # noqa: PTH113  # Path.is_file raises for a long name
            continue  # it is a source, or it is said elsewhere what is wrong
        problem = problem_of(named.path, named.session_id, None)
        if problem is not None:
            if given is None:  # else whoever gave it is told
                pointer, wanted = f"{place_at}/{named.field}", f"name {READABLE}"
                yield Problem(pointer=pointer, found=problem, wanted=wanted)
            continue
        invocation = case.get("invocation")
        if isinstance(invocation, str):
            problem = problem_of(named.path, named.session_id, invocation)
            if problem is not None:
                wanted = "name an invocation with a message of the user"
                yield Problem(pointer=f"{at}/invocation", found=problem, wanted=wanted)


class _Named(NamedTuple):
    """The recording of a case.

    Attributes:
        path: The file.
        field: Where it is named, below the case or the file as a whole.
        session_id: The session in it, None for the only one.

    """

    path: Path
    field: str = "session"
    session_id: str | None = None


def _named(case: Written, place: Written, folder: Path) -> _Named | None:
    """Return the recording that a case, or the file for it, names; None where that is no file."""
    field, named = _file_of(place)
    if named is None:
        return None
    session_id = None if field == "source/path" else _word(case, place, "session_id")
    return _Named(folder / named, field, session_id)


def _file_of(place: Written) -> tuple[str, str | None]:
    """Return the field that names a file, and the name; None where none does."""
    session, source = place.get("session"), place.get("source")
    if isinstance(session, str):
        return "session", session
    if isinstance(source, str):
        return "source", source if is_file_address(source) else None
    path = as_object(source).get("path") if as_object(source).get("kind") == "fixture" else None
    return "source/path", path if isinstance(path, str) else None


def _word(case: Written, place: Written, name: str) -> str | None:
    value = case.get(name) or place.get(name)
    return value if isinstance(value, str) else None


def _problem_of(path: Path, session_id: str | None, invocation: str | None) -> str | None:
    try:
        read_output(SessionInput(session=str(path), session_id=session_id, invocation=invocation))
    except (RecordError, CallError) as error:
        return str(error)
    return None
