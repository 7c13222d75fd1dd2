"""What one field of a dataset file alone cannot tell: names and checks against the rest of it."""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from audition.datasets.authoring import Authoring
from audition.datasets.problems import accepted
from audition.errors import Problem
from audition.evaluators.case_evaluator import CaseEvaluator
from audition.evaluators.evidence import ToolEvidenceContainsTerms
from audition.evaluators.messages import MessageContainsTerms
from audition.evaluators.responses import HumanResponseContainsAnyTerm, HumanResponseContainsTerms
from audition.evaluators.routes import FollowedRoute
from audition.matching.terms import Term, describe, find
from audition.matching.text import NormalText


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedEvaluator:
    """An evaluator and where it stands in its file.

    Attributes:
        pointer: JSON pointer of the entry.
        evaluator: What it is.

    """

    pointer: str
    evaluator: CaseEvaluator


def same_names(names: Sequence[str]) -> Iterator[Problem]:
    """Yield a problem for each case whose name an earlier one has, to the letter or nearly.

    Files, JUnit and filters by name cannot tell names apart that differ only by case, spaces or
    Unicode form.
    """
    first: dict[str, int] = {}
    for position, name in enumerate(names):
        folded = " ".join(unicodedata.normalize("NFKC", name).casefold().split())
        before = first.setdefault(folded, position)
        if before != position:
            same = names[before] == name
            what = (
                "is already"
                if same
                else f"differs only by case, spaces or form from {names[before]!r},"
            )
            yield Problem(
                pointer=f"/cases/{position}/name",
                found=f"{name} {what} the name of /cases/{before}",
                wanted="give each case a name of its own",
            )


def unknown_names(placed: PlacedEvaluator, authoring: Authoring) -> Iterator[Problem]:
    """Yield a problem for each agent or tool that the application does not declare."""
    for field, name in _agents(placed.evaluator):
        if authoring.agents is not None and name not in authoring.agents:
            yield _unknown(placed, field, f"unknown agent {name!r}", name, authoring.agents)
    for field, name in _tools(placed.evaluator):
        if authoring.tools is not None and name not in authoring.tools:
            yield _unknown(placed, field, f"unknown tool {name!r}", name, authoring.tools)


def _unknown(
    placed: PlacedEvaluator, field: str, found: str, name: str, known: Iterable[str]
) -> Problem:
    return Problem(pointer=f"{placed.pointer}/{field}", found=found, wanted=accepted(name, known))


def _agents(evaluator: CaseEvaluator) -> Iterator[tuple[str, str]]:
    if evaluator.scope.agent is not None:
        yield "scope/agent", evaluator.scope.agent
    match evaluator:
        case FollowedRoute():
            for position, leg in enumerate(evaluator.expected_route):
                yield from ((f"expected_route/{position}", name) for name in leg)
        case MessageContainsTerms():
            for field in ("sender", "recipient"):
                name = getattr(evaluator, field)
                if name is not None:
                    yield field, name
        case _:
            pass


_TOOL_FIELDS = ("tool_name", "tool_names", "required_tools", "forbidden_tools", "allowed_tools")


def _tools(evaluator: CaseEvaluator) -> Iterator[tuple[str, str]]:
    for field in _TOOL_FIELDS:
        value = getattr(evaluator, field, ())
        if isinstance(value, str):
            yield field, value
        else:
            yield from ((f"{field}/{position}", name) for position, name in enumerate(value))


def impossible_turn(placed: PlacedEvaluator, turns: int) -> Iterator[Problem]:
    """Yield a problem where an evaluator looks at a turn that its case does not have."""
    turn = placed.evaluator.scope.turn
    if turn is not None and turn >= turns:
        yield Problem(
            pointer=placed.pointer,
            found=f"turn {turn} (response_index or scope.turn) can never exist",
            wanted=f"the case has {turns} turn(s): use 0 to {turns - 1}",
        )


def terms_in_question(placed: PlacedEvaluator, messages: Sequence[str]) -> Iterator[Problem]:
    """Yield a warning for each term that an echo of the question would satisfy."""
    texts = [NormalText(message) for message in messages]
    for field, position, term in _asked_of_answers(placed.evaluator):
        if any(find(term, text) is not None for text in texts):
            yield Problem(
                pointer=f"{placed.pointer}/{field}/{position}",
                found=f"{describe(term)} already stands in the question",
                wanted="an echo would pass: ask for something that only an answer can say",
            )


def _asked_of_answers(evaluator: CaseEvaluator) -> Iterator[tuple[str, int, Term]]:
    match evaluator:
        case HumanResponseContainsTerms():
            field, terms = "required_terms", evaluator.required_terms
        case HumanResponseContainsAnyTerm():
            field, terms = "accepted_terms", evaluator.accepted_terms
        case ToolEvidenceContainsTerms():
            return
        case _:
            return
    yield from ((field, position, term) for position, term in enumerate(terms))


def only_negative(position: int, evaluators: Sequence[CaseEvaluator]) -> Iterator[Problem]:
    """Yield a warning for a case that asserts nothing, or nothing but absence."""
    if not evaluators:
        found, wanted = "no evaluator checks it", "add one: a case without any proves nothing"
    elif all(evaluator.negative for evaluator in evaluators):
        found = "all its evaluators assert that something is absent"
        wanted = "add one that asserts what the team must do: silence satisfies the others"
    else:
        return
    yield Problem(pointer=f"/cases/{position}", found=found, wanted=wanted)
