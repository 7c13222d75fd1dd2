"""What every evaluator of a case is: one assertion, with a name, a layer and a reason."""

import dataclasses
import inspect
import re
from abc import abstractmethod
from collections.abc import Sequence
from enum import StrEnum
from functools import partial
from typing import Any, ClassVar, NamedTuple, Self, cast

from pydantic import ConfigDict, model_validator
from pydantic.dataclasses import dataclass
from pydantic_core import to_jsonable_python
from pydantic_evals.evaluators import (
    EvaluationReason,
    Evaluator,
    EvaluatorContext,
    EvaluatorOutput,
    EvaluatorSpec,
)

from audition.daemon_threads import run_plain
from audition.evaluators.reasons import shortened
from audition.evaluators.view import EVERYWHERE, EvidenceView, Scope
from audition.inputs import CaseInput
from audition.matching.terms import AnyTerm, NumberTerm, RegexTerm, WordTerm, describe
from audition.output import CaseOutput

EVALUATOR_CONFIG = ConfigDict(extra="forbid")
"""Without it a misspelt argument in a dataset file is swallowed."""

LARGE_CHARACTERS = 200_000
"""Text above which an output is examined off the loop: below, an examination takes about 1 ms."""


class Layer(StrEnum):
    """The parts of a run that can lose an answer, in the order in which they are blamed."""

    TRANSPORT = "transport"
    RUN = "run"
    ROUTE = "route"
    TOOL = "tool"
    EVIDENCE = "evidence"
    ANSWER = "answer"
    BUDGET = "budget"
    JUDGE = "judge"


class Severity(StrEnum):
    """What a failed assertion means: only `must` fails a case."""

    MUST = "must"
    SHOULD = "should"
    INFO = "info"


class Reads(StrEnum):
    """What of an output a verdict depends on: it says less where secrets were taken out of that."""

    NAMES = "names"
    """Names, numbers, times and order, and no text."""

    OUTCOMES = "outcomes"
    """Besides those how tools ended, which tool rules tell by what they gave back."""

    TERMS = "terms"
    """Whether what `looked_at` shows, shows it whole, has a term in it."""

    SHOWN = "shown"
    """What `looked_at` shows, shows it whole."""

    ANYTHING = "anything"
    """Whatever is in it."""


class Finding(NamedTuple):
    """What an evaluator found.

    Attributes:
        ok: Whether the assertion holds.
        reason: What was looked for, where, and what was found, item by item.
        layer: The layer to blame, None for the evaluator's own.
        cause: What went wrong there in a few words, None where it holds.

    """

    ok: bool
    reason: str
    layer: Layer | None = None
    cause: str | None = None


