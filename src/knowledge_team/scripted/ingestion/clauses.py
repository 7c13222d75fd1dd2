"""Who a sentence is about, and what it goes on to say. Pure functions."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from knowledge_team.scripted.ingestion.naming import (
    BETWEEN,
    NAME,
    NAMES,
    clean_name,
    enumerated,
    name_at_end,
)
from knowledge_team.words import FUNCTION_WORDS, fold, word_set

_IRREGULAR = (
    "is|are|was|were|has|have|had|became|began|bought|brought|built|came|chose|drew|fell|gave|got"
    "|grew|held|kept|led|left|lent|made|met|ran|rose|sat|saw|set|sold|spoke|spent|stood|stand|taught"
    "|took|won|wrote|run|own|lead|form|make|build|offer|operate|serve|work|can|will|does|did|do"
)
VERB = rf"(?:(?:{_IRREGULAR})\b|[a-z][a-z-]*(?:ed|[^s\W]s)\b)"
"""The source of a regular expression for a finite verb, as far as its form shows it."""

_LY_VERBS = word_set("supply apply rely reply comply multiply fly")
ADVERB = (
    r"(?:(?:also|now|still|once|then|later|first|together|today|both|all|each"
    rf"|(?!(?:{'|'.join(sorted(_LY_VERBS))})\b)\w+ly)\s+)*"
)

PARTICIPLE = (
    r"(?:[a-z-]+ed|begun|born|bought|brought|built|chosen|done|drawn|founded|given|grown|held|kept|led"
    r"|made|run|sold|set\s+up|spun\s+off|started|taken\s+over|taught|won|written|known|driven)"
)

_ASIDE = r"(?P<aside>\s*\([^)]*\)|\s*,\s+(?:[a-z][^,]{1,140}|[A-Z][^,]{1,60}\s[^,]{1,80}),)?"
_SUBJECT = re.compile(
    rf"^(?:[Tt]he\s+|[Aa]n?\s+)?(?P<names>{NAMES}){_ASIDE}\s*,?\s+(?P<rest>{ADVERB}{VERB}.*)$"
)
# Of several, a verb has no ending that shows it.
_SEVERAL = re.compile(
    rf"^(?:Both\s+)?(?P<names>{NAME}{BETWEEN}(?:the\s+)?{NAMES})\s+{ADVERB}"
    r"(?P<verb>[a-z]{3,})\s+(?P<rest>.+)$"
)
_APPOSITION = re.compile(r",\s+(?P<noun>(?:an?|the)\s+[a-zA-Z][^,.;:()]{2,140})(?=[,.;]|$)")
_RELATIVE = re.compile(r"\s(?:that|which|who|whose|where)\s")
_OWNED = re.compile(
    rf"^{NAME}['\u2019]s?\s+[a-z][\w -]{{1,40}},\s+(?:the\s+)?(?:[a-z][\w-]*\s+){{0,2}}"
    rf"(?P<name>{NAME}),\s+(?P<rest>{VERB}.*)$"
)
_PAST = re.compile(rf"\s(?:(?:{_IRREGULAR})|[a-z-]+ed)\b(?!\s+by\b)")
_FINITE = re.compile(rf"\s{VERB}(?!\s+by\b)")
_LATER = r"[A-Z\d]\w*\s+(?:year|month|week|day|decade)s?\s+(?:later|ago|before|earlier)"
_YEAR_ALONE = re.compile(
    rf"^((?:In|Since|By|During|Until)\s+(?:[A-Za-z]+\s+)?(?:1\d|20)\d\d|{_LATER})"
    r"\s+(?=the\s|its\s|[^\W\da-z_])"
)
_OPENING = re.compile(
    rf"^(?P<opening>(?:{_LATER}|In|Since|On|At|From|During|After|Before|Based|Located|Headquartered|Founded"
    r"|Formed|Created|Established|Launched|Born|Today|Now|Currently|Originally|Together|As|With"
    r"|Between|By|Until|Owned|Led|Backed|Supported|Developed|Built)\b[^,]{0,140}),\s+(?P<rest>.+)$"
)
_TODAY = re.compile(
    r"^(?:(?:Today|Now|Currently|Nowadays|At\s+present|Meanwhile),\s+"
    r"|[^\W\da-z_]{3}[^a-z\d]{0,40}\s[\u2013\u2014]\s+)"
)
_TITLE = re.compile(
    r"^(?:[Tt]he\s+|[Aa]n?\s+)?(?:[A-Z]?[a-z][\w-]*\s+)?[a-z][\w-]*(?:\s+[a-z][\w-]*){0,2}"
    r"\s+(?=[^a-z\s])"
)
_PERSONAL = re.compile(
    r"^(?P<who>We|I|He|She|It|They)(?P<short>['\u2019](?:m|re|s|ve))?\s+(?P<rest>.+)$"
)
_WITHOUT_COMMA = re.compile(
    r"^((?:In|Since|At|On|From|During|After|Before|Until)\s+[\w ]{2,30}?)"
    r"\s+((?:he|she|it|they|we|I)\s)"
)
_POSSESSIVE = re.compile(r"^(?P<who>Our|My|His|Her|Its|Their)\s+(?P<rest>.+)$")
_GENERIC = re.compile(
    rf"^(?:The|This|Our|That)\s+(?P<noun>[a-z][\w-]*)"
    rf"(?P<rest>,\s+(?:which|who)\s.*|\s+{ADVERB}{VERB}.*)$"
)
CLASS_NOUNS = word_set(
    "company firm business organisation organization group alliance platform project team product "
    "tool service software association cooperative consortium startup agency institute university "
    "port museum club foundation network collective initiative institution union society brand "
    "enterprise programme program system library school studio lab laboratory office venture"
)
"""Nouns that, behind `the`, can stand for a name that was said before."""
_NO_OWNER = re.compile(
    r"^(?:The|Our|Its|Their)\s+(?P<noun>[a-z][a-z -]{1,40}?)\s+"
    rf"(?P<verb>is|are|was|were|include[sd]?)\b:?\s*(?P<who>(?:the\s+)?{NAME}.*)$"
)
_OBJECT = re.compile(
    rf"\s+(?:the|this)\s+(?:{'|'.join(sorted(CLASS_NOUNS))})"
    r"(?=[.,;]|\s+(?:in|since|and|as|from)\b|$)"
)
_INTRODUCES = re.compile(
    rf"^(?:I['\u2019]m|I\s+am|My\s+name\s+is|We\s+are|We['\u2019]re)\s+(?:the\s+)?(?P<name>{NAME})"
    r"\s*[.,!](?P<more>.*)$"
)
BELONGS = re.compile(rf"^(?:The\s+)?(?P<name>{NAME})['\u2019]s?\s+[a-z]")
"""The beginning of a sentence about something that a name has: `Vela's office is`."""
_NO_VERBS = FUNCTION_WORDS | word_set(
    "also between both not now only still then together under over near while but"
)
_SHORT = {"m": "is", "re": "is", "s": "is", "ve": "has"}
_SINGULAR = {"are": "is", "am": "is", "were": "was", "have": "has", "do": "does"}
_FIRST_PERSON = frozenset({"We", "I", "Our", "My"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A sentence about somebody or something with a name.

    Attributes:
        subjects: Who or what it is about; several do the same.
        aside: What stands between commas or brackets behind the name, empty where nothing does.
        rest: The sentence from its verb on, with what stands before its subject at the end.

    """

    subjects: tuple[str, ...]
    aside: str
    rest: str


