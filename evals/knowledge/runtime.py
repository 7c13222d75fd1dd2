"""A fresh knowledge team for every case, driven in this process."""

import os
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from audition.errors import SetupError
from audition.events import EventHandler, read_event
from audition.inputs import ConversationTurn
from audition.output import RuntimeCapabilities
from audition.runtime import TeamRuntime
from evals.knowledge.composition import replace_tool
from evals.knowledge.fixture_pages import PreparedPages, reads_from
from evals.knowledge.fixture_search import facts_of, fixture_search
from evals.knowledge.fixtures import KnowledgeCaseInput, KnowledgeFixture
from evals.knowledge.substitute import SubstituteCard
from knowledge_team.catalog import DEFAULT_MODEL, TeamCard, load_team
from knowledge_team.errors import ModelSettingError
from knowledge_team.facts import Entity, Fact, Relation
from knowledge_team.models import MODEL_VARIABLE, resolve_model
from knowledge_team.team import KnowledgeTeam

STATE_VARIABLE = "KNOWLEDGE_STATE_DIR"
"""The environment variable that names the folder of a store that outlives the process."""

type Change = Callable[[TeamCard], TeamCard]


class KnowledgeTeamRuntime:
    """Drives one team.

    Args:
        card: The team.
        state_dir: Where its store is.
        known: What its store holds from the start, of no source.

    Attributes:
        team: The team.

    """

    def __init__(self, card: TeamCard, state_dir: Path, *, known: Sequence[Fact] = ()) -> None:
        self.team = KnowledgeTeam(card, state_dir=state_dir)
        self._known = known
        self.source = f"knowledge team {card.namespace}"

    @property
    def capabilities(self) -> RuntimeCapabilities:
        """A team of its own in this process: everything is known of it."""
        return RuntimeCapabilities(
            request_correlation=True,
            isolated_execution=True,
            trace_context=True,
            actor_quiescence=True,
            tool_evidence=True,
            causes=True,
        )

    def start(self, event_handler: EventHandler) -> None:
        """Start the actors, heard from their first event on."""
        self.team.subscribe(lambda event: event_handler(read_event(event)))
        self.team.start()
        store = self.team.store
        store.upsert_entities(fact for fact in self._known if isinstance(fact, Entity))
        store.upsert_relations(fact for fact in self._known if isinstance(fact, Relation))

    def send(self, turn: ConversationTurn) -> None:
        """Say the message to the team."""
        self.team.send(turn.message, turn.target)

    async def settled(self) -> None:
        """Return when every message that was caused is handled."""
        await self.team.settled()

    def shutdown(self) -> None:
        """Stop the actors."""
        self.team.shutdown()


class KnowledgeRuntimeFactory:
    """Makes a team of its own, with a state folder of its own, for every case.

    Args:
        team: The team in the catalog.
        allow_persistent_store: Use the folder that `KNOWLEDGE_STATE_DIR` names, so that cases
            see what is stored, and what those before them left; otherwise a run is refused
            while it is set.
        change: Applied to the team last; for trying the evaluation on a bad team.
        drive: Makes what drives the team.
        environ: Where `KNOWLEDGE_STATE_DIR` is looked up.

    """

    def __init__(
        self,
        team: str = "evaluation",
        *,
        allow_persistent_store: bool = False,
        change: Change | None = None,
        drive: type[KnowledgeTeamRuntime] = KnowledgeTeamRuntime,
        environ: Mapping[str, str] = os.environ,
    ) -> None:
        self._team = team
        self._persists = allow_persistent_store
        self._change = change
        self._drive = drive
        self._environ = environ

    def check(self, inputs: KnowledgeCaseInput) -> None:
        """Refuse inputs that this team must not be given, before any team starts.

        Raises:
            SetupError: A fixture for another team than the evaluation team, a persistent store
                that was not asked for, or a model that is not there.

        """
        if inputs.fixture is not None and self._team != "evaluation":
            msg = (
                f"a fixture for the team {self._team!r}: a run under its name must not quietly "
                "use prepared knowledge; take the team 'evaluation'"
            )
            raise SetupError(msg)
        state_dir = self._environ.get(STATE_VARIABLE)
        if state_dir and not self._persists:
            msg = (
                f"{STATE_VARIABLE} names a persistent store; cases must not read or change it "
                "unless that is asked for: unset it, or take the team 'persistent'"
            )
            raise SetupError(msg)
        if self._persists and not state_dir:
            msg = f"the team 'persistent' needs {STATE_VARIABLE} to name its store"
            raise SetupError(msg)
        _check_models(self.card(inputs.fixture))

    def card(self, fixture: KnowledgeFixture | None) -> TeamCard:
        """Return the team of a case: the catalog's, but for the tool that the case replaces."""
        card = load_team(self._team)
        if self._team == "evaluation":  # which never reaches the web
            pages = PreparedPages(fixture)
            card = replace_tool(
                card,
                agent_name="@WebIngest",
                tool_type="web_fetch",
                replacement=lambda tool: reads_from(pages, tool),
            )
        if fixture is not None and not fixture.pages:
            answer = fixture_search(fixture)
            card = replace_tool(
                card,
                agent_name="@Knowledge",
                tool_type="search_graph",
                replacement=lambda tool: SubstituteCard(original=tool, answer=answer),
                require_read_only=True,
            )
        return card if self._change is None else self._change(card)

    @asynccontextmanager
    async def runtime(self, inputs: KnowledgeCaseInput) -> AsyncGenerator[TeamRuntime]:
        """Yield the runtime of a case.

        Raises:
            SetupError: As in `check`.

        """
        self.check(inputs)
        card = self.card(inputs.fixture)
        fixture = inputs.fixture
        known = facts_of(fixture) if fixture is not None and fixture.pages else ()
        if self._persists:
            yield self._drive(card, Path(self._environ[STATE_VARIABLE]))
            return
        with TemporaryDirectory(prefix="knowledge-team-") as folder:
            yield self._drive(card, Path(folder), known=known)


def _check_models(card: TeamCard) -> None:
    """Refuse a team one of whose members has a model that cannot be made."""
    members = {agent.model: agent.name for agent in card.agents if agent.role != "human"}
    for model, name in members.items():
        try:
            resolve_model(model)
        except ModelSettingError as error:
            who = MODEL_VARIABLE if model == DEFAULT_MODEL else name
            msg = f"{who}: {error}"
            raise SetupError(msg) from error


evaluation = KnowledgeRuntimeFactory("evaluation")
production = KnowledgeRuntimeFactory("production")
persistent = KnowledgeRuntimeFactory("production", allow_persistent_store=True)
