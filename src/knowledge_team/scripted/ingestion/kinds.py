"""What kind of thing a name stands for, from what a sentence says of it. Pure functions."""

import re

from knowledge_team.scripted.ingestion.clauses import ADVERB, Clause
from knowledge_team.scripted.language import kind_of
from knowledge_team.words import plain_words, word_set

UNKNOWN = "unknown"
"""The type of what is only named."""

_IS_A = re.compile(
    rf"^(?:is|was|are|were|became|remains|works\s+as|worked\s+as|serves\s+as)\s+{ADVERB}"
    r"(?:an?|the|our|one\s+of\s+the)\s+(?P<noun>[^,.;:()]+)"
)
_A = re.compile(r"^(?:an?|the)\s+(?P<noun>[^,.;:()]+)")
_NOUN_END = re.compile(
    r"\b(?:of|at|in|for|from|with|who|that|which|where|and|to|on|by|since|based|founded|created"
    r"|\w+ed|made|built|run|led|sold|written|between|near|under)\b"
)
_LIVES = re.compile(
    r"\b(?:born|lives|lived|studied|graduated|grew\s+up|married|works\s+(?:at|as|for)|worked\s+(?:at|as)"
    r"|retired|plays|wrote|teaches|taught)\b"
)
_PERSON_ENDINGS = (
    "eer",
    "ist",
    "ian",
    "yst",
    "ect",
    "pher",
    "man",
    "woman",
    "cher",
    "tor",
    "ctor",
    "ant",
)
_PERSON_NOUNS = word_set(
    "ceo cto cfo chair chef nurse pilot captain officer founder cofounder head manager lawyer "
    "writer author designer programmer researcher baker driver carpenter painter singer "
    "biologist student professor judge poet"
)
_NO_PERSONS = word_set(
    "partner operator supplier plant restaurant sector factor motor reactor project product effect "
    "district system list museum"
)
_ORGANISATION_WORDS = word_set(
    "ag gmbh inc ltd llc corp co ab as oy bv kg se group holding labs lab systems consulting "
    "consultants partners university institute school college hospital association society union "
    "foundation collective alliance agency bank museum works industries logistics shipping studio "
    "studios technologies software solutions company"
)
_LONGEST = 60
"""Characters of a noun."""
_TITLES = word_set("dr mr mrs ms prof")


def told_type(clause: Clause) -> str:
    """Return what the clause says that its subject is, in one word; empty where it does not."""
    found = _IS_A.match(clause.rest) or _A.match(clause.aside)
    noun = _NOUN_END.split(found["noun"])[0] if found is not None else ""
    words = plain_words(noun.replace("-", " "))
    if words and len(words[-1]) <= _LONGEST:
        return "person" if _is_person(words[-1]) else words[-1]
    return "person" if _LIVES.search(clause.rest) else ""


def type_by_name(name: str) -> str:
    """Return what the words of a name show, `unknown` where they show nothing."""
    words = plain_words(name)
    if words[:1] and words[0] in _TITLES:
        return "person"
    return "organisation" if set(words) & _ORGANISATION_WORDS else UNKNOWN


def type_of_end(relation_type: str, *, is_target: bool) -> str:
    """Return what stands at this end of such a relation, empty where that is not certain."""
    verb, _, prep = relation_type.rpartition("_")
    if is_target and (
        relation_type == "works_at" or relation_type.endswith(("ceo_of", "member_of"))
    ):
        return "organisation"
    if is_target and prep in {"in", "near"} and verb in {"based", "located", "lives", "born"}:
        return "place"
    if not is_target and (relation_type == "works_at" or verb in {"lives", "born"}):
        return "person"
    return ""


def _is_person(noun: str) -> bool:
    if noun in _NO_PERSONS or kind_of(noun) == "organisation":
        return False
    return noun in _PERSON_NOUNS or kind_of(noun) == "person" or noun.endswith(_PERSON_ENDINGS)
