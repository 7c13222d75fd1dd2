"""What kind of thing a name stands for, from what a sentence says of it. Pure functions."""

import re
from collections.abc import Iterator

from knowledge_team.scripted.ingestion.clauses import ADVERB, Clause
from knowledge_team.scripted.ingestion.naming import NAME, clean_name
from knowledge_team.scripted.language import is_plural, kind_of, singular, without_legal_form
from knowledge_team.words import fold, plain_words, word_set

UNKNOWN = "unknown"
"""The type of what is only named."""

_IS_A = re.compile(
    rf"^(?:is|was|are|were|became|remains|works\s+as|worked\s+as|serves\s+as)\s+{ADVERB}"
    r"(?:one\s+of\s+)?(?:an?|the|our|its|\w+['\u2019]s)\s+(?P<noun>[^,.;:()]+)"
)
_ARE = re.compile(rf"^(?:are|were)\s+{ADVERB}(?P<noun>[^,.;:()]+)")
_ONE_OF = re.compile(r"^\w+\s+one\s+of\s")
_A = re.compile(r"^(?:an?|the)\s+(?P<noun>[^,.;:()]+)")
_SORT = re.compile(r"^(?:\w+\s+)?(?:kind|type|sort|form)\s+of\s+(?:an?\s+)?")
# A participle ends the noun only where something follows that belongs to it: `a scanner made by
# Furu`, but `a publicly funded institute`.
_NOUN_END = re.compile(
    r"(?<![\w-])(?:of|at|in|for|from|with|who|whose|that|which|where|to|on|by|since|between|near"
    r"|under|within|across|you|we|called|named|headquartered|active|offering|providing|serving"
    r"|speciali[sz]ing|dedicated"
    r"|\w+[ai]ble(?=\s+(?:for|to|of|in|from|at)\b)"
    r"|(?:\w+ed|made|built|run|led|sold|written|held|driven)"
    r"(?=\s+(?:at|in|for|from|with|to|on|by|near|under|out|up|as|around|\d)\b|\s*$))(?![\w-])"
)
_NOUN_AND_NAME = re.compile(
    rf"\b(?:the|an?|his|her|its|their)\s+(?:[a-z][\w-]*\s+){{0,2}}(?P<noun>[a-z]+)\s+(?P<name>{NAME})"
)
_AND = re.compile(r"(?<!ing)(?<!al)(?<!ic)(?<!ed)(?<!ive)\s+(?:and|or)\s")
"""An `and` between nouns, as far as the word before it shows: `planning and booking` is one."""
_LIVES = re.compile(
    r"\b(?:born|lives|lived|studied|graduated|grew\s+up|married|works\s+(?:at|as|for)|worked\s+(?:at|as)"
    r"|joined\s+the\s+(?:company|firm|business|board|team)|retired|plays|wrote|teaches|taught)\b"
)
_PERSON_ENDINGS = (
    "eer",
    "ist",
    "ian",
    "yst",
    "ect",
    "pher",
    "keeper",
    "smith",
    "wright",
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
    "teacher farmer trader worker lecturer reporter notary clerk "
    "biologist student professor judge poet executive deputy president secretary treasurer mayor"
)
_NO_PERSONS = word_set(
    "partner operator supplier plant restaurant sector factor motor reactor project product effect "
    "district system list museum investor distributor contractor competitor accelerator incubator "
    "aggregator generator simulator calculator indicator navigator"
)
_ORGANISATION_WORDS = word_set(
    "ag gmbh inc ltd llc corp co ab as oy bv kg se group holding labs lab systems consulting "
    "consultants partners university institute school college hospital association society union "
    "foundation collective alliance agency bank museum works industries logistics shipping studio "
    "studios technologies software solutions company"
)
_NO_KINDS = word_set("name names who what title id no nr date year item entry label contact")
"""Heads of columns that do not say what the names below them are."""
_NO_NOUNS = word_set(
    "larger largest bigger biggest smaller smallest older oldest younger youngest newest latest "
    "best first second third last only main same other one"
)
"""Words behind an article that stand for a noun: `the larger of the two`."""
_LONGEST = 60
"""Characters of a noun."""
_TITLES = word_set("dr mr mrs ms prof")


def told_type(clause: Clause) -> str:
    """Return what the clause says that its subject is, in one word; empty where it does not."""
    found = _IS_A.match(clause.rest) or _A.match(clause.aside)
    noun = _head(found["noun"]) if found is not None else _plural_head(clause.rest)
    noun = singular(noun) if _ONE_OF.match(clause.rest) else noun
    if noun and len(noun) <= _LONGEST:
        return "person" if _is_person(noun) else noun
    return "person" if _LIVES.search(clause.rest) else ""


def _head(phrase: str) -> str:
    """Return the noun that the others describe: `partner` of `end-to-end logistics partner for`."""
    described = _NOUN_END.split(_SORT.sub("", phrase, count=1), maxsplit=1)[0]
    nouns = _AND.split(described, maxsplit=1)[0].split()
    noun = fold(nouns[-1]).strip("'\"\u2019\u201c\u201d-") if nouns else ""
    return "" if noun in _NO_NOUNS else noun


def _plural_head(rest: str) -> str:
    """Return what several are said to be, in the singular: `supplier` of `are suppliers of`."""
    found = _ARE.match(rest)
    noun = _head(found["noun"]) if found is not None else ""
    return singular(noun) if is_plural(noun) else ""


def type_by_name(name: str) -> str:
    """Return what the words of a name show, `unknown` where they show nothing."""
    words = plain_words(name)
    if words[:1] and words[0] in _TITLES:
        return "person"
    has_form = without_legal_form(name) != name
    return "organisation" if has_form or set(words) & _ORGANISATION_WORDS else UNKNOWN


def persons_named(sentence: str) -> Iterator[str]:
    """Yield the names before which the sentence says what a person does: `the engineer Bo Krog`."""
    for found in _NOUN_AND_NAME.finditer(sentence):
        if _is_person(found["noun"]):
            yield clean_name(found["name"])


def is_vague(kind: str) -> bool:
    """Return whether a page that says more is to be believed in its place."""
    return kind in {"", UNKNOWN, "organisation", "place"}


def type_of_column(head: str) -> str:
    """Return what the names below the head of a column are, empty where it does not say."""
    noun = fold(head)
    return singular(noun) if noun.isalpha() and noun not in _NO_KINDS else ""


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
