"""Sessions of kagent up to v0.10, by its HTTP interface. Later ones have none for sessions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import quote, urlsplit

from pydantic import JsonValue

from audition.errors import CallError, RecordError
from audition.sources.bounded_http import Answer, HttpLimits, get_bounded
from audition.sources.source import Record, SessionInfo, only_session, with_agent
from audition.sources.tables import record_of
from audition.values import parse_json, text_of

DEFAULT_USER = "admin@kagent.dev"
"""Whose sessions those of a kagent without authentication are."""

_SESSIONS = "/api/sessions"
_NO_REST = (
    f"answered 404 to {_SESSIONS}: there is no REST for sessions since kagent v0.10.0-rc3, "
    "read its database: kubectl:NAMESPACE or postgres://…"
)
_MOST_CHARACTERS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class KagentAccess:
    """Who asks.

    Attributes:
        user: Whose sessions.
        token: Sent as a bearer token, None where none is needed.

    """

    user: str = DEFAULT_USER
    token: str | None = field(default=None, repr=False)


class KagentRestSource:
    """The sessions of one user of a kagent.

    Args:
        url: Where its interface is: `http://host:port`.
        access: Who asks.
        limits: How long an answer may take, and how large it may be.

    Raises:
        CallError: The address is none.

    """

    def __init__(
        self,
        url: str,
        access: KagentAccess | None = None,
        *,
        limits: HttpLimits | None = None,
    ) -> None:
        self._base = url.rstrip("/").removesuffix(_SESSIONS).removesuffix("/api")
        self._name = _name_of(self._base)
        self._access = access or KagentAccess()
        self._limits = limits or HttpLimits()

    def sessions(self, *, agent: str | None = None, limit: int = 50) -> Sequence[SessionInfo]:
        """Return the sessions, as `SessionSource` says."""
        return with_agent(self._all(), agent, limit)

    def record(self, session: str | None = None) -> Record:
        """Return a session, as `SessionSource` says: its events, or its tasks where it has none."""
        known = only_session(self._name, self._all(), None).id if session is None else session
        path = f"{_SESSIONS}/{quote(known, safe='')}"
        answer = self._get(path, {"order": "asc"})
        if answer.status == 404:  # of the session, or of the whole interface
            only_session(self._name, self._all(), known)
        found = self._data(answer, path)
        events = found.get("events") if isinstance(found, dict) else None
        name = f"{self._name}, session {known}"
        if isinstance(events, list) and events:
            return record_of(name, map(_row, events), ("id", "data"))
        return Record(name=name, frames=self._tasks(f"{path}/tasks"))

    def _tasks(self, path: str) -> tuple[JsonValue, ...]:
        tasks = self._data(self._get(path), path)
        return tuple(tasks) if isinstance(tasks, list) else ()

    def _all(self) -> list[SessionInfo]:
        answer = self._get(_SESSIONS)
        if answer.status == 404:
            raise RecordError(self._name, _NO_REST)
        rows = self._data(answer, _SESSIONS) or []
        if not isinstance(rows, list):
            raise RecordError(self._name, f"answered no list of sessions to {_SESSIONS}")
        infos = [_info(row) for row in rows if isinstance(row, dict) and row.get("id")]
        return sorted(infos, key=lambda info: info.updated_at or "", reverse=True)

    def _get(self, path: str, asked: Mapping[str, str] | None = None) -> Answer:
        return get_bounded(
            self._name,
            f"{self._base}{path}",
            asked={**(asked or {}), "user_id": self._access.user},
            token=self._access.token,
            limits=self._limits,
        )

    def _data(self, answer: Answer, path: str) -> JsonValue:
        """Return the data of an answer, out of its envelope."""
        try:
            envelope = parse_json(answer.body)
        except ValueError:
            envelope = None
        told = envelope if isinstance(envelope, dict) else {}
        error = told.get("error")
        if error or not 200 <= answer.status < 300:
            texts = (error if isinstance(error, str) else "", text_of(told.get("message")))
            said = " ".join(": ".join(filter(None, texts)).split())
            if self._access.token is not None:  # some say which one they do not accept
                said = said.replace(self._access.token, "***")
            said = said[:_MOST_CHARACTERS]
            problem = f"answered {answer.status} to {path}: {said or 'it said nothing'}"
            raise RecordError(self._name, problem)
        if "data" not in told:
            problem = f"answered {path} with what is no answer of kagent ({answer.kind})"
            raise RecordError(self._name, problem)
        return told["data"]


def _name_of(url: str) -> str:
    """Return an address without a password; of one that is none nothing is told."""
    try:
        parts = urlsplit(url)
        is_address = parts.scheme in {"http", "https"} and bool(parts.hostname)
        _ = parts.port  # it is read here first
    except ValueError:
        raise _no_address(url) from None
    # A password with a / in it ends there, and its rest is what seems to be the path.
    if not is_address or "@" in parts.path:
        raise _no_address(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def _no_address(url: str) -> CallError:
    found = f"{url.partition(':')[0]}:…"
    return CallError(found, what="the address of a kagent", wanted="wanted http://HOST:PORT")


def _info(row: Mapping[str, JsonValue]) -> SessionInfo:
    agent, user, at = (row.get(name) for name in ("agent_id", "user_id", "updated_at"))
    return SessionInfo(
        id=text_of(row["id"]),
        agent=text_of(agent) or None,
        user=text_of(user) or None,
        updated_at=text_of(at) or None,
    )


def _row(event: JsonValue) -> tuple[JsonValue, JsonValue]:
    """Return the id of a stored event, and the event; what stores none is one itself."""
    if isinstance(event, dict) and "data" in event:
        return event.get("id"), event["data"]
    return None, event
