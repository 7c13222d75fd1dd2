"""What a sentence says of how named things stand to each other: one rule a form. Pure functions."""

import re
from collections.abc import Iterable, Iterator

from knowledge_team.facts import Relation
from knowledge_team.scripted.ingestion.clauses import (
    ADVERB,
    CLASS_NOUNS,
    PARTICIPLE,
    VERB,
    Clause,
    third,
)
from knowledge_team.scripted.ingestion.naming import NAME, NAMES, clean_name, enumerated
from knowledge_team.scripted.language import PERSONS, singular
from knowledge_team.words import FUNCTION_WORDS, fold, plain_words, word_set

FORMED = "formed"
"""How those stand who together became something to what they became."""

_FORMING = r"(?:form|found|create|establish|launch|build|set\s+up|start|become|make\s+up)"
_PREP = (
    r"(?:in|at|on|for|with|from|to|into|near|of|by|as|under|over|through|across|against|off|up|out)"
)
_BETWEEN_VERB_AND_NAME = rf"(?:(?!(?:{_PREP}|and|or|that|which|who|not)\b)[a-z][\w-]*\s+){{0,3}}?"

_NOUN = r"(?:[a-z][a-z-]*\s+){0,4}?(?:[a-z][a-z-]+|[A-Z]{2,4})"

_BY = re.compile(rf"\b(?P<did>{PARTICIPLE})\b(?P<between>[^.;:]{{0,60}}?)\s+by\s+(?P<who>.+)$")
_NEXT_DONE = re.compile(
    rf",?\s+(?:and|but)\s+(?=(?:(?:is|was|are|were)\s+)?{ADVERB}{PARTICIPLE}\b)"
)
_GATHERS = re.compile(
    r"\b(?:brings?\s+together|brought\s+together|unit(?:es?|ed)|combin(?:es?|ed)|consists?\s+of"
    r"|consisted\s+of|comprises?|(?:is|was)\s+made\s+up\s+of|(?:is|was)\s+composed\s+of"
    r"|(?:merger|union|fusion|alliance|consortium|coalition|combination|collaboration|partnership"
    r"|cooperation|joint\s+venture)\s+(?:of|between)"
    r"|(?:emerged|resulted|arose|grew)\s+(?:from|out\s+of))\s+(?P<who>.+)$"
)
_WHEN = re.compile(
    r"\b(?:when|after|as)\s+(?P<who>[^.;:]{3,300}?)\s+(?:all\s+|had\s+)?"
    r"(?:merged|joined|came\s+together|combined|united|teamed\s+up)\b"
)
_TOGETHER = re.compile(
    r"\b(?:merged|joined|came\s+together|combined|united|teamed\s+up|got\s+together|agreed|decided)\b"
    rf"[^.;:]{{0,40}}?\b(?:(?:to|and)\s+{_FORMING}(?:ed|d)?|into|as|under\s+the\s+name)\s+"
    rf"(?:the\s+|a\s+new\s+\w+\s*,?\s+|called\s+)*(?P<what>{NAME})"
)
_MERGED_WITH = re.compile(
    rf"\b(?:merged|combined|united|joined\s+forces|teamed\s+up)\s+with\s+(?:the\s+)?(?P<who>{NAMES})"
)
_ROLE = re.compile(
    rf"^(?:is|was|are|were|(?:has|have|had)\s+been|became|serves\s+as|served\s+as|works\s+as|worked\s+as)\s+{ADVERB}"
    rf"(?:an?\s+|the\s+|one\s+of\s+(?:the\s+)?(?:\w+\s+)??)?(?!{PARTICIPLE}\s+{_PREP}\b)"
    r"(?P<noun>[a-zA-Z][\w\s-]{1,60}?)\s+"
    rf"(?P<prep>of|at|for|with|behind|in)\s+(?:the\s+)?{_BETWEEN_VERB_AND_NAME}(?P<names>{NAMES})"
)
_WORKS = re.compile(
    rf"\b(?:works|worked|working|employed)\b(?:\s+as\s+[^,.;]+?)?\s+(?:at|for|with|by)\s+(?:the\s+)?"
    rf"{_BETWEEN_VERB_AND_NAME}(?P<names>{NAMES})"
)
_DOES = re.compile(
    rf"^{ADVERB}(?:(?:has|have|had|is|was|are|were)\s+(?:been\s+)?{ADVERB})?"
    rf"(?P<verb>{VERB}|born|{PARTICIPLE})"
    rf"(?P<prep>(?:\s+{_PREP}\b)*)\s+(?:the\s+|an?\s+)?{_BETWEEN_VERB_AND_NAME}(?P<names>{NAMES})"
)
_THING = re.compile(
    rf"^{ADVERB}(?P<verb>[a-z]+[^s\W]s)\s+(?:the\s+|its\s+|their\s+)?(?P<what>[a-z][\w ,-]*?)"
    rf"(?=\s+(?:{_PREP}|that|which|who|where|when|while|because|so|between|along|within)\b"
    r"|,?\s+(?:e\.\s?g\.|i\.\s?e\.|such\s+as|including|especially)|[.;:!(](?!\w)|$)"
)
_GIVES = re.compile(
    rf"^{ADVERB}(?P<verb>[a-z]+[^s\W]s|[a-z]+ed|sold|built|made|lent)\s+[a-z][\w ,-]{{1,60}}?\s+"
    rf"(?P<prep>to|for)\s+(?:the\s+)?(?P<names>{NAMES})"
)
"""`supplies wheels to A and B`."""
_WITH_ANOTHER = re.compile(
    rf"^{ADVERB}co-?founded\s+(?P<what>{NAME})\s+(?:together\s+)?with\s+(?P<who>.+)$"
)
_DONE_BY = re.compile(rf"^{PARTICIPLE}\s+{_PREP}\b")
_NEXT_VERB = re.compile(rf",?\s+(?:and|but|who|which|where)\s+(?={ADVERB}{VERB})")
_NEGATED = re.compile(r"\b(?:not|never|no\s+longer|neither|nor|without)\b", re.IGNORECASE)
_AUXILIARY = word_set("is are was were has have had does did do will can be been")
_NO_OBJECT = word_set(
    "works lives means needs wants goes comes lies sits seems says tells knows begins starts "
    "stands ends remains becomes looks"
)
_NO_THING = (
    FUNCTION_WORDS | CLASS_NOUNS | PERSONS | word_set("together up out away forward off back not")
)
_LONGEST_THING = 3

