"""An HTTP server on this machine: it answers what a test lays down, and keeps what came in."""

import json
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any
from urllib.parse import urlsplit


@dataclass(slots=True)
class Served:
    """The answers by path, and what came in."""

    url: str = ""
    answers: dict[str, tuple[int, bytes]] = field(default_factory=dict[str, tuple[int, bytes]])
    headers: dict[str, str] = field(default_factory=dict[str, str])
    asked: list[str] = field(default_factory=list[str])
    tokens: list[str | None] = field(default_factory=list[str | None])
    silent: set[str] = field(default_factory=set[str])
    dripping: set[str] = field(default_factory=set[str])
    over: Event = field(default_factory=Event)

    def answer(self, path: str, data: object, status: int = 200) -> None:
        """Answer as kagent does."""
        told: Any = {"error": False, "data": data, "message": "done"}
        self.say(path, json.dumps(told).encode(), status)

    def say(self, path: str, body: bytes, status: int = 200) -> None:
        """Answer with these bytes."""
        self.answers[path] = (status, body)


class _Server(ThreadingHTTPServer):
    def __init__(self, served: Served) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.served = served


class _Handler(BaseHTTPRequestHandler):
    server: _Server  # pyright: ignore[reportIncompatibleVariableOverride]  # the only one it has

    def do_GET(self) -> None:
        served = self.server.served
        served.asked.append(self.path)
        served.tokens.append(self.headers.get("Authorization"))
        path = urlsplit(self.path).path
        if path in served.silent:
            served.over.wait(10)
        status, body = served.answers.get(path, (404, b"404 page not found\n"))
        self.send_response(status)
        for name, value in served.headers.items():
            self.send_header(name, value)
        self.flush_headers()
        while path in served.dripping and not served.over.wait(0.05):
            self.wfile.write(b"x")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # its name in http.server
        pass

    def handle(self) -> None:
        with suppress(OSError):  # who asked has gone
            super().handle()


@contextmanager
def serving() -> Generator[Served]:
    """Yield what is served on a free port, until the end."""
    served = Served()
    server = _Server(served)
    served.url = f"http://127.0.0.1:{server.server_port}"
    Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield served
    finally:
        served.over.set()
        server.shutdown()
        server.server_close()
