"""The members as pykka actors: one mailbox and one thread each, one message at a time.

A handler waits for its agent, which runs on the shared model loop: messages of a member are then
handled in order without any state about unfinished ones. A hundred teams that wait in this way
are as fast as a hundred that do not; and stopping a member releases it from the wait at once.
"""

from threading import current_thread

import pykka
from opentelemetry import trace

from knowledge_team.agents import MemberAgent, relay_prompt
from knowledge_team.catalog import AgentCard
from knowledge_team.failures import failure_line
from knowledge_team.mailroom import Mailroom
from knowledge_team.member_runs import MemberRuns
from knowledge_team.messages import Message, MessageType
from knowledge_team.run_events import RunScope

_tracer = trace.get_tracer("knowledge_team")


class MemberActor(pykka.ThreadingActor):
    """What all members have in common: context, spans, failures and the end."""

    use_daemon_thread = True  # a member that cannot be stopped must not keep the process alive

    def __init__(self, card: AgentCard, mailroom: Mailroom, runs: MemberRuns) -> None:
        super().__init__()
        self.card = card
        self.mailroom = mailroom
        self.runs = runs

    def on_start(self) -> None:
        """Say which thread it is, so that the team can wait for its end."""
        self.runs.thread = current_thread()

    def on_receive(self, message: Message) -> None:
        """Handle one message in the context in which it was sent; none, once stopped."""
        if not self.runs.stopped:
            message.in_context(lambda: self._receive(message))

    def handle(self, message: Message) -> None:
        """Do what the message asks for."""

    def asker(self, message: Message) -> str:
        """Return who waits for what the message leads to."""
        return message.sender

    def reply(self, message: Message, kind: MessageType, content: str, *, to: str) -> Message:
        """Send what handling the message led to, and return it."""
        answer = Message(
            sender=self.card.name,
            recipient=to,
            message_type=kind,
            content=content,
            cause_id=message.message_id,
        )
        self.mailroom.send(answer)
        return answer

    def scope(self, message: Message) -> RunScope:
        """Return what ties the events of an agent's run to this message."""
        return RunScope(feed=self.mailroom.feed, agent=self.card.name, cause_id=message.message_id)

    def _receive(self, message: Message) -> None:
        with _tracer.start_as_current_span(f"{self.card.name} {message.message_type.value}"):
            try:
                self.handle(message)
            except Exception as error:  # noqa: BLE001 whatever a model does, the team goes on
                if self.runs.stopped:
                    return
                self._fail(message, error)
        self.mailroom.settle(message)

    def _fail(self, message: Message, error: Exception) -> None:
        self.mailroom.feed.emit(
            "agent_failed",
            self.card.name,
            error=failure_line(error),
            cause_id=message.message_id,
        )
        # Whoever asked learns that no answer will come, but not the provider's error text.
        note = f"{self.card.name} failed and gives no answer."
        self.reply(message, MessageType.NOTIFICATION, note, to=self.asker(message))


class HumanActor(MemberActor):
    """The person's proxy: what it receives has arrived, and needs nothing more."""


class SpecialistActor(MemberActor):
    """Answers requests by its agent; other messages need nothing."""

    def __init__(
        self, card: AgentCard, mailroom: Mailroom, runs: MemberRuns, agent: MemberAgent
    ) -> None:
        super().__init__(card, mailroom, runs)
        self._agent = agent

    def handle(self, message: Message) -> None:
        """Answer whoever asked."""
        if message.message_type is MessageType.REQUEST:
            answer = self.runs.run(self._agent.answer(message.content, self.scope(message)))
            self.reply(message, MessageType.RESPONSE, answer, to=self.asker(message))


class ManagerActor(MemberActor):
    """Hands requests over to specialists and passes their answers on to whoever asked."""

    def __init__(
        self,
        card: AgentCard,
        mailroom: Mailroom,
        runs: MemberRuns,
        agent: MemberAgent,
        specialists: tuple[AgentCard, ...],
    ) -> None:
        super().__init__(card, mailroom, runs)
        self._agent = agent
        self._specialists = specialists
        self._askers: dict[str, str] = {}

    def handle(self, message: Message) -> None:
        """Hand a request over; pass an answer, or the news that there is none, on."""
        match message.message_type:
            case MessageType.REQUEST:
                self._hand_over(message)
            case MessageType.RESPONSE:
                prompt = relay_prompt(message.sender, message.content)
                self._pass_on(
                    message, self.runs.run(self._agent.answer(prompt, self.scope(message)))
                )
            case MessageType.NOTIFICATION:
                self._pass_on(message, message.content)

    def asker(self, message: Message) -> str:
        """Return who asked what this message answers; its sender, where it answers nothing."""
        return self._askers.pop(message.cause_id or "", message.sender)

    def _hand_over(self, message: Message) -> None:
        work = self._agent.delegate(message.content, self.scope(message), self._specialists)
        chosen = self.runs.run(work)
        request = self.reply(message, MessageType.REQUEST, chosen.request, to=chosen.specialist)
        self._askers[request.message_id] = message.sender

    def _pass_on(self, message: Message, text: str) -> None:
        self.reply(message, message.message_type, text, to=self.asker(message))
