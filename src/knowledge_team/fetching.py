"""Pages from the web, with bounds on where they may come from, their size and their time.

Who names an address to a team could otherwise read, through it, whatever the machine can reach.
So every address that a host name resolves to must be public, and the connection is made to the
address that was checked: a second look-up could give another one.
"""

import asyncio
import os
import socket
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Protocol, runtime_checkable
from urllib.parse import urljoin

import httpx

from knowledge_team.bounded_body import BoundedBody
from knowledge_team.daemon_work import done_beside
from knowledge_team.errors import BodyRefusedError, FetchFailedError
from knowledge_team.pages import READABLE_TYPES, Page, check_readable, page_text
from knowledge_team.web_addresses import is_public, web_address

ALLOW_PRIVATE_VARIABLE = "KNOWLEDGE_ALLOW_PRIVATE_ADDRESSES"
"""The environment variable that, set to 1, lets pages come from private addresses too."""

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
# No compression but what `BoundedBody` undoes, and no format but what `page_text` reads.
_HEADERS = {
    "User-Agent": "knowledge-team",
    "Accept": ", ".join(sorted(READABLE_TYPES)),
    "Accept-Encoding": "gzip, deflate",
}


@runtime_checkable
class PageSource(Protocol):
    """Where pages come from: the web, or what was prepared in its place."""

    async def fetch(self, url: str) -> Page:
        """Return the page of this address.

        Raises:
            FetchFailedError: It cannot be had; the reason is for a model to read.

        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchLimits:
    """How much is taken for one page.

    Attributes:
        redirects: How many times a server may send on to another address.
        body_bytes: Size of the body, decompressed.
        seconds: From the look-up of the host to the text.

    """

    redirects: int = 3
    body_bytes: int = 5_000_000
    seconds: float = 20.0


_DEFAULT_LIMITS = FetchLimits()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    redirect: str | None = None
    media_type: str = ""
    charset: str | None = None
    body: bytes = b""


class WebPages:
    """The pages of the web.

    Args:
        is_allowed: Whether pages may come from this IP address.
        limits: How much is taken for one page.

    """

    def __init__(
        self,
        *,
        is_allowed: Callable[[str], bool] = is_public,
        limits: FetchLimits = _DEFAULT_LIMITS,
    ) -> None:
        self._is_allowed = is_allowed
        self._limits = limits

    async def fetch(self, url: str) -> Page:
        """Return the page of this address, as text.

        Raises:
            FetchFailedError: The address must not be asked for, the server does not answer in
                time or answers with an error, or what it sends is no page of bounded size.

        """
        try:
            async with asyncio.timeout(self._limits.seconds):
                return await self._page(url)
        except TimeoutError as error:
            reason = f"the fetch timed out after {self._limits.seconds:g} s"
            raise FetchFailedError(url, reason) from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            reason = f"the connection failed: {str(error) or type(error).__name__}"
            raise FetchFailedError(url, reason) from error

    async def _page(self, url: str) -> Page:
        here = web_address(url)
        for _ in range(self._limits.redirects + 1):
            answer = await self._answer(url, here)
            if answer.redirect is None:
                read = partial(page_text, answer.media_type, answer.body, charset=answer.charset)
                # Reading a large page takes seconds, and the loop is that of all teams.
                return Page(url=url, text=await done_beside(read))
            here = _further(url, here, answer.redirect)
        raise FetchFailedError(url, f"more than {self._limits.redirects} redirects")

    async def _answer(self, url: str, here: str) -> _Answer:
        target = httpx.URL(here)
        addresses = await self._addresses(url, target)
        seconds = self._limits.seconds
        # An address that swallows what is sent to it must leave time for those after it.
        timeout = httpx.Timeout(seconds, connect=seconds / len(addresses))
        unreachable: httpx.TransportError = httpx.ConnectError("the host has no address")
        # Neither proxies nor passwords of the environment: a proxy would look the host up again.
        async with httpx.AsyncClient(trust_env=False, timeout=timeout) as client:
            for address in addresses:
                try:
                    async with _asked(client, target, address) as response:
                        return await self._read(url, response)
                except (httpx.ConnectError, httpx.ConnectTimeout) as error:
                    unreachable = error
        raise unreachable

    async def _addresses(self, url: str, target: httpx.URL) -> list[str]:
        # `raw_host`: the name as it is sent, international ones in their ASCII form.
        look_up = partial(
            socket.getaddrinfo, target.raw_host.decode(), None, type=socket.SOCK_STREAM
        )
        try:
            found = await done_beside(look_up)
        except (OSError, UnicodeError) as error:
            raise FetchFailedError(url, f"the host {target.host} is not known") from error
        addresses = list(dict.fromkeys(str(address[0]) for *_, address in found))
        if not all(map(self._is_allowed, addresses)):
            reason = f"the host {target.host} has a private address, and these are not fetched"
            raise FetchFailedError(url, reason)
        return addresses

    async def _read(self, url: str, response: httpx.Response) -> _Answer:
        if response.status_code in _REDIRECTS and "location" in response.headers:
            return _Answer(redirect=response.headers["location"])
        if not response.is_success:
            status = f"{response.status_code} {response.reason_phrase}".strip()
            raise FetchFailedError(url, f"the server answered {status}")
        media_type = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        check_readable(url, media_type)
        try:
            body = await self._body(response)
        except BodyRefusedError as error:
            raise FetchFailedError(url, f"the page cannot be read: {error.problem}") from error
        return _Answer(media_type=media_type, charset=response.charset_encoding, body=body)

    async def _body(self, response: httpx.Response) -> bytes:
        body = BoundedBody(response.headers.get("content-encoding", ""), self._limits.body_bytes)
        async for chunk in response.aiter_raw():
            body.add(chunk)
        return body.content()


def web_pages(environ: Mapping[str, str] = os.environ) -> WebPages:
    """Return the web as the environment allows it."""
    allows_private = environ.get(ALLOW_PRIVATE_VARIABLE, "").strip() == "1"
    return WebPages(is_allowed=_is_any if allows_private else is_public)


def _is_any(_: str) -> bool:
    return True


def _further(url: str, here: str, location: str) -> str:
    try:
        return web_address(urljoin(here, location))
    except (FetchFailedError, ValueError) as error:
        reason = error.reason if isinstance(error, FetchFailedError) else "it is no address"
        raise FetchFailedError(
            url, f"redirected to where it cannot be followed: {reason}"
        ) from error


@asynccontextmanager
async def _asked(
    client: httpx.AsyncClient, target: httpx.URL, address: str
) -> AsyncGenerator[httpx.Response]:
    """Yield the answer of the host at this one address, its body still to come."""
    host = target.raw_host.decode()
    headers = {**_HEADERS, "Host": target.netloc.decode()}
    # The certificate must be that of the host: TLS is told its name, not the address.
    extensions = {"sni_hostname": host}
    pinned = target.copy_with(host=address)
    async with client.stream("GET", pinned, headers=headers, extensions=extensions) as response:
        yield response
