"""Trajectory match beside LangChain's agentevals and openevals: equal, or a defect with a name.

The numbers are those of their defects:

1. agentevals swaps the two sides of the arguments in `subset` and in half of `unordered`.
2. A key of a list that leads nowhere on either side agrees.
3. agentevals changes the messages that it is given.
4. The first call that fits is taken, so that the order in which calls are written decides.
5. An override that is no mode is taken for `ignore`.
6. `true` is `1`.
7. Arguments that do not parse, and messages that people write, raise, also where they are ignored.
8. There is no reason.
9. A partial mode stops at the first level.
10. A second result of a call, after a placeholder, is one more message.
11. What the assistant says before a call, in a message of its own, is one more message.
12. Instructions are a message, and `developer` is not `system`.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.foreign.peers.pairs import Message, Pair, chat, generated, ours, pair, reordered, swapped

HERE = Path(__file__).parent
ROOT = HERE.parents[2]

pytestmark = pytest.mark.slow

type Verdict = dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that they are installed in."""
    folder = tmp_path_factory.mktemp("peers")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "install"]
    pins = ["--require-hashes", "--no-deps", "--target", str(folder)]
    run([*pip, *pins, "-r", str(HERE / "requirements.txt")])
    return folder


def run(command: list[str], *, given: str = "", path: Path | None = None) -> str:
    environ = {**os.environ, "LANGSMITH_TRACING": "false"}
    if path is not None:
        environ["PYTHONPATH"] = str(path)
    ran = subprocess.run(  # noqa: S603  # our own commands
        command, input=given, env=environ, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def verdicts(packages: Path, pairs: list[Pair]) -> list[Verdict]:
    told = run([sys.executable, str(HERE / "verdicts.py")], given=json.dumps(pairs), path=packages)
    return json.loads(told)


def as_agentevals(one: Pair) -> bool:
    """Return what we would say, if we swapped the arguments where agentevals does."""
    match one["mode"]:
        case "subset":
            return ours(swapped(one))
        case "unordered":
            return ours({**one, "mode": "superset"}) and ours({**swapped(one), "mode": "subset"})
        case _:
            return ours(one)


def test_generated_trajectories_differ_in_nothing_but_named_defects(packages: Path) -> None:
    pairs = list(generated(3_000, seed=11))
    expected = [ours(one) for one in pairs]
    assert 600 < sum(expected) < 2_400  # else one verdict alone would nearly do
    greedy: list[Pair] = []
    swaps = 0
    for one, is_match, said in zip(pairs, expected, verdicts(packages, pairs), strict=True):
        swaps += said["agentevals"]["score"] is not said["openevals"]["score"]
        for name, right in (("agentevals", as_agentevals(one)), ("openevals", is_match)):
            if said[name]["score"] is not right:
                assert right, f"{name} accepts what we do not: {one}"
                greedy.append(one)
    assert min(swaps, len(greedy)) > 10
    for one in greedy:
        assert {one["arguments_mode"], *(one["overrides"] or {}).values()} & {"subset", "superset"}
    again = verdicts(packages, [other for one in greedy for other in reordered(one)])
    accepts = [said["openevals"]["score"] or said["agentevals"]["score"] for said in again]
    orders = len(again) // len(greedy)
    for place, one in enumerate(greedy):
        assert any(accepts[place * orders : (place + 1) * orders]), one


def call(tool: str = "a", **arguments: Any) -> tuple[str, dict[str, Any]]:
    return tool, arguments


def written(arguments: Any) -> list[Message]:
    """Return a chat with one call whose arguments stand there as they are given."""
    messages = chat([call()])
    messages[1]["tool_calls"][0]["function"]["arguments"] = arguments
    return messages


LOOSE, TIGHT = call(row=4), call(row=4, seat="A")
TWO_SEATS = chat([TIGHT, call(row=4, seat="B")])
PLACEHOLDER = chat([call(q=1)])
PLACEHOLDER.insert(2, {**PLACEHOLDER[2], "content": "Waiting for approval."})
ANNOUNCED = chat([call(q=1)])
ANNOUNCED.insert(1, {"role": "assistant", "content": "I look."})
INSTRUCTED = [{"role": "developer", "content": "Be brief."}, *chat([call(q=1)])]
ONE, KEYS = chat([call(q=1)]), {"a": ["qq"]}
NESTED = chat([call(route={"to": "Quellstadt", "legs": 2})])

DEFECTS: dict[str, tuple[Pair, bool, Any, Any]] = {
    "1 swapped in subset": (
        pair(chat([call(q=1, n=1)]), ONE, "subset", "superset"), True, False, True,
    ),
    "1 swapped in unordered": (
        pair(chat([call(q=1, n=1)]), ONE, "unordered", "superset"), True, False, True,
    ),
    "2 null is not missing": (
        pair(chat([call(q=None)]), chat([call(q=2)]), overrides={"a": ["q"]}), False, False, False,
    ),
    "2 missing is not null": (
        pair(chat([call()]), chat([call(q=None)]), overrides={"a": ["q"]}), False, True, False,
    ),
    "2 an index of a list": (
        pair(chat([call(q=[{"id": 1}])]), chat([call(q=[{"id": 2}])]), overrides={"a": ["q.0.id"]}),
        False, True, False,
    ),
    "4 greedy, the loose one first": (
        pair(TWO_SEATS, chat([LOOSE, TIGHT]), "unordered", "superset"), True, False, False,
    ),
    "4 greedy in strict": (
        pair(TWO_SEATS, chat([TIGHT, LOOSE][::-1]), "strict", "superset"), True, False, False,
    ),
    "6 true is not 1": (pair(chat([call(q=True)]), ONE), False, True, True),
    "7 arguments that do not parse": (
        pair(written('{"q": 1'), ONE), False, "JSONDecodeError", "JSONDecodeError",
    ),
    "7 no arguments at all": (
        pair(written(""), chat([call()])), True, "JSONDecodeError", "JSONDecodeError",
    ),
    "7 no arguments as null": (
        pair(written("null"), chat([call()])), True, "ValidationError", "ValidationError",
    ),
    "7 the role of a model": (
        pair([{**one, "role": {"assistant": "model"}.get(one["role"], one["role"])}
              for one in ONE], ONE),
        True, "ValueError", "ValueError",
    ),
    "9 a partial mode goes deeper": (
        pair(NESTED, chat([call(route={"to": "Quellstadt"})]), "strict", "superset"),
        True, False, False,
    ),
    "10 a placeholder is no result": (pair(PLACEHOLDER, ONE), True, False, False),
    "11 announced": (pair(ANNOUNCED, ONE), True, False, False),
    "12 instructions": (pair(INSTRUCTED, ONE), True, False, False),
}  # fmt: skip


def test_each_defect_is_theirs_and_not_ours(packages: Path) -> None:
    said = verdicts(packages, [one for one, *_ in DEFECTS.values()])
    found = {
        name: (ours(one), *(verdict[package]["score"] for package in ("agentevals", "openevals")))
        for (name, (one, *_)), verdict in zip(DEFECTS.items(), said, strict=True)
    }
    assert found == {name: tuple(expected) for name, (_, *expected) in DEFECTS.items()}


def test_what_is_no_mode_or_no_key_is_refused_here_and_passes_there(packages: Path) -> None:
    other = chat([call(q=2)])
    wrong = [pair(other, ONE, overrides={"a": "exactt"}), pair(other, ONE, overrides=KEYS)]
    said = [[one[name]["score"] for name in one] for one in verdicts(packages, wrong)]
    assert said == [[True, True], [True, False]]


def test_they_change_what_they_are_given_and_give_no_reason(packages: Path) -> None:
    empty = [{"role": "user", "content": None}, *ONE[1:]]
    (said,) = verdicts(packages, [pair(empty, chat([call(q=2)]))])
    assert (said["agentevals"]["mutated"], said["openevals"]["mutated"]) == (True, False)
    assert {one["comment"] for one in said.values()} == {None}
