"""JSON text that is told to be free of secrets has none. Every secret here is made up."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from audition.redaction.records import Redactor, secrets_in
from audition.redaction.serialised import is_free

PIECES = st.sampled_from(
    (
        *("password", "api_key", "token", "cookie", "Authorization", "j_wt", "sig", "-", "a b"),
        *("pw-GORSE-1188", "Bearer fiction-1234567890", "sk-test-HARBOUR-0123456789abcdef"),
        *("AKIAFICTIONEXAMPLE00", "Basic dXNlcjpwdy1MQU5URVJO", "https://mira:x-1@a.example"),
        *(
            "?code=4/P7&state=af0",
            "--token",
            "\\",
            '"',
            "'",
            " ",
            ": ",
            "=",
            "{",
            "}",
            "[",
            "]",
            ",",
        ),
        *("\\u006bey", '{"api_key": "k-1"}', '[["x-api-key", "k-1"]]', "é", "\n", "value", "name"),
        *("-----BEGIN PRIVATE KEY-----", "-u mira:", "--user ", "password is ", "hunter22"),
        *("<password>", "</password>", "%3Fapi_key%3D", "=>", "https://hooks.slack.com/services/"),
        *("Fiction0Fiction0Fiction0Fiction0", "tvly-", "@a.example", "/bot123456:", "name: "),
    )
)
TEXTS: st.SearchStrategy[str] = st.lists(PIECES, max_size=6).map("".join)
VALUES: st.SearchStrategy[JsonValue] = st.recursive(
    st.none() | st.integers() | TEXTS | TEXTS.map(lambda text: json.dumps([text, text])),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(TEXTS, inner, max_size=3)
        | inner.map(json.dumps)
    ),
    max_leaves=8,
)


@given(VALUES)
def test_what_is_told_to_be_free_has_no_secret(value: JsonValue) -> None:
    for text in (json.dumps(value), json.dumps(value, ensure_ascii=False)):
        assert not is_free(text) or secrets_in(value) == []


@pytest.mark.parametrize(
    "value",
    [
        {"messages": [{"content": "The token of the game is blue: see key 4."}]},
        {"usage": {"input_tokens": 421}, "assertions": {}, "task_duration": 0.5},
        {"arguments_raw": '{"query": "berth 7"}', "at": "https://a.example/b"},
    ],
)
def test_what_results_are_made_of_is_told_to_be_free(value: JsonValue) -> None:
    assert is_free(json.dumps(value))


@pytest.mark.parametrize(
    "value",
    [
        {"password": 5521},
        {"body": '{"api_\\u006bey": "k-1"}'},
        {"body": '[["x-api-key", "k-1"]]'},
        {"said": 'the "password": "hunter2"'},
        {"name": "cookie", "value": "a=b"},
    ],
)
def test_what_holds_a_secret_is_walked_through(value: JsonValue) -> None:
    assert "[redacted:" in Redactor().json(json.dumps(value).encode()).decode()


def test_json_without_a_secret_stays_the_same_bytes() -> None:
    for text in (b'{"a":1e3,  "b":[1.0]}', b'{"token": "Hello",  "n": 1.0}'):
        assert Redactor().json(text) is text
