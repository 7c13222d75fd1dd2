from audition.comparison.moves import Move, moves
from audition.experiment.histories import CaseHistory
from audition.experiment.status import Status
from tests.comparison.made_up_sides import SAYS_YES, case, pair, with_lines
from tests.journals import line


def failing(name: str, *places: tuple[str, str | None], failed: str = SAYS_YES) -> CaseHistory:
    lines = [
        line(
            name,
            repeat=number,
            status=Status.FAILED,
            assertions={failed: False},
            layer=layer,
            agent=agent,
        )
        for number, (layer, agent) in enumerate(places, 1)
    ]
    return with_lines(case(name, "", planned=len(places)), *lines)


TOOL, ANSWER = ("tool", "@Knowledge"), ("answer", None)


def test_failures_that_moved_are_counted_by_where_they_went() -> None:
    found = moves(
        [
            pair(failing("a", TOOL), failing("a", ANSWER)),
            pair(failing("b", TOOL, TOOL, ANSWER), failing("b", ANSWER)),
            pair(failing("c", ANSWER), failing("c", ("answer", "@Manager"))),
            pair(failing("d", ANSWER), failing("d", ANSWER)),
        ]
    )
    assert found == [
        Move(base="tool/@Knowledge", candidate="answer", cases=("a", "b")),
        Move(base="answer", candidate="answer/@Manager", cases=("c",)),
    ]


def test_a_case_that_mostly_passes_on_one_side_has_not_moved() -> None:
    mostly = with_lines(failing("a", TOOL), line("a", repeat=2), line("a", repeat=3))
    assert moves([pair(mostly, failing("a", ANSWER))]) == []


def test_a_failure_of_what_the_other_side_does_not_have_says_nothing() -> None:
    after = failing("a", ("route", None), failed="added")
    after.statuses[Status.FAILED] = 1
    assert moves([pair(failing("a", TOOL), after)]) == []
