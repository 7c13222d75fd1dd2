"""A request as the single questions in it, each a text that can stand alone, names untouched."""

import re
from collections.abc import Iterator

from knowledge_team.scripted.sentences import sentences

_ASKS = r"what|which|who|whom|whose|where|when|how|why"
_TELLS = r"name|list|tell|give|describe|explain|show|identify|enumerate|find|say|introduce"

_URL = re.compile(r"<?https?://\S+")
_SEMICOLON = re.compile(r"(?<=;)\s+(?=[A-Z])")
_ORDER_NOT_TO = re.compile(r"^\W*(?:do\s+not|don['\u2019]t|never|ignore)\b", re.IGNORECASE)
_QUESTION = re.compile(rf"\b(?:{_ASKS})\b|\?\s*$|^\W*(?:please\s+)?(?:{_TELLS})\b", re.IGNORECASE)
_PREAMBLE = re.compile(
    r"^\W*(?:using|based\s+on|according\s+to|from|please|in|so|ok|hello|hi|with)\b[^,?]*[,:]\s*"
    rf"(?=(?:{_ASKS}|{_TELLS}|can|could|is|are|do|does)\b)",
    re.IGNORECASE,
)
_NEXT_QUESTION = re.compile(
    r",?\s+(?:and|but|or|plus|as\s+well\s+as)\s+(?:also\s+|then\s+)?"
    rf"(?=(?:(?:in|at|by|for|with|from|of)\s+)?(?:{_ASKS})\b|(?:{_TELLS})\s)",
    re.IGNORECASE,
)
# A capital letter marks a name here: the question still has the case it was written in.
_NAME = r"(?:(?:[A-Z]|\d)[\w.&-]*\s+)*(?:[A-Z]|\d)[\w.&-]*"
_ATTRIBUTE = r"(?:the\s+|his\s+|her\s+|their\s+|its\s+)?[a-z][a-z]*(?:[ -][a-z]+){0,2}"
_TWO_OF_ONE = re.compile(
    rf"^(?P<head>.*?\b(?:is|are|was|were|me|name|give|state|describe)\s+)(?P<first>{_ATTRIBUTE}),?"
    rf"\s+and\s+(?P<second>{_ATTRIBUTE})\s+of\s+(?P<owner>{_NAME}.*)$"
)
_OWNED_TWICE = re.compile(
    rf"^(?P<head>.*?)(?P<owner>{_NAME})['\u2019]s?\s+(?P<first>{_ATTRIBUTE}),?\s+and\s+"
    rf"(?P<second>{_ATTRIBUTE}|{_NAME}['\u2019]s?\s.*?)\s*\?*$"
)


def clauses(request: str) -> tuple[str, ...]:
    """Return the questions of the request, in order; all of it, where none is seen."""
    text = _URL.sub(" ", request).strip()
    said = [one for half in _SEMICOLON.split(text) for one in sentences(half)]
    allowed = [one for one in said if not _ORDER_NOT_TO.match(one)]
    asked = [one for one in allowed if _QUESTION.search(one)] or allowed or said
    return tuple(clause for sentence in asked for clause in _clauses_of(sentence))


def _clauses_of(sentence: str) -> Iterator[str]:
    bare = _PREAMBLE.sub("", sentence).strip()
    for clause in _NEXT_QUESTION.split(bare):
        yield from _attributes_apart(clause.strip(" ?!.,;"))


def _attributes_apart(clause: str) -> Iterator[str]:
    if found := _TWO_OF_ONE.match(clause):
        yield f"{found['head']}{found['first']} of {found['owner']}"
        yield f"{found['head']}{found['second']} of {found['owner']}"
    elif found := _OWNED_TWICE.match(clause):
        owner, second = found["owner"], found["second"]
        yield f"{found['head']}{owner}'s {found['first']}"
        owned = second[0].isupper() or second[0].isdigit()
        yield f"{found['head']}{second if owned else f"{owner}'s {_unowned(second)}"}"
    elif clause:
        yield clause


def _unowned(attribute: str) -> str:
    return re.sub(r"^(?:the|his|her|their|its)\s+", "", attribute)
