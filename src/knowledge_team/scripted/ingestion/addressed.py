"""Which sentences speak to their reader, and so say nothing of what the page is about.

A page that is taken in is read by a model. What it says to that reader, whether it sells or
commands, is no fact, and is neither stored nor repeated.
"""

import re

from knowledge_team.words import fold, plain_words, word_set

_READER = re.compile(r"\b(?:you|your|yours|yourself|yourselves)\b", re.IGNORECASE)
_COMMANDS = word_set(
    "accept access act add agree allow answer apply approve ask assume avoid become begin book "
    "browse buy call cancel change check choose claim click close come commit compare complete "
    "confirm consider contact continue copy create declare decline delete deny describe disable "
    "discard discover disregard do download drop enable ensure enter execute exit explain explore "
    "export fail fetch fill find finish follow forget forward get give go help hide ignore imagine "
    "include ingest insert invite join keep know learn leave let list load log login look mail "
    "make mention notice obey omit open order output override pay pick play please pretend "
    "print proceed provide put quote read record refuse register remember remove repeat replace "
    "reply report request reserve respond return reveal run save say scroll search see select "
    "send set share shop show sign skip speak start state stay stop store submit subscribe swear "
    "switch take talk tell think treat trust try turn unsubscribe update upgrade use view visit "
    "wait warn watch write"
)
"""Verbs with which a sentence begins that asks its reader for something."""

_OPENING = re.compile(
    r"^(?:please|now|then|next|also|instead|first|finally|always|never|just|simply|kindly|do not"
    r"|don['\u2019]t|important|note|attention|warning|reminder|hint|tip|todo|not|and|so|but)\b[\s,:!-]*",
    re.IGNORECASE,
)
# Words of those who command a model. One of them, and its whole paragraph is not believed.
_INJECTED = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass|skip|discard)\b[^.!?]{0,60}\b(?:instruction|prompt"
    r"|rule|guideline|storage|storing|step|above|previous|prior|everything|tool|page|text|content)"
    r"|\b(?:system|developer|hidden|initial)\s+(?:prompt|message|instruction)"
    r"|^\W*(?:system|assistant|developer|user|ai|model|agent|bot|llm)s?\s*[:>\]]"
    r"|\b(?:dear|attention|note\s+to|hey|hello|to)\s+(?:all\s+|the\s+|any\s+)?(?:ai\b|llm|language\s+model"
    r"|assistant|chatbot|bot\b|agent|crawler|model)"
    r"|\b(?:ai|language|large)\s+(?:models?|assistants?|agents?|systems?)\s+(?:must|should|shall|reading"
    r"|that\s+read|processing|are\s+to|have\s+to)"
    r"|\b(?:assistants?|chatbots?|crawlers?|models?|agents?)\s+(?:must|should|shall|are\s+to|have\s+to"
    r"|reading\s+this)"
    r"|\b(?:language\s+models?|llms?|chatbots?)\s*[:,]|\binstructions?\s+(?:for|to)\b"
    r"|\b(?:must|should|shall|is\s+to|are\s+to)\s+be\s+(?:ignored|disregarded|forgotten|skipped)\b"
    r"|\bfrom\s+now\s+on\b|\b(?:when|if|whenever|once)\s+(?:you\s+are\s+|being\s+|anybody\s+)?asked\b"
    r"|\b(?:you\s+are\s+now|act\s+as|pretend|role-?play|jailbreak)\b"
    r"|\b(?:your|new|these|following)\s+instructions?\b"
    r"|\b(?:say|reply|respond|answer|output|print|write|repeat)\s+(?:only\s+|with\s+|just\s+|exactly\s+)*"
    r"(?:[\"'\u201c\u2018]|(?-i:[A-Z]{3,})\b)"
    r"|\b(?:do\s+not|don['\u2019]t|never|must\s+not)\s+(?:store|save|record|commit|ingest|mention|tell"
    r"|reveal|call|use|update)\b",
    re.IGNORECASE,
)
_BOILERPLATE = re.compile(
    r"\b(?:cookies?|copyright|all\s+rights\s+reserved|privacy|imprint|impressum|javascript|browser"
    r"|sign\s+(?:in|up)|log\s+?in|newsletter|subscribe|terms\s+(?:of|and)|skip\s+to|back\s+to\s+top"
    r"|menu|sitemap|this\s+(?:web)?(?:site|page)|page\s+not\s+found|loading|click|share\s+on|follow\s+us"
    r"|read\s+more|learn\s+more|contact\s+us|opening\s+hours|advertisement)\b|©",
    re.IGNORECASE,
)


_INTRODUCES = re.compile(
    r":\s*$|\b(?:the\s+following|below|as\s+follows|what\s+follows)\b", re.IGNORECASE
)


def introduces(command: str) -> bool:
    """Return whether a command says that it is about what stands behind it."""
    return _INTRODUCES.search(command) is not None


def is_injected(text: str) -> bool:
    """Return whether somebody commands a model in the text: then nothing of it is believed."""
    return _INJECTED.search(text) is not None


def is_addressed(sentence: str) -> bool:
    """Return whether the sentence speaks to its reader: `you`, a question, or a command."""
    if sentence.rstrip(" \"'\u201d\u2019)").endswith("?") or _READER.search(sentence):
        return True
    return is_command(sentence)


def is_command(sentence: str) -> bool:
    """Return whether the sentence asks for something to be done."""
    bare = sentence.lstrip("\"'\u201c\u2018(>-* ")
    while (shorter := _OPENING.sub("", bare, count=1)) != bare:
        bare = shorter
    first = plain_words(bare[:40])[:1]
    # `Claim Vela is a bank` commands; `Visit Norvik is a company` does so for all the rules know.
    return bool(first) and fold(first[0]) in _COMMANDS


def is_boilerplate(sentence: str) -> bool:
    """Return whether the sentence stands on every page: notices, menus, advertising."""
    return _BOILERPLATE.search(sentence) is not None
