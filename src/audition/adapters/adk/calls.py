"""The calls of a record, so that a return finds its own, and what the person says of a call.

A request for approval names the call that it is about, and its answer says whether the person
agrees: that is the mark of a rejected call, whatever words come back to the model.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass

from pydantic import JsonValue

from audition.adapters.adk.frames import AdkFrame
from audition.adapters.adk.parts import AdkPart
from audition.events import ToolOutcome
from audition.tool_payloads import Arguments, Returned

CREDENTIAL = "adk_request_credential"
CONFIRMATION = "adk_request_confirmation"
REQUESTS = frozenset({CREDENTIAL, CONFIRMATION, "adk_request_input"})
"""What the runtime asks of the person in the form of a call: its plumbing, exactly these three."""

_TRANSFER = "transfer_to_agent"
INTERNAL = REQUESTS | {_TRANSFER, "exit_loop", "set_model_response", "finish_task"}
"""Those, and the tools that ADK itself gives an agent: none of them is the team's."""


@dataclass(slots=True, kw_only=True, eq=False)
class Call:
    """A call, and what is known of its end.

    Attributes:
        name: The tool.
        call_id: Its id; one of ours where it has none.
        run_id: The run of its agent; with a number where the run used the id before.
        agent: Who called, None where unknown.
        home: Invocation, agent and branch.
        frame: The index of the frame that it stands in.
        has_id: The id is recorded.
        long_running: Its tool returns later, which the record says.
        approval: The person is asked to approve it.
        target: The agent that a transfer names, None where it is none.
        about: The call that a request for approval is about, None where it is none.
        refused: The person did not approve it.
        returned: Something came back, a placeholder or more.
        answered: What came back was no placeholder.

    """

    name: str
    call_id: str
    run_id: str | None
    agent: str | None
    home: tuple[str | None, str | None, str | None]
    frame: int
    has_id: bool = True
    long_running: bool = False
    approval: bool = False
    target: str | None = None
    about: "Call | None" = None
    refused: bool = False
    returned: bool = False
    answered: bool = False

    @property
    def is_refused(self) -> bool:
        """Whether the person did not approve it, and nothing came back since."""
        return self.refused and not self.answered


class Calls:
    """Every call of a record so far."""

    def __init__(self) -> None:
        self._by_id: defaultdict[str, list[Call]] = defaultdict(list)
        self._by_name: defaultdict[tuple[str | None, str], list[Call]] = defaultdict(list)
        self._uses: Counter[tuple[str, str | None]] = Counter()

    def add(
        self, frame: AdkFrame, part: AdkPart, position: int, arguments: Arguments | None = None
    ) -> Call:
        """Return a new call, of which the arguments say whom or what it is about."""
        call_id = part.call_id or f"{frame.event_id or frame.index}:{position}"
        run_id = frame.run_id
        self._uses[call_id, run_id] += 1
        uses = self._uses[call_id, run_id]
        home = (frame.invocation, frame.agent, frame.branch)
        value = arguments.value if arguments else None
        call = Call(
            name=part.name,
            call_id=call_id,
            run_id=run_id if uses == 1 else f"{run_id or ''}#{uses}",
            agent=frame.agent,
            home=home,
            frame=frame.index,
            has_id=part.call_id is not None,
            long_running=call_id in frame.long_running,
            target=_target(part.name, value),
            about=self._asked_about(part.name, value),
        )
        if call.about is not None:
            call.about.approval = True
        same_id, same_name = self._by_id[call_id], self._by_name[frame.invocation, part.name]
        same_id[:] = [old for old in same_id if not old.answered or old.home != home] + [call]
        same_name[:] = [old for old in same_name if not old.answered] + [call]
        return call

    def of(self, frame: AdkFrame, part: AdkPart, position: int) -> Call:
        """Return the call that a return answers; one whose call was not recorded has its own."""
        known = self._by_id.get(part.call_id or "", [])
        if len(known) == 1:
            return known[0]
        if known:
            near = max(_nearness(call, frame) for call in known)
            nearest = [call for call in known if _nearness(call, frame) == near]
            return next((call for call in nearest if not call.answered), nearest[-1])
        for call in self._by_name.get((frame.invocation, part.name), []):
            if not call.answered and not (part.call_id and call.has_id):
                return call
        return self.add(frame, part, position)

    def _asked_about(self, name: str, arguments: JsonValue) -> Call | None:
        if name != CONFIRMATION or not isinstance(arguments, dict):
            return None
        original = arguments.get("originalFunctionCall") or arguments.get("original_function_call")
        call_id = original.get("id") if isinstance(original, dict) else None
        known = self._by_id.get(call_id) if isinstance(call_id, str) else None
        return known[-1] if known else None


def _nearness(call: Call, frame: AdkFrame) -> tuple[bool, bool, bool]:
    invocation, agent, branch = call.home
    is_here = invocation == frame.invocation
    is_own = is_here and agent == frame.agent
    return (is_own and branch == frame.branch, is_own, is_here)


def _target(name: str, arguments: JsonValue) -> str | None:
    """Return whom a transfer names."""
    if name != _TRANSFER or not isinstance(arguments, dict):
        return None
    target = arguments.get("agent_name", arguments.get("agentName"))
    return target if isinstance(target, str) and target else None


def note_answer(request: Call, returned: Returned) -> None:
    """Note what the person says to a request for approval."""
    fields = returned.structure
    if request.about is not None and isinstance(fields, dict):
        confirmed = fields.get("confirmed")
        if isinstance(confirmed, bool):
            request.about.refused = not confirmed


def outcome_of(call: Call, frame: AdkFrame, part: AdkPart, returned: Returned) -> ToolOutcome:
    """Return how a call ended; what an agent itself gives back of a long one is a placeholder."""
    if call.call_id in frame.awaited:
        return ToolOutcome.PENDING
    if call.refused:
        return ToolOutcome.REJECTED
    if part.failed:
        return ToolOutcome.TOOL_ERROR
    if call.long_running and not call.answered and returned.outcome is ToolOutcome.OK:
        fields = returned.structure if isinstance(returned.structure, dict) else {}
        if frame.agent is not None or fields.get("status") == "pending":
            return ToolOutcome.PENDING
    return returned.outcome
