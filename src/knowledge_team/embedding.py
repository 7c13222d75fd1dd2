"""A deterministic local embedding: hashed character n-grams. No model, no network, no state.

It knows spelling, not meaning: it finds `companies` by `company`, and a name by a misspelt one,
but not `physician` by `doctor`. It stands where a real embedder would, so that the vector and
hybrid modes of a search can be used, and tested, anywhere.
"""

import math
from collections import Counter
from collections.abc import Iterator
from zlib import crc32

from knowledge_team.words import plain_words

type Vector = dict[int, float]
"""A vector of length 1 as its non-zero places."""

DIMENSIONS = 4096
"""Places of a vector: at a few hundred n-grams a fact, two rarely share one."""

_SIZES = (3, 4)


def embed(text: str) -> Vector:
    """Return the direction of the text: equal texts, equal vectors; no words, no places."""
    counts = Counter(crc32(gram.encode()) % DIMENSIONS for gram in _grams(text))
    weights = {place: 1.0 + math.log(count) for place, count in counts.items()}
    length = math.sqrt(sum(weight * weight for weight in weights.values()))
    return {place: weight / length for place, weight in weights.items()}


def similarity(left: Vector, right: Vector) -> float:
    """Return the cosine of the two, from 0 (nothing shared) to 1 (same direction)."""
    if len(left) > len(right):
        left, right = right, left
    return min(sum(weight * right.get(place, 0.0) for place, weight in left.items()), 1.0)


def _grams(text: str) -> Iterator[str]:
    for word in plain_words(text):
        padded = f" {word} "
        for size in _SIZES:
            for start in range(len(padded) - size + 1):
                yield padded[start : start + size]
