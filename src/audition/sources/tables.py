"""The tables that ADK and kagent keep sessions in, as SQL that every database here understands.

* kagent: `event(id, user_id, session_id, created_at, deleted_at, data)` beside `session`
* ADK: `events(…, timestamp, event_data)`; before 2.0 one column for each field of an event, of
  which `actions` is a pickle and is never read
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import JsonValue

from audition.errors import RecordError
from audition.events import DroppedFrame
from audition.sources.source import Record, SessionInfo, only_session, with_agent
from audition.values import parse_json, writable_json

type Rows = Sequence[tuple[Any, ...]]
type Query = Callable[[str, Sequence[object]], Rows]
"""Runs one SELECT, its places written as `?`."""

TABLES = ("event", "session", "events")
"""The tables that a layout is told by."""

MOST_SESSIONS = 100_000
MOST_EVENTS = 1_000_000

_OLD_COLUMNS = (
    *("invocation_id", "author", "branch", "error_code", "error_message"),
    *("partial", "turn_complete", "interrupted"),
    *("content", "custom_metadata", "usage_metadata", "citation_metadata"),
    "long_running_tool_ids_json",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """How one writer keeps its sessions.

    Attributes:
        name: Of the writer.
        sessions: SELECT of id, agent, user, number of events and last change of every session.
        events: SELECT of the events of a session and user, in the order of their storing.
        columns: The names of what `events` selects.

    """

    name: str
    sessions: str
    events: str
    columns: tuple[str, ...]


_ADK_SESSIONS = (
    "SELECT session_id, app_name AS agent, user_id, count(*) AS frames,"
    " max(timestamp) AS updated_at FROM events GROUP BY session_id, app_name, user_id"
    " ORDER BY max(timestamp) DESC, session_id, user_id, app_name"
)
_ADK = Layout(
    name="ADK",
    sessions=_ADK_SESSIONS,
    events=(
        "SELECT id, timestamp, event_data FROM events WHERE session_id = ? AND user_id = ?"
        " AND app_name = ? ORDER BY timestamp, id"
    ),
    columns=("id", "created_at", "data"),
)

type Columns = Mapping[str, Collection[str]]
"""From the name of a table to those of its columns; what is not there is missing, or has none."""


def layout_of(name: str, columns: Columns) -> Layout:
    """Return how the sessions of a database are kept.

    Args:
        name: The database, for the text of an error.
        columns: The columns of those of `TABLES` that it has.

    Raises:
        RecordError: It has none of the tables that are known here.

    """
    if {"data", "session_id"} <= set(columns.get("event", ())):
        return _kagent(columns.get("session", ()))
    events = columns.get("events", ())
    if "event_data" in events:
        return _ADK
    if {"content", "author", "session_id"} <= set(events):
        return _old_adk(events)
    problem = "no sessions of ADK or kagent: there is neither a table event nor a table events"
    raise RecordError(name, problem)


def in_storing_order(layout: Layout, place: str) -> Layout:
    """Return the layout with the rows of one moment in the order in which they were stored.

    Their ids are random. kagent itself leaves such rows in any order.

    Args:
        layout: The layout of any database.
        place: What this one calls the place of a row.

    """
    return replace(layout, events=f"{layout.events.removesuffix(', id')}, {place}, id")


def _kagent(session: Collection[str]) -> Layout:
    """Return the layout of kagent; a session that was deleted there keeps its events, unseen."""
    agent, joined, kept = "NULL", "", ""
    if {"id", "user_id", "agent_id"} <= set(session):
        agent = "max(s.agent_id)"
        joined = " LEFT JOIN session s ON s.id = e.session_id AND s.user_id = e.user_id"
        kept = " AND s.deleted_at IS NULL" if "deleted_at" in session else ""
    return Layout(
        name="kagent",
        sessions=(
            f"SELECT e.session_id, {agent} AS agent, e.user_id, count(*) AS frames,"  # noqa: S608  # our own names
            f" max(e.created_at) AS updated_at FROM event e{joined}"
            f" WHERE e.deleted_at IS NULL AND e.session_id IS NOT NULL{kept}"
            " GROUP BY e.session_id, e.user_id"
            " ORDER BY max(e.created_at) DESC, e.session_id, e.user_id"
        ),
        events=(
            "SELECT id, created_at, data FROM event WHERE session_id = ? AND user_id = ?"
            " AND deleted_at IS NULL ORDER BY created_at, id"
        ),
        columns=("id", "created_at", "data"),
    )


def _old_adk(events: Collection[str]) -> Layout:
    chosen = ("id", "timestamp", *(column for column in _OLD_COLUMNS if column in events))
    return Layout(
        name="ADK before 2.0",
        sessions=_ADK_SESSIONS,
        events=(
            f"SELECT {', '.join(chosen)} FROM events WHERE session_id = ? AND user_id = ?"  # noqa: S608  # our own names
            " AND app_name = ? ORDER BY timestamp, id"
        ),
        columns=chosen,
    )


class SessionTables:
    """The sessions in a database.

    Args:
        name: The database, for texts.
        layout: How they are kept.
        query: Asks the database.
        user: Only the sessions of this user, None for those of all.

    """

    def __init__(self, name: str, layout: Layout, query: Query, *, user: str | None) -> None:
        self._name = name
        self._layout = layout
        self._query = query
        self._user = user

    def sessions(self, *, agent: str | None = None, limit: int = 50) -> list[SessionInfo]:
        """Return the sessions, as `SessionSource` says."""
        return with_agent(self._all(), agent, limit)

    def record(self, session: str | None = None) -> Record:
        """Return a session, as `SessionSource` says."""
        info = only_session(self._name, self._all(), session)
        places = self._layout.events.count("?")
        values = (info.id, info.user, info.agent)[:places]
        rows = self._query(f"{self._layout.events} LIMIT {MOST_EVENTS}", values)
        return record_of(f"{self._name}, session {info.id}", rows, self._layout.columns)

    def _all(self) -> list[SessionInfo]:
        rows = self._query(f"{self._layout.sessions} LIMIT {MOST_SESSIONS}", ())
        infos = [
            SessionInfo(
                id=str(row[0]),
                agent=None if row[1] is None else str(row[1]),
                user=None if row[2] is None else str(row[2]),
                frames=int(row[3]),
                updated_at=None if row[4] is None else str(row[4]),
            )
            for row in rows
        ]
        return [info for info in infos if self._user is None or info.user == self._user]


def record_of(name: str, rows: Iterable[Sequence[Any]], columns: Sequence[str]) -> Record:
    """Return the events in stored rows as a record, each at the place of its row.

    Args:
        name: Of what they are, for texts.
        rows: The rows.
        columns: What stands in them; `data` is an event, as JSON or as its text.

    """
    frames: list[JsonValue] = []
    places: list[int] = []
    broken: list[DroppedFrame] = []
    for index, row in enumerate(rows):
        fields = dict(zip(columns, row, strict=True))
        try:
            frames.append(_frame(fields))
            places.append(index)
        except ValueError as error:
            reason = f"row {fields['id']!r}, no JSON: {error}"
            broken.append(DroppedFrame(index=index, author=None, reason=reason))
    return Record(name=name, frames=tuple(frames), lines=tuple(places), broken=tuple(broken))


def _frame(fields: dict[str, Any]) -> JsonValue:
    """Return an event as it is stored: what its columns, or texts in it, hold is read elsewhere."""
    if "data" in fields:
        data = fields["data"]
        return parse_json(data) if isinstance(data, str | bytes) else writable_json(data)
    return writable_json(fields | {name: str(fields[name]) for name in ("id", "timestamp")})
