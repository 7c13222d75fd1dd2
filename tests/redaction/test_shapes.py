"""Where in a text a secret stands. Every secret here is made up."""

import pytest

from audition.redaction.shapes import spans

JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJmaWN0aW9uIn0.c2lnbmF0dXJlLWZpY3Rpb24"
PEM = "-----BEGIN RSA PRIVATE KEY-----\nRklDVElPTg==\n-----END RSA PRIVATE KEY-----"


@pytest.mark.parametrize(
    ("before", "secret", "behind", "kind"),
    [
        ("token ", JWT, ".", "jwt"),
        ("", PEM, "\nend", "private-key"),
        ("cut off: ", "-----BEGIN PRIVATE KEY-----\nRklDVElPTg", "", "private-key"),
        ("id ", "AKIAFICTIONEXAMPLE00", ", ok", "key"),
        ("key ", "sk-test-HARBOUR-0123456789abcdef", " at https://a.example", "key"),
        ("", "ghp_" + "Fiction0" * 5, "", "token"),
        ("", "xoxb-1234567890-fiction", " slack", "token"),
        ("curl -H 'Authorization: ", "Bearer tkn-9", "' x", "authorization"),
        ("authorization: ", "Bearer abc", "\nx: y", "authorization"),
        ("sent Bearer ", "fiction-1234567890", " twice", "token"),
        ("sent Basic ", "dXNlcjpwdy1MQU5URVJO", " once", "password"),
        ("Cookie: ", "session=a1b2; theme=dark", "\r\nHost: a", "cookie"),
        ("postgres://ledger:", "pw-LANTERN-5521", "@db.example/x", "password"),
        ("https://a.example/?limit=5&access_token=", "q-88d1", "&page=2", "token"),
        ("https://a.example/cb?code=", "4/P7q7W91", "&state=af0", "secret"),
        ("https://b.example/o?X-Amz-Signature=", "fe5f80", "&X-Amz-Date=1", "secret"),
        ("set password=", "hunter2", " now", "password"),
        ("DB_PASSWORD='", "two words", "' make", "password"),
        ("password: ", "hunter2", "", "password"),
        ("RuntimeError: password=", "hunter2", "", "password"),
        ("at=login:api_key=", "k-77", ";", "key"),
        ('log {"client_secret": "', "cs-6a", '"} end', "secret"),
        ('log {\\"client_secret\\": \\"', "cs-6a", '\\"} end', "secret"),
        ("run --api-key ", "k-77", " --fast", "key"),
        ("AccountName=a;AccountKey=", "Zm9v", ";x", "key"),
    ],
)
def test_a_secret_in_a_text(before: str, secret: str, behind: str, kind: str) -> None:
    text = before + secret + behind
    assert [(text[one.start : one.end], one.kind) for one in spans(text)] == [(secret, kind)]


@pytest.mark.parametrize(
    "text",
    [
        "The password reset link was sent, and the tokens on the board game are blue.",
        "A bearer of good news: the secret: it rains.",
        "Set max_tokens=256, token_count: 421 and page_token=cursor-42.",
        "password: see the vault of the harbour",
        "The token bearer authentication is described in chapter 12345678901.",
        "Basic knowledge of ropes",
        "api_key=$API_KEY password=${PASSWORD} token=<your-token-12345> --password {{pw}}",
        "OPENAI_API_KEY=... and Authorization: Bearer REDACTED",
        "password=[redacted:password] and Bearer [redacted:token]",
        "http://127.0.0.1:8080/a@b and user@host.example",
        "sort_key=a1b2c3d4e5f6 the key: 42",
        "https://a.example/?code=42",
        "the word task-force-of-the-northern-harbour",
        "",
    ],
)
def test_words_that_only_sound_like_it(text: str) -> None:
    assert spans(text) == []


def test_what_stands_over_another_is_taken_once() -> None:
    text = f"Authorization: Bearer {JWT}"
    assert [(text[one.start : one.end]) for one in spans(text)] == [f"Bearer {JWT}"]
