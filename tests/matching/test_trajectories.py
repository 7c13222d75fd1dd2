"""Trajectories beside the one that was expected."""

import json
from itertools import permutations
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from audition.matching.tool_calls import ArgumentRules, ToolCall
from audition.matching.trajectories import (
    Step,
    calls_of,
    match_calls,
    match_names,
    match_sequence,
    match_steps,
)

type CallMode = Literal["unordered", "superset", "subset"]

CASES = Path(__file__).parents[1] / "cases"
RULES = ArgumentRules()
LOOSE = ArgumentRules(mode="superset")
USER, TEXT = Step("user"), Step("assistant")


def call(tool: str, **arguments: JsonValue) -> ToolCall:
    return ToolCall(tool, arguments)


def calling(*calls: ToolCall, answered: int | None = None, **more: Any) -> Step:
    return Step("assistant", calls, len(calls) if answered is None else answered, **more)


A, B, C = call("a", n=1), call("b", n=2), call("c")
NOTHING: list[ToolCall] = []
NEVER: set[str] = set()
TALK = [USER, calling(A), calling(B), TEXT]


def test_the_same_steps_match() -> None:
    assert match_steps(TALK, TALK, RULES) is None


@pytest.mark.parametrize(
    ("made", "cause", "told"),
    [
        (TALK[:-1], "other messages", "missing after step 3: a message of the assistant"),
        ([*TALK, TEXT], "other messages", "unexpected, step 5: a message of the assistant"),
        ([*TALK, USER, TEXT], "other messages", "unexpected, step 5: a message of the user"),
        ([USER, calling(A), TEXT], "not called", 'missing after step 2: b {"n":2}'),
        ([USER, calling(A), calling(B), calling(C), TEXT], "unexpected call", "step 4: c {}"),
        ([USER, calling(A), calling(C), TEXT], "not called", "step 3: expected a call of b, was a"),
        (
            [USER, calling(A), calling(call("b", n=3)), TEXT],
            "wrong arguments",
            "b: /n: expected 2, was 3",
        ),
        ([USER, calling(B), calling(A), TEXT], "wrong order", "expected a, b in this order, was b"),
        ([USER, calling(A, B), TEXT], "wrong order", "expected a, b in this order, was [a, b]"),
        (
            [USER, calling(A, answered=0), calling(B), TEXT],
            "other results",
            "a: expected 1 result(s), got 0",
        ),
    ],
)
def test_other_steps_do_not_and_it_is_said_where(made: list[Step], cause: str, told: str) -> None:
    found = match_steps(TALK, made, RULES)
    assert found is not None
    assert (found.cause, told in str(found)) == (cause, True), str(found)


def test_the_calls_of_one_message_are_a_set() -> None:
    assert match_steps([calling(A, B)], [calling(B, A)], RULES) is None
    assert match_steps([calling(A, A, B)], [calling(A, B, B)], RULES) is not None


def test_what_is_said_before_a_call_belongs_to_it() -> None:
    said = [USER, TEXT, calling(A), TEXT, calling(B), TEXT]
    assert match_steps(TALK, said, RULES) is None
    assert match_steps(said, TALK, RULES) is None


def side_by_side(*rows: list[ToolCall]) -> list[list[Step]]:
    """Return for each row the steps of an agent that worked beside the others."""
    lanes = [f"agent {number}" for number in range(len(rows))]
    return [
        [calling(one, lane=lane, beside=frozenset({*lanes} - {lane})) for one in row]
        for lane, row in zip(lanes, rows, strict=True)
    ]


def test_steps_that_were_made_side_by_side_match_in_any_order_that_keeps_each_agents_own() -> None:
    (first, second), (other,) = side_by_side([A, B], [C])
    made = [USER, first, other, second, TEXT]
    for order in permutations([first, second, other]):
        expected = [USER, *(calling(*step.calls) for step in order), TEXT]
        keeps = order.index(first) < order.index(second)
        assert (match_steps(expected, made, RULES) is None) is keeps


def test_beside_other_agents_only_the_last_word_of_a_turn_is_compared() -> None:
    (first,), (other,) = side_by_side([A], [C])
    told = [USER, calling(A), TEXT, calling(C), TEXT, TEXT]
    assert match_steps(told, [USER, first, other, TEXT, TEXT, TEXT], RULES) is None
    assert match_steps(told, [USER, first, other], RULES) is not None


def test_what_was_made_side_by_side_stays_in_its_turn() -> None:
    (first,), (other,) = side_by_side([A], [C])
    made = [USER, first, other, TEXT, USER, calling(B), TEXT]
    assert (
        match_steps([USER, calling(C), calling(A), TEXT, USER, calling(B), TEXT], made, RULES)
        is None
    )
    early = [USER, calling(B), calling(A), TEXT, USER, calling(C), TEXT]
    assert match_steps(early, made, RULES) is not None


def test_thirty_equal_calls_side_by_side_are_compared_at_once() -> None:
    lanes = side_by_side(*[[A]] * 30)
    made = [step for lane in lanes for step in lane]
    assert match_steps([calling(A)] * 30, made, RULES) is None
    assert match_steps([calling(A)] * 29 + [calling(B)], made, RULES) is not None


def test_many_calls_are_compared_in_bounded_time() -> None:
    count = 200
    expected = [call("a", n=number, m=1) for number in range(count)]
    made = [call("a", n=number, m=2) for number in range(count)]
    found = match_calls(expected, made, "unordered", RULES)
    assert found is not None
    assert (found.differences[0], found.more) == ("a: /m: expected 1, was 2", count - 8)


