"""The calls of a conversation, and which of them a result is of."""

from collections import defaultdict
from dataclasses import dataclass

from audition.transcripts.parts import Answered


@dataclass(slots=True, kw_only=True, eq=False)
class Call:
    """A call that was seen, or whose result was.

    Attributes:
        name: The tool.
        call_id: Its id, a made one where the record has none.
        run_id: The run of its agent.
        agent: Who called, None where that is unknown.
        frame: Where it was seen.
        internal: Plumbing of the runtime.
        has_id: The record has an id for it.
        answered: A result came that was no placeholder.

    """

    name: str
    call_id: str
    run_id: str | None
    agent: str | None
    frame: int
    internal: bool = False
    has_id: bool = True
    answered: bool = False


class Calls:
    """The calls of a record, so that a result finds its own."""

    def __init__(self) -> None:
        self._by_id: defaultdict[str, list[Call]] = defaultdict(list)
        self._waiting: list[Call] = []

    def add(self, call: Call, given_id: str | None) -> None:
        """Take a call; one with an id that an earlier message used takes the id over."""
        same_id = self._by_id[given_id or call.call_id]
        same_id[:] = [other for other in same_id if other.frame == call.frame]
        if same_id:
            call.call_id = f"{call.call_id}#{len(same_id) + 1}"
        same_id.append(call)
        self._waiting = [other for other in self._waiting if not other.answered]
        self._waiting.append(call)

    def of(self, part: Answered) -> Call | None:
        """Return the call that a result is of: by its id, else by name and order."""
        known = self._by_id.get(part.call_id or "")
        if known:
            return next((call for call in known if not call.answered), known[-1])
        for call in self._waiting:
            joins = not (part.call_id and call.has_id) and part.name in {None, call.name}
            if joins and not call.answered:
                return call
        return None
