"""The suites of kagent-agentevals, as their author wrote them."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from audition.application import load_dataset, open_dataset
from audition.datasets.kagent_suites import is_kagent_suite
from audition.datasets.loading import LoadedDataset
from audition.datasets.reading import read_source
from audition.errors import DatasetError
from audition.evaluators.tools_used import ToolsUsed
from audition.evaluators.trajectory import MatchedTrajectory
from audition.evaluators.view import EvidenceView
from audition.sessions import SessionInput, read_output
from audition.sources.addresses import source_address
from tests.sources.kubectl import on_path

RECORDED = Path(__file__).parents[1] / "recordings" / "kagent"
SUITES = RECORDED / "suites"
TOOL = "get-weather-by-city_get-weather-by-city"
CASES = [
    "answer-is-grounded-in-a-tool-call",
    "stayed-within-its-tool-budget",
    "looked-up-the-city-the-user-asked-about",
]


def repository(root: Path) -> Path:
    """Return a folder laid out as the repository that the suites are from."""
    for name, target in (
        ("suites/demo.yaml", "demo/suite.yaml"),
        ("suites/quickstart.yaml", "suites/quickstart.yaml"),
        ("github-assistant-session.jsonl", "tests/fixtures/github-assistant-session.jsonl"),
        *(
            (f"demo/weather-{kind}.jsonl", f"demo/fixtures/weather-{kind}.jsonl")
            for kind in ("grounded", "ungrounded", "wrong-city")
        ),
    ):
        (root / target).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(RECORDED / name, root / target)
    return root


def failing(loaded: LoadedDataset) -> list[str]:
    """Return the cases of which an evaluator fails."""
    return [
        case.name or ""
        for case in loaded.dataset.cases
        for one in case.evaluators
        if isinstance(one, ToolsUsed | MatchedTrajectory)
        and not one.examine(EvidenceView(read_output(case.inputs), one.scope)).ok
    ]


@pytest.mark.parametrize(
    ("session", "expected"),
    [
        ("grounded", []),
        ("ungrounded", [CASES[0], CASES[2]]),
        ("wrong-city", [CASES[2]]),
    ],
)
def test_the_demo_says_what_its_author_says_of_it(
    tmp_path: Path, session: str, expected: list[str]
) -> None:
    root = repository(tmp_path)
    given = root / f"demo/fixtures/weather-{session}.jsonl"
    loaded = load_dataset(root / "demo" / "suite.yaml", session=given)
    assert (list(loaded.plans), failing(loaded)) == (CASES, expected)


@pytest.mark.parametrize("suite", ["demo/suite.yaml", "suites/quickstart.yaml"])
def test_a_fixture_is_found_from_wherever_the_suite_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suite: str
) -> None:
    root = repository(tmp_path)
    monkeypatch.chdir("/")
    assert failing(load_dataset(root / suite)) == []


def test_a_fixture_beside_the_suite_goes_before_one_above(tmp_path: Path) -> None:
    root = repository(tmp_path)
    beside = root / "demo" / "demo" / "fixtures"
    beside.mkdir(parents=True)
    shutil.copy(root / "demo/fixtures/weather-ungrounded.jsonl", beside / "weather-grounded.jsonl")
    assert failing(load_dataset(root / "demo/suite.yaml")) == [CASES[0], CASES[2]]


def test_a_suite_for_a_cluster_asks_the_cluster() -> None:
    application, loaded = open_dataset(SUITES / "live-cluster.yaml")
    first, *_, scoped, _ = [case.inputs for case in loaded.dataset.cases]
    assert (application.name, loaded.target, loaded.dataset.name) == (
        None,
        "session",
        "live-cluster",
    )
    assert (first.source.address, first.session_id) == (
        "kubectl:kagent",
        "f25e1c01-bcfa-431f-8572-38a7120dd1c8",
    )
    assert scoped.invocation == "e-c51ee408-e4c2-4bee-91aa-feb52996931c"


def stored(session: str, recording: Path) -> list[list[object]]:
    """Return what psql answers to who asks for a session: the columns, the session, its rows."""
    moment = "2031-01-01T10:00:00+00:00"
    columns = [
        *({"table_name": "event", "column_name": name} for name in ("id", "session_id", "data")),
        *({"table_name": "session", "column_name": n} for n in ("id", "user_id", "agent_id")),
    ]
    lines = recording.read_text("utf-8").splitlines()
    about = {"session_id": session, "agent": "desk", "user_id": "ana", "frames": len(lines)}
    rows: list[object] = [
        {"id": f"e-{number:02}", "created_at": moment, "data": line}
        for number, line in enumerate(lines)
    ]
    return [[*columns], [{**about, "updated_at": moment}], rows]


def test_a_suite_for_a_cluster_holds_on_what_the_cluster_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = load_dataset(SUITES / "live-cluster.yaml")
    recordings = {
        "f25e1c01-bcfa-431f-8572-38a7120dd1c8": RECORDED / "demo" / "weather-grounded.jsonl",
        "01a06907-ee15-7285-b42d-157855337abc": RECORDED / "github-assistant-session.jsonl",
    }
    kubectl = on_path(tmp_path, monkeypatch)
    ids = [case.inputs.session_id for case in loaded.dataset.cases]
    kubectl.prints(*(answer for name in ids for answer in stored(name, recordings[name])))
    assert failing(loaded) == []
    assert kubectl.arguments(0)[:2] == ["-n", "kagent"]


def test_another_source_keeps_the_ids_and_another_session_does_not(tmp_path: Path) -> None:
    source = source_address("postgres://db.example.org/d")
    loaded = load_dataset(SUITES / "live-cluster.yaml", session=source)
    inputs = loaded.dataset.cases[0].inputs
    assert (inputs.source, inputs.session_id) == (source, "f25e1c01-bcfa-431f-8572-38a7120dd1c8")
    loaded = load_dataset(SUITES / "live-cluster.yaml", session=tmp_path / "one.jsonl")
    inputs = loaded.dataset.cases[0].inputs
    assert (inputs.session, inputs.session_id) == (str(tmp_path / "one.jsonl"), None)


def test_judges_are_refused_by_name() -> None:
    with pytest.raises(DatasetError) as error:
        load_dataset(SUITES / "demo-llm-judge.yaml")
    first, second = error.value.problems
    assert (first.pointer, second.pointer) == (
        "/cases/0/evaluators/0",
        "/cases/1/evaluators/0",
    )
    assert first.found == (
        "llm_judge 'accuracy' of the case 'retry-trajectory-is-sane' asks a model, and there are "
        "no judges yet"
    )


def suite(**fields: Any) -> dict[str, Any]:
    used = {"type": "tools_used", "expected": [TOOL]}
    case = {"name": "one", "session_id": "s", "evaluators": [used]}
    return {"source": {"kind": "kubectl"}, "cases": [case], **fields}


def load(folder: Path, data: Any) -> LoadedDataset:
    path = folder / "suite.yaml"
    path.write_text(json.dumps(data), "utf-8")
    return load_dataset(path)


def problems(folder: Path, data: Any) -> dict[str, str]:
    with pytest.raises(DatasetError) as error:
        load(folder, data)
    return {one.pointer: f"{one.found}; {one.wanted}" for one in error.value.problems}


def test_a_key_that_is_misspelt_is_told_at_its_place(tmp_path: Path) -> None:
    used: dict[str, Any] = {"type": "tools_used", "mdoe": "subset", "expected": []}
    case = {"name": "one", "session_id": "s", "evaluators": [used, {"type": "tool_used"}]}
    data = suite(sorce=1, source={"kind": "fixtre"}, defaults={"judge": "x"}, cases=[case])
    found = problems(tmp_path, data)
    assert list(found) == [
        "/cases/0/evaluators/0/expected",
        "/cases/0/evaluators/0/mdoe",
        "/cases/0/evaluators/1/type",
        "/defaults/judge",
        "/sorce",
        "/source/kind",
    ]
    assert found["/cases/0/evaluators/0/mdoe"].startswith("unknown field 'mdoe'; did you mean 'mo")
    assert found["/source/kind"].startswith("found 'fixtre'; did you mean 'fixture'?")


def test_what_only_the_loader_sees_is_told_at_the_places_of_the_suite(tmp_path: Path) -> None:
    call = {"function": {"name": "a", "arguments": "{torn"}}
    one = {"type": "trajectory_match", "name": "a", "reference": [
        {"role": "assistant", "tool_calls": [call]}]}  # fmt: skip
    used = {"type": "tools_used", "name": "b", "expected": ["a"]}
    case = {"name": "one", "session_id": "s", "evaluators": [one, used, used]}
    gone = {"kind": "fixture", "path": "gone.jsonl"}
    found = problems(tmp_path, suite(cases=[case], source=gone))
    assert list(found) == [
        "/cases/0/evaluators/0/reference",
        "/cases/0/evaluators/2/name",
        "/source/path",
    ]
    assert "{torn" in found["/cases/0/evaluators/0/reference"]


def test_defaults_hold_where_a_case_says_nothing_else(tmp_path: Path) -> None:
    reference = [{"role": "user", "content": "Hi"}]
    match = {"type": "trajectory_match", "name": "m", "reference": reference}
    given = {"name": "one", "session_id": "s", "evaluators": [match]}
    other: dict[str, Any] = {
        **given, "name": "two", "drop_internal_tools": True, "extra_tool_denylist": [],
        "evaluators": [{**match, "tool_args_match_mode": "superset"}],
    }  # fmt: skip
    defaults = {
        "drop_internal_tools": False,
        "extra_tool_denylist": ["ask_user"],
        "tool_args_match_mode": "ignore",
    }
    loaded = load(tmp_path, suite(cases=[given, other], defaults=defaults))
    first, second = loaded.dataset.cases
    assert [(one.inputs.drop_internal_tools, one.inputs.drop_tools) for one in (first, second)] == [
        (False, ("ask_user",)),
        (True, ()),
    ]
    (one,), (two,) = first.evaluators, second.evaluators
    assert isinstance(one, MatchedTrajectory)
    assert isinstance(two, MatchedTrajectory)
    assert (one.arguments_mode, two.arguments_mode) == ("ignore", "superset")


def test_a_suite_without_a_name_or_a_source_needs_what_the_call_says(tmp_path: Path) -> None:
    data = suite()
    del data["source"]
    assert list(problems(tmp_path, data)) == ["/cases/0/session"]
    loaded = load_dataset(tmp_path / "suite.yaml", session=source_address("kubectl:"))
    assert loaded.dataset.name == "suite"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (suite(), True),
        ({"cases": [{"session_id": "s"}]}, True),
        ({"source": {"kind": "api"}, "cases": [{"name": "one"}]}, True),
        (suite(version=2), False),
        (suite(task="session"), False),
        ({"cases": [{"inputs": "Hi", "session_id": "s"}]}, False),
        ({"source": {"kind": "api"}, "cases": "none"}, False),
        ({"source": {"kind": "api"}}, False),
    ],
)
def test_a_suite_is_known_by_its_ids_and_sources(
    tmp_path: Path, data: Any, *, expected: bool
) -> None:
    path = tmp_path / "suite.yaml"
    path.write_text(json.dumps(data), "utf-8")
    assert is_kagent_suite(read_source(path)) is expected


def test_a_tool_on_the_denylist_is_not_judged(tmp_path: Path) -> None:
    session = RECORDED / "github-assistant-session.jsonl"
    whole = read_output(SessionInput(session=str(session)))
    without = read_output(SessionInput(session=str(session), drop_tools=("ask_user",)))
    assert [call.tool_name for call in whole.tool_invocations()] == ["ask_user", "search_users"]
    assert [call.tool_name for call in without.tool_invocations()] == ["search_users"]


def test_the_plumbing_of_the_runtime_is_judged_where_that_is_asked_for() -> None:
    session = str(RECORDED / "github-assistant-session.jsonl")
    every = read_output(SessionInput(session=session, drop_internal_tools=False))
    names = [call.tool_name for call in every.tool_invocations()]
    assert "adk_request_confirmation" in names
