import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import httpx
import pytest

from evals.knowledge.page_server import Answer, serving


def site(address: str, path: str) -> Answer:
    if path == "/old":
        return Answer(status=301, location=f"{address}/new")
    return Answer(text=f"Ærø {path}", media_type="text/html")


def test_an_answer_comes_as_the_site_gives_it() -> None:
    with serving(site) as address:
        page = httpx.get(f"{address}/new?a=1")
        moved = httpx.get(f"{address}/old")
    assert (page.status_code, page.text) == (200, "Ærø /new?a=1")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert (moved.status_code, moved.headers["location"]) == (301, f"{address}/new")


def test_only_this_machine_is_served() -> None:
    with serving(site) as address:
        assert urlsplit(address).hostname == "127.0.0.1"


def test_many_may_ask_at_a_time() -> None:
    paths = [f"/{number}" for number in range(64)]
    with serving(site) as address, ThreadPoolExecutor(64) as pool:
        answers = list(pool.map(httpx.get, [f"{address}{path}" for path in paths]))
    assert [answer.text for answer in answers] == [f"Ærø {path}" for path in paths]


def test_nothing_is_left_of_it() -> None:
    before = set(threading.enumerate())
    with serving(site) as address:
        httpx.get(address)
    assert set(threading.enumerate()) <= before
    with pytest.raises(httpx.ConnectError):
        httpx.get(address)


def test_a_client_that_says_nothing_is_not_waited_for() -> None:
    began = time.monotonic()
    with serving(site, patience_seconds=0.2) as address:
        parts = urlsplit(address)
        with socket.create_connection((parts.hostname, parts.port), timeout=5) as silent:
            assert silent.recv(1) == b""
    assert time.monotonic() - began < 3