@dataclass(config=EVALUATOR_CONFIG, kw_only=True, repr=False)
class CaseEvaluator(Evaluator[CaseInput, CaseOutput, Any]):
    """One assertion about what a case left behind.

    Subclasses are Pydantic dataclasses with this module's `EVALUATOR_CONFIG`, so that the
    arguments in a dataset file are checked when it is read, and implement `examine`.

    Attributes:
        id: The name of the assertion in reports, None for one made of the class and its key
            arguments. Unique within a case, the same in every run.
        severity: What it means when it fails.
        scope: Where it looks.
        layer: The layer that is to blame when it fails.
        reads: What of an output its verdict depends on.
        key: The fields that tell two of these evaluators apart, for the generated name.
        refuses_agent: Why `scope.agent` cannot be used, None where it can.
        written_as: Its name in our dataset files, None for its class in snake_case.

    """

    layer: ClassVar[Layer]
    reads: ClassVar[Reads] = Reads.ANYTHING
    key: ClassVar[tuple[str, ...]] = ()
    refuses_agent: ClassVar[str | None] = None
    written_as: ClassVar[str | None] = None

    id: str | None = None
    severity: Severity = Severity.MUST
    scope: Scope = EVERYWHERE

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Restate the fields that every evaluator has.

        Pydantic Evals makes the schema beside a dataset file of a class's own annotations alone,
        and cannot read a ClassVar among them.
        """
        super().__init_subclass__(**kwargs)
        own = {
            name: annotation
            for name, annotation in inspect.get_annotations(cls).items()
            if "ClassVar" not in str(annotation)
        }
        for name in (field.name for field in dataclasses.fields(CaseEvaluator)):
            if name not in own:
                own[name] = CaseEvaluator.__annotations__[name]
                default = getattr(CaseEvaluator, name)
                setattr(cls, name, dataclasses.field(default=default, kw_only=True))
        cls.__annotations__ = own

    @model_validator(mode="after")
    def _has_a_scope_that_it_can_use(self) -> Self:
        why = self.agent_refusal()
        if why is not None and self.scope.agent is not None:
            msg = f"{why}: scope.agent cannot be used here"
            raise ValueError(msg)
        return self

    def agent_refusal(self) -> str | None:
        """Return why `scope.agent` cannot be used beside its arguments, None where it can."""
        return self.refuses_agent

    @property
    def asserts_absence(self) -> bool:
        """Whether it asks, with its arguments, for nothing but that something is absent."""
        return False

    @abstractmethod
    def examine(self, view: EvidenceView) -> Finding:
        """Return whether the assertion holds on what the view shows, and why."""
        ...

    def looked_at(self, view: EvidenceView) -> Sequence[str]:
        """Return what `examine` reads, item by item, to be shown beside a failed assertion."""
        del view
        return ()

    def evaluate(self, ctx: EvaluatorContext[CaseInput, CaseOutput, Any]) -> EvaluationReason:
        """Return the assertion as Pydantic Evals wants it."""
        finding = self.examine(EvidenceView(ctx.output, self.scope))
        return EvaluationReason(finding.ok, finding.reason)

    async def evaluate_async(
        self, ctx: EvaluatorContext[CaseInput, CaseOutput, Any]
    ) -> EvaluatorOutput:
        """Examine a large output in a thread of its own: the loop serves other teams."""
        if ctx.output.characters <= LARGE_CHARACTERS:
            return self.evaluate(ctx)
        return await run_plain(partial(self.evaluate, ctx))

    def get_default_evaluation_name(self) -> str:
        """Return the name of the assertion in reports."""
        if self.id is not None:
            return self.id
        made: str | None = vars(self).get("_generated_id")
        if made is None:
            made = vars(self)["_generated_id"] = self.generated_id()
        return made

    def generated_id(self) -> str:
        """Return a name of the class, its key arguments and its scope."""
        keys = self.key_text()
        turn = "" if self.scope.turn is None else f"@{self.scope.turn}"
        agent = f"/{self.scope.agent}" if self.scope.agent is not None else ""
        return f"{type_name(type(self))}{f'({keys})' if keys else ''}{agent}{turn}"

    def key_text(self) -> str:
        """Return what tells it apart from others of its class, as its generated name has it."""
        return ",".join(_short(getattr(self, name)) for name in self.key)

    def as_spec(self) -> EvaluatorSpec:
        """Return the name and the arguments; made once, since every result of a run asks for it."""
        made: EvaluatorSpec | None = vars(self).get("_spec")
        if made is None:
            arguments = self.build_serialization_arguments()
            made = EvaluatorSpec(name=self.get_serialization_name(), arguments=arguments or None)
            vars(self)["_spec"] = made
        return made

    def build_serialization_arguments(self) -> dict[str, Any]:
        """Return the arguments that differ from their defaults, as JSON values."""
        differing = {
            field.name: value
            for field in dataclasses.fields(self)
            if (value := getattr(self, field.name)) != field.default
        }
        return cast("dict[str, Any]", to_jsonable_python(differing))

    def __setattr__(self, name: str, value: object) -> None:
        for made in ("_spec", "_generated_id", "_compiled"):
            vars(self).pop(made, None)
        super().__setattr__(name, value)


def absence(view: EvidenceView, told: str) -> Finding:
    """Return that something is absent, where enough was observed to say so.

    Args:
        view: What was looked at.
        told: The reason where that is so.

    """
    missing = view.missing()
    if missing is None:
        return Finding(True, told)
    return Finding(False, missing, layer=Layer.RUN, cause="nothing observed")


def type_name(evaluator_type: type[Evaluator[Any, Any, Any]]) -> str:
    """Return the name of an evaluator in our dataset files: its class in snake_case, or its own."""
    if issubclass(evaluator_type, CaseEvaluator) and evaluator_type.written_as is not None:
        return evaluator_type.written_as
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", evaluator_type.__name__).lower()


def _short(value: object) -> str:
    match value:
        case None:
            text = "*"
        case tuple() | list():
            first, *others = map(_short, cast("Sequence[object]", value)) if value else ("",)
            return f"{first} +{len(others)}" if others else first
        case AnyTerm() | WordTerm() | NumberTerm() | RegexTerm():
            text = describe(value)
        case _:
            text = str(value)
    return shortened(text)
