import asyncio
import json
from pathlib import Path
from typing import Any, ClassVar

import pytest
from pydantic import ValidationError
from pydantic.dataclasses import dataclass
from pydantic_evals import Case, Dataset
from pydantic_evals.evaluators import EvaluationReason

from audition.evaluators.case_evaluator import (
    EVALUATOR_CONFIG,
    LARGE_CHARACTERS,
    CaseEvaluator,
    Finding,
    Layer,
    Severity,
    type_name,
)
from audition.evaluators.completion import Completed
from audition.evaluators.messages import MessageContainsTerms
from audition.evaluators.responses import HumanResponseContainsTerms
from audition.evaluators.tools import CalledRequiredTools, ToolCallCount, ToolCallsSucceeded
from audition.evaluators.view import EvidenceView, Scope
from audition.inputs import CaseInput
from audition.matching.terms import AnyTerm, NumberTerm
from audition.output import CaseOutput
from audition.testing import answer, output


def name_of(evaluator: CaseEvaluator) -> str:
    return evaluator.get_default_evaluation_name()


@pytest.mark.parametrize(
    ("evaluator", "name"),
    [
        (Completed(), "completed"),
        (Completed(id="done"), "done"),
        (Completed(scope=Scope(turn=2)), "completed@2"),
        (ToolCallsSucceeded(scope=Scope(agent="@K", turn=0)), "tool_calls_succeeded/@K@0"),
        (CalledRequiredTools(("a", "b")), "called_required_tools(a +1)"),
        (ToolCallCount("a", minimum=1), "tool_call_count(a 1..)"),
        (ToolCallCount("a", maximum=2), "tool_call_count(a 0..2)"),
        (MessageContainsTerms(("x",), sender="@K"), "message_contains_terms(@K,*,x)"),
        (
            HumanResponseContainsTerms((AnyTerm(any=("a1", "b2")), NumberTerm(number=7))),
            'human_response_contains_terms(any of "a1", "b2" +1)',
        ),
    ],
)
def test_an_assertion_is_named_by_its_id_or_by_class_and_key(
    evaluator: CaseEvaluator, name: str
) -> None:
    assert name_of(evaluator) == name


def test_a_long_name_is_cut() -> None:
    assert name_of(CalledRequiredTools(("t" * 90,))).endswith("t...)")


def test_the_name_in_files_is_the_class_in_snake_case() -> None:
    assert type_name(HumanResponseContainsTerms) == "human_response_contains_terms"


def test_a_misspelt_argument_is_refused() -> None:
    arguments: dict[str, Any] = {"tool_name": "a", "minimum": 1, "maximun": 2}
    with pytest.raises(ValidationError, match="maximun"):
        ToolCallCount(**arguments)


def test_arguments_at_their_defaults_are_not_written() -> None:
    assert Completed().as_spec().arguments is None
    assert ToolCallCount("a", minimum=1).as_spec().arguments == {"tool_name": "a", "minimum": 1}


def test_a_changed_evaluator_is_written_as_it_is_now() -> None:
    evaluator = Completed()
    assert evaluator.as_spec().arguments is None
    evaluator.severity = Severity.INFO
    assert evaluator.as_spec().arguments == {"severity": "info"}


@dataclass(config=EVALUATOR_CONFIG, repr=False)
class SaysPlease(CaseEvaluator):
    """An evaluator as an application writes one."""

    layer: ClassVar[Layer] = Layer.ANSWER

    word: str = "please"

    def examine(self, view: EvidenceView) -> Finding:
        said = view.answer()
        ok = said is not None and self.word in said.normal
        return Finding(ok, f"{self.word} {'was' if ok else 'was not'} said")


@dataclass(config=EVALUATOR_CONFIG, repr=False)
class Everybody(SaysPlease):
    """One about the whole team, but where it is given a word of its own."""

    refuses_agent: ClassVar[str | None] = "manners are everybody's"

    def agent_refusal(self) -> str | None:
        return self.refuses_agent if self.word == "please" else None


def test_an_evaluator_says_why_it_refuses_an_agent() -> None:
    with pytest.raises(ValidationError) as error:
        Everybody(scope=Scope(agent="@K"))
    told = "Value error, manners are everybody's: scope.agent cannot be used here"
    assert [one["msg"] for one in error.value.errors()] == [told]
    assert Everybody(scope=Scope(turn=1)).scope == Scope(turn=1)
    assert Everybody("thanks", scope=Scope(agent="@K")).scope == Scope(agent="@K")
    assert SaysPlease(scope=Scope(agent="@K")).scope == Scope(agent="@K")


Native = Dataset[CaseInput, CaseOutput, dict[str, Any]]


def native(evaluator: CaseEvaluator) -> Native:
    case: Case[CaseInput, CaseOutput, dict[str, Any]] = Case(
        name="one", inputs=CaseInput(message="Hello"), evaluators=(evaluator,)
    )
    return Native(name="own", cases=[case])


async def polite(inputs: CaseInput) -> CaseOutput:
    return output(answer("Please wait."), asked=inputs.message or "")


@dataclass(config=EVALUATOR_CONFIG, repr=False)
class CountsOften(ToolCallCount):
    """An evaluator made of another."""


def test_the_name_of_a_subclass_has_what_its_parent_tells_apart() -> None:
    assert name_of(CountsOften("a", minimum=1)) == "counts_often(a 1..)"


def test_an_evaluator_that_says_nothing_else_has_looked_at_nothing() -> None:
    assert SaysPlease().looked_at(EvidenceView(output(answer("no")))) == ()


def test_an_evaluator_of_ones_own_gives_one_assertion_with_a_reason() -> None:
    report = asyncio.run(native(SaysPlease()).evaluate(polite, progress=False))
    (result,) = report.cases[0].assertions.values()
    assert (result.name, result.value, result.reason) == ("says_please", True, "please was said")


def test_a_schema_beside_a_file_knows_the_fields_that_all_evaluators_have(tmp_path: Path) -> None:
    path = tmp_path / "own.json"
    native(SaysPlease("thanks", id="thanks")).to_file(path, custom_evaluator_types=[SaysPlease])
    schema = json.loads((tmp_path / "own_schema.json").read_text("utf-8"))
    fields = schema["$defs"]["spec_params_SaysPlease"]["properties"]
    assert set(fields) == {"id", "severity", "scope", "word"}
    assert '"thanks"' in path.read_text("utf-8")


def test_only_the_fields_of_its_own_are_positional() -> None:
    assert SaysPlease("thanks").word == "thanks"


async def as_coroutine(evaluator: CaseEvaluator, context: Any) -> Any:
    return await evaluator.evaluate_async(context)


class Context:
    """As much of Pydantic Evals' context as an evaluator reads."""

    def __init__(self, out: CaseOutput) -> None:
        self.output = out


@pytest.mark.parametrize("length", [10, LARGE_CHARACTERS + 1])
def test_a_large_output_is_examined_all_the_same(length: int) -> None:
    context: Any = Context(output(answer("please " + "x" * length)))
    found = asyncio.run(as_coroutine(SaysPlease(), context))
    assert found == EvaluationReason(value=True, reason="please was said")
