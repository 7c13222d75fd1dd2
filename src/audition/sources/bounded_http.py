"""One question by HTTP, with bounds on its time, on the size of its answer, and on where it goes.

httpx is imported at the first question.
"""

from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from threading import Thread
from typing import TYPE_CHECKING

from audition.errors import RecordError

if TYPE_CHECKING:
    import httpx

_MOST_REDIRECTS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpLimits:
    """How long an answer may take, and how large it may be.

    Attributes:
        wait_seconds: The longest silence, to the connection too.
        seconds: All of it, the look-up of the host and redirects included.
        most_bytes: The size of its body.

    """

    wait_seconds: float = 15.0
    seconds: float = 120.0
    most_bytes: int = 256 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a server answered.

    Attributes:
        status: The code of its status.
        kind: The type of its body, as it says.
        body: All of it.

    """

    status: int
    kind: str
    body: bytes


def get_bounded(
    name: str, url: str, *, asked: Mapping[str, str], token: str | None, limits: HttpLimits
) -> Answer:
    """Return the answer to a GET. A redirect is followed on the same host alone.

    Args:
        name: Who is asked, for the text of an error.
        url: What is asked for.
        asked: The parameters of the query.
        token: Sent as a bearer token, and in no text; None for none.
        limits: How long it may take, and how large it may be.

    Raises:
        RecordError: The server cannot be reached, takes too long, says too much or sends elsewhere.

    """
    import httpx  # noqa: PLC0415  # watching a team needs none

    # No compression: a small body could become one of any size.
    headers = {"Accept": "application/json", "Accept-Encoding": "identity"}
    if token is not None:
        if not token.isascii() or not token.isprintable():
            raise RecordError(name, "the token has characters that no header may have")
        headers["Authorization"] = f"Bearer {token}"
    # A thread of its own: neither a slow look-up nor headers that drip in pass by any other bound.
    future: Future[Answer] = Future()
    call = partial(_answer, name, url, asked=asked, headers=headers, limits=limits)
    Thread(target=_settle, args=(future, call), name="audition-get", daemon=True).start()
    try:
        return future.result(timeout=limits.seconds)
    except TimeoutError:
        raise RecordError(name, f"no whole answer within {limits.seconds:g} s") from None
    except httpx.TimeoutException:
        raise RecordError(name, f"silent for {limits.wait_seconds:g} s") from None
    except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:
        told = str(error) or type(error).__name__
        problem = f"cannot be asked: {told.replace(token, '***') if token else told}"
        raise RecordError(name, problem) from None


def _settle(future: Future[Answer], call: "partial[Answer]") -> None:
    try:
        future.set_result(call())
    except Exception as error:  # noqa: BLE001  # raised again by who waits for it
        future.set_exception(error)


def _answer(
    name: str,
    url: str,
    *,
    asked: Mapping[str, str],
    headers: Mapping[str, str],
    limits: HttpLimits,
) -> Answer:
    import httpx  # noqa: PLC0415  # as above

    first = here = httpx.URL(url, params=dict(asked))
    with httpx.Client(timeout=limits.wait_seconds, headers=dict(headers)) as client:
        for _ in range(_MOST_REDIRECTS + 1):
            with client.stream("GET", here) as response:
                if response.next_request is None:
                    return _read(name, response, limits)
                here = response.next_request.url
            if not _is_same_host(first, here):
                raise RecordError(name, f"redirects to another host: {here.host}:{here.port}")
    raise RecordError(name, f"redirects more than {_MOST_REDIRECTS} times")


def _is_same_host(first: "httpx.URL", here: "httpx.URL") -> bool:
    """Return whether a token for the first address may be sent to the other: never less safely."""
    if here.host != first.host:
        return False
    upgraded = (first.scheme, here.scheme) == ("http", "https")
    return upgraded or (first.scheme, first.port) == (here.scheme, here.port)


def _read(name: str, response: "httpx.Response", limits: HttpLimits) -> Answer:
    if response.headers.get("content-encoding", "identity") != "identity":
        raise RecordError(name, "answers in a compression that was not asked for")
    body = bytearray()
    for chunk in response.iter_raw():
        body += chunk
        if len(body) > limits.most_bytes:
            raise RecordError(name, f"answers with more than {limits.most_bytes} bytes")
    kind = response.headers.get("content-type", "no type").partition(";")[0]
    return Answer(status=response.status_code, kind=kind, body=bytes(body))
