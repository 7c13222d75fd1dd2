"""Whether what a session file names can be judged, so that nothing starts where it cannot."""

import os
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from pydantic import JsonValue

from audition.datasets.reading import as_list, as_object
from audition.datasets.session_files import names_place
from audition.errors import CallError, Problem, RecordError
from audition.sessions import SessionInput, read_output
from audition.sources.addresses import is_file_address

READABLE = (
    "a session file that can be read and holds one session; `audition extract --raw` writes one"
)
"""What a recording has to be."""


def unreadable_sessions(
    data: Mapping[str, JsonValue], folder: Path, *, given: Path | None = None
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
        own = names_place(case)
        place, place_at = (case, at) if own else (data, "")
        field, named = _file_of(place) if given is None else ("session", str(given))
        if named is None:
            continue  # it is a source, or the model says what is wrong
        path = given or folder / named
        if not os.path.isfile(path):  # noqa: PTH113  # Path.is_file raises for a long name
            continue  # `missing_sessions` says it
        session_id = None if given or field == "source/path" else _word(case, place, "session_id")
        problem = problem_of(path, session_id, None)
        if problem is not None:
            if given is None:  # else whoever gave it is told
                yield Problem(
                    pointer=f"{place_at}/{field}", found=problem, wanted=f"name {READABLE}"
                )
            continue
        invocation = case.get("invocation")
        if isinstance(invocation, str):
            problem = problem_of(path, session_id, invocation)
            if problem is not None:
                wanted = "name an invocation with a message of the user"
                yield Problem(pointer=f"{at}/invocation", found=problem, wanted=wanted)


def _file_of(place: Mapping[str, JsonValue]) -> tuple[str, str | None]:
    """Return the field that names a file, and the name; None where none does."""
    session, source = place.get("session"), place.get("source")
    if isinstance(session, str):
        return "session", session
    if isinstance(source, str):
        return "source", source if is_file_address(source) else None
    path = as_object(source).get("path") if as_object(source).get("kind") == "fixture" else None
    return "source/path", path if isinstance(path, str) else None


def _word(case: Mapping[str, JsonValue], place: Mapping[str, JsonValue], name: str) -> str | None:
    value = case.get(name) or place.get(name)
    return value if isinstance(value, str) else None


def _problem_of(path: Path, session_id: str | None, invocation: str | None) -> str | None:
    try:
        read_output(SessionInput(session=str(path), session_id=session_id, invocation=invocation))
    except (RecordError, CallError) as error:
        return str(error)
    return None
