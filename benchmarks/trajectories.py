"""Trajectory match beside LangChain's agentevals, whose packages lie in a folder of their own."""

import importlib
import os
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

from pydantic import JsonValue

from audition.evaluators.trajectory import MatchedTrajectory
from audition.evaluators.view import EvidenceView
from audition.events import Event
from audition.output import CaseOutput
from audition.testing import answer, output, tool_call, tool_result
from audition.values import canonical_json, parse_json
from benchmarks.timing import Line, paired_ratio

PAIRS = 50
CALLS = 8
BLOCKS = 9

type Message = dict[str, Any]


def measure(packages: Path | None) -> list[Line]:
    """Return how many times as long agentevals takes on the same pairs, which match.

    Theirs is given both sides as chat messages; ours, as in a run, the output of a case, and the
    reference that was read with the dataset file.

    Args:
        packages: Where agentevals is installed, None for nowhere.

    """
    name = f"{PAIRS} pairs of trajectories of {CALLS} calls, agentevals over ours"
    if packages is None:
        return [Line(name=name, value="needs --peers")]
    os.environ["LANGSMITH_TRACING"] = "false"
    sys.path.append(str(packages))
    chance = random.Random(7)  # noqa: S311  # the same pairs in every run
    chats = [_chat(chance) for _ in range(PAIRS)]
    return [_line(f"{name}, {mode}", mode, chats) for mode in ("strict", "unordered")]


def _line(name: str, mode: Literal["strict", "unordered"], chats: list[list[Message]]) -> Line:
    ratio = 1 / paired_ratio(_ours(mode, chats), _theirs(mode, chats), BLOCKS) * _ROUNDS
    return Line(name=name, value=f"{ratio:.0f} x", bar=">= 20", ok=ratio >= 20)


_ROUNDS = 10  # of ours in a block: one is too short to be timed


def _ours(mode: Literal["strict", "unordered"], chats: list[list[Message]]) -> Callable[[], None]:
    evaluators = [MatchedTrajectory(chat, mode) for chat in chats]
    views = [EvidenceView(_output(chat)) for chat in chats]
    pairs = list(zip(evaluators, views, strict=True))

    def block() -> None:
        for _ in range(_ROUNDS):
            assert all(evaluator.examine(view).ok for evaluator, view in pairs)  # noqa: S101

    return block


def _theirs(mode: str, chats: list[list[Message]]) -> Callable[[], None]:
    match: Any = importlib.import_module("agentevals.trajectory.match")
    evaluate = match.create_trajectory_match_evaluator(trajectory_match_mode=mode)

    def block() -> None:
        assert all(evaluate(outputs=chat, reference_outputs=chat)["score"] for chat in chats)  # noqa: S101

    return block


def _chat(chance: random.Random) -> list[Message]:
    """Return a question, messages of one or two calls with their results, and an answer."""
    messages: list[Message] = [{"role": "user", "content": "Which berth is free?"}]
    made = 0
    while made < CALLS:
        count = min(chance.randint(1, 2), CALLS - made)
        calls = [_call(f"call_{made + number}", chance) for number in range(count)]
        results = [{"role": "tool", "tool_call_id": call["id"], "content": "ok"} for call in calls]
        messages += [{"role": "assistant", "content": "", "tool_calls": calls}, *results]
        made += count
    return [*messages, {"role": "assistant", "content": "Berth 7."}]


def _call(call_id: str, chance: random.Random) -> Message:
    arguments: JsonValue = {
        "query": f"berth {chance.randint(1, 99)}",
        "filters": {"pier": 3},
        "top_k": 5,
    }
    name = chance.choice(["search_graph", "read_page"])
    function = {"name": name, "arguments": canonical_json(arguments)}
    return {"id": call_id, "type": "function", "function": function}


def _output(chat: list[Message]) -> CaseOutput:
    """Return the output of a case in which just that was said and called."""
    return output(*(event for message in chat for event in _events(message)))


def _events(message: Message) -> Iterator[Event]:
    calls: list[Message] = message.get("tool_calls", [])
    for call in calls:
        arguments: Any = parse_json(call["function"]["arguments"])
        yield tool_call("@K", call["function"]["name"], arguments=arguments, call_id=call["id"])
    for call in calls:
        yield from tool_result("@K", call["function"]["name"], "ok", call_id=call["id"])
    if message["role"] == "assistant" and not calls:
        yield answer(message["content"], "@K")
