"""What a request wants: whether a page is to be taken in, which, and what matters in it."""

import re

from knowledge_team.words import content_words

_URL = re.compile(r"\bhttps?://[^\s<>\"'“”]+", re.IGNORECASE)
_URL_END = ".,;:!?)]}"
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_TAKES_IN = re.compile(
    r"\b(?:re-?)?(?:ingest|fetch|import|crawl|scrape|index|read|load|store|learn|digest|absorb"
    r"|process|download|update|refresh|visit|save|add|force)\b"
    r"|\b(?:take|pull|bring|read)\s+(?:\w+\s+)?in\b",
    re.IGNORECASE,
)
_ORDERS = re.compile(
    r"^\W*(?:@WebIngest\W+)?(?:please\s+)?(?:re-?)?(?:ingest|fetch|import|crawl|scrape)\b",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"\b(?:do\s+not|don['\u2019]?t|never|without|no\s+need\s+to|instead\s+of|rather\s+than|must\s+not"
    r"|should\s+not|not|avoid|refrain\s+from)\b",
    re.IGNORECASE,
)
_BUT = re.compile(r"\b(?:but|instead|and\s+then)\b", re.IGNORECASE)
_ASKS = re.compile(
    r"\b(?:what|who|whom|whose|which|where|when|how|why|did|does|was|were)\b", re.IGNORECASE
)
_FORCED = re.compile(
    r"\bforc(?:e|ed|ing|ibly)\b|\b(?:even\s+(?:if|though|when)|although)\b[^.]*\b(?:unchanged|not\s+changed|the\s+same"
    r"|no(?:thing)?\s+\w*\s*change[sd]?|same)\b|\b(?:regardless|no\s+matter)\b",
    re.IGNORECASE,
)
_FOCUS = re.compile(
    r"\b(?:focus(?:ing)?|concentrat\w+|especially|particular\w*|mainly|about)\b(?P<on>.*)$",
    re.IGNORECASE | re.DOTALL,
)


def addresses(request: str) -> list[str]:
    """Return the addresses of the web in the request, each once, in order."""
    found = (one[0].rstrip(_URL_END) for one in _URL.finditer(request))
    return list(dict.fromkeys(found))


def takes_in(request: str) -> bool:
    """Return whether the request is to take in a page, not a question that names one."""
    has_address = bool(_URL.search(request))
    bare = _URL.sub("URL", request)
    if not has_address:
        return _ORDERS.match(bare) is not None
    return any(_is_order(sentence) for sentence in _SENTENCE.split(bare))


def is_forced(request: str) -> bool:
    """Return whether a page is to be taken in although it is as it was."""
    bare = _URL.sub("URL", request)
    found = _FORCED.search(bare)
    return found is not None and not _is_negated(bare[: found.start()])


def focus(request: str) -> list[str]:
    """Return the words that say what matters to the request, empty where none does."""
    found = _FOCUS.search(_URL.sub(" ", request))
    return content_words(found["on"]) if found is not None and found["on"].strip() else []


def _is_order(sentence: str) -> bool:
    for found in _TAKES_IN.finditer(sentence):
        before = sentence[: found.start()]
        if not _is_negated(before) and not _ASKS.search(before):
            return True
    return False


def _is_negated(before: str) -> bool:
    """Return whether a `not` stands before, and no `but` after it."""
    return _NOT.search(_BUT.split(before)[-1]) is not None
