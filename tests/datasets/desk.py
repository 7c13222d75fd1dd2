"""A small application and its dataset files, for the tests of what is read and what is refused."""

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict

from audition.datasets.authoring import Authoring
from audition.datasets.loading import LoadedDataset, build_dataset
from audition.datasets.reading import read_source
from audition.errors import DatasetError
from audition.evaluators.completion import Completed
from audition.evaluators.tools import DidNotCallTools
from audition.inputs import CaseInput
from audition.tool_rules import ToolRule

CASES = Path(__file__).parent.parent / "cases"


class Page(BaseModel):
    model_config = ConfigDict(extra="forbid")

    url: str


class PageInput(CaseInput):
    fixture: Page | None = None


FIXTURES = {"source": "fixtures", "default_fixture": "home", "fixtures": {"home": {"url": "h"}}}
DESK = Authoring(
    input_type=PageInput,
    fixture_type=Page,
    contracts={"retrieval": (Completed(), DidNotCallTools(("send",), id="nothing is sent"))},
    agents=frozenset({"@Human", "@Manager", "@Knowledge"}),
    tools=frozenset({"search", "send"}),
    evaluator_defaults={"tool_evidence_contains_terms": {"tool_name": "search"}},
    tool_rules=(ToolRule(tool_name="search", contains="denied"),),
)


def file(*evaluators: Any, **fields: Any) -> dict[str, Any]:
    """Return a good file of one case with these evaluators."""
    case = {"name": "one", "message": "Who?", "evaluators": list(evaluators)}
    return {"version": 2, "task": "retrieval", "name": "desk", "knowledge": FIXTURES,
            "cases": [case], **fields}  # fmt: skip


def load(
    tmp_path: Path, data: Any, authoring: Authoring = DESK, session: Path | None = None
) -> LoadedDataset:
    path = tmp_path / "desk.json"
    path.write_text(json.dumps(data), "utf-8")
    return build_dataset(read_source(path), authoring, session=session)


def problems(tmp_path: Path, data: Any, authoring: Authoring = DESK) -> dict[str, str]:
    with pytest.raises(DatasetError) as error:
        load(tmp_path, data, authoring)
    assert error.value.path == str(tmp_path / "desk.json")
    return {one.pointer: f"{one.found}; {one.wanted}" for one in error.value.problems}


REQUIRED = {"type": "called_required_tools", "required_tools": ["search"]}


def session_file(*cases: Any, **fields: Any) -> dict[str, Any]:
    return {"version": 2, "task": "session", "name": "golden", "cases": list(cases), **fields}


CHECKED = {"name": "one", "evaluators": [{"type": "completed"}]}


def recorded(path: Path, *sessions: str) -> None:
    """Write a file of sessions, each of one question."""
    said = {"author": "user", "invocationId": "e-1", "content": {"parts": [{"text": "Which?"}]}}
    lines = [json.dumps({**said, "id": name, "session_id": name}) for name in sessions]
    path.write_text("\n".join(lines), "utf-8")
