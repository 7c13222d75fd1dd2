"""The body of an answer while it comes in: decompressed here, and never larger than its limit."""

import zlib

from knowledge_team.errors import BodyRefusedError

_PLAIN = frozenset({"", "identity"})
_IN_MEMBERS = frozenset({"gzip", "x-gzip"})
_COMPRESSED = _IN_MEMBERS | {"deflate"}
_EITHER_FORMAT = 32 + zlib.MAX_WBITS  # zlib looks at the header: gzip or zlib


class BoundedBody:
    """Takes the chunks of a body as they were sent.

    A compressed chunk can hold a thousand times its size. It is therefore decompressed no
    further than to the limit, while a client's own decompression would make all of it first.

    Args:
        encoding: The header `Content-Encoding`, empty where there is none.
        limit_bytes: Bytes that the body may have, as it was sent and decompressed.

    Raises:
        BodyRefusedError: The encoding is none that is understood.

    """

    def __init__(self, encoding: str, limit_bytes: int) -> None:
        name = encoding.strip().lower()
        if name not in _PLAIN | _COMPRESSED:
            problem = f"its compression {name!r} is not understood"
            raise BodyRefusedError(problem)
        self._inflater = zlib.decompressobj(_EITHER_FORMAT) if name in _COMPRESSED else None
        self._may_go_on = name in _IN_MEMBERS
        self._limit_bytes = limit_bytes
        self._sent_bytes = 0
        self._body = bytearray()

    def add(self, chunk: bytes) -> None:
        """Take the next chunk.

        Raises:
            BodyRefusedError: The body is larger than its limit, or broken.

        """
        self._sent_bytes += len(chunk)
        # What was sent is held against the limit too: any number of bytes can hold nothing.
        self._refuse_above_limit(self._sent_bytes)
        rest = chunk
        while rest:
            plain, rest = self._inflated(rest)
            self._body += plain
            self._refuse_above_limit(len(self._body))

    def content(self) -> bytes:
        """Return the whole body, when all chunks have come.

        Raises:
            BodyRefusedError: It breaks off.

        """
        if self._inflater is not None and self._sent_bytes and not self._inflater.eof:
            problem = "its compressed content breaks off"
            raise BodyRefusedError(problem)
        return bytes(self._body)

    def _refuse_above_limit(self, found_bytes: int) -> None:
        if found_bytes > self._limit_bytes:
            problem = f"it is larger than {self._limit_bytes} bytes"
            raise BodyRefusedError(problem)

    def _inflated(self, sent: bytes) -> tuple[bytes, bytes]:
        """Return what the bytes hold, and those behind the end of their compressed content."""
        if self._inflater is None:
            return sent, b""
        if self._inflater.eof:
            if not self._may_go_on:
                problem = "bytes stand behind its compressed content"
                raise BodyRefusedError(problem)
            self._inflater = zlib.decompressobj(_EITHER_FORMAT)  # the next member of gzip
        try:
            plain = self._inflater.decompress(sent, self._limit_bytes + 1 - len(self._body))
        except zlib.error as error:
            problem = f"its compressed content is broken: {error}"
            raise BodyRefusedError(problem) from error
        return plain, self._inflater.unused_data
