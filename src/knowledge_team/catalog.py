"""Which teams there are, and what their members are told and given: data files, read strictly.

Each team is a file `catalog/<namespace>.json`. A member is described there, or is a reference
`{"ref": "<namespace>/<name>"}` to one that another file describes, so that two teams cannot
drift apart. What is read becomes plain cards, which anybody may copy with changes
(`dataclasses.replace`): the files are strict, the cards are open.
"""

from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, StringConstraints, Tag, ValidationError

from knowledge_team.errors import CatalogError, UnknownNameError
from knowledge_team.tools.cards import ToolCard
from knowledge_team.tools.catalog import CatalogTool

type Role = Literal["human", "manager", "specialist"]
"""The person's proxy, the one who routes and relays, or one who does the work."""

DEFAULT_MODEL = "default"
"""The model reference that leaves the choice to the environment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentCard:
    """A member of a team.

    Attributes:
        name: Its address, `@Knowledge`.
        role: What it is in the team.
        purpose: What it is for, in one line; the manager chooses by it.
        prompt: The instructions of its model, empty for the human.
        model: Which model it runs, as `knowledge_team.models` reads it.
        tools: The tools it has.
        remembers: Whether it is given its last conversations again. Who takes in pages does not
            need them, and they would be pages.

    """

    name: str
    role: Role
    purpose: str = ""
    prompt: str = ""
    model: str = DEFAULT_MODEL
    tools: tuple[ToolCard, ...] = ()
    remembers: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamCard:
    """A team: its members, and where a person enters.

    Attributes:
        namespace: Its name in the catalog.
        entry: The member that stands for the person.
        agents: All members, the person's proxy too.

    Raises:
        CatalogError: Names occur twice, the entry is no human, or there is not one manager.

    """

    namespace: str
    entry: str
    agents: tuple[AgentCard, ...]

    def __post_init__(self) -> None:
        if len(set(self.names)) < len(self.names):
            raise CatalogError(self.namespace, f"a name occurs twice: {', '.join(self.names)}")
        if self.agent(self.entry).role != "human":
            raise CatalogError(self.namespace, f"the entry {self.entry} is not of role human")
        if len(self.of_role("manager")) != 1:
            problem = "a team has exactly one member of role manager"
            raise CatalogError(self.namespace, problem)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all members, in order."""
        return tuple(agent.name for agent in self.agents)

    @property
    def manager(self) -> AgentCard:
        """The member that is given what has no other target."""
        (manager,) = self.of_role("manager")
        return manager

    def agent(self, name: str) -> AgentCard:
        """Return the member of this name.

        Raises:
            UnknownNameError: There is none.

        """
        for agent in self.agents:
            if agent.name == name:
                return agent
        raise UnknownNameError(self.namespace, "member", name, self.names)

    def of_role(self, role: Role) -> tuple[AgentCard, ...]:
        """Return the members of this role, in order."""
        return tuple(agent for agent in self.agents if agent.role == role)


def team_names(folder: Traversable | None = None) -> tuple[str, ...]:
    """Return the namespaces of all teams in the catalog, sorted."""
    names = (entry.name for entry in (folder or _packaged()).iterdir())
    return tuple(sorted(name.removesuffix(".json") for name in names if name.endswith(".json")))


def load_team(namespace: str, folder: Traversable | None = None) -> TeamCard:
    """Return the team of this namespace.

    Args:
        namespace: The name of its file.
        folder: Where the files are, None for those of this package.

    Raises:
        UnknownNameError: There is no such team, or it refers to a member that is not described.
        CatalogError: A file is not what it should be.

    """
    catalog = folder or _packaged()
    team = _read(namespace, catalog)
    agents = tuple(_resolved(entry, namespace, catalog) for entry in team.agents)
    return TeamCard(namespace=namespace, entry=team.entry, agents=agents)


type _Text = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _AgentEntry(_Strict):
    name: Annotated[str, StringConstraints(pattern=r"^@\w+$")]
    role: Role
    purpose: _Text
    prompt: tuple[_Text, ...] = ()
    model: _Text = DEFAULT_MODEL
    tools: tuple[CatalogTool, ...] = ()
    remembers: bool = True


class _Reference(_Strict):
    ref: Annotated[str, StringConstraints(pattern=r"^[\w-]+/@\w+$")]


def _entry_kind(entry: object) -> str:
    return "reference" if isinstance(entry, dict) and "ref" in entry else "agent"


type _Entry = Annotated[
    Annotated[_AgentEntry, Tag("agent")] | Annotated[_Reference, Tag("reference")],
    Discriminator(_entry_kind),
]


class _TeamFile(_Strict):
    namespace: _Text
    purpose: _Text
    entry: _Text
    agents: tuple[_Entry, ...]


def _packaged() -> Traversable:
    return files("knowledge_team") / "catalog"


def _read(namespace: str, catalog: Traversable) -> _TeamFile:
    known = team_names(catalog)
    if namespace not in known:
        source, kind = "catalog", "team"
        raise UnknownNameError(source, kind, namespace, known)
    source = f"{namespace}.json"
    try:
        team = _TeamFile.model_validate_json((catalog / source).read_text(encoding="utf-8"))
    except ValidationError as error:
        raise CatalogError(source, _problems(error)) from error
    if team.namespace != namespace:
        problem = f"holds the namespace {team.namespace!r}"
        raise CatalogError(source, problem)
    return team


def _problems(error: ValidationError) -> str:
    found = error.errors(include_url=False, include_input=False)
    return "; ".join(f"/{'/'.join(map(str, one['loc']))}: {one['msg']}" for one in found)


def _resolved(entry: _AgentEntry | _Reference, namespace: str, catalog: Traversable) -> AgentCard:
    match entry:
        case _AgentEntry():
            return _card(entry)
        case _Reference(ref=ref):
            return _described(ref, namespace, catalog)


def _described(ref: str, namespace: str, catalog: Traversable) -> AgentCard:
    elsewhere, _, name = ref.partition("/")
    # Only descriptions, not further references: a reference then leads somewhere in one step.
    entries = _read(elsewhere, catalog).agents
    described = {one.name: one for one in entries if isinstance(one, _AgentEntry)}
    if name not in described:
        known = (f"{elsewhere}/{one}" for one in described)
        source, kind = f"{namespace}.json", "reference"
        raise UnknownNameError(source, kind, ref, known)
    return _card(described[name])


def _card(entry: _AgentEntry) -> AgentCard:
    return AgentCard(
        name=entry.name,
        role=entry.role,
        purpose=entry.purpose,
        prompt="\n".join(entry.prompt),
        model=entry.model,
        tools=entry.tools,
        remembers=entry.remembers,
    )
