"""One running team: started, spoken to, watched, and stopped."""

import asyncio
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event, RLock
from typing import Self

import pykka
from pydantic_ai.models import Model

from knowledge_team.actors import HumanActor, ManagerActor, SpecialistActor
from knowledge_team.agents import MemberAgent
from knowledge_team.catalog import AgentCard, TeamCard
from knowledge_team.errors import TeamStateError, UnknownNameError
from knowledge_team.event_feed import Observer
from knowledge_team.mailroom import Mailbox, Mailroom
from knowledge_team.member_runs import MemberRuns
from knowledge_team.messages import Message, MessageType
from knowledge_team.models import resolve_model
from knowledge_team.store import GraphStore

STORE_FILE = "knowledge.sqlite3"
"""The name of the store in a team's state folder."""

SHUTDOWN_SECONDS = 10.0
"""How long a shutdown waits for the members, unless it is told otherwise."""

_UNWIND_SECONDS = 0.5
"""How long a cancelled run may take to clean up before the store is closed under it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Member:
    name: str
    box: Mailbox
    runs: MemberRuns


class KnowledgeTeam:
    """A team of actors over one knowledge graph; as a context manager it is started and stopped.

    Args:
        card: Its members.
        state_dir: The folder that keeps its store, None to keep nothing.
        model: The model of all members, or its name; None for what each card says.
        store: The store to use in the place of its own; who gives it closes it.

    """

    def __init__(
        self,
        card: TeamCard,
        *,
        state_dir: Path | None = None,
        model: Model | str | None = None,
        store: GraphStore | None = None,
    ) -> None:
        self._card = card
        self._state_dir = state_dir
        self._model = model
        self._store = store
        self._owns_store = store is None
        self._members: list[_Member] = []
        self._mailroom = Mailroom()
        self._state = "new"
        self._lock = RLock()
        self._gone = Event()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()

    @property
    def card(self) -> TeamCard:
        """The card it was made from."""
        return self._card

    @property
    def roster(self) -> tuple[str, ...]:
        """The names of all members, the person's proxy too, in the card's order."""
        return self._card.names

    @property
    def store(self) -> GraphStore:
        """The knowledge graph.

        Raises:
            TeamStateError: The team has a store of its own, and was not started.

        """
        if self._store is None:
            call = "reach the store"
            raise TeamStateError(call, self._state)
        return self._store

    def subscribe(self, observer: Observer) -> Callable[[], None]:
        """Tell the observer of all events from now on; return the call that ends this.

        The observer is called from any thread. It must return at once, must not change what it
        is given, and may send messages but not shut the team down.
        """
        return self._mailroom.feed.subscribe(observer)

    def start(self) -> None:
        """Start all members; when this returns, each can receive.

        Raises:
            TeamStateError: The team was started or stopped before, or is stopped meanwhile.
            ModelSettingError: The model's name leads to no model.

        """
        with self._lock:
            self._expect("new", call="start")
            self._state = "starting"
        try:
            # Without the lock: a model may take long to make, and a shutdown must not wait.
            models = {name: self._resolved(name) for name in self._model_names()}
            with self._lock:
                self._expect("starting", call="start")
                self._bring_up(models)
                self._state = "running"
        except BaseException:
            self.shutdown()
            raise

    def send(self, message: str, target: str | None = None) -> str:
        """Say this to the team in the name of the person; return the id of the message.

        Args:
            message: What the person says.
            target: The member it goes to, None for the manager.

        Raises:
            TeamStateError: The team is not running.
            UnknownNameError: There is no such member to speak to.

        """
        recipient = target or self._card.manager.name
        others = [name for name in self.roster if name != self._card.entry]
        if recipient not in others:
            raise UnknownNameError(self._card.namespace, "target", recipient, others)
        said = Message(
            sender=self._card.entry,
            recipient=recipient,
            message_type=MessageType.REQUEST,
            content=message,
        )
        # Without the lock: an observer may be sending from inside the feed's lock.
        self._expect("running", call="send")
        self._mailroom.send(said)
        return said.message_id

    async def settled(self) -> None:
        """Wait until everything that was caused so far is over and was told; no time limit.

        Also over is everything when the team stops.
        """
        await asyncio.wrap_future(self._mailroom.open_messages.none_left())

    def wait_settled(self, timeout_seconds: float) -> None:
        """Wait as `settled` does, but in the calling thread and no longer than this.

        Raises:
            TimeoutError: Something is still under way.

        """
        self._mailroom.open_messages.none_left().result(timeout_seconds)

    def shutdown(self, timeout_seconds: float = SHUTDOWN_SECONDS) -> None:
        """Stop all members, whatever they are doing, and close the store that is the team's own.

        Safe to call again, from any thread, and beside a `start` that is still on. A member that
        has not ended in time is abandoned, and told as failed.
        """
        deadline = time.monotonic() + timeout_seconds
        with self._lock:
            first = self._state not in {"stopping", "stopped"}
            if first:
                self._state = "stopping"
        if not first:
            self._gone.wait(timeout_seconds)
            return
        self._stop_members(deadline)
        self._mailroom.open_messages.close()
        self._mailroom.feed.close("runtime_stopped")
        if self._owns_store and self._store is not None:
            self._store.close()
        self._state = "stopped"
        self._gone.set()

    def lose(self, name: str) -> None:
        """End one member in the midst of what it does, as a crash would; nobody is told.

        Raises:
            UnknownNameError: There is no such member.

        """
        for member in self._members:
            if member.name == name:
                member.runs.stop()
                member.box.stop(block=False)
                return
        raise UnknownNameError(self._card.namespace, "member", name, self.roster)

    def _expect(self, state: str, *, call: str) -> None:
        if self._state != state:
            raise TeamStateError(call, self._state)

    def _model_names(self) -> set[str]:
        return {card.model for card in self._card.agents if card.role != "human"}

    def _resolved(self, name: str) -> Model:
        if isinstance(self._model, Model):
            return self._model
        return resolve_model(self._model or name)

    def _bring_up(self, models: Mapping[str, Model]) -> None:
        if self._store is None:
            self._store = self._opened_store()
        for card in self._card.agents:
            runs = MemberRuns()
            box = self._started(card, runs, models)
            self._mailroom.add(card.name, box)
            self._members.append(_Member(name=card.name, box=box, runs=runs))
            self._mailroom.feed.emit("agent_started", card.name)

    def _opened_store(self) -> GraphStore:
        if self._state_dir is None:
            return GraphStore()
        self._state_dir.mkdir(parents=True, exist_ok=True)
        return GraphStore(self._state_dir / STORE_FILE)

    def _started(self, card: AgentCard, runs: MemberRuns, models: Mapping[str, Model]) -> Mailbox:
        if card.role == "human":
            return HumanActor.start(card, self._mailroom, runs)
        agent = MemberAgent(card, models[card.model], self.store)
        if card.role == "specialist":
            return SpecialistActor.start(card, self._mailroom, runs, agent)
        specialists = self._card.of_role("specialist")
        return ManagerActor.start(card, self._mailroom, runs, agent, specialists)

    def _stop_members(self, deadline: float) -> None:
        for member in self._members:
            member.runs.stop()
        # Only these actors: pykka's registry holds those of all teams in the process.
        ends = [member.box.stop(block=False) for member in self._members]
        for member, end in zip(self._members, ends, strict=True):
            with suppress(pykka.Timeout, pykka.ActorDeadError):
                end.get(timeout=_left(deadline))
            self._tell_end(member, deadline)
        unwound = min(time.monotonic() + _UNWIND_SECONDS, deadline)
        for member in self._members:
            member.runs.wait_ended(_left(unwound))

    def _tell_end(self, member: _Member, deadline: float) -> None:
        thread = member.runs.thread
        if thread is not None:
            thread.join(_left(deadline))
        feed = self._mailroom.feed
        if thread is None or thread.is_alive():
            feed.emit("agent_failed", member.name, error="did not stop in time")
        else:
            feed.emit("agent_stopped", member.name)


def _left(deadline: float) -> float:
    return max(deadline - time.monotonic(), 0.0)
