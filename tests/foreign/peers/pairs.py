"""Pairs of trajectories, as chat messages, and what our own matching says of them."""

import json
import random
from collections.abc import Iterator
from typing import Any

from audition.matching.chat_messages import expected_steps
from audition.matching.tool_calls import ArgumentRules
from audition.matching.trajectories import calls_of, match_calls, match_steps

type Message = dict[str, Any]
type Call = tuple[str, dict[str, Any]]
type Pair = dict[str, Any]

MODES = ("strict", "unordered", "subset", "superset")
KEYS = ("q", "n", "city")
ARGUMENT_MODES = ("exact", "ignore", "subset", "superset")


def pair(
    outputs: list[Message],
    reference: list[Message],
    mode: str = "strict",
    arguments_mode: str = "exact",
    overrides: dict[str, Any] | None = None,
) -> Pair:
    return {
        "outputs": outputs,
        "reference": reference,
        "mode": mode,
        "arguments_mode": arguments_mode,
        "overrides": overrides,
    }


def ours(one: Pair) -> bool:
    """Return whether our own matching says that the pair matches."""
    mode: Any = one["mode"]
    given: dict[str, Any] = one["overrides"] or {}
    overrides: dict[str, Any] = {
        tool: rule if isinstance(rule, str) else tuple(rule) for tool, rule in given.items()
    }
    rules = ArgumentRules(mode=one["arguments_mode"], overrides=overrides)
    expected, made = expected_steps(one["reference"]), expected_steps(one["outputs"])
    if mode == "strict":
        return match_steps(expected, made, rules) is None
    return match_calls(calls_of(expected), calls_of(made), mode, rules) is None


def chat(*groups: list[Call], answers: int = 1) -> list[Message]:
    """Return a question, a message for each group of calls with their results, and answers."""
    messages: list[Message] = [{"role": "user", "content": "Which berth is free?"}]
    for number, group in enumerate(groups):
        calls = [
            {
                "id": f"c{number}-{place}",
                "type": "function",
                "function": {"name": tool, "arguments": json.dumps(arguments)},
            }
            for place, (tool, arguments) in enumerate(group)
        ]
        messages.append({"role": "assistant", "content": "", "tool_calls": calls})
        messages += [
            {"role": "tool", "tool_call_id": call["id"], "content": "ok"} for call in calls
        ]
    return messages + [{"role": "assistant", "content": "Berth 7."}] * answers


def generated(count: int, seed: int) -> Iterator[Pair]:
    """Yield pairs of chats that are alike or nearly so, in all modes, their arguments flat."""
    chance = random.Random(seed)  # noqa: S311  # the same pairs in every run
    for _ in range(count):
        reference = [_calls(chance) for _ in range(chance.randint(0, 3))]
        outputs = [[(tool, dict(arguments)) for tool, arguments in group] for group in reference]
        for _ in range(chance.randint(0, 2)):
            _change(outputs, chance)
        answers = chance.choice([1, 1, 1, 1, 0, 2])
        yield pair(
            chat(*outputs, answers=answers),
            chat(*reference),
            chance.choice(MODES),
            chance.choice(ARGUMENT_MODES),
            {"a": chance.choice(ARGUMENT_MODES)} if chance.random() < 0.2 else None,
        )


def _calls(chance: random.Random) -> list[Call]:
    return [_call(chance) for _ in range(chance.randint(1, 3))]


def _call(chance: random.Random) -> Call:
    keys = chance.sample(KEYS, chance.randint(0, 3))
    return chance.choice("ab"), {key: chance.randint(1, 2) for key in keys}


def _change(groups: list[list[Call]], chance: random.Random) -> None:
    """Change something in the groups of calls."""
    group = chance.choice(groups) if groups else [_call(chance)]
    tool, arguments = group[0]
    match chance.randint(0, 6):
        case 0:
            chance.shuffle(group)
        case 1:
            chance.shuffle(groups)
        case 2:
            arguments[chance.choice(KEYS)] = chance.randint(1, 2)
        case 3:
            arguments.pop(chance.choice(KEYS), None)
        case 4:
            group.append((tool, dict(arguments)))
        case 5:
            groups.append([_call(chance)])
        case _:
            groups[:] = [one for one in groups if one is not group]


def reordered(one: Pair) -> Iterator[Pair]:
    """Yield the pair with the calls of its reference in other orders, messages kept together."""
    for seed in range(12):
        chance = random.Random(seed)  # noqa: S311  # the same orders in every run
        groups = [list(map(_read, message.get("tool_calls", []))) for message in one["reference"]]
        calls = [group for group in groups if group]
        for group in calls:
            chance.shuffle(group)
        if one["mode"] != "strict":
            chance.shuffle(calls)
        yield {**one, "reference": chat(*calls)}


def _read(call: Message) -> Call:
    return call["function"]["name"], json.loads(call["function"]["arguments"])


def swapped(one: Pair) -> Pair:
    """Return the pair with the two sides of its arguments swapped."""
    words = {"subset": "superset", "superset": "subset"}
    given: dict[str, Any] = one["overrides"] or {}
    overrides = {tool: words.get(rule, rule) for tool, rule in given.items()}
    mode = one["arguments_mode"]
    return {**one, "arguments_mode": words.get(mode, mode), "overrides": overrides}
