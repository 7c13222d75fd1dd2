"""Secrets that are known from elsewhere. Every secret here is made up."""

import pytest

from audition.redaction.known import known_spans, spellings
from audition.redaction.names import SecretKind


@pytest.mark.parametrize(
    ("text", "kind", "looked_for"),
    [
        ("pw-GORSE-1188", SecretKind.PASSWORD, {"pw-gorse-1188"}),
        ("Bearer tkn-9", SecretKind.AUTHORIZATION, {"bearer tkn-9", "bearer%20tkn-9"}),
        ("hunter2", SecretKind.PASSWORD, set[str]()),
        ("harbour_master", SecretKind.PASSWORD, set[str]()),
        ("a=1; sid=fiction-1", SecretKind.COOKIE, {"a=1; sid=fiction-1", "fiction-1"}),
    ],
    ids=["whole", "with its scheme", "short", "letters alone", "cookie"],
)
def test_what_is_looked_for_of_a_secret(text: str, kind: SecretKind, looked_for: set[str]) -> None:
    assert looked_for <= spellings(text, kind)
    assert bool(looked_for) == bool(spellings(text, kind))


@pytest.mark.parametrize(
    "text",
    ["It is pw-GORSE-1188.", "It is pw-GORSE-1…", "It is …GORSE-1188"],
    ids=["whole", "its beginning", "its end"],
)
def test_a_known_secret_is_found_also_where_it_was_cut(text: str) -> None:
    assert list(known_spans(text, {"pw-gorse-1188": SecretKind.PASSWORD}))
