"""The part of an output that one evaluator looks at: a scope over the records, nothing copied."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

from pydantic import BaseModel, ConfigDict, Field

from audition.assembly import ANSWERING
from audition.invocations import ToolInvocation
from audition.matching.text import NormalText
from audition.output import CaseOutput
from audition.records import MessageRecord, TurnRecord


class Scope(BaseModel):
    """Where an evaluator looks.

    Attributes:
        agent: Only at what this agent did, None for everybody.
        turn: Only at this turn, from 0; None for all turns, and for an answer the final one.

    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    agent: str | None = Field(default=None, min_length=1)
    turn: int | None = Field(default=None, ge=0)

    def __str__(self) -> str:
        if self is EVERYWHERE:
            return ""
        agent = f" by {self.agent}" if self.agent is not None else ""
        turn = f" in turn {self.turn}" if self.turn is not None else ""
        return f"{agent}{turn}"


EVERYWHERE = Scope()


@dataclass(slots=True)
class EvidenceView:
    """An output, seen through a scope.

    Attributes:
        output: All of it.
        scope: Where to look.

    """

    output: CaseOutput
    scope: Scope = EVERYWHERE

    def turns(self) -> Sequence[TurnRecord]:
        """Return the turns in scope; none where the turn does not exist."""
        turns = self.output.turns
        if self.scope.turn is None:
            return turns
        return turns[self.scope.turn : self.scope.turn + 1]

    def missing(self) -> str | None:
        """Return why nothing can be said from absence here, None where something was observed.

        A forbidden tool that was not called in a run that never happened proves nothing, nor does
        it where events were lost, or where an agent of that name was never seen.
        """
        lost = self.output.dropped_events
        if lost:
            return f"nothing can be said of what is absent: {lost} event(s) were lost"
        if self.scope.agent is not None and not self._is_seen(self.scope.agent):
            return f"nothing was observed: {self.scope.agent} was never seen"
        if not self.output.turns:
            return self._missing_without_turns()
        turns = self.turns()
        for turn in turns:
            if turn.completed:
                return None
        if not turns:
            there = len(self.output.turns)
            return f"nothing was observed: turn {self.scope.turn} is not there, only {there} are"
        ends = ", ".join(
            f"turn {position} {_end(turn)}" for position, turn in enumerate(turns, self._first())
        )
        return f"nothing was observed{self.scope}: {ends}"

    def _is_seen(self, agent: str) -> bool:
        output = self.output
        return (
            any(agent in (record.sender, record.recipient) for record in output.messages)
            or any(record.agent == agent for record in (*output.tool_calls, *output.llm_usage))
            or any(turn.target == agent for turn in output.turns if not turn.not_run)
        )

    def _missing_without_turns(self) -> str | None:
        """Return the same for a report of another tool, which may know of no turns."""
        if self.scope.turn is not None:
            return f"nothing was observed{self.scope}: what belongs to which turn is not known"
        if self.output.completed:
            return None
        return f"nothing was observed: the case ended with {self.output.completion_reason}"

    def _first(self) -> int:
        return self.scope.turn or 0

    def answer(self) -> NormalText | None:
        """Return what was last said to the human in the turn, or in the last turn; None if nothing.

        A report of another tool may have no turns: there the answers are counted one by one.
        """
        text = self._answer()
        return None if text is None else self.output.normal_text(text)

    def _answer(self) -> str | None:
        turns = self.output.turns
        if turns:
            position = len(turns) - 1 if self.scope.turn is None else self.scope.turn
            said = self._said(position) if position < len(turns) else ()
            return said[-1] if said else None
        if self.scope.turn is None:
            return self.output.final_response
        responses = self.output.human_responses
        return responses[self.scope.turn] if self.scope.turn < len(responses) else None

    def answer_name(self) -> str:
        """Return what to call the answer in a reason."""
        by = "" if self.scope.agent is None else f" by {self.scope.agent}"
        if self.scope.turn is None:
            return f"the final answer{by}"
        return f"the answer{by} of turn {self.scope.turn}"

    def no_answer(self) -> str:
        """Return why there is no answer to look at."""
        turns = self.turns()
        if not turns and self.output.turns:
            return (
                f"there is no turn {self.scope.turn}: the conversation has {len(self.output.turns)}"
            )
        end = f" ({_end(turns[-1])})" if turns else ""
        return f"{self.answer_name()} is empty{end}"

    def responses(self) -> Sequence[NormalText]:
        """Return everything said to the human in scope, in order."""
        return NormalTexts(self.output, self._responses())

    def _responses(self) -> Sequence[str]:
        if self.output.turns:
            first = self._first()
            places = range(first, first + len(self.turns()))
            return [text for position in places for text in self._said(position)]
        responses, turn = self.output.human_responses, self.scope.turn
        return responses if turn is None else responses[turn : turn + 1]

    def _said(self, position: int) -> Sequence[str]:
        """Return what was said to the human in a turn, by the agent of the scope if it has one."""
        agent = self.scope.agent
        if agent is None:
            return self.output.turns[position].responses
        return [
            record.content
            for record in self.output.messages
            if record.turn == position
            and record.sender == agent
            and record.recipient == self.output.human
            and record.message_type in ANSWERING
            and not record.internal
            and record.content.strip()
        ]

    def told(self) -> Sequence[NormalText]:
        """Return everything the human was told in scope, also what is no answer or came late."""
        human = self.output.human
        said = [
            record.content
            for record in self.messages()
            if record.recipient == human and record.sender != human
        ]
        texts = dict.fromkeys((*said, *self._responses()))
        return NormalTexts(self.output, [text for text in texts if text.strip()])

    def shows_tools(self) -> bool:
        """Return whether a tool call would have been seen: the runtime says so, or one was."""
        output = self.output
        return output.capabilities.tool_evidence or bool(output.tool_calls or output.tool_returns)

    def messages(self) -> Sequence[MessageRecord]:
        """Return the messages of the trajectory in scope; an agent's are those it sent."""
        found, turn, agent = self.output.spoken, self.scope.turn, self.scope.agent
        if turn is not None:
            found = [record for record in found if record.turn == turn]
        if agent is not None:
            found = [record for record in found if record.sender == agent]
        return found

    def invocations(self, tool_name: str | None = None) -> Sequence[ToolInvocation]:
        """Return the tool invocations in scope; the runtime's own only where they are named."""
        found = self.output.tool_invocations(
            tool_name, turn=self.scope.turn, internal=tool_name is not None
        )
        agent = self.scope.agent
        return found if agent is None else [call for call in found if call.agent == agent]

    def evidence(self, tool_name: str) -> Sequence[NormalText]:
        """Return the contents of a tool that count as evidence, in scope and in order."""
        found = self.output.successful_tool_evidence(tool_name, self.scope.turn)
        agent = self.scope.agent
        if agent is not None:
            found = [one for one in found if one.agent == agent]
        return NormalTexts(self.output, [one.content or "" for one in found])


class NormalTexts(Sequence[NormalText]):
    """Texts of an output, of which only those that are looked at are made ready for it.

    Args:
        output: What they are from.
        texts: The texts.

    """

    def __init__(self, output: CaseOutput, texts: Sequence[str]) -> None:
        self._output = output
        self._texts = texts

    def __len__(self) -> int:
        return len(self._texts)

    def __iter__(self) -> Iterator[NormalText]:
        return map(self._output.normal_text, self._texts)

    @overload
    def __getitem__(self, place: int) -> NormalText: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[NormalText]: ...
    def __getitem__(self, place: int | slice) -> NormalText | Sequence[NormalText]:
        if isinstance(place, slice):
            return NormalTexts(self._output, self._texts[place])
        return self._output.normal_text(self._texts[place])


def _end(turn: TurnRecord) -> str:
    return f"{turn.ending}: {turn.detail}" if turn.detail else turn.ending
