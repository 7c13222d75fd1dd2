"""Sessions of a kagent in a cluster: what kubectl and psql are given, and what they answer."""

import json
from pathlib import Path

import pytest
from pydantic import JsonValue

from audition.errors import CallError, RecordError
from audition.sources.kubectl import ClusterDatabase, KubectlLimits, KubectlSource
from tests.sources.kubectl import FakeKubectl, on_path

COLUMNS = [
    *({"table_name": "event", "column_name": name} for name in ("id", "session_id", "data")),
    *({"table_name": "session", "column_name": n} for n in ("id", "user_id", "agent_id")),
]
ODD_ID = "s'; DROP TABLE event; --\\"
ASKED: JsonValue = {"author": "user", "content": {"parts": [{"text": "Where?\u2028\u0085There?"}]}}


def session(name: str, user: str = "ana", at: str = "2026-01-01T10:00:00+00:00") -> object:
    return {"session_id": name, "agent": "desk", "user_id": user, "frames": 1, "updated_at": at}


def row(data: str) -> object:
    return {"id": "e-1", "created_at": "2026-01-01T10:00:00+00:00", "data": data}


@pytest.fixture
def kubectl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeKubectl:
    return on_path(tmp_path, monkeypatch)


def test_sessions_are_listed(kubectl: FakeKubectl) -> None:
    kubectl.prints(COLUMNS, [session("s-1"), session("s-2", "bo")])
    source = KubectlSource(ClusterDatabase(), user="bo")
    (info,) = source.sessions()
    assert (info.id, info.user, info.agent, info.frames) == ("s-2", "bo", "desk", 1)


def test_a_session_is_the_events_as_they_were_stored(kubectl: FakeKubectl) -> None:
    kubectl.prints(COLUMNS, [session("s-1")], [row(json.dumps(ASKED, ensure_ascii=False))])
    record = KubectlSource(ClusterDatabase()).record("s-1")
    assert record.frames == (ASKED,)
    assert record.name == "kubectl:kagent/deploy/kagent-postgresql, session s-1"


def test_what_kubectl_is_called_with(kubectl: FakeKubectl) -> None:
    kubectl.prints(COLUMNS, [])
    place = ClusterDatabase(namespace="harbour", workload="pg-0", context="east", user="reader")
    KubectlSource(place).sessions()
    arguments = kubectl.arguments(1)
    assert arguments[:8] == ["--context", "east", "-n", "harbour", "exec", "-i", "pg-0", "--"]
    assert arguments[-4:] == ["-U", "reader", "-d", "kagent"]
    assert "--context" not in _called(kubectl, ClusterDatabase(), 2)


def _called(kubectl: FakeKubectl, place: ClusterDatabase, call: int) -> list[str]:
    with pytest.raises(RecordError, match="no sessions of ADK or kagent"):
        KubectlSource(place).sessions()
    return kubectl.arguments(call)


def test_an_id_is_a_variable_of_psql_and_never_part_of_a_statement(kubectl: FakeKubectl) -> None:
    kubectl.prints(COLUMNS, [session(ODD_ID)], [row(json.dumps(ASKED))])
    KubectlSource(ClusterDatabase()).record(ODD_ID)
    assert f"value_1={ODD_ID}" in kubectl.arguments(2)
    script = "\n".join(kubectl.given(2))
    assert "DROP" not in script
    assert "session_id = :'value_1' AND user_id = :'value_2'" in script


def test_the_database_is_asked_to_refuse_writing_and_to_stop_in_time(kubectl: FakeKubectl) -> None:
    kubectl.prints(COLUMNS, [])
    KubectlSource(ClusterDatabase()).sessions()
    assert kubectl.given(0)[1:3] == [
        "SET statement_timeout = 60000;",
        "SET default_transaction_read_only = on;",
    ]


def test_a_password_is_the_first_line_of_the_input_and_on_no_command_line(
    kubectl: FakeKubectl,
) -> None:
    kubectl.fails(1, "FATAL: password hunter2 is wrong")
    place = ClusterDatabase(password="hunter2")  # noqa: S106  # of nothing
    with pytest.raises(RecordError, match=r"kubectl ended with 1: FATAL: password \*\*\* is wrong"):
        KubectlSource(place).sessions()
    assert kubectl.given(0)[0] == "hunter2"
    assert "hunter2" not in "\n".join(kubectl.arguments(0)) + repr(place)


def test_what_went_wrong_is_told_with_the_last_line_of_it(kubectl: FakeKubectl) -> None:
    kubectl.fails(
        3,
        'Defaulted container "postgresql" out of: postgresql, other',
        "psql:<stdin>:4: ERROR:  canceling statement due to statement timeout",
        "command terminated with exit code 3",
    )
    with pytest.raises(RecordError) as error:
        KubectlSource(ClusterDatabase()).sessions()
    assert str(error.value) == (
        "kubectl:kagent/deploy/kagent-postgresql: kubectl ended with 3: "
        "psql:<stdin>:4: ERROR:  canceling statement due to statement timeout"
    )


def test_a_failure_without_a_word_is_told(kubectl: FakeKubectl) -> None:
    kubectl.fails(1)
    with pytest.raises(RecordError, match="kubectl ended with 1: it said nothing"):
        KubectlSource(ClusterDatabase()).sessions()


def test_kubectl_that_is_not_there_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RecordError, match="there is no kubectl on PATH"):
        KubectlSource(ClusterDatabase()).sessions()


@pytest.mark.parametrize(("script", "seconds", "told"), [
    ("sleep 5 > /dev/null 2>&1", 0.3, "kubectl did not end within 0.3 s"),
    ("exec sleep 5", 0.3, "kubectl did not end within 0.3 s"),
    ("exec head -c 3000 /dev/zero", 20, "kubectl printed more than 2000 bytes"),
    ("echo Hello", 20, "psql printed what is no JSON"),
    ("echo 7", 20, "psql printed what is no row"),
])  # fmt: skip
def test_what_passes_a_bound_or_is_no_answer_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, seconds: float, told: str
) -> None:
    on_path(tmp_path, monkeypatch, f"#!/bin/sh\n{script}\n")
    limits = KubectlLimits(seconds=seconds, most_bytes=2000)
    with pytest.raises(RecordError, match=told):
        KubectlSource(ClusterDatabase(), limits=limits).sessions()


@pytest.mark.parametrize("place", [
    {"namespace": "--server=http://example.org"},
    {"namespace": ""},
    {"workload": "-f"},
    {"workload": "deploy/x y"},
    {"password": "two\nlines"},
])  # fmt: skip
def test_what_kubectl_would_take_for_an_option_is_refused(place: dict[str, str]) -> None:
    with pytest.raises(CallError) as error:
        ClusterDatabase(**place)
    assert "two" not in str(error.value)
