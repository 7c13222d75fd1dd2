"""Real servers on the loopback address, which only the setting makes reachable."""

import asyncio
import gzip
import socket
import threading
import time
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar, override

import httpx
import pytest

from knowledge_team.errors import FetchFailedError
from knowledge_team.fetching import (
    ALLOW_PRIVATE_VARIABLE,
    FetchLimits,
    PageSource,
    WebPages,
    web_pages,
)
from knowledge_team.pages import html_text

HTML = (
    "<html><head><title>Vela Union</title></head>"
    "<body><h1>Vela Union</h1><p>It runs ferries.</p></body></html>"
)
QUICK = FetchLimits(redirects=3, body_bytes=100_000, seconds=0.5)


class Harbour(BaseHTTPRequestHandler):
    """Answers each path in its own way, and notes what it was asked."""

    asked: ClassVar[list[dict[str, str]]] = []
    stopped: ClassVar[threading.Event]

    def do_GET(self) -> None:  # the name is the server's
        self.asked.append({"path": self.path, **{k.lower(): v for k, v in self.headers.items()}})
        name, _, rest = self.path.partition("?")[0].strip("/").partition("/")
        getattr(self, f"answer_{name}", self.answer_missing)(rest)

    def answer_page(self, _: str) -> None:
        self.send(HTML.encode(), content_type="text/html; charset=utf-8")

    def answer_plain(self, _: str) -> None:
        self.send("Ærø".encode("latin-1"), content_type="text/plain; charset=latin-1")

    def answer_missing(self, _: str) -> None:
        self.send(b"no", status=404)

    def answer_typed(self, content_type: str) -> None:
        self.send(b"%PDF", content_type=content_type)

    def answer_hops(self, left: str) -> None:
        to = f"/hops/{int(left) - 1}" if int(left) else "/page"
        self.send(b"", status=302, headers={"Location": to})

    def answer_to(self, where: str) -> None:
        self.send(b"", status=301, headers={"Location": where.replace("~", "/")})

    def answer_nowhere(self, _: str) -> None:
        self.send(b"", status=302)

    def answer_big(self, _: str) -> None:
        self.send(b"a" * 200_000)

    def answer_bomb(self, _: str) -> None:
        self.send(gzip.compress(bytes(20_000_000)), headers={"Content-Encoding": "gzip"})

    def answer_zipped(self, _: str) -> None:
        self.send(gzip.compress(HTML.encode()), headers={"Content-Encoding": "gzip"})

    def answer_brotli(self, _: str) -> None:
        self.send(b"\x0b", headers={"Content-Encoding": "br"})

    def answer_slow(self, _: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        while not self.stopped.wait(0.05):  # a byte now and then, so that no read times out
            self.wfile.write(b"a")

    def answer_silent(self, _: str) -> None:
        self.stopped.wait(5)

    def answer_hangup(self, _: str) -> None:
        self.close_connection = True

    def send(
        self,
        body: bytes,
        *,
        status: int = 200,
        content_type: str = "text/html",
        headers: dict[str, str] | None = None,
    ) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": content_type, **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    @override
    def handle(self) -> None:
        try:
            super().handle()
        except ConnectionError:
            return  # the client has heard enough

    @override
    def log_message(self, format: str, *args: Any) -> None:
        return


def is_any(_: str) -> bool:
    return True


@pytest.fixture(scope="module")
def served() -> Iterator[str]:
    html_text("")  # what reads pages is imported late, and must not use up the first page's time
    Harbour.stopped = threading.Event()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Harbour)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    Harbour.stopped.set()
    server.shutdown()
    server.server_close()
    thread.join(5)


@pytest.fixture
def web() -> WebPages:
    return WebPages(is_allowed=is_any, limits=QUICK)


def reason(web: PageSource, url: str) -> str:
    with pytest.raises(FetchFailedError) as failed:
        asyncio.run(web.fetch(url))
    assert failed.value.url == url
    return failed.value.reason


def test_a_page_is_fetched_as_text(served: str, web: WebPages) -> None:
    page = asyncio.run(web.fetch(f"{served}/page"))
    assert (page.url, page.text) == (f"{served}/page", "# Vela Union\n\nIt runs ferries.")


