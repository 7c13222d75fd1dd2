"""Laws over all evaluators of the library; each has its own tests in the file of its module."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_evals import Case, Dataset
from pydantic_evals import evaluators as of_pydantic_evals

from audition.evaluators.arguments import ToolArgumentsMatch
from audition.evaluators.builtin import BUILTIN, by_class_name, by_type_name
from audition.evaluators.case_evaluator import CaseEvaluator, Severity
from audition.evaluators.completion import Completed
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
from audition.evaluators.patterns import MessagePattern, ToolPattern
from audition.evaluators.responses import (
    HumanResponseContainsAnyTerm,
    HumanResponseContainsNoTerms,
    HumanResponseContainsTerms,
)
from audition.evaluators.routes import DidNotInvolveAgents, FollowedRoute
from audition.evaluators.tools import (
    AnyToolCallSucceeded,
    CalledOnlyAllowedTools,
    CalledRequiredTools,
    DidNotCallTools,
    ToolCallCount,
    ToolCallsSucceeded,
)
from audition.evaluators.view import EvidenceView, Scope
from audition.events import CompletionReason, Event, MessageHandled, MessageType, ToolOutcome
from audition.inputs import CaseInput
from audition.invocations import InvocationOutcome
from audition.matching.terms import AnyTerm, NumberTerm, RegexTerm, WordTerm
from audition.output import CaseOutput
from audition.testing import answer, caused, message, named, output, question, tool_use

FAILED = ToolOutcome.TOOL_ERROR
NOTIFICATION, RESPONSE = MessageType.NOTIFICATION, MessageType.RESPONSE
GOOD = output(
    named("1", question("Who is Mara?")),
    *caused(
        "1",
        named("2", message("@Manager", "@Knowledge", "Who is Mara?")),
        named("3", message("@Manager", "@Archive", "Mara", message_type=NOTIFICATION)),
    ),
    *caused(
        "2",
        *tool_use("@Knowledge", "search", "Mara Ilves, 7 berths", arguments={"q": "Mara"}),
        named("4", message("@Knowledge", "@Manager", "Mara Ilves", message_type=RESPONSE)),
    ),
    *caused("4", answer("Mara Ilves has 7 berths.")),
    *[MessageHandled(message_id=message_id) for message_id in "1234"],
)
BAD = output(
    named("1", question("Who is Mara?")),
    *caused("1", named("2", message("@Manager", "@WebIngest", "Who is Mara?"))),
    *caused("2", named("3", message("@WebIngest", "@Manager", "Which one?"))),
    *caused("3", named("4", message("@Manager", "@WebIngest", "Mara"))),
    *caused("lost", *tool_use("@Manager", "send", "no", arguments={"q": "x"}, outcome=FAILED)),
    *caused("lost", *tool_use("@Manager", "search", "", arguments={"q": "x"}, outcome=FAILED)),
    *caused("lost", answer("Nobody knows a secret.")),
    MessageHandled(message_id="1"),
    reason=CompletionReason.QUIESCENT,
)
EMPTY = output(reason=CompletionReason.TIMEOUT)
NOTHING = CaseOutput(completion_reason=CompletionReason.START_FAILED)

EXAMPLES: tuple[CaseEvaluator, ...] = (
    Completed(),
    HumanResponseContainsTerms(("Mara", NumberTerm(number=7), WordTerm(word="berths"))),
    HumanResponseContainsAnyTerm((AnyTerm(any=("Mara", "Oren")), RegexTerm(regex="Q-[0-9]"))),
    HumanResponseContainsNoTerms(("secret",), severity=Severity.SHOULD),
    MessageContainsTerms(("Mara Ilves",), sender="@Knowledge", recipient="@Manager"),
    FollowedRoute((("@Manager", "@Knowledge"), ("@Knowledge", "@Manager"))),
    DidNotInvolveAgents(("@WebIngest",)),
    CalledRequiredTools(("search",), scope=Scope(agent="@Knowledge")),
    DidNotCallTools(("send",), id="nothing is sent"),
    CalledOnlyAllowedTools(("search",)),
    ToolCallCount("search", minimum=1, maximum=1, scope=Scope(agent="@Knowledge")),
    ToolCallsSucceeded(("search",)),
    AnyToolCallSucceeded(("search",)),
    ToolArgumentsMatch("search", {"q": {"$term": "Mara"}}, mode="exact", calls="every"),
    ToolEvidenceContainsTerms("search", ("Mara Ilves",), scope=Scope(turn=0)),
    HappenedBefore(
        ToolPattern(tool="search", outcome=InvocationOutcome.OK), MessagePattern(recipient="@Human")
    ),
    EventuallyHappened(MessagePattern(contains="7"), after=MessagePattern(sender="@Human")),
    NeverHappened(ToolPattern(tool="send"), after=MessagePattern(recipient="@Manager")),
    HappenedConcurrently(
        ToolPattern(tool="search", agent="@Knowledge", arguments={"q": "Mara"}),
        MessagePattern(recipient="@Archive", message_type=MessageType.NOTIFICATION),
    ),
    AnsweredEveryRequest(),
    SentNoOrphanMessages(),
    DidNotPingPong(max_messages=2),
    SettledRequestsBeforeAnswer(),
    HandledEveryMessage(),
)
BY_NAME = pytest.mark.parametrize("evaluator", EXAMPLES, ids=lambda one: type(one).__name__)


def ok(evaluator: CaseEvaluator, out: CaseOutput) -> bool:
    return evaluator.examine(EvidenceView(out, evaluator.scope)).ok


def test_every_evaluator_has_an_example_here() -> None:
    assert tuple(type(example) for example in EXAMPLES) == BUILTIN


@BY_NAME
def test_every_evaluator_can_hold_and_can_fail(evaluator: CaseEvaluator) -> None:
    assert ok(evaluator, GOOD)
    assert not ok(evaluator, BAD)


@BY_NAME
@pytest.mark.parametrize("out", [EMPTY, NOTHING], ids=["broken", "nothing"])
def test_nothing_holds_on_a_run_in_which_nothing_happened(
    evaluator: CaseEvaluator, out: CaseOutput
) -> None:
    assert not ok(evaluator, out)


@BY_NAME
def test_every_finding_has_a_reason_and_every_failure_a_cause(evaluator: CaseEvaluator) -> None:
    for out in (GOOD, BAD, EMPTY, NOTHING):
        found = evaluator.examine(EvidenceView(out, evaluator.scope))
        assert found.reason
        assert found.ok is (found.cause is None)


Native = Dataset[CaseInput, CaseOutput, dict[str, Any]]


def dataset(*evaluators: CaseEvaluator) -> Native:
    case: Case[CaseInput, CaseOutput, dict[str, Any]] = Case(
        name="one", inputs=CaseInput(message="Who is Mara?"), evaluators=evaluators
    )
    return Native(name="laws", cases=[case])


@pytest.mark.parametrize("suffix", ["json", "yaml"])
def test_every_evaluator_is_written_to_a_file_and_read_back(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"laws.{suffix}"
    dataset(*EXAMPLES).to_file(path, custom_evaluator_types=BUILTIN)
    read = Native.from_file(path, custom_evaluator_types=BUILTIN)
    assert tuple(read.cases[0].evaluators) == EXAMPLES


@BY_NAME
def test_every_evaluator_is_read_back_from_its_specification(evaluator: CaseEvaluator) -> None:
    written = json.loads(
        json.dumps(evaluator.as_spec().model_dump(context={"use_short_form": True}))
    )
    case = {"inputs": {"message": "?"}, "evaluators": [written]}
    read = Native.from_dict({"name": "laws", "cases": [case]}, custom_evaluator_types=BUILTIN)
    assert read.cases[0].evaluators == [evaluator]


@pytest.mark.parametrize(
    ("short", "evaluator"),
    [
        ("Completed", Completed()),
        ({"HumanResponseContainsTerms": ["a1", {"any": ["b", "c"]}]},
         HumanResponseContainsTerms(("a1", AnyTerm(any=("b", "c"))))),
        ({"CalledRequiredTools": ["search"]}, CalledRequiredTools(("search",))),
        ({"FollowedRoute": ["a>b"]}, FollowedRoute((("a", "b"),))),
    ],
)  # fmt: skip
def test_an_evaluator_may_be_written_short(short: Any, evaluator: CaseEvaluator) -> None:
    read = Native.from_dict(
        {"name": "x", "cases": [{"inputs": {"message": "?"}, "evaluators": [short]}]},
        custom_evaluator_types=BUILTIN,
    )
    assert read.cases[0].evaluators == [evaluator]


@BY_NAME
def test_a_misspelt_argument_is_refused_by_every_evaluator(evaluator: CaseEvaluator) -> None:
    arguments: dict[str, Any] = {**evaluator.as_spec().kwargs, "misspelt": 1}
    with pytest.raises(ValueError, match="misspelt"):
        type(evaluator)(**arguments)


def test_no_evaluator_has_the_name_of_one_of_pydantic_evals() -> None:
    ours = {one.__name__ for one in BUILTIN}
    assert not ours & set(of_pydantic_evals.__all__)


def test_evaluators_are_found_by_their_name_in_files() -> None:
    named = by_type_name(BUILTIN)
    assert named["tool_call_count"] is ToolCallCount
    assert len(named) == len(BUILTIN)


def test_evaluators_are_found_by_their_name_in_reports() -> None:
    assert by_class_name(BUILTIN)["ToolCallCount"] is ToolCallCount


WORDS = st.sampled_from(["alpha", "beta", "gamma", "delta"])
TOOLS = st.lists(WORDS, max_size=4)


def completed_run(tools: list[str], words: list[str]) -> CaseOutput:
    used: list[Event] = [event for name in tools for event in tool_use("@K", name, "ok")]
    return output(*used, answer(" ".join(["So:", *words])))


@given(tools=TOOLS, words=TOOLS, asked=WORDS)
def test_on_a_completed_run_the_negative_is_the_opposite_of_its_twin(
    tools: list[str], words: list[str], asked: str
) -> None:
    out = completed_run(tools, words)
    twins = [
        (HumanResponseContainsTerms((asked,)), HumanResponseContainsNoTerms((asked,))),
        (CalledRequiredTools((asked,)), DidNotCallTools((asked,))),
        (ToolCallCount(asked, minimum=1), ToolCallCount(asked, maximum=0)),
        (ToolCallCount(asked, minimum=3), ToolCallCount(asked, maximum=2)),
    ]
    assert all(ok(positive, out) is not ok(negative, out) for positive, negative in twins)


@given(spoken_to=TOOLS, asked=WORDS)
def test_an_agent_had_no_part_exactly_where_it_was_not_spoken_to(
    spoken_to: list[str], asked: str
) -> None:
    out = output(*(message("@M", agent, "hello") for agent in spoken_to), answer("So."))
    assert ok(DidNotInvolveAgents((asked,)), out) is not ok(FollowedRoute((("@M", asked),)), out)


@given(tools=TOOLS, allowed=st.lists(WORDS, max_size=4))
def test_an_allowlist_holds_where_the_calls_are_a_subset(
    tools: list[str], allowed: list[str]
) -> None:
    out = completed_run(tools, [])
    assert ok(CalledOnlyAllowedTools(tuple(allowed)), out) is set(tools).issubset(allowed)
