"""Where the sessions of a session file stand, as it says so: an address, or settings by kind.

The settings are those of kagent-agentevals' suites.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, SecretStr, Tag

from audition.inputs import Text
from audition.sources.addresses import SourceAddress, source_address


class _Settings(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class FixtureSource(_Settings):
    """A file of one session; the ids that cases give are not looked at.

    Attributes:
        kind: Says which source this is.
        path: The file, relative to the dataset file.

    """

    kind: Literal["fixture"]
    path: Text

    def address(self) -> SourceAddress:
        """Return the path."""
        return SourceAddress(address=self.path)


class KubectlSettings(_Settings):
    """The database of a kagent in a cluster; what is left out is as for `kubectl:`.

    Attributes:
        kind: Says which source this is.
        namespace: The namespace of the cluster.
        workload: What psql is run in: a pod, or `deploy/NAME`.
        user: The role of the database.
        database: Its name.
        password: That of the role.
        context: That of kubectl's configuration.
        user_id: Whose sessions, None for those of all.

    """

    kind: Literal["kubectl"]
    namespace: Text | None = None
    workload: Text | None = None
    user: Text | None = None
    database: Text | None = None
    password: SecretStr | None = None
    context: Text | None = None
    user_id: Text | None = None

    def address(self) -> SourceAddress:
        """Return `kubectl:NAMESPACE/WORKLOAD` with its settings."""
        workload = f"/{self.workload}" if self.workload else ""
        settings = {
            "AUDITION_DB_USER": SecretStr(self.user) if self.user else None,
            "AUDITION_DB_NAME": SecretStr(self.database) if self.database else None,
            "KAGENT_DB_PASSWORD": self.password,
        }
        return SourceAddress(
            address=f"kubectl:{self.namespace or ''}{workload}",
            user=self.user_id,
            context=self.context,
            settings=_given(settings),
        )


class PostgresSettings(_Settings):
    """A Postgres database.

    Attributes:
        kind: Says which source this is.
        dsn: What names it, None for KAGENT_DB_DSN.
        user_id: Whose sessions, None for those of all.

    """

    kind: Literal["postgres"]
    dsn: SecretStr | None = None
    user_id: Text | None = None

    def address(self) -> SourceAddress:
        """Return `postgres:` with its settings."""
        settings = _given({"KAGENT_DB_DSN": self.dsn})
        return SourceAddress(address="postgres:", user=self.user_id, settings=settings)


class ApiSettings(_Settings):
    """kagent's REST.

    Attributes:
        kind: Says which source this is.
        base_url: Where it is, None for KAGENT_URL.
        user_id: Whose sessions, None for KAGENT_USER_ID.
        token: A bearer token, None for KAGENT_TOKEN.

    """

    kind: Literal["api"]
    base_url: SecretStr | None = None
    user_id: Text | None = None
    token: SecretStr | None = None

    def address(self) -> SourceAddress:
        """Return `kagent:` with its settings."""
        settings = _given({"KAGENT_URL": self.base_url, "KAGENT_TOKEN": self.token})
        return SourceAddress(address="kagent:", user=self.user_id, settings=settings)


def _given(settings: dict[str, SecretStr | None]) -> dict[str, SecretStr]:
    return {name: secret for name, secret in settings.items() if secret is not None}


def _form(value: object) -> str:
    return "address" if isinstance(value, str) else "settings"


type SourceSettings = Annotated[
    FixtureSource | KubectlSettings | PostgresSettings | ApiSettings, Field(discriminator="kind")
]

type SourceEntry = Annotated[
    Annotated[Text, Tag("address")] | Annotated[SourceSettings, Tag("settings")],
    Discriminator(_form),
]
"""A source in a dataset file: an address as for `audition sessions`, or settings by kind."""


def address_of(entry: SourceEntry) -> SourceAddress:
    """Return the address that an entry of a file says."""
    if isinstance(entry, str):
        return source_address(entry)
    return entry.address()
