import gzip
import tracemalloc
import zlib

import pytest

from knowledge_team.bounded_body import BodyRefusedError, BoundedBody


def read(encoding: str, *chunks: bytes, limit: int = 100) -> bytes:
    body = BoundedBody(encoding, limit)
    for chunk in chunks:
        body.add(chunk)
    return body.content()


@pytest.mark.parametrize("encoding", ["", "identity", " Identity "])
def test_a_plain_body_is_what_was_sent(encoding: str) -> None:
    assert read(encoding, b"quiet ", b"pier") == b"quiet pier"


@pytest.mark.parametrize(
    ("encoding", "sent"),
    [
        ("gzip", gzip.compress(b"quiet pier")),
        ("X-GZIP", gzip.compress(b"quiet pier")),
        ("deflate", zlib.compress(b"quiet pier")),
    ],
)
def test_a_compressed_body_is_decompressed(encoding: str, sent: bytes) -> None:
    assert read(encoding, sent[:5], sent[5:]) == b"quiet pier"


def test_an_empty_body_is_one() -> None:
    assert read("gzip") == b""


def test_the_limit_itself_is_allowed() -> None:
    assert len(read("", b"a" * 100)) == 100
    assert len(read("gzip", gzip.compress(b"a" * 100))) == 100


def test_a_larger_body_is_refused() -> None:
    with pytest.raises(BodyRefusedError, match="larger than 100 bytes"):
        read("", b"a" * 60, b"a" * 60)


def test_a_bomb_is_decompressed_no_further_than_to_the_limit() -> None:
    bomb = gzip.compress(bytes(100_000_000))
    tracemalloc.start()
    with pytest.raises(BodyRefusedError, match="larger than 100 bytes"):
        read("gzip", bomb)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 1_000_000


@pytest.mark.parametrize("sent", [b"no gzip at all", gzip.compress(b"a")[:3] + b"\xff" * 20])
def test_a_broken_body_is_refused(sent: bytes) -> None:
    with pytest.raises(BodyRefusedError, match="broken"):
        read("gzip", sent)


def test_a_body_that_breaks_off_is_refused() -> None:
    with pytest.raises(BodyRefusedError, match="breaks off"):
        read("gzip", gzip.compress(b"quiet pier")[:-4])


def test_an_unknown_compression_is_refused() -> None:
    with pytest.raises(BodyRefusedError, match="compression 'br' is not understood"):
        BoundedBody("br", 100)
