"""Terms in texts, with a reason that goes item by item; shared by the evaluators of texts."""

from collections.abc import Iterable, Sequence
from typing import Annotated

from annotated_types import MinLen

from audition.matching.similarity import Nearest
from audition.matching.terms import Found, Term, contains, describe, find, nearest
from audition.matching.text import NormalText, excerpt

type Terms = Annotated[tuple[Term, ...], MinLen(1)]

CLOSE = 0.8
"""Similarity from 0 to 1 above which a missing term looks like another wording of the same."""

LONG = 2_000
"""Characters above which a reason says how much was searched."""


def first_found(term: Term, texts: Iterable[NormalText]) -> Found | None:
    """Return the first place of a term in any of the texts, None where it is in none."""
    for text in texts:
        found = find(term, text)
        if found is not None:
            return found
    return None


def nearest_miss(term: Term, texts: Sequence[NormalText]) -> Nearest | None:
    """Return what came nearest to a term in any of the texts, None where nothing compares."""
    misses = [miss for text in texts if (miss := nearest(term, text)) is not None]
    return max(misses, key=lambda miss: miss.similarity, default=None)


def missing_terms(terms: Sequence[Term], texts: Sequence[NormalText]) -> list[Term]:
    """Return the terms that are in none of the texts."""
    return [term for term in terms if not _is_in_any(texts, term)]


def _is_in_any(texts: Sequence[NormalText], term: Term) -> bool:
    for text in texts:  # noqa: SIM110  # `any` of a generator takes twice as long
        if contains(text, term):
            return True
    return False


def tell_missing(terms: Sequence[Term], texts: Sequence[NormalText]) -> tuple[str, str]:
    """Return which terms are missing, each with its nearest miss, and whether that is wording.

    Where one has none, the last of the texts is shown: what stands there in its place.
    """
    misses = [nearest_miss(term, texts) for term in terms]
    told = [f"{describe(term)}{_tell_miss(miss)}" for term, miss in zip(terms, misses, strict=True)]
    close = any(miss is not None and miss.similarity >= CLOSE for miss in misses)
    said = [text.raw for text in texts if text.raw.strip()]
    if None in misses and said:
        told.append(f"the text is {excerpt(said[-1], 0, len(said[-1]))!r}")
    searched = sum(len(text.raw) for text in texts)
    if searched > LONG:  # of which the nearest miss is but an excerpt
        told.append(f"searched {searched} characters")
    return "; ".join(told), "wording" if close else "omitted"


def _tell_miss(miss: Nearest | None) -> str:
    if miss is None:
        return ""
    return f" (nearest, {miss.similarity:.0%}: {miss.excerpt!r})"


def tell(terms: Iterable[Term]) -> str:
    """Return the terms as a reason shows them."""
    return ", ".join(map(describe, terms))
