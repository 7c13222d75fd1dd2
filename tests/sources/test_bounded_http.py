"""One question by HTTP and its bounds, on a real server on this machine."""

import time
from collections.abc import Iterator

import pytest

from audition.errors import RecordError
from audition.sources.bounded_http import Answer, HttpLimits, get_bounded
from tests.sources.kagent_server import Served, serving

TOKEN = "tok-4711"  # noqa: S105  # of nothing


@pytest.fixture
def server() -> Iterator[Served]:
    with serving() as served:
        served.say("/a", b"[1]")
        yield served


def get(
    url: str, token: str | None = TOKEN, *, wait: float = 10, seconds: float = 20, most: int = 20
) -> Answer:
    limits = HttpLimits(wait_seconds=wait, seconds=seconds, most_bytes=most)
    return get_bounded("kagent", url, asked={"x": "é&"}, token=token, limits=limits)


def test_the_answer_with_its_status_and_kind(server: Served) -> None:
    server.headers["Content-Type"] = "text/plain; charset=utf-8"
    assert get(f"{server.url}/a") == Answer(status=200, kind="text/plain", body=b"[1]")
    assert get(f"{server.url}/b").status == 404
    assert server.asked[0] == "/a?x=%C3%A9%26"


def test_a_token_is_sent_where_there_is_one(server: Served) -> None:
    get(f"{server.url}/a")
    get(f"{server.url}/a", None)
    assert server.tokens == ["Bearer tok-4711", None]


@pytest.mark.parametrize("token", ["two\nlines", "café"])
def test_a_token_that_no_header_can_have_is_not_told(server: Served, token: str) -> None:
    with pytest.raises(RecordError) as error:
        get(f"{server.url}/a", token)
    assert str(error.value) == "kagent: the token has characters that no header may have"


def test_a_server_that_is_not_there_is_told(server: Served) -> None:
    with pytest.raises(RecordError, match=r"kagent: cannot be asked: .*refused"):
        get("http://127.0.0.1:1/a")


def test_a_silent_server_is_left(server: Served) -> None:
    server.silent.add("/a")
    with pytest.raises(RecordError, match=r"kagent: silent for 0.2 s"):
        get(f"{server.url}/a", wait=0.2)


def test_an_answer_that_drips_is_left(server: Served) -> None:
    server.dripping.add("/a")
    before = time.monotonic()
    with pytest.raises(RecordError, match=r"kagent: no whole answer within 0.5 s"):
        get(f"{server.url}/a", seconds=0.5)
    assert time.monotonic() - before < 8


def test_an_answer_that_is_too_large_is_left(server: Served) -> None:
    server.say("/a", b"x" * 21)
    with pytest.raises(RecordError, match="kagent: answers with more than 20 bytes"):
        get(f"{server.url}/a")


def test_a_compressed_answer_is_refused(server: Served) -> None:
    server.headers["Content-Encoding"] = "gzip"
    with pytest.raises(RecordError, match="a compression that was not asked for"):
        get(f"{server.url}/a")


def test_a_redirect_on_the_same_host_is_followed(server: Served) -> None:
    server.say("/old", b"", 307)
    server.headers["Location"] = "/a"
    assert get(f"{server.url}/old").body == b"[1]"
    assert server.tokens == ["Bearer tok-4711"] * 2


@pytest.mark.parametrize("elsewhere", ["http://localhost:{port}/a", "http://127.0.0.1:{other}/a"])
def test_a_redirect_to_another_host_is_refused_and_gets_no_token(
    server: Served, elsewhere: str
) -> None:
    with serving() as other:
        port, others = (url.rpartition(":")[2] for url in (server.url, other.url))
        server.say("/old", b"", 302)
        server.headers["Location"] = elsewhere.format(port=port, other=others)
        with pytest.raises(RecordError, match="kagent: redirects to another host: "):
            get(f"{server.url}/old")
        assert (len(server.asked), other.asked) == (1, [])


def test_redirects_without_end_are_left(server: Served) -> None:
    server.say("/old", b"", 302)
    server.headers["Location"] = "/old"
    with pytest.raises(RecordError, match="kagent: redirects more than 5 times"):
        get(f"{server.url}/old")
