"""Secrets out of JSON values. Every secret here is made up."""

import json
import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from audition.redaction.records import Redactor, secrets_in

SECRET = "pw-GORSE-1188"  # noqa: S105  # made up

VERDICT: JsonValue = {
    "name": "tells no password",
    "value": 0.5,
    "reason": "it tells none",
    "source": {"name": "TellsNoPassword", "arguments": {"least": 8}},
}


def redacted(value: JsonValue) -> JsonValue:
    return Redactor().redacted(value)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"headers": {"Authorization": "Bearer t-1"}}, "/headers/Authorization authorization"),
        ({"headers": {"authorization": ["Bearer t-1", "t-2"]}}, "/headers/authorization/0 …/1"),
        ({"db_password": 5521}, "/db_password password"),
        ({"cookies": {"session": "a1", "theme": "dark"}}, "/cookies/session …/theme"),
        ({"name": "Authorization", "value": "Bearer t-1"}, "/value authorization"),
        (
            {"key": "http.request.header.cookie", "value": {"stringValue": "a=b"}},
            "/value/stringValue cookie",
        ),
        (
            {"key": "api_key", "value": {"bytesValue": "RklDVElPTg=="}},
            "/value/bytesValue key",
        ),
        ([["x-api-key", "k-1"], ["accept", "json"]], "/0/1 key"),
        ([["password", "letmein"]], "/0/1 password"),
        ({"header": ["X-Api-Key", "k-1"]}, "/header/1 key"),
        ({"argv": ["run", "--api-key", "k-1", "--fast"]}, "/argv/2 key"),
        ({"token": "fiction-1234567890"}, "/token token"),
        ({"api_key": {"value": "k-1", "scope": "all"}}, "/api_key/value key"),
        ({"password": {"current": "pw-1"}}, "/password/current password"),
        ({"password": {"type": "string", "default": "pw-1"}}, "/password/default password"),
        ({"body": '{"a": [{"api_key": "k-1"}]}'}, "/body#/a/0/api_key key"),
        ({"a/b": {"password": "x-y"}}, "/a~1b/password password"),
        ({"state_delta": {"headers": {"cookie": "a=b"}}}, "/state_delta/headers/cookie cookie"),
    ],
)
def test_a_secret_is_found_at_its_place(value: JsonValue, expected: str) -> None:
    found = secrets_in(value)
    first, *others = expected.split(" ")
    assert found[0].pointer == first
    if others[0].startswith("…"):
        assert [one.pointer for one in found[1:]] == [first.rpartition("/")[0] + others[0][1:]]
    else:
        assert [one.kind for one in found] == others
    assert not secrets_in(redacted(value))


@pytest.mark.parametrize(
    "value",
    [
        {"token": "Hello", "logprob": -0.1},
        {"key": "gen_ai.completion.0.role", "value": {"stringValue": "assistant"}},
        {"key": "user_name_and_number_1", "val": 3},
        {"usage": {"input_tokens": 421, "token_count": 3}, "max_tokens": 256},
        {"password": None, "client_secret": "", "api_key": True},
        {"authorization": {"scheme": "bearer", "realm": "harbour"}},
        {"api_key": "${API_KEY}", "password": "***", "secret": "<yours>"},
        ["token", "page", "key"],
        {"required": ["password", "user_name"], "headers": ["authorization", "content-type"]},
        ["run", "--token", "--api-key", "$API_KEY", "--max-tokens", "256"],
        {"assertions": {"tells no password": VERDICT}, "scores": {"secret": VERDICT}},
        {"metrics": {"tool_calls/@Secret": 3, "passwords": 0.5, "n": {"of": 1}}},
        {"password": {"type": "string", "minLength": 8, "description": "Of the person"}},
    ],
)
def test_what_is_none_stays_the_same_object(value: JsonValue) -> None:
    assert redacted(value) is value


def test_the_placeholder_is_the_same_for_all_of_a_kind() -> None:
    assert redacted({"password": "a-1", "old": {"password": "b-2"}}) == {
        "password": "[redacted:password]",
        "old": {"password": "[redacted:password]"},
    }


def test_json_in_a_text_stays_json() -> None:
    made = redacted({"body": json.dumps({"n": "é", "password": SECRET, "at": [1, {"b": None}]})})
    assert isinstance(made, dict)
    assert isinstance(made["body"], str)
    kept = {"n": "é", "password": "[redacted:password]", "at": [1, {"b": None}]}
    assert json.loads(made["body"]) == kept


