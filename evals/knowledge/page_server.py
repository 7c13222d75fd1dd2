"""Pages over HTTP on the loopback address, for as long as a block lasts. Knows nothing of them."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from http.server import BaseHTTPRequestHandler
from socketserver import ThreadingTCPServer
from threading import Thread
from typing import Any, override

_POLL_SECONDS = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What is answered to one request.

    Attributes:
        status: The status of HTTP.
        text: The body, sent in UTF-8.
        media_type: What the body is.
        location: Where it is sent on to, None where it is not.

    """

    status: int = 200
    text: str = ""
    media_type: str = "text/plain"
    location: str | None = None


type Site = Callable[[str, str], Answer]
"""From the address of the server and a path to the answer; several threads may ask at a time."""


@contextmanager
def serving(site: Site, *, patience_seconds: float = 5.0) -> Generator[str]:
    """Serve a site on a free port of 127.0.0.1, and yield the address, such as http://127.0.0.1:80.

    At the end of the block the port is closed and no thread of the server is left.

    Args:
        site: What is served.
        patience_seconds: How long a client is waited for that says nothing, or takes nothing; the
            end of the block may have to wait as long.

    """
    with _Server(("127.0.0.1", 0), partial(_Exchange, site, patience_seconds)) as server:
        thread = Thread(
            target=server.serve_forever, args=(_POLL_SECONDS,), name="page-server", daemon=True
        )
        thread.start()
        try:
            yield _address(server.server_address)
        finally:
            server.shutdown()
            thread.join(patience_seconds)


class _Server(ThreadingTCPServer):
    """Not `HTTPServer`, which looks up the name of its address: that may ask the network."""

    request_queue_size = 128  # more cases at a time than that are not usual; the default is 5


class _Exchange(BaseHTTPRequestHandler):
    """One request and its answer."""

    def __init__(self, site: Site, patience_seconds: float, *of_the_server: Any) -> None:
        self._site = site
        self._patience_seconds = patience_seconds
        super().__init__(*of_the_server)

    @override
    def setup(self) -> None:
        super().setup()
        self.connection.settimeout(self._patience_seconds)

    def do_GET(self) -> None:
        """Answer as the site does."""
        answer = self._site(_address(self.server.server_address), self.path)
        body = answer.text.encode()
        self.send_response(answer.status)
        self.send_header("Content-Type", f"{answer.media_type}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        if answer.location is not None:
            self.send_header("Location", answer.location)
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
        return  # what was asked for is evidence of the case


def _address(bound: Any) -> str:
    host, port = bound[:2]
    return f"http://{host}:{port}"
