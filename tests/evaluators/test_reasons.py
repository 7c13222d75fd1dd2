"""The first of many, and the beginning of what is long."""

import pytest

from audition.evaluators.arguments import ToolArgumentsMatch
from audition.evaluators.case_evaluator import CaseEvaluator
from audition.evaluators.completion import Completed
from audition.evaluators.evidence import ToolEvidenceContainsTerms
from audition.evaluators.liveness import SentNoOrphanMessages, SettledRequestsBeforeAnswer
from audition.evaluators.reasons import few, shortened
from audition.evaluators.time_limits import TookAtMost
from audition.evaluators.tools import AnyToolCallSucceeded, DidNotCallTools, ToolCallsSucceeded
from audition.evaluators.view import EvidenceView
from audition.events import AgentFailed, ToolOutcome
from audition.output import CaseOutput
from audition.testing import answer, caused, message, named, output, question, tool_use


@pytest.mark.parametrize(
    ("count", "told"),
    [(0, ""), (1, "0"), (5, "0; 1; 2; 3; 4"), (7, "0; 1; 2; 3; 4 and 2 more")],
)
def test_the_first_are_told_and_the_others_counted(count: int, told: str) -> None:
    assert few(range(count)) == told


def test_only_the_first_are_put_into_words() -> None:
    asked: list[str] = []

    def tell(name: str) -> str:
        asked.append(name)
        return name.upper()

    assert few(["a", "b", "c"], tell, most=2, separator=", ") == "A, B and 1 more"
    assert asked == ["a", "b"]


def test_a_long_text_is_shortened_to_as_much_as_may_be_shown() -> None:
    assert shortened("a" * 48) == "a" * 48
    assert shortened("a" * 49) == "a" * 45 + "..."
    assert shortened("abcdef", 5) == "ab..."


FAILED = output(
    *[
        event
        for _ in range(7)
        for event in tool_use("@K", "search", "gone", outcome=ToolOutcome.TOOL_ERROR)
    ],
    answer("?"),
)
STRAYS = [one for number in range(7) for one in caused(f"gone {number}", answer(str(number)))]
ASKED = caused("q", *[message("@Manager", "@K", str(number)) for number in range(7)])
OPEN = output(named("q", question("Who?")), *ASKED, *caused("q", answer("?")))
BROKEN = output(*[AgentFailed(agent="@K", error=str(number)) for number in range(22)], answer("?"))


@pytest.mark.parametrize(
    ("evaluator", "out", "told"),
    [
        (DidNotCallTools(("search",)), FAILED, "gone and 2 more"),
        (ToolCallsSucceeded(), FAILED, "gone and 2 more"),
        (AnyToolCallSucceeded(("search",)), FAILED, "gone and 2 more"),
        (ToolEvidenceContainsTerms("search", ("x1",)), FAILED, "gone and 2 more; looked for"),
        (ToolArgumentsMatch("search", {"q": "x1"}), FAILED, " and 2 more"),
        (TookAtMost(1, tool_name="search"), FAILED, " and 2 more is not known"),
        (SentNoOrphanMessages(), output(*STRAYS), "(gone 0, gone 1, gone 2, gone 3, gone 4 and 2 "),
        (SettledRequestsBeforeAnswer(), OPEN, " and 2 more"),
        (Completed(), BROKEN, "error: @K: 19 and 2 more"),
    ],
)
def test_nothing_that_was_found_is_left_out_in_silence(
    evaluator: CaseEvaluator, out: CaseOutput, told: str
) -> None:
    found = evaluator.examine(EvidenceView(out))
    assert not found.ok
    assert told in found.reason
