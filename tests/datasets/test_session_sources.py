"""Sources of sessions, as dataset files name them."""

from typing import Any

import pytest
from pydantic import TypeAdapter

from audition.datasets.session_sources import SourceEntry, address_of
from audition.sources.addresses import SourceAddress

ENTRY: TypeAdapter[Any] = TypeAdapter(SourceEntry)


def address(written: Any) -> SourceAddress:
    return address_of(ENTRY.validate_python(written))


def settings(made: SourceAddress) -> dict[str, str]:
    return {name: secret.get_secret_value() for name, secret in made.settings.items()}


@pytest.mark.parametrize(
    ("written", "text", "of_environment"),
    [
        ("talks.jsonl", "talks.jsonl", {}),
        ("kubectl:desk", "kubectl:desk", {}),
        ("postgres:", "postgres:", {}),
        ({"kind": "fixture", "path": "a/b.jsonl"}, "a/b.jsonl", {}),
        ({"kind": "kubectl"}, "kubectl:", {}),
        (
            {"kind": "kubectl", "namespace": "n", "workload": "deploy/db", "user": "u",
             "database": "d", "password": "pw-1"},
            "kubectl:n/deploy/db",
            {"AUDITION_DB_USER": "u", "AUDITION_DB_NAME": "d", "KAGENT_DB_PASSWORD": "pw-1"},
        ),
        ({"kind": "postgres"}, "postgres:", {}),
        (
            {"kind": "postgres", "dsn": "host=db dbname=d"},
            "postgres:",
            {"KAGENT_DB_DSN": "host=db dbname=d"},
        ),
        (
            {"kind": "api", "base_url": "http://kagent.example.org", "token": "t-1"},
            "kagent:",
            {"KAGENT_URL": "http://kagent.example.org", "KAGENT_TOKEN": "t-1"},
        ),
    ],
)  # fmt: skip
def test_each_way_to_write_a_source_is_an_address(
    written: Any, text: str, of_environment: dict[str, str]
) -> None:
    made = address(written)
    assert (made.address, settings(made)) == (text, of_environment)


def test_the_user_and_the_context_are_kept() -> None:
    cluster = address({"kind": "kubectl", "context": "c", "user_id": "ana"})
    assert (cluster.user, cluster.context) == ("ana", "c")
    assert address({"kind": "api", "user_id": "ana"}).user == "ana"


@pytest.mark.parametrize(
    "written",
    [
        "postgres://ana:pw-1@db.example.org/d",
        "https://ana:pw-1@kagent.example.org",
        {"kind": "postgres", "dsn": "postgres://ana:pw-1@db.example.org/d"},
        {"kind": "kubectl", "password": "pw-1"},
        {"kind": "api", "token": "pw-1"},
    ],
)
def test_no_password_is_in_what_is_written_of_a_source(written: Any) -> None:
    made = address(written)
    assert "pw-1" not in made.model_dump_json() + repr(made)
    assert "pw-1" in "".join(settings(made).values())