def test_plain_text_is_read_in_its_encoding(served: str, web: WebPages) -> None:
    assert asyncio.run(web.fetch(f"{served}/plain")).text == "Ærø"


def test_a_compressed_page_is_read(served: str, web: WebPages) -> None:
    assert "ferries" in asyncio.run(web.fetch(f"{served}/zipped")).text


def test_no_more_is_told_to_a_server_than_it_needs(served: str, web: WebPages) -> None:
    Harbour.asked.clear()
    asyncio.run(web.fetch(f"{served}/page?a=1#part"))
    (asked,) = Harbour.asked
    assert asked["path"] == "/page?a=1"
    assert asked["host"] == served.removeprefix("http://")
    assert asked["user-agent"] == "knowledge-team"
    assert not {"cookie", "authorization", "referer"} & set(asked)


def test_the_name_of_the_host_is_sent_though_the_address_is_connected_to(
    served: str, web: WebPages
) -> None:
    Harbour.asked.clear()
    port = served.rpartition(":")[2]
    asyncio.run(web.fetch(f"http://localhost:{port}/page"))
    assert Harbour.asked[-1]["host"] == f"localhost:{port}"


def test_a_few_redirects_are_followed(served: str, web: WebPages) -> None:
    page = asyncio.run(web.fetch(f"{served}/hops/2"))
    assert (page.url, "ferries" in page.text) == (f"{served}/hops/2", True)


def test_many_are_not(served: str, web: WebPages) -> None:
    assert reason(web, f"{served}/hops/3") == "more than 3 redirects"


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("file:~~~etc~passwd", "only http and https"),
        ("http:~~mira:pw@eval.invalid~", "user name or password"),
    ],
)
def test_a_redirect_is_checked_like_an_address(
    served: str, web: WebPages, where: str, said: str
) -> None:
    told = reason(web, f"{served}/to/{where}")
    assert told.startswith("redirected to where it cannot be followed")
    assert said in told


def test_a_redirect_to_nowhere_is_an_error(served: str, web: WebPages) -> None:
    assert reason(web, f"{served}/nowhere") == "the server answered 302 Found"


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("missing", "the server answered 404 Not Found"),
        ("typed/application/pdf", "its type is application/pdf, not HTML or plain text"),
        ("typed/", "its type is not said, not HTML or plain text"),
        ("big", "the page cannot be read: it is larger than 100000 bytes"),
        ("bomb", "the page cannot be read: it is larger than 100000 bytes"),
        ("brotli", "the page cannot be read: its compression 'br' is not understood"),
        ("slow", "the fetch timed out after 0.5 s"),
        ("silent", "the fetch timed out after 0.5 s"),
    ],
)
def test_what_cannot_be_had_has_a_reason(served: str, web: WebPages, path: str, said: str) -> None:
    began = time.monotonic()
    assert reason(web, f"{served}/{path}") == said
    assert time.monotonic() - began < 3


def test_a_lost_connection_has_a_reason(served: str, web: WebPages) -> None:
    assert reason(web, f"{served}/hangup").startswith("the connection failed: ")


def test_a_port_where_nobody_answers_has_a_reason(web: WebPages) -> None:
    assert reason(web, "http://127.0.0.1:9/").startswith("the connection failed: ")


def test_an_unknown_host_has_a_reason(web: WebPages) -> None:
    assert reason(web, "http://eval.invalid/") == "the host eval.invalid is not known"


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "[::1]", "127.1", "2130706433", "0x7f000001", "0"]
)
def test_private_addresses_are_refused_however_they_are_written(served: str, host: str) -> None:
    Harbour.asked.clear()
    url = f"http://{host}:{served.rpartition(':')[2]}/page"
    assert "has a private address" in reason(WebPages(limits=QUICK), url)
    assert Harbour.asked == []


