"""Files of conversations: turns with checks of their own, and values that pass between them."""

import json
from pathlib import Path
from typing import Any

import pytest

from audition.captures import Capture
from audition.datasets.authoring import Authoring
from audition.datasets.loading import LoadedDataset, build_dataset
from audition.datasets.reading import read_source
from audition.errors import DatasetError
from audition.evaluators.view import Scope
from audition.inputs import ConversationTurn

DESK = Authoring(
    agents=frozenset({"@Human", "@Desk"}), tools=frozenset({"book", "cancel"}), contracts={}
)
SAYS = {"type": "human_response_contains_terms", "required_terms": ["berth"]}
CALLS = {"type": "called_required_tools", "required_tools": ["book"]}
BOOK: dict[str, Any] = {
    "message": "Book me one.",
    "target": "@Desk",
    "capture": {"booking": {"regex": "BK-[0-9]+"}},
    "evaluators": [SAYS, {**CALLS, "id": "booked"}],
}
CANCEL: dict[str, Any] = {"message": "Cancel {{booking}}.", "evaluators": [SAYS]}


def file(*turns: Any, **case: Any) -> dict[str, Any]:
    return {
        "version": 2,
        "task": "conversation",
        "name": "desk",
        "cases": [{"name": "one", "turns": list(turns), **case}],
    }


def load(tmp_path: Path, data: Any) -> LoadedDataset:
    path = tmp_path / "desk.json"
    path.write_text(json.dumps(data))
    return build_dataset(read_source(path), DESK)


def problems(tmp_path: Path, data: Any) -> dict[str, str]:
    with pytest.raises(DatasetError) as raised:
        load(tmp_path, data)
    return {one.pointer: f"{one.found}; {one.wanted}" for one in raised.value.problems}


def test_the_turns_of_a_case_are_its_inputs(tmp_path: Path) -> None:
    loaded = load(tmp_path, file(BOOK, CANCEL))
    (case,) = loaded.dataset.cases
    assert (loaded.task, loaded.target) == ("conversation", "team")
    assert case.inputs.turns == [
        ConversationTurn(
            message="Book me one.", target="@Desk", capture={"booking": Capture(regex="BK-[0-9]+")}
        ),
        ConversationTurn(message="Cancel {{booking}}."),
    ]


def test_an_evaluator_of_a_turn_looks_at_that_turn(tmp_path: Path) -> None:
    own = {**SAYS, "scope": {"agent": "@Desk"}}
    loaded = load(tmp_path, file(BOOK, {**CANCEL, "evaluators": [own]}, evaluators=[CALLS]))
    made: Any = loaded.dataset.cases[0].evaluators
    names = [one.get_default_evaluation_name() for one in made]
    assert [one.scope for one in made] == [
        Scope(),
        Scope(turn=0),
        Scope(turn=0),
        Scope(turn=1, agent="@Desk"),
    ]
    assert names == [
        "called_required_tools(book)",
        "human_response_contains_terms(berth)@0",
        "booked",
        "human_response_contains_terms(berth)/@Desk@1",
    ]


def test_everything_wrong_in_the_turns_is_told_by_its_place(tmp_path: Path) -> None:
    turn = {
        "message": "Cancel {{boking}}.",
        "target": "@Dusk",
        "capture": {"note": {"regex": "x+", "tool_name": "cancle"}, "2nd": {"regex": "x"}},
        "evaluators": [
            {**SAYS, "scope": {"turn": 0}},
            {**CALLS, "required_tools": ["bok"]},
            {"type": "called_required_tool"},
        ],
    }
    found = problems(tmp_path, file(BOOK, turn, evaluators=[{**SAYS, "response_index": 2}]))
    assert found["/cases/0/turns/1/message"].startswith("no value 'boking'; did you mean 'booking'")
    assert found["/cases/0/turns/0/capture/booking"].startswith("'booking' is never used; write")
    assert found["/cases/0/turns/1/target"].startswith("unknown agent '@Dusk'; did you mean")
    assert found["/cases/0/turns/1/capture/note/tool_name"].startswith("unknown tool 'cancle'")
    assert found["/cases/0/turns/1/evaluators/0/scope/turn"].startswith("turn 0, for an evaluator")
    assert found["/cases/0/turns/1/evaluators/1/required_tools/0"].startswith("unknown tool 'bok'")
    assert found["/cases/0/evaluators/0/response_index"].startswith("turn 2 can never exist")
    assert any(pointer.startswith("/cases/0/turns/1/evaluators/2") for pointer in found)
    assert any("2nd" in pointer for pointer in found)


