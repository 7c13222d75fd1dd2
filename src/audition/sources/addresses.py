"""From what a user writes to a source of sessions. Nothing is opened but the head of a file.

Postgres, kagent's REST and kubectl take from the environment what the address leaves out.
"""

import os
from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from audition.errors import CallError
from audition.files import without_address
from audition.sniff import Shape
from audition.sources.files import FileSource
from audition.sources.kagent_rest import DEFAULT_USER, KagentAccess, KagentRestSource
from audition.sources.kubectl import DATABASE, NAMESPACE, WORKLOAD, ClusterDatabase, KubectlSource
from audition.sources.postgres import PostgresSource
from audition.sources.source import SessionSource
from audition.sources.sqlite import HEADER, SqliteSource

WANTED = (
    "wanted a file, -, postgres://USER@HOST/DATABASE, http://HOST:PORT of a kagent, or "
    "kubectl:NAMESPACE"
)
"""What an address may be."""

_POSTGRES = ("postgres:", "postgresql:")
_HTTP = ("http://", "https://")
_KAGENT = "kagent:"
_KUBECTL = "kubectl:"


class SourceAddress(BaseModel):
    """A source as it is kept with what is read from it: no secret is in what is written of it.

    Attributes:
        address: As for `open_source`, without a password.
        user: Whose sessions, None for those of all.
        context: That of kubectl's configuration, None for the environment's.
        settings: What stands in the place of environment variables, by their names.

    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    address: str
    user: str | None = None
    context: str | None = None
    settings: dict[str, SecretStr] = Field(
        default_factory=dict[str, SecretStr], repr=False, exclude=True
    )

    def open(self) -> SessionSource:
        """Return the source, as `open_source`."""
        given = {name: secret.get_secret_value() for name, secret in self.settings.items()}
        return open_source(
            self.address, user=self.user, context=self.context, environ={**os.environ, **given}
        )


def source_address(
    text: str, *, user: str | None = None, context: str | None = None
) -> SourceAddress:
    """Return an address as it is kept: one that may hold a password stands among the settings."""
    for alone, variable, kinds in (
        (_POSTGRES[0], "KAGENT_DB_DSN", _POSTGRES),
        (_KAGENT, "KAGENT_URL", _HTTP),
    ):
        if text.startswith(kinds) and text not in kinds:
            settings = {variable: SecretStr(text)}
            return SourceAddress(address=alone, user=user, context=context, settings=settings)
    return SourceAddress(address=text, user=user, context=context)


def is_file_address(text: str) -> bool:
    """Return whether an address is the path of a file."""
    return not text.startswith((*_POSTGRES, *_HTTP, _KAGENT, _KUBECTL)) and "://" not in text


def open_source(
    text: str,
    *,
    user: str | None = None,
    shape: Shape | None = None,
    context: str | None = None,
    environ: Mapping[str, str] | None = None,
) -> SessionSource:
    """Return the source of sessions that an address names.

    Args:
        text: The path of a file, `-` for standard input, `postgres://…`, `http(s)://host:port` of
            a kagent, `kubectl:[NAMESPACE[/WORKLOAD]]`; `postgres:` and `kagent:` alone are what
            KAGENT_DB_DSN and KAGENT_URL name.
        user: Only the sessions of this user; None for those of all, of KAGENT_USER_ID by REST.
        shape: What the frames of a file are, None to find out.
        context: That of kubectl's configuration, None for KAGENT_CONTEXT.
        environ: The environment, None for that of the process.

    Raises:
        CallError: It is no address of a source, or one that knows no users.
        SetupError: A driver is not installed.
        RecordError: The head of a file cannot be read, or no database is named.

    """
    known = os.environ if environ is None else environ
    if text.startswith(_POSTGRES):
        return PostgresSource(_or_of(text, _POSTGRES, known, "KAGENT_DB_DSN"), user=user)
    if text.startswith((*_HTTP, _KAGENT)):
        access = KagentAccess(
            user=user or known.get("KAGENT_USER_ID") or DEFAULT_USER,
            token=known.get("KAGENT_TOKEN", "").strip() or None,
        )
        return KagentRestSource(_or_of(text, (_KAGENT,), known, "KAGENT_URL"), access)
    if text.startswith(_KUBECTL):
        place = _cluster_database(text.removeprefix(_KUBECTL), context, known)
        return KubectlSource(place, user=user)
    return _file_source(text, user=user, shape=shape)


def _file_source(text: str, *, user: str | None, shape: Shape | None) -> SessionSource:
    if "://" in text:
        raise CallError(without_address(text), what="source", wanted=WANTED)
    return open_file(Path(text), user=user, shape=shape)


def open_file(path: Path, *, user: str | None = None, shape: Shape | None = None) -> SessionSource:
    """Return the source that a file is, which may be a database.

    Args:
        path: The file, `-` for standard input.
        user: As in `open_source`.
        shape: As in `open_source`.

    Raises:
        CallError: It knows no users.
        RecordError: The head of the file cannot be read.

    """
    # A pipe could be read but once. Path.is_file raises for a name that is too long, this does not.
    if os.path.isfile(path):  # noqa: PTH113
        with path.open("rb") as file:
            if file.read(len(HEADER)) == HEADER:
                return SqliteSource(path, user=user)
    if user is not None:
        raise CallError(user, what="user", wanted="wanted none: no file of frames says whose it is")
    return FileSource(path, shape=shape)


def _or_of(text: str, alone: tuple[str, ...], environ: Mapping[str, str], variable: str) -> str:
    """Return the address, that of the environment where it says no more than its kind."""
    if text not in alone:
        return text
    named = environ.get(variable, "").strip()
    if not named:
        raise CallError(text, what="source", wanted=f"wanted {variable} in the environment")
    return named


def _cluster_database(
    text: str, context: str | None, environ: Mapping[str, str]
) -> ClusterDatabase:
    namespace, _, workload = text.partition("/")
    return ClusterDatabase(
        namespace=namespace or environ.get("KAGENT_NAMESPACE") or NAMESPACE,
        workload=workload or WORKLOAD,
        context=context or environ.get("KAGENT_CONTEXT") or None,
        user=environ.get("AUDITION_DB_USER") or DATABASE,
        database=environ.get("AUDITION_DB_NAME") or DATABASE,
        password=environ.get("KAGENT_DB_PASSWORD") or None,
    )
