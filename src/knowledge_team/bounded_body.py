"""The body of an answer while it comes in: decompressed here, and never larger than its limit."""

import zlib

_PLAIN = frozenset({"", "identity"})
_COMPRESSED = frozenset({"gzip", "x-gzip", "deflate"})
_EITHER_FORMAT = 32 + zlib.MAX_WBITS  # zlib looks at the header: gzip or zlib


class BodyRefusedError(ValueError):
    """The body is too large, broken, or compressed in an unknown way."""


class BoundedBody:
    """Takes the chunks of a body as they were sent.

    A compressed chunk can hold a thousand times its size. It is therefore decompressed no
    further than to the limit, while a client's own decompression would make all of it first.

    Args:
        encoding: The header `Content-Encoding`, empty where there is none.
        limit: Bytes that the decompressed body may have.

    Raises:
        BodyRefusedError: The encoding is none that is understood.

    """

    def __init__(self, encoding: str, limit: int) -> None:
        name = encoding.strip().lower()
        if name not in _PLAIN | _COMPRESSED:
            msg = f"its compression {name!r} is not understood"
            raise BodyRefusedError(msg)
        self._inflater = zlib.decompressobj(_EITHER_FORMAT) if name in _COMPRESSED else None
        self._limit = limit
        self._body = bytearray()

    def add(self, chunk: bytes) -> None:
        """Take the next chunk.

        Raises:
            BodyRefusedError: The body is larger than its limit, or broken.

        """
        self._body += self._plain(chunk)
        if len(self._body) > self._limit:
            msg = f"it is larger than {self._limit} bytes"
            raise BodyRefusedError(msg)

    def content(self) -> bytes:
        """Return the whole body, when all chunks have come.

        Raises:
            BodyRefusedError: It breaks off.

        """
        if self._inflater is not None and self._body and not self._inflater.eof:
            msg = "its compressed content breaks off"
            raise BodyRefusedError(msg)
        return bytes(self._body)

    def _plain(self, chunk: bytes) -> bytes:
        if self._inflater is None:
            return chunk
        try:
            return self._inflater.decompress(chunk, self._limit + 1 - len(self._body))
        except zlib.error as error:
            msg = f"its compressed content is broken: {error}"
            raise BodyRefusedError(msg) from error
