"""What an application adds to the dataset files that are written for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue

from audition.evaluators.builtin import BUILTIN
from audition.evaluators.case_evaluator import CaseEvaluator
from audition.fact_stages import FactStage
from audition.inputs import CaseInput
from audition.tool_rules import ToolRule


@dataclass(frozen=True, slots=True, kw_only=True)
class Authoring:
    """The names and defaults that a file may rely on.

    Attributes:
        input_type: What the cases are turned into; a field `fixture` takes the fixture of a case.
        fixture_type: The type of a fixture, None where the application has none.
        contracts: Named evaluators that every case gets, by the task or name that asks for them.
        evaluator_types: The evaluators that a file may name.
        evaluator_defaults: Arguments that a file may leave out, by evaluator and argument.
        agents: The members of the team, None where they are not declared.
        tools: The tools of the team, None where they are not declared.
        tool_rules: When a returned content is a domain failure.
        fact_stages: What a fact passes on its way to the answer, in order.

    """

    input_type: type[CaseInput] = CaseInput
    fixture_type: type[object] | None = None
    contracts: Mapping[str, Sequence[CaseEvaluator]] = field(
        default_factory=dict[str, Sequence[CaseEvaluator]]
    )
    evaluator_types: Sequence[type[CaseEvaluator]] = BUILTIN
    evaluator_defaults: Mapping[str, Mapping[str, JsonValue]] = field(
        default_factory=dict[str, Mapping[str, JsonValue]]
    )
    agents: frozenset[str] | None = None
    tools: frozenset[str] | None = None
    tool_rules: Sequence[ToolRule] = ()
    fact_stages: Sequence[FactStage] = ()
