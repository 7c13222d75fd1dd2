import math
from typing import Any

import pytest
from pydantic import ValidationError

from audition.collector import collect
from audition.evaluators.case_evaluator import Finding, Layer
from audition.evaluators.usage import UsageWithin
from audition.evaluators.view import EvidenceView, Scope
from audition.events import CompletionReason, ModelResponded
from audition.output import CaseOutput
from audition.testing import answer, output, question, turn


def used(agent: str | None = "@K", **fields: Any) -> ModelResponded:
    counts: dict[str, Any] = {"input_tokens": 100, "output_tokens": 10, "cost_usd": 0.1}
    return ModelResponded(agent=agent, **(counts | fields))


def examine(out: CaseOutput, **limits: Any) -> Finding:
    evaluator = UsageWithin(**limits)
    return evaluator.examine(EvidenceView(out, evaluator.scope))


TWICE = output(used(), used(), answer("done"))


@pytest.mark.parametrize(
    ("name", "amount"),
    [("input_tokens", 200), ("output_tokens", 20), ("total_tokens", 220), ("requests", 2)],
)
def test_each_amount_is_held_to_its_own_limit(name: str, amount: int) -> None:
    assert examine(TWICE, **{name: amount}).ok
    found = examine(TWICE, **{name: amount - 1})
    assert (found.ok, found.cause) == (False, f"over the limit: {name}")


def test_the_reason_has_each_amount_beside_its_limit() -> None:
    found = examine(TWICE, total_tokens=200, cost_usd=0.5)
    assert found.reason == (
        "used: 220 tokens, wanted at most 200; 0.2 US dollars, wanted at most 0.5"
    )
    assert (found.ok, found.layer) == (False, None)
    assert UsageWithin.layer is Layer.BUDGET


def test_a_sum_of_cents_is_not_over_itself() -> None:
    assert examine(output(used(), used(), used(), answer("done")), cost_usd=0.3).ok


@pytest.mark.parametrize("cost", [None, math.nan, math.inf, -1.0])
def test_a_cost_that_is_not_known_is_within_no_limit(cost: float | None) -> None:
    found = examine(output(used(), used(cost_usd=cost), answer("done")), cost_usd=5)
    assert (found.ok, found.cause) == (False, "not known: cost_usd")
    assert found.reason == (
        "used: US dollars not known of 1 of 2 answer(s); 0.1 US dollars, wanted at most 5"
    )


def test_what_is_known_of_a_cost_may_already_be_over_the_limit() -> None:
    found = examine(output(used(), used(cost_usd=None), answer("done")), cost_usd=0.05)
    assert found.cause == "over the limit: cost_usd"


def test_where_no_cost_is_known_the_reason_says_so() -> None:
    found = examine(output(used(cost_usd=None), answer("done")), cost_usd=1)
    assert found.reason.endswith("not known of 1 of 1 answer(s); no US dollars that are known")


@pytest.mark.parametrize("name", ["input_tokens", "output_tokens", "total_tokens"])
def test_a_source_that_counts_no_tokens_is_within_no_limit_of_them(name: str) -> None:
    uncounted = output(used(input_tokens=0, output_tokens=0), answer("done"))
    assert examine(uncounted, **{name: 5}).cause == f"not known: {name}"
    assert examine(uncounted, requests=1).ok
    negative = output(used(input_tokens=-1), used(), answer("done"))
    assert not examine(negative, **{name: 500}).ok


def test_requests_that_are_no_number_of_requests_are_not_known() -> None:
    out = output(used(requests=-3), used(), answer("done"))
    assert examine(out, requests=5).cause == "not known: requests"


def test_without_any_usage_nothing_is_within_a_limit() -> None:
    found = examine(output(answer("done")), requests=5)
    assert (found.ok, found.cause) == (False, "usage not known")
    assert found.reason.startswith("no usage of a model was reported")


def test_in_a_broken_run_only_what_is_over_the_limit_is_certain() -> None:
    broken = output(used(), reason=CompletionReason.TIMEOUT)
    assert examine(broken, input_tokens=500).cause == "nothing observed"
    assert examine(broken, input_tokens=50).cause == "over the limit: input_tokens"


def test_a_scope_counts_one_agent_and_one_turn() -> None:
    first = turn("one", [used(), question("?", to="@M"), answer("1", "@M")])
    second = turn("two", [used(agent="@M"), used(agent="@M"), answer("2", "@M")], number=1)
    out = collect([*first, *second])
    assert examine(out, requests=1, scope=Scope(turn=0)).ok
    assert not examine(out, requests=1, scope=Scope(turn=1)).ok
    assert examine(out, requests=0, scope=Scope(agent="@M", turn=0)).ok
    assert examine(out, requests=1, scope=Scope(agent="@K")).reason.startswith("used by @K: 1 ")


def test_an_answer_of_nobody_knows_whom_may_be_that_of_the_agent() -> None:
    out = output(used(), used(agent=None), answer("done"))
    found = examine(out, requests=5, scope=Scope(agent="@K"))
    assert (found.ok, found.cause) == (False, "not known: requests")


@pytest.mark.parametrize(
    "limits", [{}, {"requests": -1}, {"cost_usd": math.nan}, {"cost_usd": math.inf}]
)
def test_limits_that_cannot_be_meant_are_refused(limits: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        UsageWithin(**limits)


def test_the_generated_name_has_the_limits() -> None:
    named = UsageWithin(requests=2, cost_usd=0.5).get_default_evaluation_name()
    assert named == "usage_within(requests=2,cost_usd=0.5)"
    assert UsageWithin(requests=2).asserts_absence


def test_what_was_looked_at_are_the_answers_of_the_models() -> None:
    out = output(used(model_name="m-1"), used(agent=None, cost_usd=None), answer("done"))
    assert UsageWithin(requests=1).looked_at(EvidenceView(out)) == [
        "@K m-1: 100 in, 10 out, 0.1 USD",
        "? a model: 100 in, 10 out, cost not known",
    ]
