"""The values that later messages need, taken out of what a turn left behind."""

from collections.abc import Iterable

from audition.captures import Capture, filled
from audition.inputs import ConversationTurn
from audition.output import CaseOutput


class CapturedValues:
    """The values that were taken so far.

    Attributes:
        values: The values by their names.

    """

    def __init__(self) -> None:
        self.values: dict[str, str] = {}

    def fill(self, turn: ConversationTurn) -> ConversationTurn:
        """Return the turn with the values in the places of its message."""
        if not self.values:
            return turn
        return turn.model_copy(update={"message": filled(turn.message, self.values)})

    def take(self, turn: ConversationTurn, number: int, seen: CaseOutput) -> str | None:
        """Take what the turn captures, and return what was not there, None where all was.

        Args:
            turn: The turn.
            number: Its position in its case.
            seen: What was seen up to its end.

        """
        missing: list[str] = []
        for name, capture in turn.capture.items():
            value = capture.first_in(_texts(capture, number, seen))
            if value is None:
                missing.append(f"{name!r}, {capture}")
            else:
                self.values[name] = value
        return f"turn {number} does not give {'; nor '.join(missing)}" if missing else None


def _texts(capture: Capture, number: int, seen: CaseOutput) -> Iterable[str]:
    if capture.tool_name is None:
        answer = seen.turns[number].answer
        return [] if answer is None else [answer]
    found = seen.successful_tool_evidence(capture.tool_name, number)
    return [one.content for one in reversed(found) if one.content is not None]
