"""What a case gives the team: the turns and the bounds. No event, no output."""

from collections.abc import Callable
from typing import Annotated, Self, cast

from pydantic import BaseModel, ConfigDict, Field, model_validator

from audition.captures import Capture, ValueName, places_in
from audition.tool_rules import ToolRule

type Seconds = Annotated[float, Field(gt=0, le=86_400, allow_inf_nan=False)]
type Amount = Annotated[int, Field(ge=1, le=10**12)]
type Dollars = Annotated[float, Field(gt=0, le=10**9, allow_inf_nan=False)]
type Text = Annotated[str, Field(min_length=1, pattern=r"\S")]


_NOTHING = cast("Callable[[], dict[str, Capture]]", dict)  # dict[…] takes five times as long


class ConversationTurn(BaseModel):
    """One message to the team.

    Attributes:
        message: What the human says.
        target: The agent it goes to, None for the team's entry.
        capture: What is taken out of the turn, by the name of its place in later messages.

    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    message: Text
    target: Text | None = None
    capture: dict[ValueName, Capture] = Field(default_factory=_NOTHING)


class CaseInput(BaseModel):
    """One conversation and its bounds; an application subclasses it to add its environment.

    Attributes:
        message: The only message, where there is one turn; excludes `turns`.
        target: The agent `message` goes to, None for the team's entry.
        turns: The messages in order; excludes `message` and `target`.
        timeout_seconds: Longest wait for one turn.
        deadline_seconds: Longest time for the whole case but its shutdown, None for no bound
            beyond those of its parts.
        start_seconds: Longest time for the team to start.
        shutdown_seconds: Longest time for the team to end.
        max_tokens: Most tokens that the models may read and write, None for no bound. A case that
            uses more is ended there.
        max_cost_usd: Most that they may cost in US dollars, as far as prices are known.
        max_tool_calls: Most tools that the agents may call, None likewise.
        tool_rules: When a returned content is a domain failure; they go into the output.

    """

    model_config = ConfigDict(extra="forbid")

    message: Text | None = None
    target: Text | None = None
    turns: list[ConversationTurn] = Field(default_factory=list[ConversationTurn])
    timeout_seconds: Seconds = 180
    deadline_seconds: Seconds | None = None
    start_seconds: Seconds = 60
    shutdown_seconds: Seconds = 10
    max_tokens: Amount | None = None
    max_cost_usd: Dollars | None = None
    max_tool_calls: Amount | None = None
    tool_rules: tuple[ToolRule, ...] = ()

    @model_validator(mode="after")
    def _one_way_to_speak(self) -> Self:
        if (self.message is None) == (not self.turns):
            msg = "give exactly one of `message` and `turns`"
            raise ValueError(msg)
        if self.turns and self.target is not None:
            msg = "`target` belongs to `message`; a turn has a `target` of its own"
            raise ValueError(msg)
        return self

    @model_validator(mode="after")
    def _gives_what_was_taken(self) -> Self:
        if not any(turn.capture for turn in self.turns):
            return self  # no message has a place for a value
        taken: set[str] = set()
        unused: set[str] = set()
        for number, turn in enumerate(self.turns):
            places = places_in(turn.message)
            for name in places:
                if name not in taken:
                    msg = f"turn {number} needs {name!r}, which no turn before it captures"
                    raise ValueError(msg)
            unused = (unused - set(places)) | turn.capture.keys()
            taken |= turn.capture.keys()
        if unused:
            msg = f"{min(unused)!r} is captured, and no later turn has a place for it"
            raise ValueError(msg)
        return self

    def ordered_turns(self) -> list[ConversationTurn]:
        """Return the turns in the order in which they are sent, at least one."""
        if self.message is None:
            return list(self.turns)
        return [ConversationTurn(message=self.message, target=self.target)]

    def separate(self) -> Self:
        """Return a copy that shares nothing with this one which could be changed."""
        if self.__pydantic_private__ is not None or self.__pydantic_extra__ is not None:
            return self.model_copy(deep=True)
        emptied: dict[str, object] = {}
        for name, value in vars(self).items():
            kind: type[object] = type(value)  # pyright: ignore[reportUnknownVariableType]
            if kind in _UNCHANGEABLE:
                continue
            if value or kind not in _EMPTIABLE:
                return self.model_copy(deep=True)
            emptied[name] = kind()
        # To copy deeply what has nothing in it that can be changed takes three times as long.
        copied = self.model_copy()
        vars(copied).update(emptied)
        return copied


_UNCHANGEABLE = frozenset({str, int, float, bool, type(None)})
_EMPTIABLE = frozenset({list, tuple, dict})
