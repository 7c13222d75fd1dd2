from typing import Any

import pytest

from audition.experiment.limits import Limits, Spent
from audition.experiment.progress import Progress
from audition.experiment.status import Status
from audition.experiment.units import Unit
from tests.journals import line

UNIT = Unit(case="one", position=0)


type Fields = dict[str, Any]

ERROR: Fields = {"status": Status.ERROR}
FAILED: Fields = {"status": Status.FAILED}
PASSED: Fields = {}
CUT: Fields = {"status": Status.NOT_EVALUATED, "cut": "the time of the run was over"}
NOTHING = list[Status]()


def progress(*lines: Fields) -> Progress:
    made = Progress(Spent(limits=Limits()))
    made.add_earlier(line("one", attempt=at, **fields) for at, fields in enumerate(lines, 1))
    return made


@pytest.mark.parametrize(
    ("lines", "retry", "attempt"),
    [
        (list[Fields](), NOTHING, 1),
        ([PASSED], [Status.ERROR, Status.FAILED], None),
        ([ERROR], NOTHING, None),
        ([ERROR], [Status.ERROR], 2),
        ([FAILED], [Status.ERROR], None),
        ([FAILED, PASSED], [Status.FAILED], 3),
        ([CUT], NOTHING, 2),
        ([CUT, PASSED], NOTHING, None),
    ],
)
def test_a_unit_is_run_where_it_is_missing_or_was_cut_short_or_is_to_be_run_again(
    lines: list[Fields], retry: list[Status], attempt: int | None
) -> None:
    assert progress(*lines).next_attempt(UNIT, frozenset(retry)) == attempt


@pytest.mark.parametrize(
    ("lines", "statuses"),
    [
        ([ERROR, PASSED], [Status.PASSED]),
        ([FAILED, PASSED], [Status.FAILED]),
        ([CUT], NOTHING),
    ],
)
def test_what_stands_is_the_first_that_was_measured(
    lines: list[Fields], statuses: list[Status]
) -> None:
    made = progress(*lines)
    assert (list(made.statuses()), made.finished) == (statuses, len(statuses))


def test_all_attempts_count_for_what_was_used() -> None:
    made = progress({"tool_calls": 2, "status": Status.ERROR}, {"tool_calls": 3})
    assert made.spent.tool_calls == 5


def test_the_models_that_answered_are_known_also_those_of_earlier_processes() -> None:
    made = progress({"model_ids": ("a",)})
    made.add(line("two", model_ids=("b", "a")))
    assert (made.model_ids, made.earlier_models) == (["a", "b"], {"a"})
