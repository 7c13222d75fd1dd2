"""Which addresses of the web may be asked for, and which of them are one. Pure functions."""

import re
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import SplitResult, urlsplit, urlunsplit

from knowledge_team.errors import FetchFailedError

_PORTS = {"http": 80, "https": 443}
_NOT_IN_A_URL = re.compile(r"[\s\x00-\x1f\x7f\\]")
# IPv4 addresses in an IPv6 one, last four bytes: a translator in the network turns them back.
_TRANSLATED = (ip_network("64:ff9b::/96"), ip_network("64:ff9b:1::/48"))
_COMPATIBLE = ip_network("::/96")


def web_address(url: str) -> str:
    """Return the address with its scheme and host in lower case, without default port and fragment.

    Raises:
        FetchFailedError: It is no address of the web, or holds a user name or password.

    """
    parts = _parts(url)
    if parts.scheme not in _PORTS:
        raise FetchFailedError(url, "only http and https addresses are fetched")
    if parts.username is not None or parts.password is not None:
        without = urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
        raise FetchFailedError(without, "the address holds a user name or password")
    if not parts.hostname:
        raise FetchFailedError(url, "the address names no host")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    has_default_port = parts.port in {None, _PORTS[parts.scheme]}
    netloc = host if has_default_port else f"{host}:{parts.port}"
    return urlunsplit((parts.scheme, netloc, parts.path or "/", parts.query, ""))


def source_key(url: str) -> str:
    """Return under which name what the page says is kept: a slash at its end makes no other page.

    Raises:
        FetchFailedError: As `web_address` does.

    """
    parts = urlsplit(web_address(url))
    return urlunsplit(parts._replace(path=parts.path.rstrip("/")))


def is_public(address: str) -> bool:
    """Return whether the IP address belongs to the open internet, not to a network of somebody."""
    ip = ip_address(address)
    inner = _inner(ip) if isinstance(ip, IPv6Address) else None
    return _is_open(ip) and (inner is None or _is_open(inner))


def _parts(url: str) -> SplitResult:
    if _NOT_IN_A_URL.search(url):
        raise FetchFailedError(url, "the address holds blanks or control characters")
    try:
        parts = urlsplit(url)
        _ = parts.port  # looked at only now, and then it may turn out to be none
    except ValueError as error:
        raise FetchFailedError(url, f"this is no address: {error}") from error
    return parts


def _inner(ip: IPv6Address) -> IPv4Address | None:
    """Return the IPv4 address that connecting to this one leads to, None where there is none."""
    if ip.ipv4_mapped is not None:
        return ip.ipv4_mapped
    if ip.sixtofour is not None:
        return ip.sixtofour
    if any(ip in network for network in (*_TRANSLATED, _COMPATIBLE)):
        return IPv4Address(int(ip) & 0xFFFFFFFF)
    return None


def _is_open(ip: IPv4Address | IPv6Address) -> bool:
    if isinstance(ip, IPv6Address) and ip.ipv4_mapped is not None:
        return True  # it is what it leads to
    return ip.is_global and not (ip.is_multicast or ip.is_reserved or ip.is_unspecified)
