"""A span by itself says the same as in its envelopes."""

from pathlib import Path

import pytest

from audition.adapters.otlp.frames import unwrapped
from audition.adapters.otlp.session import adapt_otlp
from audition.values import parse_json

RECORDINGS = Path(__file__).parents[2] / "recordings" / "otlp"


@pytest.mark.parametrize("path", sorted(RECORDINGS.rglob("*.json")), ids=lambda path: path.name)
def test_spans_alone_are_the_same_session(path: Path) -> None:
    whole = parse_json(path.read_bytes())
    alone = list(unwrapped([whole]))
    assert list(unwrapped(alone)) == alone
    assert adapt_otlp(alone) == adapt_otlp([whole])
