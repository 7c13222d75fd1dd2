"""What a source of recorded sessions can do, and what it gives: frames, not yet understood."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

from pydantic import JsonValue

from audition.errors import RecordError
from audition.events import DroppedFrame
from audition.sniff import Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionInfo:
    """A session that a source has.

    Attributes:
        id: Names it within the source and its user.
        agent: The agent or application that it is with, None where the source does not say.
        user: Whose it is, None where the source does not say.
        frames: How many frames it has, None where the source does not say.
        updated_at: When it last changed, as the source writes it; None where it does not say.

    """

    id: str
    agent: str | None = None
    user: str | None = None
    frames: int | None = None
    updated_at: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One session as it was read.

    Attributes:
        name: Of what it was read, for texts.
        frames: Its decoded JSON values, in the order in which they are stored.
        lines: The position of each among the lines of its file, or the rows of its table, from 0;
            None where there are neither.
        broken: What could not be read, and why; the index is a position among the lines.
        shape: What its frames are, None where nobody has found out.

    """

    name: str
    frames: tuple[JsonValue, ...]
    lines: tuple[int, ...] | None = None
    broken: tuple[DroppedFrame, ...] = ()
    shape: Shape | None = None


class SessionSource(Protocol):
    """A place that has recorded sessions. Reads only, and every wait is bounded."""

    def sessions(self, *, agent: str | None = None, limit: int = 50) -> Sequence[SessionInfo]:
        """Return the sessions, the one that changed last first where the source knows.

        Args:
            agent: Only those whose agent has this in its name, whatever the case of its letters.
            limit: At most so many.

        Raises:
            RecordError: The source cannot be read.

        """
        ...

    def record(self, session: str | None = None) -> Record:
        """Return a session.

        Args:
            session: Its id, or `AGENT/ID`; None for the only one that there is.

        Raises:
            RecordError: The source cannot be read, or there is no such session, or more than one.

        """
        ...


def only_session(name: str, infos: Sequence[SessionInfo], session: str | None) -> SessionInfo:
    """Return the session that is meant.

    Args:
        name: The source, for the text of an error.
        infos: All its sessions, or those of the id.
        session: The id that was asked for, `AGENT/ID` where several agents have it; None for the
            only one that there is.

    Raises:
        RecordError: There is none, or more than one.

    """
    found = [info for info in infos if session is None or info.id == session]
    found = found or [info for info in infos if _agent_and_id(info) == session]
    if len(found) == 1:
        return found[0]
    there = ", ".join(dict.fromkeys(info.id for info in infos[:10])) or "none"
    if not found:
        asked = "no session" if session is None else f"no session {session!r}"
        raise RecordError(name, f"{asked} is there; there are: {there}")
    if session is None:
        raise RecordError(name, f"{len(found)} sessions are there, and one is wanted: {there}")
    raise RecordError(name, f"{len(found)} sessions are {session!r}, {_whose(found)}")


def _whose(infos: Sequence[SessionInfo]) -> str:
    """Return what tells sessions of one id apart: their users, or the agents of one user."""
    users = sorted({info.user or "?" for info in infos})
    if len(users) > 1:
        return f"of the users {', '.join(users)}; name the user"
    named = sorted(_agent_and_id(info) for info in infos)
    return f"of one user; name the agent too: {' or '.join(named)}"


def _agent_and_id(info: SessionInfo) -> str:
    return f"{info.agent}/{info.id}"


def with_agent(infos: Iterable[SessionInfo], agent: str | None, limit: int) -> list[SessionInfo]:
    """Return the first of those whose agent has this in its name; of all where None is asked for.

    kagent writes `weather-agent` of the namespace `kagent` as `kagent__NS__weather_agent`.
    """
    wanted = _folded(agent or "")
    return list(islice((info for info in infos if wanted in _folded(info.agent or "")), limit))


def _folded(agent: str) -> str:
    return agent.casefold().replace("__ns__", "/").replace("-", "_")
