"""Which search comes next. Queries are made of the question's own words, never of an answer."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from knowledge_team.scripted.language import QUESTION_WORDS
from knowledge_team.scripted.question import Part
from knowledge_team.search_text import NO_RESULTS
from knowledge_team.words import fold

MOST_SEARCHES = 6
"""Searches of one request at most, however many parts it has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """A search that was made.

    Attributes:
        query: What was looked for.
        result: What came back.
        failed: Whether that is the text of an error.

    """

    query: str
    result: str
    failed: bool = False

    @property
    def empty(self) -> bool:
        """Whether it went well and found nothing."""
        return not self.failed and self.result.strip() in {"", NO_RESULTS}


def next_query(parts: Sequence[Part], done: Sequence[Search]) -> str | None:
    """Return what to look for next, None where all is there that can be found.

    Each subject is looked for once. A second time only where nothing at all was found, and then
    by its name alone; or where the search failed, and then unchanged.
    """
    if len(done) >= MOST_SEARCHES:
        return None
    made = [search.query for search in done]
    for first, second in _queries(parts):
        if first not in made:
            return first
        last = next(search for search in reversed(done) if search.query == first)
        if last.failed and made.count(first) == 1:
            return first
        if last.empty and second not in made and second != first:
            return second
    return None


def _queries(parts: Sequence[Part]) -> Iterable[tuple[str, str]]:
    """Return for each subject the query with all that is asked of it, and the name alone."""
    words: dict[tuple[str, ...], dict[str, None]] = {}
    for part in parts:
        asked = (part.wanted, *part.words)
        useful = (word for word in asked if word and fold(word) not in QUESTION_WORDS)
        words.setdefault(part.subjects, {}).update(dict.fromkeys(useful))
    for subjects, asked in words.items():
        name = " ".join(subjects)
        query = " ".join((name, *asked)).strip()
        # A question without a name or a word that means something is looked for as it stands.
        yield query or parts[0].text, name or _shorter(list(asked))


def _shorter(words: Sequence[str]) -> str:
    """Return the last word: in English the noun that the others describe."""
    return words[-1] if words else ""
