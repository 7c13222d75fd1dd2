"""All evaluators of the library, and the name of each in a dataset file."""

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic_evals.evaluators import Evaluator

from audition.evaluators.arguments import ToolArgumentsContainNoTerms, ToolArgumentsMatch
from audition.evaluators.case_evaluator import CaseEvaluator, type_name
from audition.evaluators.completion import Completed
from audition.evaluators.errors import NoErrors
from audition.evaluators.evidence import ToolEvidenceContainsTerms
from audition.evaluators.liveness import (
    AnsweredEveryRequest,
    DidNotPingPong,
    HandledEveryMessage,
    SentNoOrphanMessages,
    SettledRequestsBeforeAnswer,
)
from audition.evaluators.messages import MessageContainsTerms
from audition.evaluators.order import (
    EventuallyHappened,
    HappenedBefore,
    HappenedConcurrently,
    NeverHappened,
)
from audition.evaluators.responses import (
    HumanResponseContainsAnyTerm,
    HumanResponseContainsNoTerms,
    HumanResponseContainsTerms,
)
from audition.evaluators.routes import DidNotInvolveAgents, FollowedRoute
from audition.evaluators.similarity import AnswerIsSimilar
from audition.evaluators.time_limits import TookAtMost
from audition.evaluators.tool_order import CalledToolsInOrder
from audition.evaluators.tools import (
    AnyToolCallSucceeded,
    CalledOnlyAllowedTools,
    CalledRequiredTools,
    DidNotCallTools,
    ToolCallCount,
    ToolCallsSucceeded,
)
from audition.evaluators.tools_used import ToolsUsed
from audition.evaluators.trajectory import MatchedTrajectory
from audition.evaluators.usage import UsageWithin

BUILTIN: tuple[type[CaseEvaluator], ...] = (
    Completed,
    HumanResponseContainsTerms,
    HumanResponseContainsAnyTerm,
    HumanResponseContainsNoTerms,
    MessageContainsTerms,
    FollowedRoute,
    DidNotInvolveAgents,
    CalledRequiredTools,
    DidNotCallTools,
    CalledOnlyAllowedTools,
    ToolCallCount,
    ToolCallsSucceeded,
    AnyToolCallSucceeded,
    ToolArgumentsMatch,
    ToolEvidenceContainsTerms,
    CalledToolsInOrder,
    ToolArgumentsContainNoTerms,
    UsageWithin,
    TookAtMost,
    NoErrors,
    AnswerIsSimilar,
    HappenedBefore,
    EventuallyHappened,
    NeverHappened,
    HappenedConcurrently,
    AnsweredEveryRequest,
    SentNoOrphanMessages,
    DidNotPingPong,
    SettledRequestsBeforeAnswer,
    HandledEveryMessage,
    MatchedTrajectory,
    ToolsUsed,
)


def by_type_name(
    evaluator_types: Iterable[type[CaseEvaluator]],
) -> Mapping[str, type[CaseEvaluator]]:
    """Return the evaluators by their name in a dataset file."""
    return {type_name(evaluator_type): evaluator_type for evaluator_type in evaluator_types}


def by_class_name[EvaluatorT: Evaluator[Any, Any, Any]](
    evaluator_types: Iterable[type[EvaluatorT]],
) -> Mapping[str, type[EvaluatorT]]:
    """Return the evaluators by their name in a report and in Pydantic Evals' own dataset files."""
    return {known.get_serialization_name(): known for known in evaluator_types}
