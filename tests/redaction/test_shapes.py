"""Where in a text a secret stands. Every secret here is made up."""

import pytest

from audition.redaction.shapes import spans

JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJmaWN0aW9uIn0.c2lnbmF0dXJlLWZpY3Rpb24"
HEAD = "-----BEGIN RSA PRIVATE KEY-----\nDEK-Info: AES-128-CBC,1F\n"
PEM_WITH_HEAD = f"{HEAD}\nRklDVElPTg==\n-----END RSA PRIVATE KEY-----"
TEN, HEX = "Fiction000", "0123456789abcdef"
ISSUED = {
    "key": f"xai-{TEN * 3} pplx-{TEN * 3} nvapi-{TEN * 3} SK{HEX * 2} key-{HEX * 2} "
    f"NRAK-{TEN.upper() * 2}ABCDEFG pcsk_{TEN * 4} AGE-SECRET-KEY-1{TEN.upper() * 5}",
    "token": f"glrt-{TEN * 2} glptt-{TEN * 2} gldt-{TEN * 2} glcbt-{TEN * 2} xapp-1-{TEN} "
    f"1//0g{TEN * 4} dapi{HEX * 2} ntn_{TEN * 4} secret_{TEN * 4}abc "
    f"figd_{TEN * 4} r8_{TEN * 3}abcdefg glsa_{TEN * 3}_{HEX[:8]} glc_{TEN * 3} ATATT3x{TEN * 6} "
    f"fm2_{TEN * 5} rubygems_{HEX * 3} pul-{HEX * 2}01234567 pscale_tkn_{TEN * 3} "
    f"dp.pt.{TEN * 4} sbp_{HEX * 2}01234567 1234567890:AA{TEN * 3}abc",
}
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
        ("password: ", "hunter", ", user: mira", "password"),
        ("password: ", "hunter", ",", "password"),
        ("AccountName=a;AccountKey=", "Zm9v", ";x", "key"),
        ("", PEM_WITH_HEAD, " end", "private-key"),
        ("x: ", PEM.replace("\n", "\\n"), "\\n", "private-key"),
        ("key is ", "gsk_" + "Fiction0" * 5, "", "key"),
        ("at ", "tvly-fiction-0123456789ab", ".", "key"),
        ("at ", "lsv2_pt_" + "Fiction0" * 4 + "_12", ".", "key"),
        ("at ", "dckr_pat_Fiction0Fiction0Fiction0", ".", "token"),
        ("at ", "hvs.Fiction0Fiction0Fiction0", "", "token"),
        ("https://api.example/bot", "123456:Fiction0Fiction0Fiction0Fiction0", "/me", "token"),
        ("at ", "GOCSPX-Fiction0Fiction0Fiction0", "", "secret"),
        ("at ", "whsec_Fiction0Fiction0Fiction0", "", "secret"),
        ("https://hooks.slack.com/services/", "T0000000/B0000000/XXXXfiction", " x", "token"),
        ("https://", "tkn-fiction-1234567890", "@git.example/a", "token"),
        ("to=https%3A%2F%2Fa.example%2F%3Faccess_token%3D", "q-88", "%26x%3D1", "token"),
        ("<db_password>", "hunter 2", "</db_password>", "password"),
        ("- name: DB_PASSWORD\n  value: ", "hunter2", "\n", "password"),
        ('<input name="password" value="', "hunter2", '">', "password"),
        ("password => '", "hunter2", "'", "password"),
        ("curl -u mira:", "hunter22", " https://a.example", "password"),
        ("curl --user 'mira:", "hunter22", "'", "password"),
        ("My password is ", "hunter2", ", thanks", "password"),
        ("the API key is: ", "k-778899001122", ".", "key"),
        ("run --password=", "hunter2", " now", "password"),
        ("java -Dpassword=", "hunter2", " -jar a", "password"),
        ("PGPASSWORD=", "hunter2", " psql", "password"),
        ("client-key-data: ", "RklDVElPTg==", "\n", "key"),
        ("postgres://ledger:", "pw@LANTERN@5521", "@db.example/x", "password"),
        ("s3:/ledger:", "pw-LANTERN-5521", "@db.example/x: no such file", "password"),
        ("https://b.example/o?X-Goog-Signature=", "fe5f80", "&X-Goog-Date=1", "secret"),
        ("https://discord.com/api/webhooks/123456789012345/", "Fiction0" * 8, "", "token"),
        *(
            ("at ", shape, " now", kind)
            for kind, shapes in ISSUED.items()
            for shape in shapes.split()
        ),
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
        "postgres://USER:PASSWORD@HOST/db, postgres://kagent:{password}@127.0.0.1, token=API_TOKEN",
        "self._token = self._hold.begin(); password=environ.get('X'); secret = self._at.password",
        "kind = Kind; token = SecretKind.TOKEN; secrets = [str(one) for one in x]; SECRET = 8",
        "private_key: |\n  x",
        "A name alone is no secret: verdicts, schemas and `curl -u user:password`; are none.",
        "The token is 12 points, the password is case-sensitive, the key is the one of berth 7.",
        "The first <token>one</tokens> and a follow-up with mira:7 in it",
        "- name: LOG_LEVEL\n  value: debug",
        "",
    ],
)
def test_words_that_only_sound_like_it(text: str) -> None:
    assert spans(text) == []


def test_what_stands_over_another_is_taken_once() -> None:
    text = f"Authorization: Bearer {JWT}"
    assert [(text[one.start : one.end]) for one in spans(text)] == [f"Bearer {JWT}"]