@pytest.mark.parametrize(
    ("expected", "matches"),
    [
        ([A, B, C], True),
        ([B, A, C], True),
        ([A, C, B], False),
        ([A, B], False),
        ([A, B, C, C], False),
        ([A, B, B], False),
    ],
)
def test_a_row_of_calls_is_compared_in_order_but_within_a_message(
    expected: list[ToolCall], *, matches: bool
) -> None:
    made = [USER, calling(A, B), TEXT, calling(C, answered=0), TEXT]
    assert (match_sequence(expected, made, RULES) is None) is matches


def test_an_empty_row_says_that_nothing_was_called() -> None:
    assert match_sequence([], [USER, TEXT], RULES) is None
    found = match_sequence([], [USER, calling(A)], RULES)
    assert str(found) == 'unexpected, step 1: a {"n":1}'


@pytest.mark.parametrize(
    ("expected", "made", "modes"),
    [
        ([A, B], [B, A], {"unordered", "superset", "subset"}),
        ([A], [A, B], {"superset"}),
        ([A, B], [A], {"subset"}),
        ([A], [A, A], {"superset"}),
        ([A, A], [A], {"subset"}),
        ([A], [B], NEVER),
        ([A], [call("a", n=2)], NEVER),
        (NOTHING, NOTHING, {"unordered", "superset", "subset"}),
        (NOTHING, [A], {"superset"}),
        ([A], NOTHING, {"subset"}),
    ],
)
def test_calls_are_compared_as_multisets(
    expected: list[ToolCall], made: list[ToolCall], modes: set[str]
) -> None:
    every: tuple[CallMode, ...] = ("unordered", "superset", "subset")
    assert {mode for mode in every if match_calls(expected, made, mode, RULES) is None} == modes


@pytest.mark.parametrize("pair", json.loads((CASES / "07-args-greedy-pairing.json").read_text()))
@pytest.mark.parametrize("mode", ["unordered", "superset"])
def test_a_loose_expectation_leaves_a_tight_one_its_only_partner(mode: CallMode, pair: Any) -> None:
    expected = [ToolCall("reserve", arguments) for arguments in pair["expected"]]
    made = [ToolCall("reserve", arguments) for arguments in pair["actual"]]
    assert (match_calls(expected, made, mode, LOOSE) is None) is pair["match"]
    together = match_steps([calling(*expected)], [calling(*made)], LOOSE)
    assert (together is None) is pair["match"]


def test_a_difference_of_arguments_is_told_beside_the_nearest_call_of_the_tool() -> None:
    made = [call("a", n=1, city="Mirefort"), call("a", n=9), C]
    found = match_calls([call("a", n=2, city="Mirefort"), B], made, "unordered", RULES)
    assert found is not None
    assert found.differences == (
        "a: /n: expected 2, was 1",
        'missing: b {"n":2}',
        'unexpected: a {"n":9}',
        "unexpected: c {}",
    )


def test_the_direction_of_the_arguments_is_the_same_in_every_mode() -> None:
    every: tuple[CallMode, ...] = ("unordered", "superset", "subset")
    for mode in every:
        assert match_calls([call("a", n=1)], [call("a", n=1, m=2)], mode, LOOSE) is None
        assert match_calls([call("a", n=1, m=2)], [call("a", n=1)], mode, LOOSE) is not None


def test_many_differences_are_told_in_part() -> None:
    found = match_calls([], [A] * 30, "unordered", RULES)
    assert found is not None
    assert (len(found.differences), str(found).endswith("; and 22 more")) == (8, True)


def test_an_allowlist_is_of_names_however_often() -> None:
    assert match_names([A, B], [A, A, call("a", n=7)]) is None
    assert str(match_names([A], [C, A])) == "unexpected: c {}"


NAMES = st.sampled_from("abc")
CALLS = st.builds(ToolCall, NAMES, st.dictionaries(st.sampled_from("nm"), st.integers(0, 1)))
STEPS = st.lists(
    st.just(USER)
    | st.just(TEXT)
    | st.lists(CALLS, min_size=1, max_size=3).map(lambda c: calling(*c)),
    max_size=6,
)
MODES = st.sampled_from(["exact", "ignore", "subset", "superset"])


@given(STEPS, MODES, st.randoms())
def test_what_happened_matches_itself_and_its_calls_in_any_order(
    steps: list[Step], mode: Any, chance: Any
) -> None:
    rules, calls = ArgumentRules(mode=mode), calls_of(steps)
    assert match_steps(steps, steps, rules) is None
    assert match_sequence(calls, steps, rules) is None
    chance.shuffle(calls)
    assert match_calls(calls, calls_of(steps), "unordered", rules) is None


@given(STEPS, STEPS, MODES)
def test_the_modes_imply_each_other(one: list[Step], other: list[Step], mode: Any) -> None:
    rules = ArgumentRules(mode=mode)
    expected, made = calls_of(one), calls_of(other)

    def holds(by: CallMode) -> bool:
        return match_calls(expected, made, by, rules) is None

    if match_steps(one, other, rules) is None:
        assert match_sequence(expected, other, rules) is None
    if match_sequence(expected, other, rules) is None:
        assert holds("unordered")
    if holds("unordered"):
        assert holds("superset")
        assert holds("subset")
    if holds("subset"):
        assert match_names(expected, made) is None


@given(st.lists(CALLS, max_size=4), st.lists(CALLS, max_size=4), MODES)
def test_calls_match_where_some_pairing_of_them_does(
    expected: list[ToolCall], made: list[ToolCall], mode: Any
) -> None:
    rules = ArgumentRules(mode=mode)

    def agree(one: ToolCall, other: ToolCall) -> bool:
        return one.tool == other.tool and rules.difference(one, other) is None

    possible = len(expected) <= len(made) and any(
        all(agree(*pair) for pair in zip(expected, order, strict=False))
        for order in permutations(made)
    )
    assert (match_calls(expected, made, "superset", rules) is None) is possible