_OF_ROLE = re.compile(
    r"^(?:(?:Among|One\s+of)\s+)?(?:[Tt]he\s+)?(?:\w+\s+)??(?P<noun>" + _NOUN + r")\s+"
    rf"(?:of|behind)\s+(?:the\s+)?(?P<what>{NAME})"
    r"\s*(?:(?:is|are|was|were|include[sd]?)\b|:)\s*(?P<who>.+)$",
)
_HAS_ROLE = re.compile(
    rf"^(?:The\s+)?(?P<what>{NAME})(?:['\u2019]s?\s+|\s+(?:has|had)\s+)(?:\w+\s+)??"
    r"(?P<noun>" + _NOUN + r")"
    r"\s*(?:(?:is|are|was|were|include[sd]?)\s|:\s|,\s(?=[^\W\da-z_]))\s*(?P<who>.+)$"
)
_BEHIND = re.compile(rf"^Behind\s+(?:the\s+)?(?P<what>{NAME})\s+(?:is|are|stands?)\s+(?P<who>.+)$")
_FORMED = re.compile(
    rf"^(?P<who>[^.;:]{{5,300}}?)\s+{ADVERB}(?:(?:have|had)\s+{ADVERB})?(?:formed|founded|created|established|launched"
    rf"|built|set\s+up|started|make\s+up)\s+(?:the\s+)?(?P<what>{NAME})"
)
_DO_LISTED = re.compile(
    rf"^[A-Z]\w*\s+(?:[a-z][\w-]*\s+){{0,2}}?[a-z]\w*s\s+(?P<verb>[a-z]{{3,}})\s+(?:the\s+)?"
    rf"(?P<what>{NAME})[^:]{{0,40}}:\s*(?P<who>.+)$"
)
"""`Three firms own Vela: A, B and C`."""
_LISTED = re.compile(
    rf"\b{_FORMING}(?:ed|d|s)?\s+(?:the\s+)?(?P<what>{NAME})[^:]{{0,60}}:\s*(?P<who>.+)$"
)


def clause_relations(clause: Clause) -> tuple[Relation, ...]:
    """Return the relations that the clause states, each once."""
    if _NEGATED.search(clause.rest):
        return ()
    found: list[Relation] = []
    becomes = any(form.search(clause.rest) for form in (_GATHERS, _WHEN, _TOGETHER))
    pieces = () if becomes else _NEXT_VERB.split(clause.rest)
    for subject in clause.subjects:
        found += _whole(subject, clause.rest)
        found += _whole(subject, clause.aside)
        if said := _ROLE.match(f"is {clause.aside}"):
            found += _by_role(subject, said)
        for piece in pieces:
            found += _piece(subject, piece)
    return _distinct(found)


def role_relations(sentence: str) -> tuple[Relation, ...]:
    """Return the relations of sentences about a noun, as in `The founders of Vela are A and B`."""
    if _NEGATED.search(sentence):
        return ()
    # A noun at the beginning of its sentence has a capital, and is none of the names for that.
    small = sentence[:1].lower() + sentence[1:]
    for found in (_OF_ROLE.match(sentence) or _OF_ROLE.match(small), _HAS_ROLE.match(sentence)):
        if found is not None and _begins_with_name(found["who"]):
            return _distinct(_links(enumerated(found["who"]), role(found["noun"]), found["what"]))
    if (found := _FORMED.match(sentence)) and len(names := enumerated(found["who"])) > 1:
        return _distinct(_links(names, FORMED, found["what"]))
    for form in (_BEHIND, _LISTED):
        if found := form.search(sentence):
            return _distinct(_links(enumerated(found["who"]), FORMED, found["what"]))
    if (found := _DO_LISTED.match(sentence)) and found["verb"] not in FUNCTION_WORDS:
        verb = found["verb"] if found["verb"].endswith("ed") else third(found["verb"])
        return _distinct(_links(enumerated(found["who"]), verb, found["what"]))
    return ()


