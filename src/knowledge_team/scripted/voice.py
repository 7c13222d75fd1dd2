"""Who does what to whom: whether a statement has the question's name in the place asked for.

`Who owns Vela?` is not answered by `Vela owns twelve ferries.`
"""

import re

from knowledge_team.facts import Relation
from knowledge_team.scripted.evidence import Statement
from knowledge_team.scripted.language import asked, said, stems, without_legal_form
from knowledge_team.scripted.question import Part
from knowledge_team.words import fold, plain_words, word_set

_REVERSED = word_set("by from consists consisting comprises includes")
_AT_REST = word_set("in at on near to with into as")
_ACTIVE = re.compile(r"(?:ed|[^s]s)$|^(?:led|built|made)$")
_AT = r"(?:in|at|on|near|by)\b"
_BE = r"\b(?:is|are|was|were|be|been|being)\s+(?:\w+\s+)?"


def named_like(name: str, entity: str) -> bool:
    """Return whether a question that says `name` can mean the entity."""
    asked, known = stems(name), stems(entity)
    is_form_of_it = stems(without_legal_form(name)) == known
    return bool(asked) and (asked <= known or (len(known) > 1 and known <= asked) or is_form_of_it)


def fits_role(part: Part, statement: Statement) -> bool:
    """Return whether the part's first name is not in the wrong place of the statement."""
    if part.role == "unclear" or not part.subjects:
        return True
    is_agent = _is_agent(part, statement)
    return is_agent is None or is_agent == (part.role == "agent")


def _is_agent(part: Part, statement: Statement) -> bool | None:
    """Return whether the first name does what is told, None where the words do not show it."""
    name = part.subjects[0]
    if statement.relation is not None:
        return _is_agent_of(name, statement.relation)
    if not named_like(name, statement.subject):
        return None
    verbs = [word for word in plain_words(statement.text) if _is_verb_asked(word, part)]
    if not verbs:
        return None
    return not any(_is_passive(verb, statement) for verb in verbs)


def _is_agent_of(name: str, relation: Relation) -> bool | None:
    words = plain_words(relation.relation_type.replace("_", " "))
    # A noun, such as `partner`, has no direction; neither has `located in`, where nobody acts.
    is_verb = words and _ACTIVE.search(words[0]) and not set(words) & _AT_REST
    if not is_verb and not set(words) & _REVERSED:
        return None
    agent = relation.to_entity if set(words) & _REVERSED else relation.from_entity
    return named_like(name, agent)


def _is_verb_asked(word: str, part: Part) -> bool:
    # A plural noun (`which ports`) looks like a verb; what is asked for is none.
    verbs = (asked(fold(one)) for one in part.words if one != part.wanted)
    return _ACTIVE.search(word) is not None and any(said(word) & verb for verb in verbs)


def _is_passive(verb: str, statement: Statement) -> bool:
    """Return whether the subject has it done to it: `was formed`, `Formed in`, `A formed it`."""
    text = fold(statement.text)
    verb_at = text.find(verb)
    name, *_ = plain_words(statement.subject)
    names_it_after = text.find(name) > verb_at
    done = rf"{_BE}{re.escape(verb)}|{re.escape(verb)}\s+by\b|,\s+{re.escape(verb)}\s+{_AT}"
    return verb_at <= 0 or names_it_after or re.search(done, text) is not None
