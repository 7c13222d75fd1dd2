"""A typo in a contract would make a negative check hold for ever."""

import pytest

from audition.datasets.authoring import Authoring
from audition.datasets.contracts import unknown_in_contracts
from audition.evaluators.case_evaluator import CaseEvaluator
from audition.evaluators.completion import Completed
from audition.evaluators.routes import FollowedRoute
from audition.evaluators.tools import DidNotCallTools
from audition.evaluators.trajectory import MatchedTrajectory
from audition.evaluators.view import Scope


@pytest.mark.parametrize(
    ("evaluator", "places"),
    [
        (Completed(), []),
        (DidNotCallTools(forbidden_tools=("cancel",)), []),
        (DidNotCallTools(forbidden_tools=("cancel", "cancl")), ["forbidden_tools/1"]),
        (DidNotCallTools(("cancel",), scope=Scope(agent="@Dsk")), ["scope/agent"]),
        (FollowedRoute((("@Human", "@Dsk"),)), ["expected_route/0"]),
        (MatchedTrajectory(reference=[{"tool": "cancl"}]), ["reference/0"]),
    ],
)
def test_names_in_a_contract_are_looked_up(evaluator: CaseEvaluator, places: list[str]) -> None:
    authoring = Authoring(
        contracts={"a/b": (Completed(), evaluator)},
        agents=frozenset({"@Desk"}),
        tools=frozenset({"cancel"}),
    )
    found = [problem.pointer for problem in unknown_in_contracts(authoring)]
    assert found == [f"/a~1b/1/{place}" for place in places]