def read_clause(sentence: str) -> Clause | None:
    """Return the clause, None where the sentence does not begin with a name and a verb."""
    opening, bare = _without_opening(sentence)
    found = _SUBJECT.match(bare) or _SUBJECT.match(_TITLE.sub("", bare, count=1))
    if found is None:
        return _read_several(bare)
    subjects = enumerated(found["names"])
    if not subjects or not clean_name(found["names"]).startswith(subjects[0][:1]):
        return None
    rest = f"{found['rest'].rstrip(' .!')}, {opening}" if opening else found["rest"]
    return Clause(subjects=subjects, aside=(found["aside"] or "").strip(" ,()"), rest=rest)


def appositions(sentence: str) -> Iterator[tuple[str, str]]:
    """Yield names with what is said of them between commas: `a start-up that sells maps`."""
    _, bare = _without_opening(sentence)
    for found in _APPOSITION.finditer(bare):
        name, noun = name_at_end(bare[: found.start()]), found["noun"]
        # `Once it saw Norvik, the ferry turned` says nothing of Norvik.
        if name and not (noun.startswith("the ") and _PAST.search(_RELATIVE.split(noun)[0])):
            yield name, noun


def of_the_owned(sentence: str) -> str:
    """Return what a sentence says of a name between commas; empty if of none.

    `Vela's head, Ada Quill, left` says that Ada Quill left.
    """
    found = _OWNED.match(sentence)
    name = clean_name(found["name"]) if found is not None else ""
    return f"{name} {found['rest']}" if found is not None and name else ""


def halves(sentence: str) -> tuple[str, ...]:
    """Return the sentences between semicolons; the whole where one of them has no verb."""
    pieces = [one.strip() for one in sentence.split(";")]
    if not all(_FINITE.search(one) for one in pieces):
        return (sentence,)
    return tuple(one[:1].upper() + one[1:] for one in pieces)


def _read_several(sentence: str) -> Clause | None:
    """Return the clause in which several do the same, its verb as one of them does it."""
    found = _SEVERAL.match(sentence)
    if found is None or found["verb"] in _NO_VERBS or found["verb"].endswith(("ing", "s")):
        return None
    rest = f"{third(found['verb'])} {found['rest']}"
    return Clause(subjects=enumerated(found["names"]), aside="", rest=rest)