WRONG: list[tuple[list[Any], str]] = [
    ([], "/cases/0/turns"),
    (["Book me one."], "/cases/0/turns/0"),
    ([{"message": " "}], "/cases/0/turns/0/message"),
    ([{**BOOK, "captures": {}}], "/cases/0/turns/0/captures"),
    ([{"message": "{{who}}?"}], "/cases/0/turns/0/message"),
    ([{**BOOK, "capture": {"booking": {}}}, CANCEL], "/cases/0/turns/0/capture/booking"),
    ([{**CANCEL, "evaluators": {}}], "/cases/0/turns/0/evaluators"),
]


@pytest.mark.parametrize(
    ("turns", "pointer"),
    WRONG,
    ids=str.split("none text blank unknown place nothing shape"),
)
def test_a_turn_is_read_strictly(tmp_path: Path, turns: list[Any], pointer: str) -> None:
    assert pointer in problems(tmp_path, file(*turns))


def test_a_term_that_stands_in_the_message_of_its_turn_is_doubtful(tmp_path: Path) -> None:
    asks = {"message": "Is a berth free?", "evaluators": [SAYS]}
    other = {"message": "And at night?", "evaluators": [SAYS]}
    (warning,) = load(tmp_path, file(asks, other)).warnings
    assert warning.pointer == "/cases/0/turns/0/evaluators/0/required_terms/0"


def test_a_conversation_without_any_check_is_doubtful(tmp_path: Path) -> None:
    (warning,) = load(tmp_path, file({"message": "Hello?"})).warnings
    assert (warning.pointer, warning.found) == ("/cases/0", "no evaluator checks it")


def test_nobody_speaks_to_the_person_who_speaks(tmp_path: Path) -> None:
    found = problems(tmp_path, file({**BOOK, "target": "@Human"}, CANCEL))
    assert found == {"/cases/0/turns/0/target": "@Human is who says it; wanted one of @Desk"}
    found = problems(tmp_path, file({**BOOK, "target": "@Dusk"}, CANCEL))
    assert "@Human" not in found["/cases/0/turns/0/target"]


@pytest.mark.parametrize("place", ["{{book-ing}}", "{{ }}", "{{1st}}", "{{b\u00fc}}"])
def test_a_place_that_names_no_value_is_told(tmp_path: Path, place: str) -> None:
    cancel = {**CANCEL, "message": f"Cancel {{{{booking}}}}, that is {place}."}
    (told,) = problems(tmp_path, file(BOOK, cancel)).items()
    assert told[0] == "/cases/0/turns/1/message"
    assert told[1].startswith(f"a place {place!r}; name a value: letters, digits")


def test_braces_are_text_where_no_value_is_taken(tmp_path: Path) -> None:
    loaded = load(tmp_path, file({"message": "What is {{1st}}?", "evaluators": [SAYS]}))
    assert loaded.dataset.cases[0].inputs.turns[0].message == "What is {{1st}}?"


def test_a_wrong_name_of_a_value_is_told_once(tmp_path: Path) -> None:
    found = problems(tmp_path, file({**BOOK, "capture": {"1st": {"regex": "x"}}}))
    (told,) = found.values()
    assert told.startswith("found '1st'; String should match pattern '^[A-Za-z_]")
