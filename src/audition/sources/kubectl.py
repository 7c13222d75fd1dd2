"""Sessions in the Postgres database of a kagent that runs in a cluster, by `kubectl exec` and psql.

Nothing that is asked for is built into a statement, and no password stands on a command line: the
statement goes to psql's standard input, its values as variables of psql, the password before it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue

from audition.errors import CallError, RecordError
from audition.sources.bounded_process import Ended, run_bounded
from audition.sources.postgres import STATEMENT_SECONDS, settings, tables_in_postgres
from audition.sources.source import Record, SessionInfo
from audition.sources.tables import Rows, SessionTables
from audition.values import parse_json

# What the chart of kagent gives to the database that it brings.
NAMESPACE = "kagent"
WORKLOAD = "deploy/kagent-postgresql"
DATABASE = "kagent"

_NAME = re.compile(r"(?:[a-z][a-z0-9.-]*/)?[a-z0-9][a-z0-9.-]*")
_ENDED = "command terminated with exit code"

# The first line is the password; `read` takes no byte more, and psql is given the rest.
_SHELL = ("sh", "-c", 'IFS= read -r PGPASSWORD && export PGPASSWORD && exec psql "$@"', "psql")
_VALUES = ("value_1", "value_2", "value_3")
_PSQL = ("-X", "-q", "-t", "-A", "-w", "-v", "ON_ERROR_STOP=1", "-v", "VERBOSITY=terse")


@dataclass(frozen=True, slots=True, kw_only=True)
class KubectlLimits:
    """How long an answer may take, and how large it may be.

    Attributes:
        statement_seconds: Of the database, for one answer.
        seconds: From the start of kubectl to its end.
        most_bytes: All that it prints.

    """

    statement_seconds: float = STATEMENT_SECONDS
    seconds: float = STATEMENT_SECONDS + 30
    most_bytes: int = 1024 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterDatabase:
    """Where the database of a kagent is.

    Attributes:
        namespace: The namespace of the cluster.
        workload: What kubectl runs psql in: a pod, or `deploy/NAME`.
        context: That of kubectl's configuration, None for the current one.
        user: The role of the database.
        database: Its name.
        password: That of the role, None for the name of the role, as in the chart.

    """

    namespace: str = NAMESPACE
    workload: str = WORKLOAD
    context: str | None = None
    user: str = DATABASE
    database: str = DATABASE
    password: str | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        """Refuse what kubectl would take for an option, or psql for more than a line."""
        for what, name in (("namespace", self.namespace), ("workload", self.workload)):
            if not _NAME.fullmatch(name):
                raise CallError(name, what=what, wanted="wanted a name of Kubernetes")
        if self.password and "\n" in self.password:
            found = "several lines"
            raise CallError(found, what="password", wanted="wanted one")


class KubectlSource:
    """The sessions of a kagent in a cluster.

    Args:
        place: Where its database is.
        user: Only the sessions of this user, None for those of all.
        limits: How long an answer may take, and how large it may be.

    """

    def __init__(
        self,
        place: ClusterDatabase,
        *,
        user: str | None = None,
        limits: KubectlLimits | None = None,
    ) -> None:
        self._place = place
        self._name = f"kubectl:{place.namespace}/{place.workload}"
        self._user = user
        self._limits = limits or KubectlLimits()

    def sessions(self, *, agent: str | None = None, limit: int = 50) -> Sequence[SessionInfo]:
        """Return the sessions, as `SessionSource` says."""
        return self._tables().sessions(agent=agent, limit=limit)

    def record(self, session: str | None = None) -> Record:
        """Return a session, as `SessionSource` says."""
        return self._tables().record(session)

    def _tables(self) -> SessionTables:
        return tables_in_postgres(self._name, self._query, user=self._user)

    def _query(self, statement: str, values: Sequence[object]) -> Rows:
        password = self._place.password or self._place.user
        script = _script(statement, self._limits.statement_seconds)
        ended = run_bounded(
            self._name,
            (*_kubectl(self._place), *_SHELL, *_psql(self._place, values)),
            f"{password}\n{script}".encode(),
            seconds=self._limits.seconds,
            most_bytes=self._limits.most_bytes,
        )
        if ended.code:
            raise RecordError(self._name, self._told(ended))
        # Bytes: splitlines() of a text takes U+2028, which JSON may hold, for the end of a line.
        return [self._row(line) for line in ended.out.split(b"\n") if line.strip()]

    def _row(self, line: bytes) -> tuple[JsonValue, ...]:
        try:
            row = parse_json(line)
        except ValueError as error:
            raise RecordError(self._name, f"psql printed what is no JSON: {error}") from None
        if not isinstance(row, dict):
            raise RecordError(self._name, "psql printed what is no row")
        return tuple(row.values())

    def _told(self, ended: Ended) -> str:
        """Return the last line of what went wrong, of kubectl or of psql."""
        lines = [line.strip() for line in ended.err.decode("utf-8", "replace").split("\n")]
        said = [line for line in lines if line and not line.startswith(_ENDED)]
        text = said[-1] if said else "it said nothing"
        if self._place.password:
            text = text.replace(self._place.password, "***")
        return f"kubectl ended with {ended.code}: {text}"


def _kubectl(place: ClusterDatabase) -> tuple[str, ...]:
    context = ("--context", place.context) if place.context else ()
    return ("kubectl", *context, "-n", place.namespace, "exec", "-i", place.workload, "--")


def _psql(place: ClusterDatabase, values: Sequence[object]) -> tuple[str, ...]:
    named = zip(_VALUES, values, strict=False)
    told = tuple(text for name, value in named for text in ("-v", f"{name}={value}"))
    return (*_PSQL, *told, "-U", place.user, "-d", place.database)


def _script(statement: str, seconds: float) -> str:
    """Return what psql is given: the rows of a statement as JSON objects, one a line."""
    first, *rest = statement.split("?")
    named = zip(_VALUES, rest, strict=False)
    asked = first + "".join(f":'{name}'{text}" for name, text in named)
    said = (*settings(seconds), "SET client_encoding = 'UTF8'")
    begin = "".join(f"{setting};\n" for setting in said)
    return f"{begin}SELECT row_to_json(one_row) FROM ({asked}) AS one_row;\n"  # noqa: S608  # our own statements
