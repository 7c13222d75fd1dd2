"""Trajectories beside the one that was expected: who spoke, and which tools were called.

A trajectory is a row of steps: the person, or the assistant with the calls of one message, which
are a set, and how many of them were answered. No text is compared. What the assistant says before
a call, in a message of its own, belongs to the message with that call.

    strict      the same steps in the same order
    unordered   the same calls, each as often, in any order
    superset    every expected call was made; others may have been
    subset      every call was expected, each as often at most; some may be missing
    allowlist   the name of every called tool is expected, however often

Calls are paired so that as many as possible agree: never the first that fits.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import islice, pairwise
from typing import Literal

from audition.matching.assignment import assign
from audition.matching.tool_calls import ArgumentRules, ToolCall

type TrajectoryMode = Literal["strict", "unordered", "superset", "subset", "allowlist"]
type Role = Literal["user", "assistant", "tool"]

_CANDIDATES = 20
_MOST_ORDERS = 1_000  # sets of steps that are followed; many more only where dozens work at once
SHOWN_DIFFERENCES = 8
"""Differences that a mismatch keeps; a reader needs the first few."""


@dataclass(slots=True)  # a frozen one takes twice as long to make; nobody changes one
class Step:
    """One message of a conversation, the answers of its calls included.

    Attributes:
        role: Who speaks; a tool only where a result belongs to no call.
        calls: The calls in it.
        answered: How many of them got a result.
        lane: Whose step it is, where several work at once.
        beside: The lanes whose steps are in no order to this one.

    """

    role: Role
    calls: tuple[ToolCall, ...] = ()
    answered: int = 0
    lane: str = ""
    beside: frozenset[str] = frozenset()

    def __str__(self) -> str:
        if self.role != "assistant":
            return "a message of the user" if self.role == "user" else "a result without a call"
        if not self.calls:
            return "a message of the assistant"
        return f"a call of {', '.join(call.tool for call in self.calls)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrajectoryMismatch:
    """Why a trajectory does not match. Its text is one line.

    Attributes:
        cause: What went wrong in a few words.
        differences: The first `SHOWN_DIFFERENCES` differences, at least one.
        more: How many others there are.

    """

    cause: str
    differences: tuple[str, ...]
    more: int = 0

    def __str__(self) -> str:
        return "; ".join([*self.differences, *[f"and {self.more} more"] * bool(self.more)])


type _Difference = tuple[str, str]
"""The cause, and the text."""


def match_steps(
    expected: Sequence[Step], made: Sequence[Step], rules: ArgumentRules
) -> TrajectoryMismatch | None:
    """Return how the steps differ from the expected ones, None where they are the same.

    Where some were made side by side, what is said between calls is in no order to them; there, of
    what the assistant says in a turn only that it has the last word is compared.
    """
    at_once = any(step.beside for step in made)
    reduced = _last_words if at_once else _without_announcements
    wanted, there = reduced(expected), reduced(made)
    if _same_row(wanted, there, rules) or (at_once and _is_an_order_of(wanted, there, rules)):
        return None
    found = list(_step_differences(wanted, there, rules))
    return _mismatch([*_only_order(wanted, there, rules), *found])


def match_sequence(
    expected: Sequence[ToolCall], made: Sequence[Step], rules: ArgumentRules
) -> TrajectoryMismatch | None:
    """Return how the calls differ from the expected ones in this order; None where they do not.

    Those of one message were made at once: they may stand in the expected row in any order.
    """
    groups, calls = _calling(made), calls_of(made)
    if len(calls) == len(expected):
        return match_steps(_in_groups(expected, groups), groups, rules)
    return match_steps(_one_by_one(expected), _one_by_one(calls), rules)


def match_calls(
    expected: Sequence[ToolCall],
    made: Sequence[ToolCall],
    mode: Literal["unordered", "superset", "subset"],
    rules: ArgumentRules,
) -> TrajectoryMismatch | None:
    """Return how the calls, in any order, differ from the expected ones; None where they do not."""
    missing, surplus = _left_over(expected, made, rules)
    if not (missing and mode != "subset") and not (surplus and mode != "superset"):
        return None
    return _mismatch(_call_differences(missing, surplus, mode, rules))


def match_names(
    expected: Iterable[ToolCall], made: Iterable[ToolCall]
) -> TrajectoryMismatch | None:
    """Return the calls of tools that no expected call names; None where there are none."""
    allowed = {call.tool for call in expected}
    return _mismatch([_unexpected(call) for call in made if call.tool not in allowed])


def calls_of(steps: Iterable[Step]) -> list[ToolCall]:
    """Return the calls of all steps."""
    return [call for step in steps for call in step.calls]


def _without_announcements(steps: Sequence[Step]) -> Sequence[Step]:
    """Return the steps without what the assistant says on its own directly before a call."""
    if not any(_is_text(step) and following.calls for step, following in pairwise(steps)):
        return steps
    return [
        step
        for step, following in _with_next(steps)
        if not (_is_text(step) and following is not None and following.calls)
    ]


def _last_words(steps: Sequence[Step]) -> Sequence[Step]:
    """Return the steps without what the assistant says before the last step of a turn."""
    return [
        step
        for step, following in _with_next(steps)
        if not _is_text(step) or following is None or following.role == "user"
    ]


def _with_next(steps: Sequence[Step]) -> Iterable[tuple[Step, Step | None]]:
    return zip(steps, [*steps[1:], None], strict=False)


def _is_text(step: Step) -> bool:
    return step.role == "assistant" and not step.calls


def _one_by_one(calls: Iterable[ToolCall]) -> list[Step]:
    return [Step("assistant", (call,)) for call in calls]


def _in_groups(calls: Sequence[ToolCall], groups: Iterable[Step]) -> list[Step]:
    """Return the calls as steps of as many calls as the groups have."""
    left = iter(calls)
    return [Step("assistant", tuple(next(left) for _ in step.calls)) for step in groups]


def _same_row(wanted: Sequence[Step], there: Sequence[Step], rules: ArgumentRules) -> bool:
    return len(wanted) == len(there) and all(
        _same_step(step, made, rules) for step, made in zip(wanted, there, strict=True)
    )


def _is_an_order_of(wanted: Sequence[Step], there: Sequence[Step], rules: ArgumentRules) -> bool:
    """Return whether the steps that were made side by side can be put in the wanted order.

    The sets of steps that can have been made after so many wanted ones are kept as bits.
    """
    if len(wanted) != len(there):
        return False
    before = [
        sum(1 << i for i, one in enumerate(there[:j]) if step.lane not in one.beside)
        for j, step in enumerate(there)
    ]
    done = {0}
    for step in wanted:
        ready = {
            (made, j)
            for made in sorted(done)[:_MOST_ORDERS]
            for j, earlier in enumerate(before)
            if not made >> j & 1 and not earlier & ~made
        }
        fitting = {j for j in {j for _, j in ready} if _same_step(step, there[j], rules)}
        done = {made | 1 << j for made, j in ready if j in fitting}
    return bool(done)


def _same_step(expected: Step, made: Step, rules: ArgumentRules) -> bool:
    ours, theirs = expected.calls, made.calls
    if expected.role != made.role or expected.answered != made.answered:
        return False
    if len(ours) != len(theirs):
        return False
    if all(map(rules.agree, ours, theirs)):  # nearly always
        return True
    return len(ours) > 1 and not any(_left_over(ours, theirs, rules))


def _left_over(
    expected: Sequence[ToolCall], made: Sequence[ToolCall], rules: ArgumentRules
) -> tuple[list[ToolCall], list[ToolCall]]:
    """Return the calls of either side that have no partner in a largest pairing."""
    agree, free = rules.agree, list(made)
    for call in expected:  # where the first that fits does for each, no search is needed
        place = next((i for i, one in enumerate(free) if agree(call, one)), None)
        if place is None:
            break
        del free[place]
    else:
        return [], free
    columns = assign([[agree(call, one) for one in made] for call in expected])
    taken = set(columns)
    return (
        [call for call, column in zip(expected, columns, strict=True) if column is None],
        [one for column, one in enumerate(made) if column not in taken],
    )


def _call_differences(
    missing: list[ToolCall], surplus: list[ToolCall], mode: str, rules: ArgumentRules
) -> Iterator[_Difference]:
    """Yield what is wrong, a missing call beside one of its tool that has other arguments."""
    others = list(surplus)
    for number, call in enumerate(missing):
        # Of what is only counted, and of long rows, none is looked for that is nearer.
        candidates = _CANDIDATES if number < SHOWN_DIFFERENCES else 1
        place = _nearest(call, others, candidates, rules)
        if place is not None:
            yield "wrong arguments", f"{call.tool}: {rules.difference(call, others.pop(place))}"
        elif mode != "subset":
            yield "not called", f"missing: {call}"
    if mode != "superset":
        yield from map(_unexpected, others)


def _nearest(
    call: ToolCall, others: Sequence[ToolCall], candidates: int, rules: ArgumentRules
) -> int | None:
    """Return the place of that one of the first calls of the tool that differs least."""
    same = (place for place, one in enumerate(others) if one.tool == call.tool)
    return min(
        islice(same, candidates),
        key=lambda place: len(rules.difference(call, others[place]) or ""),
        default=None,
    )


def _unexpected(call: ToolCall) -> _Difference:
    return "unexpected call", f"unexpected: {call}"


def _step_differences(
    wanted: Sequence[Step], there: Sequence[Step], rules: ArgumentRules
) -> Iterator[_Difference]:
    """Yield what is wrong, the steps of the two sides aligned by who speaks and calls what."""
    rows = SequenceMatcher(
        None,
        [_signature(step) for step in wanted],
        [_signature(step) for step in there],
        autojunk=False,
    )
    for tag, start, stop, first, last in rows.get_opcodes():
        ours, theirs = wanted[start:stop], there[first:last]
        if tag == "equal":
            for step, found in zip(ours, theirs, strict=True):
                yield from _of_one_step(step, found, rules)
            continue
        if tag == "replace" and len(ours) == len(theirs):
            for place, (step, found) in enumerate(zip(ours, theirs, strict=True), first + 1):
                yield _other(step, found), f"step {place}: expected {step}, was {found}"
            continue
        at = f"after step {first}" if first else "at the start"
        yield from ((_lack(step), f"missing {at}: {_told(step)}") for step in ours)
        for place, found in enumerate(theirs, first + 1):
            yield _excess(found), f"unexpected, step {place}: {_told(found)}"


def _signature(step: Step) -> tuple[object, ...]:
    return step.role, tuple(sorted(call.tool for call in step.calls))


def _of_one_step(step: Step, found: Step, rules: ArgumentRules) -> Iterator[_Difference]:
    yield from _call_differences(*_left_over(step.calls, found.calls, rules), "unordered", rules)
    if step.answered != found.answered:
        tools = ", ".join(call.tool for call in step.calls)
        told = f"{tools}: expected {step.answered} result(s), got {found.answered}"
        yield "other results", told


def _told(step: Step) -> str:
    return ", ".join(map(str, step.calls)) if step.calls else str(step)


def _lack(step: Step) -> str:
    return "not called" if step.calls else "other messages"


def _excess(step: Step) -> str:
    return "unexpected call" if step.calls else "other messages"


def _other(step: Step, found: Step) -> str:
    return _lack(step) if step.calls else _excess(found)


def _only_order(
    wanted: Sequence[Step], there: Sequence[Step], rules: ArgumentRules
) -> Iterator[_Difference]:
    """Yield that the calls agree, where they were only made in another order or not at once."""
    expected, made = calls_of(wanted), calls_of(there)
    if len(expected) != len(made) or _same_row(_calling(wanted), _calling(there), rules):
        return
    if not any(_left_over(expected, made, rules)):
        ours, theirs = _row(wanted, _name), _row(there, _name)
        if ours == theirs:
            ours, theirs = _row(wanted, str), _row(there, str)
        told = "the calls agree and only their order, or which are made at once, differs"
        yield "wrong order", f"expected {ours} in this order, was {theirs}: {told}"


def _calling(steps: Iterable[Step]) -> list[Step]:
    """Return the steps with calls, whether these were answered or not."""
    return [replace(step, answered=0) for step in steps if step.calls]


def _name(call: ToolCall) -> str:
    return call.tool


def _row(steps: Iterable[Step], told: Callable[[ToolCall], str]) -> str:
    """Return the calls, those that were made at once in one pair of brackets."""
    sets = [[told(call) for call in step.calls] for step in steps if step.calls]
    return ", ".join(f"[{', '.join(calls)}]" if len(calls) > 1 else calls[0] for calls in sets)


def _mismatch(differences: Iterable[_Difference]) -> TrajectoryMismatch | None:
    found = list(differences)
    if not found:
        return None
    return TrajectoryMismatch(
        cause=found[0][0],
        differences=tuple(text for _, text in found[:SHOWN_DIFFERENCES]),
        more=max(0, len(found) - SHOWN_DIFFERENCES),
    )
