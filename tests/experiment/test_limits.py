from typing import Any

import pytest

from audition.experiment.limits import Limits, Spent
from audition.experiment.status import Status
from tests.journals import line

ANSWERED: dict[str, Any] = {
    "model_ids": ("m",),
    "input_tokens": 60,
    "output_tokens": 40,
    "cost_usd": 0.5,
}

NOTHING: dict[str, Any] = {}


@pytest.mark.parametrize(
    ("limits", "fields", "reason"),
    [
        ({"tokens": 100}, ANSWERED, "100 tokens are used, of 100 that the run may use"),
        ({"cost_usd": 0.5}, ANSWERED, "0.5 US dollars are used, of 0.5"),
        ({"tool_calls": 3}, {"tool_calls": 4}, "4 tool calls are used, of 3"),
        ({"fail_fast": True}, {"status": Status.FAILED}, "one failed, and the first failure ends"),
        ({"seconds": 0}, NOTHING, "the run had 0 s"),
        (
            {"cost_usd": 9},
            ANSWERED | {"cost_usd": None},
            "what a model costs is not known, so its budget cannot be kept",
        ),
        (
            {"tokens": 900},
            ANSWERED | {"input_tokens": None},
            "a model's tokens are not counted, so their budget cannot be kept",
        ),
    ],
)
def test_a_limit_that_is_reached_says_which(
    limits: dict[str, Any], fields: dict[str, Any], reason: str
) -> None:
    spent = Spent(limits=Limits(**limits))
    spent.add(line("one", **fields))
    assert (spent.reason_to_stop() or "").startswith(reason)


@pytest.mark.parametrize(
    ("limits", "fields"),
    [
        (NOTHING, ANSWERED),
        ({"tokens": 101, "cost_usd": 0.51, "tool_calls": 1, "seconds": 60}, ANSWERED),
        ({"cost_usd": 1, "tokens": 1}, NOTHING),
        ({"fail_fast": True}, {"status": Status.KNOWN_FAILURE}),
        ({"fail_fast": True}, {"status": Status.ERROR}),
    ],
)
def test_what_is_within_its_limits_goes_on(limits: dict[str, Any], fields: dict[str, Any]) -> None:
    spent = Spent(limits=Limits(**limits))
    spent.add(line("one", **fields))
    assert spent.reason_to_stop() is None


def test_what_earlier_processes_used_counts_and_their_failures_stop_nothing() -> None:
    spent = Spent(limits=Limits(tokens=100, fail_fast=True))
    spent.add(line("one", status=Status.FAILED), is_earlier=True)
    assert spent.reason_to_stop() is None
    spent.add(line("two", **ANSWERED), is_earlier=True)
    assert spent.reason_to_stop() is not None