def without_adverb(sentence: str) -> str:
    """Return the sentence without what only a page has before it: `Today, `, or a dateline."""
    bare = _TODAY.sub("", sentence, count=1)
    return bare if bare == sentence else bare[:1].upper() + bare[1:]


def _without_opening(sentence: str) -> tuple[str, str]:
    found = _OPENING.match(_YEAR_ALONE.sub(r"\g<1>, ", sentence, count=1))
    if found is None:
        return "", sentence
    opening = found["opening"]
    return opening[:1].lower() + opening[1:], found["rest"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SpokenOf:
    """For whom a word may stand; each empty where nothing was said of such a one.

    Attributes:
        speaker: Whose page it is: `We`.
        latest: Who or what was spoken of last: `She`.
        thing: The last that is not known to be a person: `It`, `The company`.
        noun: What the thing is, `ferry`: `The ferry` then stands for it.

    """

    speaker: str
    latest: str
    thing: str = ""
    noun: str = ""

    def named(self, who: str) -> str:
        """Return for whom the pronoun stands."""
        if who in _FIRST_PERSON:
            return self.speaker
        return (self.thing or self.latest) if who in {"It", "Its"} else self.latest


def with_subject(sentence: str, spoken_of: SpokenOf) -> str:
    """Return the sentence with a name where its first word stands for one, else unchanged."""
    opening, bare = _without_opening(_WITHOUT_COMMA.sub(r"\g<1>, \g<2>", sentence, count=1))
    capital = bare[:1].upper() + bare[1:]
    if opening:
        said = with_subject(capital, spoken_of)
        return f"{sentence[: len(opening)]}, {said}" if said != capital else sentence
    if found := _PERSONAL.match(sentence):
        name = spoken_of.named(found["who"])
        return f"{name} {_singular(found, found['who'])}" if name else sentence
    if found := _POSSESSIVE.match(sentence):
        name = spoken_of.named(found["who"])
        return f"{_possessive(name)} {found['rest']}" if name else sentence
    found = _GENERIC.match(sentence)
    thing = spoken_of.thing or spoken_of.latest
    if found and thing and fold(found["noun"]) in {*CLASS_NOUNS, spoken_of.noun}:
        return f"{thing}{found['rest']}"
    return sentence


def with_owner(sentence: str, owner: str) -> str:
    """Return `The founders are A and B` as one that says of whom; others unchanged."""
    found = _NO_OWNER.match(sentence) if owner else None
    if found is None or clean_name(found["who"].split()[0]) == "":
        return sentence
    return f"The {found['noun']} of {owner} {found['verb']} {found['who']}"


def with_object(sentence: str, name: str) -> str:
    """Return the sentence with a name where it ends a clause with `the company`."""
    return _OBJECT.sub(f" {name}", sentence) if name and name not in sentence else sentence


def introduced(sentence: str) -> tuple[str, str]:
    """Return who introduces itself, and the sentence as one about them.

    Of `I'm Mira Holm.` nothing is left but the name; of other sentences there is no name.
    """
    found = _INTRODUCES.match(sentence)
    name = clean_name(found["name"]) if found is not None else ""
    if found is None or not name:
        return "", sentence
    return name, f"{name} is {found['more'].strip()}" if found["more"].strip() else ""


def _possessive(name: str) -> str:
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def _singular(found: re.Match[str], who: str) -> str:
    """Return the rest of a sentence with the verb that a single name has."""
    if found["short"]:
        return f"{_SHORT[found['short'][1:]]} {found['rest']}"
    if who in {"He", "She", "It"}:
        return found["rest"]
    verb, blank, rest = found["rest"].partition(" ")
    if verb in _SINGULAR:
        return f"{_SINGULAR[verb]}{blank}{rest}"
    is_adverb = verb.endswith("ly") and verb not in _LY_VERBS
    is_base = verb.isalpha() and verb.islower() and not (verb.endswith(("ed", "s")) or is_adverb)
    irregular = re.fullmatch(_IRREGULAR, verb) is not None and verb not in _BASE
    return f"{third(verb)}{blank}{rest}" if is_base and not irregular else found["rest"]


_BASE = word_set("own lead form make build offer operate serve work")


def third(verb: str) -> str:
    """Return the verb as one does it: `supplies`."""
    if verb.endswith(("sh", "ch", "x", "z", "o")):
        return f"{verb}es"
    if verb.endswith("y") and verb[-2:-1] not in "aeou":
        return f"{verb[:-1]}ies"
    return f"{verb}s"


NAME_ALONE = re.compile(rf"^(?:About\s+|Über\s+|Welcome\s+to\s+|The\s+)?(?P<name>{NAME})$")
"""A line that is nothing but a name, or says that it is about it."""