def role(noun: str) -> str:
    """Return the relation in which somebody stands of whom the noun is said: `member_of`."""
    # `state-of-the-art` says how something is, not what it is; a `co-founder` is one.
    tokens = [one for one in noun.split() if "-" not in one or one.lower().startswith("co-")]
    words = [word for word in plain_words(" ".join(tokens) or noun) if word not in _COUNTS]
    words = [word for word in words if word != "co"] or words
    if any(word.startswith(("founder", "cofounder", "founding", "creator")) for word in words):
        return "founded"
    if not words:
        return "part_of"
    return "_".join([*words[:-1], singular(words[-1]), "of"][-4:])


_COUNTS = word_set(
    "two three four five six seven eight nine ten eleven twelve the current former many several "
    "about around over nearly almost roughly some"
)


def _whole(subject: str, text: str) -> Iterator[Relation]:
    """Return what forms say that may stand anywhere in the sentence."""
    for piece in _NEXT_DONE.split(text):
        if found := _BY.search(piece):
            yield from _links(enumerated(found["who"]), _verb(found["did"]), subject)
    for form in (_GATHERS, _WHEN):
        if found := form.search(text):
            members = enumerated(found["who"])
            yield from _links(members if len(members) > 1 else (), FORMED, subject)
    if found := _TOGETHER.search(text):
        others = _MERGED_WITH.search(text)
        names = (subject, *(enumerated(others["who"]) if others else ()))
        yield from _links(names, FORMED, found["what"])
    if found := _WORKS.search(text):
        yield from _to(subject, "works_at", enumerated(found["names"]))


def _piece(subject: str, piece: str) -> Iterator[Relation]:
    """Return what a single verb and its object say."""
    if (found := _GIVES.match(piece)) and not _WORKS.match(piece):
        yield from _to(subject, f"{found['verb']}_{found['prep']}", enumerated(found["names"]))
    if found := _WITH_ANOTHER.match(piece):
        yield from _links(enumerated(found["who"]), "founded", found["what"])
    if found := _ROLE.match(piece):
        yield from _by_role(subject, found)
    elif found := _DOES.match(piece):
        verb = _verb(f"{found['verb']} {found['prep']}")
        # Where somebody works is told in one way, whatever the preposition.
        told = fold(found["verb"]) in _AUXILIARY or _WORKS.match(piece)
        if not told and not verb.endswith(("_by", "_as")):
            yield from _to(subject, verb, enumerated(found["names"]))
    elif found := _THING.match(piece):
        yield from _things(subject, found)


def _by_role(subject: str, found: re.Match[str]) -> Iterator[Relation]:
    names = enumerated(found["names"])
    # `founder and head of Vela` is both of it, `a pilot and the founder of Vela` the last alone.
    said = re.split(r"\s+and\s+(?:an?|the)\s+", found["noun"])[-1]
    for noun in re.split(r"\s+and\s+", said):
        match found["prep"]:
            case "of" | "behind":
                yield from _to(subject, role(noun), names)
            case "in":
                yield from _to(subject, "located_in", names)
            case _ if role(noun) == "founded":
                yield from _to(subject, "founded", names)
            case _:
                yield from _to(subject, "works_at", names)


def _things(subject: str, found: re.Match[str]) -> Iterator[Relation]:
    verb = found["verb"]
    if fold(verb) in _NO_OBJECT | _AUXILIARY:
        return
    for thing in re.split(r"\s*,\s*(?:and\s+)?|\s+and\s+", found["what"]):
        words = [word for word in thing.split() if word not in _COUNTS and not word.isdigit()]
        is_plain = 0 < len(words) <= _LONGEST_THING and not set(words) & _NO_THING
        if is_plain and not words[-1].endswith(("ly", "ing", "ed")):
            yield from _to(subject, verb, (" ".join(words).capitalize(),))


def _links(names: Iterable[str], relation_type: str, what: str) -> Iterator[Relation]:
    for name in names:
        yield from _to(name, relation_type, (clean_name(what) or what,))


def _to(subject: str, relation_type: str, names: Iterable[str]) -> Iterator[Relation]:
    for name in names:
        if fold(name) != fold(subject):
            yield Relation(from_entity=subject, relation_type=relation_type, to_entity=name)


def _verb(words: str) -> str:
    return "_".join(word for word in plain_words(words) if word != "co")


def _begins_with_name(text: str) -> bool:
    first = plain_words(text)[:1]
    if _DONE_BY.match(text):
        return False
    return bool(first) and first[0] not in {"in", "at", "on", "to", "from", "for", "not"}


def _distinct(relations: Iterable[Relation]) -> tuple[Relation, ...]:
    return tuple(dict.fromkeys(relations))
