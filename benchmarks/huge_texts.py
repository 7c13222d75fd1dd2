"""A text of five megabytes as answer, message, argument or evidence, before each evaluator."""

from collections.abc import Callable, Iterator, Sequence

from pydantic import JsonValue

from audition.evaluators.arguments import ToolArgumentsContainNoTerms, ToolArgumentsMatch
from audition.evaluators.case_evaluator import CaseEvaluator
from audition.evaluators.evidence import ToolEvidenceContainsTerms
from audition.evaluators.messages import MessageContainsTerms
from audition.evaluators.responses import (
    HumanResponseContainsAnyTerm,
    HumanResponseContainsNoTerms,
    HumanResponseContainsTerms,
)
from audition.evaluators.similarity import AnswerIsSimilar
from audition.evaluators.view import EvidenceView
from audition.events import Event
from audition.matching.terms import NumberTerm, RegexTerm, Term, WordTerm
from audition.testing import answer, message, output, tool_use
from benchmarks.timing import Line, wall_seconds

_CHARACTERS = 5_000_000
_ROWS = {
    "ASCII": "row of berths, 1,234.5 and 678 boats, **north** gate_7 is open on Sundays\n",
    "not ASCII": "Zeile „Fähre“: 1.234,5 und 678 Boote, **müde** Wächter, 港口的船今天到了\n",
}
_TERMS: dict[str, tuple[Term, str]] = {
    "text": ("Berth 8 confirmed", "BERTH 8 CONFIRMED"),
    "word": (WordTerm(word="berth 8"), "berth 8"),
    "number": (NumberTerm(number=8123.25), "8,123.25"),
    "pattern": (RegexTerm(regex="[Bb]erth 8 conf"), "Berth 8 confirmed"),
}
_MOST_IN_A_REASON = 2_000


def measure() -> list[Line]:
    """Return the slowest of all texts and terms for each evaluator, and one of many small texts."""
    return [*map(_line, _EVALUATORS), _many_texts()]


type _Maker = Callable[[Term], CaseEvaluator]

_EVALUATORS: tuple[_Maker, ...] = (
    lambda term: HumanResponseContainsTerms((term,)),
    lambda term: HumanResponseContainsAnyTerm((term,)),
    lambda term: HumanResponseContainsNoTerms((term,)),
    lambda term: MessageContainsTerms((term,), sender="@Knowledge"),
    lambda term: ToolEvidenceContainsTerms("search", (term,)),
    lambda term: ToolArgumentsContainNoTerms((term,)),
    lambda term: ToolArgumentsMatch("search", {"query": {"$term": _written(term)}}),
    lambda _: AnswerIsSimilar(("Berth 8 is confirmed.",)),
)


def _written(term: Term) -> JsonValue:
    match term:
        case WordTerm():
            return {"word": term.word}
        case NumberTerm():
            return {"number": term.number}
        case RegexTerm():
            return {"regex": term.regex}
        case _:
            return str(term)


def _line(made: _Maker) -> Line:
    slowest, of = max(_times(made))
    name = type(made("x")).__name__
    return Line(
        name=f"{name} on 5 MB, the slowest of all terms ({of})",
        value=f"{slowest:.2f} s",
        bar="<= 1 s",
        ok=slowest <= 1,
    )


def _times(made: _Maker) -> Iterator[tuple[float, str]]:
    for script, row in _ROWS.items():
        text = row * (_CHARACTERS // len(row))
        for kind, (term, written) in _TERMS.items():
            yield _seconds(made(term), text), f"{kind}, missing, {script}"
            yield _seconds(made(term), text + written), f"{kind}, found, {script}"


def _seconds(evaluator: CaseEvaluator, text: str) -> float:
    """Return how long an evaluator takes that is the first to look at an output."""
    return _of(evaluator, tool_use("@Knowledge", "search", text, arguments={"query": text}), text)


def _of(evaluator: CaseEvaluator, uses: Sequence[Event], text: str) -> float:
    made = output(*uses, message("@Knowledge", "@Manager", text), answer(text))
    reasons: list[str] = []
    view = EvidenceView(made, evaluator.scope)
    seconds = wall_seconds(lambda: reasons.append(evaluator.examine(view).reason))
    assert len(reasons[0]) <= _MOST_IN_A_REASON  # noqa: S101
    return seconds


def _many_texts() -> Line:
    """Return the time for ten terms that none of two thousand results has."""
    row = _ROWS["ASCII"] * 34
    uses = [event for _ in range(2_000) for event in tool_use("@Knowledge", "search", row)]
    terms = tuple(f"berth {number} confirmed" for number in range(10, 20))
    seconds = _of(ToolEvidenceContainsTerms("search", terms), uses, "")
    return Line(
        name="ToolEvidenceContainsTerms, ten terms that 2,000 results of 2.5 KB lack",
        value=f"{seconds:.2f} s",
        bar="<= 1 s",
        ok=seconds <= 1,
    )
