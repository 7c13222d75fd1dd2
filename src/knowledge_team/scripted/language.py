"""What the rules know of English: which words mean the same, and which mean nothing here.

Only words; how sentences are built is known to `question` and `evidence`.
"""

import re
from functools import lru_cache

from knowledge_team.words import FUNCTION_WORDS, fold, plain_words, stem, word_set

# A phrase becomes the one word that the rules know; in this order, so longer ones first.
_PHRASES = tuple(
    (re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE), word)
    for pattern, word in (
        (r"(?:(?<=what)|(?<=who)|(?<=where)|(?<=when)|(?<=how))['\u2019]s", " is"),
        (r"(?:last|family|second)\s+names?|surnames?", "surname"),
        (r"(?:first|given|christian)\s+names?|forenames?", "forename"),
        (r"(?:full|complete|whole|entire)\s+names?|name in full", "fullname"),
        (r"(?:earn|mak)(?:s|e|es|ing)?\s+(?:a|his|her|their)\s+living(?:\s+as)?", "profession"),
        (r"for\s+(?:a|his|her|their)\s+living", "as profession"),
        (r"(?:work|serv|act|practis)(?:es|s|ed|ing)?\s+as", "profession"),
        (r"(?<=what\s)(?:(?:kind|sort|type|line)\s+of\s+)?work", "profession"),
        (r"(?:was|were)\s+(?:started|launched|begun)", "was founded"),
        (r"line\s+of\s+(?:work|business)", "profession"),
        (r"(?:came|come|comes|got|joined)\s+together(?:\s+(?:to|and)\s+\w+)?", "formed"),
        (r"join(?:ed|s|ing)?\s+forces(?:\s+(?:to|and)\s+\w+)?", "formed"),
        (r"(?:make|makes|made|making)\s+up", "formed"),
        (r"(?:set|sets|setting)\s+up", "founded"),
        (r"brought\s+(?:\w+\s+)?into\s+being", "formed"),
        (r"in\s+charge\s+of|at\s+the\s+(?:head|helm|top)\s+of", "leads"),
        (r"chief\s+executive(?:\s+officer)?|managing\s+director", "ceo"),
        (r"head\s+(?:office|quarters?)|home\s+base", "headquarters"),
        (r"(?:likes?|loves?|enjoys?)\s+(?:best|most|to\s+use\s+most)", "prefers"),
        (r"of\s+(?:his|her|their)?\s*choice", "preferred"),
        (r"(?:spare|free|leisure)\s+time", "hobby"),
    )
)  # fmt: skip

# Only of facts: asked `what does Vela consist of`, Vela is not the one who forms.
_UNITES = re.compile(
    r"\b(?:(?:brings?|brought|bringing)\s+(?:[\w-]+\s+){0,4}?(?:together|under\s+one\s+roof)"
    r"|unit(?:es?|ed|ing)|combin(?:es?|ed|ing)|consists?\s+of|comprises"
    r"|is\s+an?\s+(?:union|merger|fusion|alliance)\s+of)\b",
    re.IGNORECASE,
)

# For each concept the words by which facts speak of it, and further ones by which people ask for
# it. A fact must not be found by the latter: who plays a role has not said what the job is.
_CONCEPTS = {
    "profession": (
        "profession occupation vocation employed",
        "job career trade role position title",
    ),
    "form": (
        "form found founder create creation establish establishment merge merger formation",
        "start launch originate build built join combine begin began",
    ),
    "purpose": ("purpose mission", "business activity service offer goal aim function focus"),
    "prefer": ("prefer preference favourite favorite", "likes loves best"),
    "location": (
        "located location based headquarters headquartered seat address lives resides situated",
        "live home office city town place country",
    ),
    "place": ("", "where"),
    "time": ("year date", "when"),
    "lead": (
        "leads leader led head ceo director chair captain",
        "lead heads runs manages boss chief",
    ),
    "own": ("owns own owner owned belongs acquired parent", "subsidiary has"),
    "make": ("makes produces sells develops builds manufactures", "make product products goods"),
    "client": ("client customer", "buyer serves"),
    "supply": ("supplies supplier provides vendor delivers", "supply"),
    "study": ("studied studies educated degree graduated alumnus", "study education university"),
    "speak": ("speaks fluent", "speak language tongue"),
    "birth": ("born birth birthplace birthday", "native"),
    "hobby": ("hobby hobbies pastime enjoys leisure passion", "interest"),
    "price": ("price cost costs priced fee tariff", "charge"),
    "size": ("employees staff workforce headcount employs", "size"),
    "write": ("wrote written author writes", "write book novel"),
    "use": ("uses used using relies", "use"),
    "partner": ("partner partnership cooperates collaborates alliance", ""),
    "marry": ("married wife husband spouse", ""),
    "revenue": ("revenue turnover", "income sales"),
    "colour": ("colour color", ""),
    "licence": ("licence license licensed", ""),
}


def _table(column: int) -> dict[str, frozenset[str]]:
    table: dict[str, frozenset[str]] = {}
    for name, columns in _CONCEPTS.items():
        for word in " ".join(columns[: column + 1]).split():
            table[stem(word)] = table.get(stem(word), frozenset()) | {f"={name}"}
    return table


