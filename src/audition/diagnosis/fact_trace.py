"""How far each expected fact came, and the first stage that lost it.

The facts of a case are those that its file names, or else what a failed assertion wanted in its
final answer: so a wrong answer is traced without another word in the file.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from pydantic import TypeAdapter, ValidationError

from audition.diagnosis.layers import AssertionResult
from audition.evaluators.responses import HumanResponseContainsTerms
from audition.fact_stages import FACTS, STAGES, FactStage
from audition.matching.terms import Term, contains, describe
from audition.output import CaseOutput

_TERMS: TypeAdapter[tuple[Term, ...]] = TypeAdapter(tuple[Term, ...])


@dataclass(frozen=True, slots=True, kw_only=True)
class FactTrace:
    """How far one fact came.

    Attributes:
        fact: The fact, as a reason shows a term.
        stages: Whether it was there, by the name of the stage, in their order; None where nothing
            passed a stage that comes before all that something passed, or that was not on the way.

    """

    fact: str
    stages: Mapping[str, bool | None]

    @property
    def lost(self) -> str | None:
        """The first stage that lost the fact, None where it came through to the last.

        That is the one after the last that had it: a fact may be found without having been
        stored in this case.
        """
        names = [name for name, there in self.stages.items() if there is not None]
        had = [place for place, name in enumerate(names) if self.stages[name]]
        after = had[-1] + 1 if had else 0
        return names[after] if after < len(names) else None

    @property
    def unbacked(self) -> str | None:
        """The first stage that a fact did not pass which came through, None where it passed all."""
        if self.lost is not None:
            return None
        return next((name for name, there in self.stages.items() if there is False), None)

    def __str__(self) -> str:
        had = [name for name, there in self.stages.items() if there]
        if self.lost is not None:
            return f"{self.fact}: {f'{had[-1]}, not' if had else 'never'} {self.lost}"
        if self.unbacked is not None:
            return f"{self.fact}: {had[-1]}, though not {self.unbacked}"
        return f"{self.fact}: {', '.join(had) or 'no stage was passed'}"


def trace_facts(
    output: CaseOutput | None,
    stages: Sequence[FactStage],
    *,
    assertions: Iterable[AssertionResult],
    metadata: object = None,
) -> Sequence[FactTrace]:
    """Return how far each fact of a case came; nothing where there is nothing to be traced.

    Args:
        output: What the case left behind, None where there is none.
        stages: The stages of the application, in the order in which a fact passes them.
        assertions: The assertions of the case.
        metadata: The metadata of the case, where its file's facts stand.

    """
    if output is None or not stages:
        return []
    named = cast("dict[str, object]", metadata if isinstance(metadata, dict) else {})
    facts = _named_facts(named) or _missed_in_answer(assertions, last=len(output.turns) - 1)
    wanted = named.get(STAGES)
    chosen = [one for one in stages if not isinstance(wanted, list) or one.name in wanted]
    found = [stage.texts(output) for stage in chosen]
    begun = next((place for place, texts in enumerate(found) if texts is not None), len(found))
    passed = [[output.normal_text(text) for text in texts or ()] for texts in found]
    needed = [place >= begun and stage.is_on_the_way(output) for place, stage in enumerate(chosen)]
    return [
        FactTrace(
            fact=describe(fact),
            stages={
                stage.name: any(contains(text, fact) for text in texts) or (False if must else None)
                for stage, texts, must in zip(chosen, passed, needed, strict=True)
            },
        )
        for fact in facts
    ]


def _named_facts(metadata: Mapping[str, object]) -> Sequence[Term]:
    try:
        return _TERMS.validate_python(metadata.get(FACTS, ()))
    except ValidationError:
        return ()  # metadata of another tool, under the same name


def _missed_in_answer(assertions: Iterable[AssertionResult], *, last: int) -> Sequence[Term]:
    """Return what a failed assertion wanted in the final answer."""
    failed = [one.evaluator for one in assertions if not one.ok]
    terms = [
        term
        for one in failed
        if isinstance(one, HumanResponseContainsTerms) and one.scope.turn in {None, last}
        for term in one.required_terms
    ]
    return tuple(dict.fromkeys(terms))
