"""Sessions of a kagent, asked of a real server on this machine."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import JsonValue

from audition.errors import CallError, RecordError
from audition.sources.kagent_rest import KagentAccess, KagentRestSource
from tests.sources.kagent_server import Served, serving

CAPTURE = Path(__file__).parents[1] / "recordings/kagent/demo/weather-grounded.jsonl"
ASKED: JsonValue = {"author": "user", "content": {"parts": [{"text": "Where?"}]}}
TOLD: JsonValue = {"author": "desk", "content": {"parts": [{"text": "Berth 4."}]}}
TASK: JsonValue = {"kind": "task", "id": "t-1", "history": []}
ROWS = [
    {"id": "s-1", "user_id": "ana", "agent_id": "kagent__NS__desk", "updated_at": "2026-01-01"},
    {"id": "s-2", "user_id": "ana", "agent_id": "kagent__NS__scout", "updated_at": "2026-01-02"},
    {"id": "s-3", "user_id": "ana", "agent_id": None},
]


@pytest.fixture
def kagent() -> Iterator[Served]:
    with serving() as served:
        served.answer("/api/sessions", ROWS)
        served.answer("/api/sessions/s-1", {"session": ROWS[0], "events": [
            {"id": "e-1", "data": json.dumps(ASKED)}, {"id": "e-2", "data": TOLD}]})  # fmt: skip
        yield served


def test_sessions_are_listed_the_latest_first(kagent: Served) -> None:
    source = KagentRestSource(kagent.url)
    assert [(one.id, one.agent, one.user) for one in source.sessions(limit=2)] == [
        ("s-2", "kagent__NS__scout", "ana"),
        ("s-1", "kagent__NS__desk", "ana"),
    ]
    assert [one.id for one in source.sessions(agent="DESK")] == ["s-1"]
    assert kagent.asked[0] == "/api/sessions?user_id=admin%40kagent.dev"


def test_a_kagent_without_sessions_lists_none(kagent: Served) -> None:
    kagent.answer("/api/sessions", None)
    assert KagentRestSource(kagent.url).sessions() == []


def test_a_session_is_its_events_whether_text_or_object(kagent: Served) -> None:
    record = KagentRestSource(kagent.url, KagentAccess(user="ana")).record("s-1")
    assert (record.frames, record.name) == ((ASKED, TOLD), f"{kagent.url}, session s-1")
    assert kagent.asked == ["/api/sessions/s-1?order=asc&user_id=ana"]


def test_the_only_session_needs_no_name(kagent: Served) -> None:
    kagent.answer("/api/sessions", ROWS[:1])
    assert KagentRestSource(kagent.url).record().frames == (ASKED, TOLD)
    kagent.answer("/api/sessions", ROWS)
    with pytest.raises(RecordError, match="3 sessions are there, and one is wanted: s-2, s-1, s-3"):
        KagentRestSource(kagent.url).record()


def test_an_event_that_is_torn_is_told(kagent: Served) -> None:
    kagent.answer("/api/sessions/s-1", {"events": [{"id": "e-1", "data": "{"}, ASKED]})
    record = KagentRestSource(kagent.url).record("s-1")
    assert record.frames == (ASKED,)
    assert [one.reason.partition(":")[0] for one in record.broken] == ["row 'e-1', no JSON"]


@pytest.mark.parametrize("events", [[], None])
def test_a_session_without_events_is_its_tasks(kagent: Served, events: object) -> None:
    kagent.answer("/api/sessions/s-2", {"session": ROWS[1], "events": events})
    kagent.answer("/api/sessions/s-2/tasks", [TASK])
    assert KagentRestSource(kagent.url).record("s-2").frames == (TASK,)
    kagent.answer("/api/sessions/s-2/tasks", None)
    assert KagentRestSource(kagent.url).record("s-2").frames == ()


def test_an_id_is_one_step_of_the_path(kagent: Served) -> None:
    with pytest.raises(RecordError, match=r"no session '\.\./x' is there"):
        KagentRestSource(kagent.url).record("../x")
    assert kagent.asked[0].startswith("/api/sessions/..%2Fx?")


def test_a_session_that_is_not_there_is_told_with_those_that_are(kagent: Served) -> None:
    with pytest.raises(RecordError, match="no session 's-9' is there; there are: s-2, s-1, s-3"):
        KagentRestSource(kagent.url).record("s-9")


def test_a_kagent_without_rest_is_told(kagent: Served) -> None:
    kagent.answers.clear()
    source = KagentRestSource(kagent.url)
    told = "there is no REST for sessions since kagent v0.10.0-rc3, read its database"
    for ask in (source.sessions, lambda: source.record("s-1")):
        with pytest.raises(RecordError, match=told):
            ask()


@pytest.mark.parametrize(("status", "body", "told"), [
    (200, b'{"error": true, "message": "it\\nis gone"}', "200 to /api/sessions: it is gone"),
    (200, b'{"error": true}', "200 to /api/sessions: it said nothing"),
    (401, b'{"error": "Unauthorized"}', "401 to /api/sessions: Unauthorized"),
    (500, b"<html>oops</html>", "500 to /api/sessions: it said nothing"),
    (200, b"<html>hello</html>", r"no answer of kagent \(text/html\)"),
    (200, b'{"sessions": []}', r"no answer of kagent \(text/html\)"),
    (200, b"[]", r"no answer of kagent"),
    (200, b'{"data": {"a": 1}}', "no list of sessions"),
])  # fmt: skip
def test_what_is_no_answer_is_refused(kagent: Served, status: int, body: bytes, told: str) -> None:
    kagent.headers["Content-Type"] = "text/html; charset=utf-8"
    kagent.say("/api/sessions", body, status)
    with pytest.raises(RecordError, match=told):
        KagentRestSource(kagent.url).sessions()


def test_an_address_may_be_that_of_the_interface(kagent: Served) -> None:
    for address in (f"{kagent.url}/", f"{kagent.url}/api", f"{kagent.url}/api/sessions"):
        assert KagentRestSource(address).record("s-1").name == f"{kagent.url}, session s-1"


@pytest.mark.parametrize(
    "url",
    [
        *("http://", "http://ana:hunter2@[::1", "http://ana:hun/ter2@host", "http://ana:hunter2"),
        *("localhost:8083", "kagent:8083", "ftp://host"),
    ],
)
def test_an_address_that_is_none_is_refused_without_being_told(url: str) -> None:
    with pytest.raises(CallError) as error:
        KagentRestSource(url)
    assert "hun" not in str(error.value)


def test_neither_a_password_nor_a_token_is_in_a_text(kagent: Served) -> None:
    access = KagentAccess(token="tok-4711")  # noqa: S106  # of nothing
    kagent.answers.clear()
    with pytest.raises(RecordError) as error:
        KagentRestSource(kagent.url.replace("//", "//ana:hunter2@"), access).sessions()
    assert not {"hunter2", "tok-4711"} & set(str(error.value).replace(":", " ").split())
    assert "tok-4711" not in repr(access)


def test_a_token_that_the_server_repeats_is_not_told(kagent: Served) -> None:
    access = KagentAccess(token="tok-4711")  # noqa: S106  # of nothing
    kagent.say("/api/sessions", b'{"error": "bad token tok-4711"}', 401)
    with pytest.raises(RecordError, match=r"401 to /api/sessions: bad token \*\*\*"):
        KagentRestSource(kagent.url, access).sessions()


def test_a_capture_comes_out_as_it_was_stored(kagent: Served) -> None:
    lines = CAPTURE.read_text(encoding="utf-8").split("\n")
    stored = [line for line in lines if line]
    events = [{"id": str(place), "data": line} for place, line in enumerate(stored)]
    kagent.answer("/api/sessions/s-1", {"session": ROWS[0], "events": events})
    record = KagentRestSource(kagent.url).record("s-1")
    assert record.frames == tuple(map(json.loads, stored))
