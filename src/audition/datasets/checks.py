"""What one field of a dataset file alone cannot tell: cases and evaluators beside each other."""

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from audition.datasets.reading import as_list, as_object
from audition.errors import Problem
from audition.evaluators.case_evaluator import CaseEvaluator
from audition.evaluators.responses import HumanResponseContainsAnyTerm, HumanResponseContainsTerms
from audition.matching.terms import Term, describe, find
from audition.matching.text import NormalText


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedEvaluator:
    """An evaluator and where it stands in its file.

    Attributes:
        pointer: JSON pointer of the entry.
        written: The entry as it stands in the file; empty once its names are looked up.
        evaluator: What it is.

    """

    pointer: str
    written: Mapping[str, JsonValue]
    evaluator: CaseEvaluator


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenEvaluator:
    """An entry as it stands in its file, and the turn that it stands in.

    Attributes:
        pointer: JSON pointer of the entry.
        written: What stands there.
        turn: The turn it belongs to, None where it belongs to the case.

    """

    pointer: str
    written: Mapping[str, JsonValue]
    turn: int | None = None


def written_evaluators(position: int, case: Mapping[str, JsonValue]) -> Iterator[WrittenEvaluator]:
    """Yield the evaluators of a case, then those of its turns, as they stand in the file."""
    at = f"/cases/{position}"
    yield from _written(at, case, None)
    for number, turn in enumerate(as_list(case.get("turns"))):
        yield from _written(f"{at}/turns/{number}", as_object(turn), number)


def _written(
    at: str, holder: Mapping[str, JsonValue], turn: int | None
) -> Iterator[WrittenEvaluator]:
    for index, item in enumerate(as_list(holder.get("evaluators"))):
        if isinstance(item, dict):
            yield WrittenEvaluator(pointer=f"{at}/evaluators/{index}", written=item, turn=turn)


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


def wrong_tags(cases: Sequence[Mapping[str, JsonValue]]) -> Iterator[Problem]:
    """Yield a problem for each case whose metadata holds tags by which none can be selected."""
    for position, case in enumerate(cases):
        tags = as_object(case.get("metadata")).get("tags")
        at = f"/cases/{position}/metadata/tags"
        if tags is not None and not isinstance(tags, list):
            yield Problem(pointer=at, found=f"found {tags!r}", wanted="write a list of texts")
        for number, tag in enumerate(as_list(tags)):
            if not isinstance(tag, str) or not tag.strip():
                wanted = "write text that is not empty"
                yield Problem(pointer=f"{at}/{number}", found=f"found {tag!r}", wanted=wanted)


def impossible_turn(one: WrittenEvaluator, *, turns: int) -> Iterator[Problem]:
    """Yield a problem where an evaluator looks at a turn that its case does not have.

    One that stands in a turn looks at that turn, and may not name another.
    """
    inside = as_object(one.written.get("scope")).get("turn")
    named = (("response_index", one.written.get("response_index")), ("scope/turn", inside))
    for place, turn in named:
        if not isinstance(turn, int):
            continue
        if one.turn is not None and turn != one.turn:
            found = f"turn {turn}, for an evaluator of turn {one.turn}"
            wanted = "leave it out, or give the evaluator to the case"
        elif turn >= turns:
            found = f"turn {turn} can never exist"
            wanted = f"the case has {turns} turn(s): use 0 to {turns - 1}"
        else:
            continue
        yield Problem(pointer=f"{one.pointer}/{place}", found=found, wanted=wanted)


def terms_in_question(placed: PlacedEvaluator, messages: Sequence[str]) -> Iterator[Problem]:
    """Yield a warning for each term that an echo of the question would satisfy."""
    texts = [NormalText(message) for message in messages]
    for field, position, term in _asked_of_answers(placed.evaluator):
        if any(find(term, text) is not None for text in texts):
            named = placed.written.get(f"{field}_ref") is not None
            yield Problem(
                pointer=f"{placed.pointer}/{field}{'_ref' if named else f'/{position}'}",
                found=f"{describe(term)} already stands in the question",
                wanted="an echo would pass: ask for something that only an answer can say",
            )


def _asked_of_answers(evaluator: CaseEvaluator) -> Iterator[tuple[str, int, Term]]:
    match evaluator:
        case HumanResponseContainsTerms():
            field, terms = "required_terms", evaluator.required_terms
        case HumanResponseContainsAnyTerm():
            field, terms = "accepted_terms", evaluator.accepted_terms
        case _:
            return
    yield from ((field, position, term) for position, term in enumerate(terms))


def only_negative(position: int, evaluators: Sequence[CaseEvaluator]) -> Iterator[Problem]:
    """Yield a warning for a case that asserts nothing, or nothing but absence."""
    if not evaluators:
        found, wanted = "no evaluator checks it", "add one: a case without any proves nothing"
    elif all(evaluator.asserts_absence for evaluator in evaluators):
        found = "all its evaluators assert that something is absent"
        wanted = "add one that asserts what the team must do: silence satisfies the others"
    else:
        return
    yield Problem(pointer=f"/cases/{position}", found=found, wanted=wanted)
