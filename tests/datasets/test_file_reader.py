from copy import deepcopy
from pathlib import Path
from typing import Any

from audition.datasets.authoring import Authoring
from audition.datasets.file_reader import FileReader
from audition.datasets.reading import SourceFile
from audition.errors import Problem
from audition.evaluators.completion import Completed

GOOD: dict[str, Any] = {
    "version": 2,
    "task": "retrieval",
    "name": "desk",
    "cases": [{"name": "one", "message": "Who?", "evaluators": [{"type": "completed"}]}],
}


def reader(data: dict[str, Any], *problems: Problem, task: str = "retrieval") -> FileReader:
    source = SourceFile(path=Path("desk.json"), data=deepcopy(data), problems=problems)
    return FileReader(source, Authoring(), task=task)


def pointers(made: FileReader) -> list[str]:
    return [problem.pointer for problem in made.in_order()]


def test_a_good_file_has_its_evaluators_case_by_case() -> None:
    made = reader(GOOD)
    file = made.read()
    assert file is not None
    placed = [[(one.pointer, one.evaluator) for one in case] for case in made.evaluators]
    assert (file.name, made.problems) == ("desk", [])
    assert placed == [[("/cases/0/evaluators/0", Completed())]]


def test_what_reading_refused_is_told_once() -> None:
    refused = Problem(pointer="/name", found="NaN is no JSON value", wanted="quote it")
    made = reader({**GOOD, "name": None, "nme": 1}, refused)
    assert made.read() is None
    assert pointers(made) == ["/name", "/nme"]
    assert made.in_order()[0] == refused


def test_cases_and_evaluators_of_a_wrong_shape_do_not_stop_the_rest() -> None:
    wrong = [5, {"type": "completed", "x": 1}]
    cases = [
        5,
        {"name": "a", "message": "?", "evaluators": 5},
        {"name": "b", "message": "?", "evaluators": wrong},
    ]
    made = reader({**GOOD, "cases": cases})
    made.read()
    assert pointers(made) == [
        "/cases/0",
        "/cases/1/evaluators",
        "/cases/2/evaluators/0",
        "/cases/2/evaluators/1/x",
    ]


def test_a_file_whose_cases_are_no_list_is_told_as_that() -> None:
    made = reader({**GOOD, "cases": {}, "vocabularies": 5, "tool_rules": [5], "contract": 5})
    made.read()
    assert {"/cases", "/vocabularies", "/tool_rules/0", "/contract"} <= set(pointers(made))


def test_a_vocabulary_that_does_not_read_is_told_once() -> None:
    entry = {"type": "human_response_contains_any_term", "accepted_terms_ref": "words"}
    case = {"name": "one", "message": "?", "evaluators": [entry]}
    made = reader({**GOOD, "vocabularies": {"words": [""]}, "cases": [case]})
    made.read()
    assert pointers(made) == ["/vocabularies/words/0"]


def test_in_a_session_any_turn_may_exist() -> None:
    case = {"name": "one", "evaluators": [{"type": "completed", "scope": {"turn": 7}}]}
    made = reader({**GOOD, "task": "session", "session": "x", "cases": [case]}, task="session")
    made.read()
    assert pointers(made) == ["/session"]


def test_a_field_of_another_format_is_told_with_what_to_write_instead() -> None:
    case = {**GOOD["cases"][0], "turns": [{"message": "Who?"}], "mesage": "x"}
    made = reader({**GOOD, "cases": [case]})
    made.read()
    misspelt, other = made.in_order()
    assert str(other) == (
        "/cases/0/turns: unknown field 'turns'; "
        "write `task: conversation` for several turns, or one `message`"
    )
    assert misspelt.wanted.startswith("did you mean 'message'?")


def test_a_contract_of_an_application_that_declares_none_is_told_with_what_to_do() -> None:
    of_team, of_session = (
        reader({**GOOD, "contract": "x"}),
        reader({**GOOD, "task": "session", "contract": "x"}, task="session"),
    )
    of_team.read()
    of_session.read()
    told = {str(one) for made in (of_team, of_session) for one in made.in_order()}
    unknown = "/contract: unknown contract 'x'; "
    assert f"{unknown}remove it: the application declares no `contracts`" in told
    assert f"{unknown}name the `application` that declares it, or remove it" in told


def test_what_is_written_alike_in_many_cases_is_made_once() -> None:
    case = GOOD["cases"][0]
    entry = {"type": "human_response_contains_terms", "required_terms": ["berth"]}
    cases = [{**case, "name": name, "evaluators": [entry]} for name in ("one", "two")]
    made = reader({**GOOD, "cases": cases})
    made.read()
    one, two = (placed[0].evaluator for placed in made.evaluators)
    assert one is two
    assert made.problems == []
