import gzip
import tracemalloc
import zlib

import pytest

from knowledge_team.bounded_body import BoundedBody
from knowledge_team.errors import BodyRefusedError


def read(encoding: str, *chunks: bytes, limit_bytes: int = 100) -> bytes:
    body = BoundedBody(encoding, limit_bytes)
    for chunk in chunks:
        body.add(chunk)
    return body.content()


@pytest.mark.parametrize("encoding", ["", "identity", " Identity "])
def test_a_plain_body_is_what_was_sent(encoding: str) -> None:
    assert read(encoding, b"quiet ", b"pier") == b"quiet pier"


@pytest.mark.parametrize(
    ("encoding", "sent"),
    [
        ("gzip", gzip.compress(b"quiet pier", mtime=0)),
        ("X-GZIP", gzip.compress(b"quiet pier", mtime=0)),
        ("deflate", zlib.compress(b"quiet pier")),
    ],
)
def test_a_compressed_body_is_decompressed(encoding: str, sent: bytes) -> None:
    assert read(encoding, sent[:5], sent[5:]) == b"quiet pier"


def in_chunks(sent: bytes, size: int) -> list[bytes]:
    return [sent[start : start + size] for start in range(0, len(sent), size)]


@pytest.mark.parametrize("size", [1, 7, 22, 100])
def test_the_members_of_a_gzip_body_are_read_one_after_the_other(size: int) -> None:
    sent = (
        gzip.compress(b"quiet ", mtime=0)
        + gzip.compress(b"", mtime=0)
        + gzip.compress(b"pier", mtime=0)
    )
    assert read("gzip", *in_chunks(sent, size)) == b"quiet pier"


@pytest.mark.parametrize("size", [1, 100])
def test_bytes_behind_a_deflated_body_are_refused(size: int) -> None:
    sent = zlib.compress(b"quiet ") + zlib.compress(b"pier")
    with pytest.raises(BodyRefusedError, match="bytes stand behind its compressed content"):
        read("deflate", *in_chunks(sent, size))


def test_members_that_hold_nothing_are_bounded_too() -> None:
    with pytest.raises(BodyRefusedError, match="larger than 100 bytes"):
        read("gzip", *[gzip.compress(b"", mtime=0)] * 6)


def test_an_empty_body_is_one() -> None:
    assert read("gzip") == b""


def test_the_limit_itself_is_allowed() -> None:
    assert len(read("", b"a" * 100)) == 100
    assert len(read("gzip", gzip.compress(b"a" * 100, mtime=0))) == 100


def test_a_larger_body_is_refused() -> None:
    with pytest.raises(BodyRefusedError, match="larger than 100 bytes"):
        read("", b"a" * 60, b"a" * 60)


def test_a_bomb_is_decompressed_no_further_than_to_the_limit() -> None:
    bomb = gzip.compress(bytes(10_000_000), mtime=0)
    tracemalloc.start()
    with pytest.raises(BodyRefusedError, match="larger than 20000 bytes"):
        read("gzip", bomb, limit_bytes=20_000)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 1_000_000


@pytest.mark.parametrize(
    "sent",
    [
        b"no gzip at all",
        gzip.compress(b"a", mtime=0)[:3] + b"\xff" * 20,
        gzip.compress(b"a", mtime=0) + b"and more",
    ],
    ids=["nothing of it", "its middle", "what stands behind it"],
)
def test_a_broken_body_is_refused(sent: bytes) -> None:
    with pytest.raises(BodyRefusedError, match="broken"):
        read("gzip", sent)


def test_a_body_that_breaks_off_is_refused() -> None:
    with pytest.raises(BodyRefusedError, match="breaks off"):
        read("gzip", gzip.compress(b"quiet pier", mtime=0)[:-4])
    with pytest.raises(BodyRefusedError, match="breaks off"):
        read("gzip", gzip.compress(b"", mtime=0)[:10])  # the header alone


def test_an_unknown_compression_is_refused() -> None:
    with pytest.raises(BodyRefusedError, match="compression 'br' is not understood"):
        BoundedBody("br", 100)