def test_what_was_found_under_a_name_is_taken_out_elsewhere() -> None:
    redactor = Redactor()
    frames: list[JsonValue] = [
        {"said": f"I use {SECRET} and tkn-QUARRY-1, dark"},
        {"password": SECRET, "authorization": "Bearer tkn-QUARRY-1", "cookie": "theme=dark"},
    ]
    redactor.learn(frames)
    assert redactor.redacted(frames[0]) == {
        "said": "I use [redacted:password] and [redacted:authorization], dark"
    }


@pytest.mark.parametrize(
    "said",
    [
        f'expected "x", was "{SECRET.lower()}"',
        'expected "x", was "pw-GORSE-…',
        "found pw-GORSE-1... instead",
        "…ORSE-1188 is not there",
    ],
)
def test_what_was_found_is_taken_out_where_a_reason_cut_it(said: str) -> None:
    redactor = Redactor()
    redactor.learn([{"password": SECRET}])
    told = redactor.text(said)
    assert "[redacted:password]" in told
    assert not re.search("gorse|1188", told, re.IGNORECASE)


@pytest.mark.parametrize("said", ["pw-GORSE-2 is another", "… 1188 is a number", "pw-GORSES"])
def test_what_only_begins_or_ends_alike_stays(said: str) -> None:
    redactor = Redactor()
    redactor.learn([{"password": SECRET}])
    assert redactor.text(said) == said


def test_a_secret_is_taken_out_as_json_and_addresses_spell_it() -> None:
    redactor = Redactor()
    redactor.learn([{"password": 'g/"GORSE" 1'}])
    assert redactor.text(r"said 'g/\"GORSE\" 1'") == "said '[redacted:password]'"
    assert redactor.text("at /x?p=g%2F%22GORSE%22%201&q") == "at /x?p=[redacted:password]&q"


def test_keys_that_differ_in_their_secrets_stay_two() -> None:
    made = redacted({"a?api_key=k-1": 1, "a?api_key=k-2": 2, "a?api_key=k-3": [3]})
    first = "a?api_key=[redacted:key]"
    assert made == {first: 1, f"{first} (2)": 2, f"{first} (3)": [3]}


def test_a_secret_is_taken_out_before_the_place_that_names_it() -> None:
    value: JsonValue = [{"said": f"I use {SECRET}"}, {"password": SECRET}]
    expected: JsonValue = [
        {"said": "I use [redacted:password]"},
        {"password": "[redacted:password]"},
    ]
    assert Redactor().whole(value) == expected
    assert json.loads(Redactor().json(json.dumps(value).encode())) == expected


def test_a_common_word_is_not_taken_out_elsewhere() -> None:
    redactor = Redactor()
    redactor.learn([{"password": "mountain"}, {"secret": "tool_calls"}])
    assert redactor.redacted({"tool_calls": []}) == {"tool_calls": []}
    assert redactor.text("the mountain of the week") == "the mountain of the week"


@pytest.mark.parametrize("cut", range(1, 30, 4))
def test_a_secret_that_is_split_over_pieces(cut: int) -> None:
    text = "The key is sk-test-HARBOUR-0123456789abcdef, use it."
    pieces = [text[:11], text[11 : 11 + cut], text[11 + cut :]]
    made = Redactor().pieces(pieces)
    assert len(made) == 3
    assert "".join(made) == "The key is [redacted:key], use it."


def test_a_secret_in_a_key_is_in_no_pointer() -> None:
    value: JsonValue = {"https://a.example/?access_token=q-88": {"password": SECRET}}
    assert redacted(value) == {
        "https://a.example/?access_token=[redacted:token]": {"password": "[redacted:password]"}
    }
    assert "q-88" not in "".join(one.pointer for one in secrets_in(value))


def test_what_is_nested_too_deep_to_be_looked_at_goes() -> None:
    deep: JsonValue = {"password": SECRET}
    for _ in range(300):
        deep = [deep]
    assert SECRET not in json.dumps(redacted(deep))


SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=12) | st.just(SECRET)
KEYS = st.sampled_from(["a", "password", "headers", "cookie", "name", "value", "token", "key"])
VALUES: st.SearchStrategy[JsonValue] = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


@given(VALUES)
def test_what_is_redacted_is_clean_and_stays_so(value: JsonValue) -> None:
    made = redacted(value)
    assert secrets_in(made) == []
    assert redacted(made) is made
    json.dumps(made)


@given(st.lists(st.text(max_size=9), max_size=6))
def test_pieces_without_a_secret_stay_as_they_are(pieces: Sequence[str]) -> None:
    assert Redactor().pieces(pieces) == list(pieces)
