"""What lacks every part holds no secret, so that nobody has to look closer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audition.redaction.names import is_ambiguous, secret_kind
from audition.redaction.parts import is_clean, lacks_every_part, may_name_one

WORDS = st.sampled_from(
    (
        *("access", "account", "api", "auth", "bearer", "client", "code", "cookie", "credential"),
        *("id", "j", "jwt", "key", "new", "pass", "password", "private", "pwd", "pw", "refresh"),
        *(
            "secret",
            "sig",
            "signature",
            "token",
            "to",
            "ken",
            "verifier",
            "word",
            "wt",
            "assertion",
        ),
    )
)
NAMES = st.lists(WORDS, min_size=1, max_size=4).flatmap(
    lambda words: st.sampled_from(("", "_", "-", ".")).map(lambda between: between.join(words))
)


@given(NAMES)
def test_every_name_of_a_secret_has_a_part(name: str) -> None:
    is_one = secret_kind(name) is not None or is_ambiguous(name)
    assert not (is_one and lacks_every_part(name.upper()))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "What is known of berth 7? It is leased to the Ropewalk, pier 12.",
        "duration and follow-up: 12:30, at the A quay; it is his code",
        "call_5 of @Knowledge=search_graph",
    ],
)
def test_what_most_texts_are_is_clean(text: str) -> None:
    assert is_clean(text)
    assert is_clean(text * 20)


def test_the_name_of_a_secret_counts_where_a_sign_may_stand_behind_it() -> None:
    names = (
        "the tokens of the game",
        "TOKEN=",
        "my Password is",
        "--api-key x",
        "<secret></secret>",
    )
    assert [may_name_one(text) for text in names] == [False, True, True, True, True]
    assert (is_clean(names[0]), lacks_every_part(names[0])) == (True, False)
