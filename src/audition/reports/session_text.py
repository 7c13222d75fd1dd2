"""What became of every frame of a recorded session, as a table."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from audition.adaptation import Adapted, FrameHead
from audition.events import (
    AgentFailed,
    Event,
    MessageSent,
    ModelResponded,
    StateChanged,
    ToolCalled,
    ToolEvidence,
    ToolOutcome,
    ToolReturned,
)
from audition.reports.terminal import one_line

_HEAD = ("#", "AUTHOR", "ROLE", "CONTRIBUTED", "WHY NOT")
_TEXT, _CONTRIBUTED, _NAME = 40, 72, 28
_MOST_NAMES = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameAccount:
    """What became of one frame.

    Attributes:
        head: What it says of itself.
        contributed: What of it is in the trajectory, in a few words; empty where nothing is.
        why_not: Why nothing of it is, empty where something is.

    """

    head: FrameHead
    contributed: str = ""
    why_not: str = ""


def account(
    adapted: Adapted,
    *,
    clean: Callable[[str], str] = str,
    include_internal: bool = False,
    drop_tools: Collection[str] = (),
) -> list[FrameAccount]:
    """Return what became of every frame.

    Args:
        adapted: The session.
        clean: Takes the secrets out of a text before it is cut.
        include_internal: Whether plumbing of the runtime is in the trajectory.
        drop_tools: Tools that are left out, by name.

    """
    reasons = {frame.index: frame.reason for frame in adapted.dropped}
    events: dict[int, list[Event]] = {}
    for origin, event in zip(adapted.origins, adapted.events, strict=False):
        events.setdefault(origin, []).append(event)
    heads = {head.index: head for head in adapted.heads}
    for index in reasons.keys() - heads.keys():  # a line that could not be read has no head
        heads[index] = FrameHead(index=index)
    told: list[FrameAccount] = []
    for index in sorted(heads):
        shown = [
            event
            for event in events.get(index, [])
            if include_internal or not getattr(event, "internal", False)
        ]
        kept = [one for one in shown if getattr(one, "tool_name", None) not in drop_tools]
        contributed = "; ".join(
            dict.fromkeys(words for one in kept if (words := _words(one, clean)))
        )
        why_not = (
            "" if contributed else reasons.get(index) or _why_not(events.get(index, []), clean)
        )
        told.append(
            FrameAccount(
                head=_clean_head(heads[index], clean),
                contributed=contributed,
                why_not=clean(why_not),
            )
        )
    return told


def _clean_head(head: FrameHead, clean: Callable[[str], str]) -> FrameHead:
    return replace(head, author=clean(head.author or ""), role=clean(head.role or ""))


def _words(event: Event, clean: Callable[[str], str]) -> str:
    """Return what of an event is in the trajectory, empty where nothing is."""
    match event:
        case MessageSent() if event.content.strip():
            return f'text "{one_line(clean(event.content), _TEXT)}"'
        case ToolCalled():
            return f"call {clean(event.tool_name)}"
        case ToolReturned() | ToolEvidence():
            ended = "" if event.outcome is ToolOutcome.OK else f" [{event.outcome}]"
            return f"result {clean(event.tool_name)}{ended}"
        case AgentFailed():
            return f"error {one_line(clean(event.error), _TEXT)}"
        case _:
            return ""


def _why_not(events: Sequence[Event], clean: Callable[[str], str]) -> str:
    """Return why nothing of a frame is in the trajectory that has events."""
    tools = dict.fromkeys(name for one in events if (name := getattr(one, "tool_name", None)))
    if tools:
        return f"filtered: {', '.join(tools)}"
    if any(isinstance(event, ModelResponded) for event in events):
        return "only usage"
    state = {name for one in events if isinstance(one, StateChanged) for name in one.changes}
    if state:
        names = [one_line(clean(name), _TEXT) for name in sorted(state)[:_MOST_NAMES]]
        return f"only state: {', '.join(names)}"
    kinds = dict.fromkeys(event.kind.replace("_", " ") for event in events)
    return ", ".join(kinds)


def account_table(accounts: Sequence[FrameAccount], *, messages: int, tools: Iterable[str]) -> str:
    """Return the table, and a line of totals.

    Args:
        accounts: What became of the frames.
        messages: How many chat messages the trajectory has.
        tools: The names of the tools in it, in order.

    """
    rows = [_HEAD, *map(_row, accounts)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(map(_padded, row, widths)).rstrip() for row in rows]
    contributed = sum(bool(one.contributed) for one in accounts)
    names = ", ".join(one_line(name, _NAME * 2) for name in dict.fromkeys(tools)) or "(none)"
    total = f"{len(accounts)} events, {contributed} contributed → {messages} messages"
    return "\n".join([*lines, "", f"{total}, tools: {names}"])


def _padded(cell: str, width: int) -> str:
    return cell.rjust(width) if cell.isdecimal() or cell == _HEAD[0] else cell.ljust(width)


def _row(one: FrameAccount) -> tuple[str, ...]:
    head = one.head
    return (
        str(head.index),
        one_line(head.author or "", _NAME),
        one_line(head.role or "", _NAME),
        one_line(one.contributed, _CONTRIBUTED),
        one_line(one.why_not, _CONTRIBUTED),
    )
