"""How a turn of a session stands, and how it ended."""

from dataclasses import dataclass, field

from audition.adapters.adk.calls import Call
from audition.adapters.adk.frames import AdkFrame
from audition.events import TurnFinished
from audition.transcripts.events import TurnState


@dataclass(slots=True, kw_only=True)
class Turn:
    """A turn, as far as the record was read.

    Attributes:
        number: Its position, None before the first message of the person.
        cause_id: The id of that message.
        at: When the last thing in it happened.
        acted: An agent did something.
        answered: An agent said something to the person.
        error: What broke last, None where an agent went on.
        interrupted: The person cut the last answer off.
        unread: The tool whose return no agent took up, None where there is none.
        calls: Those of which something may still come.

    """

    number: int | None = None
    cause_id: str | None = None
    at: float | None = None
    acted: bool = False
    answered: bool = False
    error: str | None = None
    interrupted: bool = False
    unread: str | None = None
    calls: list[Call] = field(default_factory=list[Call])
    _left: list[Call] = field(default_factory=list[Call])

    def see(self, frame: AdkFrame) -> None:
        """Note that an agent went on: what had come back was read, an error was not the end."""
        self.acted = True
        self.unread = None
        if self.calls and not frame.uses_tools:  # its last word, whatever it leaves open
            self._left += [call for call in self.calls if call.agent == frame.agent]
            self.calls = [call for call in self.calls if call.agent != frame.agent]
        if frame.acts:
            self.error = None
            self.interrupted = False

    def returned(self, call: Call, frame: AdkFrame) -> None:
        """Note what became of a call; what a model runs itself it also reads."""
        if call.answered:
            self.calls = [other for other in self.calls if other is not call]
            is_read = frame.skip_summarization or call.frame == frame.index
            self.unread = None if is_read else call.name
        elif call not in self.calls:
            self.calls.append(call)

    def waiting(self) -> list[Call]:
        """Return the calls that return later and of which nothing has come, or but a placeholder.

        The latter where the person did not approve them: nothing need come then. A record without
        the person's words lacks the answer to a request that was granted.
        """
        late = [call for call in (*self._left, *self.calls) if call.long_running or call.approval]
        none_came = [call for call in late if not call.returned or call.is_refused]
        return [call for call in none_came if not (call.about and call.about.answered)]

    def finished(self, number: int, scope: str) -> TurnFinished:
        """Return its end; the scope is what ends with it."""
        state = TurnState(
            error=self.error,
            open_call=self.calls[0].name if self.calls else None,
            unread=self.unread,
            interrupted=self.interrupted,
            acted=self.acted,
            answered=self.answered,
        )
        return state.finished(number, scope, at=self.at)
