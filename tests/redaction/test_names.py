"""Which names hold a secret, and which only sound like it."""

import pytest

from audition.redaction.names import is_ambiguous, secret_kind


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("authorization", "authorization"),
        ("Proxy-Authorization", "authorization"),
        ("http.request.header.authorization", "authorization"),
        ("Cookie", "cookie"),
        ("set-cookie", "cookie"),
        ("access_token", "token"),
        ("accessToken", "token"),
        ("ACCESS-TOKEN", "token"),
        ("accesstoken", "token"),
        ("x-amz-security-token", "token"),
        ("refreshToken", "token"),
        ("csrf_token", "token"),
        ("api_key", "key"),
        ("X-Api-Key", "key"),
        ("OPENAI_API_KEY", "key"),
        ("apikey", "key"),
        ("PGPASSWORD", "password"),
        ("xapikey", "key"),
        ("client-key-data", "key"),
        ("X-Goog-Signature", "secret"),
        ("AccountKey", "key"),
        ("Ocp-Apim-Subscription-Key", "key"),
        ("aws_secret_access_key", "key"),
        ("private_key", "private-key"),
        ("SharedAccessSignature", "key"),
        ("secret_key", "key"),
        ("client_secret", "secret"),
        ("clientSecret", "secret"),
        ("signingSecret", "secret"),
        ("code_verifier", "secret"),
        ("X-Amz-Signature", "secret"),
        ("db_password", "password"),
        ("PASSWORD", "password"),
        ("password_hash", "password"),
        ("new_password_1", "password"),
        ("passphrase", "password"),
        ("pwd", "password"),
    ],
)
def test_the_name_of_a_secret(name: str, kind: str) -> None:
    assert secret_kind(name) == kind


@pytest.mark.parametrize(
    "name",
    [
        "token_count",
        "max_tokens",
        "tokenizer",
        "page_token",
        "nextPageToken",
        "continuation_token",
        "input_tokens",
        "tokenEndpointAuthMethod",
        "tokenUrl",
        "authorizationUrl",
        "keyboard",
        "primary_key",
        "sort_key",
        "public_key",
        "credential_key",
        "monkey",
        "j_wt",
        "apito_ken",
        "password_policy",
        "secretary",
        "cookiecutter",
        "author",
        "session_id",
        "client_id",
        "",
        "…",
        "x" * 100_000 + "_token",
    ],
)
def test_a_name_that_only_sounds_like_it(name: str) -> None:
    assert secret_kind(name) is None


@pytest.mark.parametrize("name", ["token", "key", "auth", "signature"])
def test_a_name_that_says_too_little_is_left_to_the_value(name: str) -> None:
    assert (secret_kind(name), is_ambiguous(name)) == (None, True)