def test_a_redirect_to_a_private_address_is_refused(
    served: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = served.rpartition(":")[2]
    web = Resolving({"harbour.invalid": "127.0.0.1", "inner.invalid": "10.0.0.1"})
    monkeypatch.setattr("socket.getaddrinfo", web.getaddrinfo)
    outer = WebPages(is_allowed="127.0.0.1".__eq__, limits=QUICK)
    url = f"http://harbour.invalid:{port}/to/http:~~inner.invalid:{port}~page"
    assert "inner.invalid has a private address" in reason(outer, url)


def test_a_host_is_looked_up_once_for_the_check_and_the_connection(
    served: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    web = Resolving({"harbour.invalid": "127.0.0.1"})
    monkeypatch.setattr("socket.getaddrinfo", web.getaddrinfo)
    port = served.rpartition(":")[2]
    asyncio.run(WebPages(is_allowed=is_any).fetch(f"http://harbour.invalid:{port}/page"))
    assert web.looked_up == ["harbour.invalid"]


def test_one_private_address_among_public_ones_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    web = Resolving({"harbour.invalid": "93.184.216.34 10.0.0.1"})
    monkeypatch.setattr("socket.getaddrinfo", web.getaddrinfo)
    assert "has a private address" in reason(WebPages(limits=QUICK), "http://harbour.invalid/")


def test_an_address_that_does_not_answer_is_followed_by_the_next(
    served: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    web = Resolving({"harbour.invalid": "127.0.0.2 127.0.0.1"})
    monkeypatch.setattr("socket.getaddrinfo", web.getaddrinfo)
    port = served.rpartition(":")[2]
    source = WebPages(is_allowed=is_any)
    page = asyncio.run(source.fetch(f"http://harbour.invalid:{port}/page"))
    assert "ferries" in page.text


@contextmanager
def swallowing(address: str, port: int = 0) -> Generator[int]:
    """Let nobody connect to the port, and nobody be refused: its queue is full and stays so.

    Yields the port, a free one where none is given.
    """
    with ExitStack() as opened:
        listener = opened.enter_context(socket.socket())
        listener.bind((address, port))
        listener.listen(0)
        for _ in range(4):
            client = opened.enter_context(socket.socket())
            client.setblocking(False)
            client.connect_ex(listener.getsockname())
        yield listener.getsockname()[1]


def test_an_address_that_swallows_everything_leaves_time_for_the_next(
    served: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    web = Resolving({"harbour.invalid": "127.0.0.2 127.0.0.1"})
    monkeypatch.setattr("socket.getaddrinfo", web.getaddrinfo)
    port = served.rpartition(":")[2]
    source = WebPages(is_allowed=is_any, limits=FetchLimits(seconds=3))
    with swallowing("127.0.0.2", int(port)):
        page = asyncio.run(source.fetch(f"http://harbour.invalid:{port}/page"))
    assert "ferries" in page.text


def test_where_no_address_answers_the_reason_is_that_of_the_last(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    web = Resolving({"harbour.invalid": "127.0.0.2 127.0.0.3"})
    monkeypatch.setattr("socket.getaddrinfo", web.getaddrinfo)
    with swallowing("127.0.0.2") as port:
        told = reason(WebPages(is_allowed=is_any, limits=QUICK), f"http://harbour.invalid:{port}/")
    assert told.startswith("the connection failed: ")


@pytest.mark.parametrize(("value", "allowed"), [("1", True), ("0", False), ("", False)])
def test_only_the_setting_lets_private_addresses_in(
    served: str, value: str, *, allowed: bool
) -> None:
    web = web_pages({ALLOW_PRIVATE_VARIABLE: value})
    if allowed:
        assert asyncio.run(web.fetch(f"{served}/page")).text
    else:
        assert "private address" in reason(web, f"{served}/page")


def test_the_web_is_a_page_source() -> None:
    assert isinstance(WebPages(), PageSource)


def test_a_proxy_of_the_environment_is_not_used(
    served: str, web: WebPages, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{served}/page")
    assert asyncio.run(web.fetch(f"{served}/page")).text


class Resolving:
    """Looks names up in a table; several addresses stand between blanks."""

    def __init__(self, table: dict[str, str]) -> None:
        self._table = table
        self.looked_up: list[str] = []

    def getaddrinfo(
        self, host: str | bytes, port: object, *args: Any, **more: Any
    ) -> list[tuple[Any, ...]]:
        name = host.decode() if isinstance(host, bytes) else host
        if name in self._table:
            self.looked_up.append(name)
        found = self._table.get(name, name).split()
        return [(2, 1, 6, "", (address, port)) for address in found]
