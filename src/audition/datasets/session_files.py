"""Which session a case of a session file judges, and whether it can be there.

A case that names a place, a file or a source, names its session as well; else both are the file's.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from pydantic import JsonValue

from audition.datasets.formats import SessionCase, SessionFile, SessionPlace
from audition.datasets.reading import Written, as_list, as_object
from audition.datasets.session_sources import FixtureSource, address_of
from audition.errors import Problem
from audition.files import without_address
from audition.sessions import SessionInput
from audition.sources.addresses import SourceAddress, is_file_address

type Given = Path | SourceAddress
"""What a call says in place of a file: a session for every case, or the source of all."""


def session_input(
    file: SessionFile[Any], case: SessionCase[Any], *, folder: Path, given: Given | None
) -> SessionInput:
    """Return what a case judges.

    Args:
        file: The file.
        case: The case.
        folder: That of the file.
        given: What the call says; a session has no id of the case, a source has.

    """
    place = case if case.session or case.source else file
    session_id = case.session_id or place.session_id
    denied = case.extra_tool_denylist
    drops_internal = case.drop_internal_tools
    if drops_internal is None:
        drops_internal = file.drop_internal_tools is not False
    common: dict[str, Any] = {
        "invocation": case.invocation,
        "drop_internal_tools": drops_internal,
        "drop_tools": (file.extra_tool_denylist or ()) if denied is None else denied,
    }
    if isinstance(given, Path):
        return SessionInput(session=str(given), **common)
    if given is not None:
        return SessionInput(source=given, session_id=case.session_id or file.session_id, **common)
    return SessionInput(**_place(place, folder, session_id), **common)


def _place(place: SessionPlace, folder: Path, session_id: str | None) -> dict[str, Any]:
    if place.source is None:
        return {"session": str(folder / (place.session or "")), "session_id": session_id}
    address = address_of(place.source)
    if isinstance(place.source, FixtureSource):
        return {"session": str(folder / address.address)}
    if is_file_address(address.address):
        return {"session": str(folder / address.address), "session_id": session_id}
    return {"source": address, "session_id": session_id}


def missing_sessions(data: Written, is_there: Callable[[str], bool]) -> Iterator[Problem]:
    """Yield a problem for each session of a session file that is not named, or not there.

    Args:
        data: The file.
        is_there: Whether there is a file of this name, relative to the dataset file.

    """
    yield from _wrong_place("", data, is_there)
    for position, written in enumerate(as_list(data.get("cases"))):
        if not isinstance(written, dict):
            continue
        at = f"/cases/{position}"
        yield from _wrong_place(at, written, is_there)
        place = written if names_place(written) else data
        if not names_place(place):
            wanted = "give `session` or `source` to the file, or to each case"
            yield Problem(pointer=f"{at}/session", found="is missing", wanted=wanted)
        elif _has_many(place) and not (written.get("session_id") or place.get("session_id")):
            wanted = "name one: `audition sessions` lists those of the source"
            yield Problem(pointer=f"{at}/session_id", found="is missing", wanted=wanted)


def names_place(written: Written) -> bool:
    """Return whether a file, or a case, says where its sessions stand."""
    return written.get("session") is not None or written.get("source") is not None


def _has_many(place: Written) -> bool:
    """Return whether sessions come from a source that nobody expects to have but one."""
    source = place.get("source")
    if isinstance(source, str):
        return not is_file_address(source)
    return as_object(source).get("kind") in {"kubectl", "postgres", "api"}


def _wrong_place(at: str, written: Written, is_there: Callable[[str], bool]) -> Iterator[Problem]:
    session, source = written.get("session"), written.get("source")
    if session is not None and source is not None:
        found, wanted = "a session and a source", "give one of them"
        yield Problem(pointer=f"{at}/source", found=found, wanted=wanted)
    yield from missing_file(f"{at}/session", session, is_there)
    if isinstance(source, str) and is_file_address(source):
        yield from missing_file(f"{at}/source", source, is_there)
    if as_object(source).get("kind") == "fixture":
        path = as_object(source).get("path")
        yield from missing_file(f"{at}/source/path", path, is_there)


def missing_file(
    pointer: str, named: JsonValue, is_there: Callable[[str], bool]
) -> Iterator[Problem]:
    """Yield a problem where a file that is named is not there."""
    if isinstance(named, str) and named.strip() and not is_there(named):
        wanted = "name a session file, relative to this one"
        yield Problem(pointer=pointer, found=f"no file {without_address(named)!r}", wanted=wanted)