SAID = _table(0)
"""From the stem of a word in a fact to the ids of what it means; an id begins with `=`."""

ASKED = _table(1)
"""The same for the words of a question, which may be vaguer."""

FILLERS = (
    word_set(
        "tell me know knows known please currently current exactly actually really main say "
        "says according knowledge base stored information info graph find found out about "
        "regarding also today called kind sort type thing things many much all each every list "
        "show describe explain mention answer question give name names named identify enumerate "
        "just only using based there here record records fact facts now then both together "
        "whether possible want need like look up us let get got anything something everything "
        "everyone somebody ever yet one ones mean means themselves itself himself herself "
        "particular certain different some other others two three four five six several various "
        "together"
    )
    | FUNCTION_WORDS
) - word_set("found based where when")
"""Words of a question that no fact has to contain."""

LEGAL_FORMS = word_set(
    "ab ag as asa bv co corp gmbh gbr inc kg kgaa limited llc llp ltd nv oy oyj plc sa sarl sas se "
    "spa srl oo z sp sro doo ev ek eg aps ohg lda ltda sl hf"
)
"""Words at the end of a company's name that say what it is to the law, and are often left out."""

QUESTION_WORDS = frozenset({"where", "when"})
"""Words that ask for something a fact can have without a word for it."""

ORGANISATIONS = word_set(
    "company companies firm firms business businesses organisation organisations "
    "organization organizations enterprise enterprises corporation corporations"
)
PERSONS = word_set("person persons people man men woman women human humans individual")
CLASSES = ORGANISATIONS | PERSONS | {"entity", "entities"}
"""Nouns that say what kind of thing is asked for, and that no fact has to contain."""

_MORE_ORGANISATIONS = word_set(
    "agency startup institution brand group team consultancy operator institute university "
    "school bank association foundation club subsidiary cooperative alliance union collective "
    "network consortium museum manufacturer supplier provider initiative society yard studio"
)
_MORE_PERSONS = word_set("employee engineer member scientist artist author founder")

NO_PERSONS = (
    ORGANISATIONS
    | _MORE_ORGANISATIONS
    | word_set(
        "place city town country port harbour region product software service project event "
        "ship vessel ferry database language programme program tool system document page book "
        "building technology concept topic protocol platform device site island river"
    )
)
"""Types of entities that have no profession."""

NO_PROFESSIONS = word_set(
    "resident citizen native fan member person man woman human friend mother father sister "
    "brother son daughter wife husband lover owner supporter inhabitant colleague "
    "enthusiast descendant"
)
"""Nouns that say what somebody is, but not what somebody works as."""

PRONOUNS = word_set("he she it they his her hers its their theirs him them")
"""Words that stand for somebody named before."""


def canonical(text: str) -> str:
    """Return the text with the phrases that the rules know as single words."""
    for pattern, word in _PHRASES:
        text = pattern.sub(word, text)
    return text


def asked(word: str) -> frozenset[str]:
    """Return the stem of a question's folded word, and the ids of what it asks for."""
    root = stem(word)
    return ASKED.get(root, frozenset()) | {root}


def said(word: str) -> frozenset[str]:
    """Return the stem of a fact's folded word, and the ids of what it means."""
    root = stem(word)
    return SAID.get(root, frozenset()) | {root}


def put_plainly(text: str) -> str:
    """Return a fact's text with the words that the rules know beside or for its phrases."""
    return _UNITES.sub(r"\g<0> formed", canonical(text))


@lru_cache(maxsize=2048)
def said_in(text: str) -> frozenset[str]:
    """Return the meanings of all words of a fact's text."""
    words = plain_words(put_plainly(text).replace("_", " "))
    return frozenset[str]().union(*(said(word) for word in words))


@lru_cache(maxsize=2048)
def stems(text: str) -> frozenset[str]:
    """Return the stems of all words of the text."""
    return frozenset(stem(word) for word in plain_words(text.replace("_", " ")))


def kind_of(word: str) -> str:
    """Return what a type or class noun names: `organisation`, `person`, or nothing known."""
    words = set(plain_words(word.replace("_", " ")))
    if words & (ORGANISATIONS | _MORE_ORGANISATIONS):
        return "organisation"
    return "person" if words & (PERSONS | _MORE_PERSONS) else ""


def is_plural(word: str) -> bool:
    """Return whether the noun speaks of several."""
    folded = fold(word)
    return folded in {"people", "men", "women"} or (
        folded.endswith("s") and not folded.endswith(("ss", "us", "is"))
    )


def singular(noun: str) -> str:
    """Return the plural noun as one: `company`, `member`."""
    if noun.endswith("ies"):
        return f"{noun[:-3]}y"
    if noun.endswith(("sses", "shes", "ches", "xes")):
        return noun[:-2]
    return noun.removesuffix("s") if not noun.endswith(("ss", "us")) else noun


def without_legal_form(name: str) -> str:
    """Return the name as it is said: `Vela` of `Vela Sp. z o.o.`, `Orca` of `Orca A/S`."""
    words = name.split()
    while len(words) > 1 and "".join(filter(str.isalnum, fold(words[-1]))) in LEGAL_FORMS:
        words = words[:-1]
    return " ".join(words).rstrip(",")
