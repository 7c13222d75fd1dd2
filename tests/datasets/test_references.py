from pathlib import Path
from typing import Any

import pytest

from audition.datasets.authoring import Authoring
from audition.datasets.references import (
    is_file_in,
    missing_self_tests,
    unknown_agent,
    unknown_fixtures,
    unknown_in_evaluator,
    unknown_tool,
    unknown_vocabularies,
)

TEAM = Authoring(agents=frozenset({"@Human", "@K"}), tools=frozenset({"search"}))


@pytest.mark.parametrize(
    ("written", "places"),
    [
        ({"tool_name": "serch"}, ["tool_name"]),
        ({"tool_names": ["search", "send"]}, ["tool_names/1"]),
        ({"required_tools": ["a", "b"]}, ["required_tools/0", "required_tools/1"]),
        ({"forbidden_tools": "send"}, ["forbidden_tools"]),
        ({"allowed_tools": [5, None]}, []),
        ({"ordered_tools": ["search", "plan"]}, ["ordered_tools/1"]),
        ({"scope": {"agent": "@M"}}, ["scope/agent"]),
        ({"scope": "@M"}, []),
        ({"sender": "@M", "recipient": "@K"}, ["sender"]),
        ({"agent_names": ["@K", "@M"]}, ["agent_names/1"]),
        ({"expected_route": ["@Human > @M", ["@M", "@K"], 5]}, ["expected_route/0",
                                                                "expected_route/1"]),
        ({"tool_name": "search", "sender": "@K"}, []),
        ({"type": "trajectory_match",
          "reference": [{"tool": "search"}, {"tool": "serch"}],
          "overrides": {"*": "ignore", "plan": "ignore"}}, ["reference/1", "overrides/plan"]),
        ({"type": "trajectory_match",
          "reference": [{"role": "user", "content": "Find it."},
                        {"role": "assistant", "tool_calls": [
                            {"function": {"name": "serch", "arguments": "{}"}}]},
                        {"role": "nobody"}]}, ["reference/1"]),
        ({"type": "my_own", "reference": [{"tool": "serch"}]}, []),
    ],
)  # fmt: skip
def test_names_that_the_team_does_not_declare_are_told(written: Any, places: list[str]) -> None:
    found = unknown_in_evaluator("/e", written, authoring=TEAM)
    assert [problem.pointer for problem in found] == [f"/e/{place}" for place in places]


def test_a_team_that_declares_nothing_is_not_checked() -> None:
    written = {"tool_name": "x", "sender": "y"}
    assert list(unknown_in_evaluator("/e", written, authoring=Authoring())) == []


def test_an_unknown_name_is_told_with_the_one_that_was_meant() -> None:
    (tool,) = unknown_tool("/t", "serch", authoring=TEAM)
    (agent,) = unknown_agent("/a", "@Humn", authoring=TEAM)
    assert str(tool) == "/t: unknown tool 'serch'; did you mean 'search'? wanted one of search"
    assert str(agent).startswith("/a: unknown agent '@Humn'; did you mean '@Human'?")
    assert list(unknown_tool("/t", None, authoring=TEAM)) == []


def test_an_unknown_vocabulary_is_told_where_it_is_named() -> None:
    written = {"accepted_terms_ref": "citis", "required_terms_ref": "cities", "other": "citis"}
    (problem,) = unknown_vocabularies("/e", written, vocabularies=["cities"])
    assert problem.pointer == "/e/accepted_terms_ref"


def test_a_vocabulary_of_a_file_that_has_none_is_told_with_how_to_define_it() -> None:
    (problem,) = unknown_vocabularies("/e", {"required_terms_ref": "cities"}, vocabularies=())
    assert problem.wanted == "define it in the file: `vocabularies: {cities: [...]}`"


def test_a_name_where_none_is_declared_is_to_be_removed() -> None:
    (tool,) = unknown_tool("/t", "search", authoring=Authoring(tools=frozenset()))
    assert tool.wanted == "remove it: no tool is declared"


@pytest.mark.parametrize(
    ("knowledge", "fixture", "pointer"),
    [
        ({"source": "fixtures", "fixtures": {"a": 1}, "default_fixture": "b"}, "a",
         "/knowledge/default_fixture"),
        ({"source": "fixtures", "fixtures": {"a": 1}}, "b", "/cases/0/fixture"),
        ({"source": "fixtures", "fixtures": {"a": 1}}, None, "/cases/0/fixture"),
        ({"source": "running_system"}, "a", "/cases/0/fixture"),
        (None, "a", "/cases/0/fixture"),
    ],
)  # fmt: skip
def test_a_fixture_that_is_not_there_is_told(knowledge: Any, fixture: Any, pointer: str) -> None:
    case = {"name": "one", "fixture": fixture}
    found = unknown_fixtures({"knowledge": knowledge, "cases": [case]})
    assert [problem.pointer for problem in found] == [pointer]


@pytest.mark.parametrize(
    "data",
    [
        {"knowledge": {"source": "fixtures", "fixtures": 5}, "cases": [{"fixture": "a"}]},
        {"knowledge": 5, "cases": 5},
        {"knowledge": {"source": "running_system"}, "cases": [5, {"name": "one"}]},
    ],
)
def test_what_the_models_refuse_anyway_is_left_to_them(data: Any) -> None:
    assert list(unknown_fixtures(data)) == []


def test_a_session_is_looked_up_beside_the_file(tmp_path: Path) -> None:
    (tmp_path / "talk.jsonl").touch()
    is_there = is_file_in(tmp_path)
    names = ("talk.jsonl", "gone.jsonl", ".", "nul\0")
    assert [is_there(name) for name in names] == [True, False, False, False]


@pytest.mark.parametrize("named", ["gone.json", "x" * 5000, "a\0b", "."])
def test_what_cannot_be_a_file_is_not_there(tmp_path: Path, named: str) -> None:
    assert not is_file_in(tmp_path)(named)


def test_a_recording_of_a_self_test_that_is_not_there_is_told() -> None:
    named = {"good": "good.jsonl", "bad": "gone.jsonl"}
    cases = [{}, {"self_test": named}, {"self_test": {"good": 5, "bad": " "}}]
    data: dict[str, Any] = {"cases": cases}
    (problem,) = missing_self_tests(data, lambda name: name == "good.jsonl")
    assert str(problem) == (
        "/cases/1/self_test/bad: no file 'gone.jsonl'; name a session file, relative to this one"
    )


def test_names_in_patterns_are_looked_up_too() -> None:
    authoring = Authoring(agents=frozenset({"@Desk"}), tools=frozenset({"search"}))
    written: Any = {
        "first": {"tool": "serch", "agent": "@Desck"},
        "then": {"sender": "@Desk", "recipient": "@Nobody", "contains": "x"},
        "after": "not a pattern",
    }
    found = unknown_in_evaluator("/e", written, authoring=authoring)
    assert [problem.pointer for problem in found] == [
        "/e/first/agent",
        "/e/first/tool",
        "/e/then/recipient",
    ]


def test_the_person_is_always_known() -> None:
    team = Authoring(agents=frozenset({"@K"}))
    assert list(unknown_in_evaluator("/e", {"recipient": "@Human"}, authoring=team)) == []
    (problem,) = unknown_agent("/a", "@M", authoring=team)
    assert problem.wanted == "did you mean '@Human'? wanted one of @Human, @K"
