"""Laws over all evaluators of the library; each has its own tests in the file of its module."""

import json
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import to_jsonable_python
from pydantic_evals import Case, Dataset
from pydantic_evals import evaluators as of_pydantic_evals

from audition.collector import collect
from audition.datasets.authoring import Authoring
from audition.datasets.loading import build_dataset
from audition.datasets.reading import read_source
from audition.evaluators.arguments import ToolArgumentsContainNoTerms, ToolArgumentsMatch
from audition.evaluators.builtin import BUILTIN, by_class_name, by_type_name
from audition.evaluators.case_evaluator import CaseEvaluator, Severity, type_name
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
from audition.evaluators.patterns import MessagePattern, ToolPattern
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
from audition.evaluators.view import EvidenceView, Scope
from audition.events import (
    COMPLETED,
    AgentFailed,
    CompletionReason,
    Event,
    MessageHandled,
    MessageType,
    ModelResponded,
    ToolOutcome,
)
from audition.inputs import CaseInput
from audition.invocations import InvocationOutcome
from audition.matching.terms import AnyTerm, NumberTerm, RegexTerm, WordTerm
from audition.output import CaseOutput, RuntimeCapabilities
from audition.testing import answer, caused, message, named, output, question, tool_use, turn

FAILED = ToolOutcome.TOOL_ERROR
NOTIFICATION, RESPONSE = MessageType.NOTIFICATION, MessageType.RESPONSE


def run(
    *events: Event, seconds: float, reason: CompletionReason = CompletionReason.RESPONSE
) -> CaseOutput:
    """Return the output of a turn in which there are so many seconds from event to event."""
    every = turn("Who is Mara?", events, reason=reason)
    timed = [replace(event, at=position * seconds) for position, event in enumerate(every)]
    return collect(timed, capabilities=RuntimeCapabilities(tool_evidence=True, causes=True))


GOOD = run(
    named("1", question("Who is Mara?")),
    *caused(
        "1",
        named("2", message("@Manager", "@Knowledge", "Who is Mara?")),
        named("3", message("@Manager", "@Archive", "Mara", message_type=NOTIFICATION)),
    ),
    *caused(
        "2",
        *tool_use("@Knowledge", "search", "Mara Ilves, 7 berths", arguments={"q": "Mara"}),
        *tool_use("@Knowledge", "search", "Mara Ilves", arguments={"q": "Mara Ilves"}),
        ModelResponded(agent="@Knowledge", input_tokens=90, output_tokens=9, cost_usd=0.01),
        named("4", message("@Knowledge", "@Manager", "Mara Ilves", message_type=RESPONSE)),
    ),
    *caused("4", answer("Mara Ilves has 7 berths.")),
    *[MessageHandled(message_id=message_id) for message_id in "1234"],
    seconds=0.1,
)
BAD = run(
    named("1", question("Who is Mara?")),
    *caused("1", named("2", message("@Manager", "@WebIngest", "Who is Mara?"))),
    *caused("2", named("3", message("@WebIngest", "@Manager", "Which one?"))),
    *caused("3", named("4", message("@Manager", "@WebIngest", "Mara"))),
    *caused("lost", *tool_use("@Manager", "send", "no", arguments={"q": "x"}, outcome=FAILED)),
    *caused("lost", *tool_use("@M", "search", "", arguments={"q": "secret"}, outcome=FAILED)),
    AgentFailed(agent="@Knowledge", error="the model is gone"),
    ModelResponded(agent="@Manager", input_tokens=900, output_tokens=90),
    *caused("lost", answer("Nobody knows a secret.")),
    MessageHandled(message_id="1"),
    seconds=10,
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
    ToolCallCount("search", minimum=1, maximum=2, scope=Scope(agent="@Knowledge")),
    ToolCallsSucceeded(("search",)),
    AnyToolCallSucceeded(("search",)),
    ToolArgumentsMatch("search", {"q": {"$term": "Mara"}}, mode="exact", calls="every"),
    ToolEvidenceContainsTerms("search", ("Mara Ilves",), scope=Scope(turn=0)),
    CalledToolsInOrder(("search", "search"), adjacent=True),
    ToolArgumentsContainNoTerms(("secret",), ("search",), severity=Severity.INFO),
    UsageWithin(total_tokens=100, requests=1, cost_usd=0.01),
    TookAtMost(5, scope=Scope(turn=0)),
    NoErrors(("rate limit",)),
    AnswerIsSimilar(("Mara has 7 berths.", "7 berths are Mara's"), threshold=0.7),
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
    MatchedTrajectory(
        [
            {"tool": "search", "arguments": {"q": "Mara", "top_k": 5}},
            {"tool": "search", "arguments": {"q": {"$term": "Ilves"}}},
        ],
        mode="unordered",
        arguments_mode="ignore",
        overrides={"search": ("q",)},
    ),
    ToolsUsed(("search", "search"), mode="unordered"),
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
@given(reason=st.sampled_from(sorted(set(CompletionReason) - COMPLETED)), lost=st.integers(0, 2))
def test_nothing_holds_where_no_turn_was_completed(
    evaluator: CaseEvaluator, reason: CompletionReason, lost: int
) -> None:
    seen = [question("Who is Mara?"), message("@Manager", "@Knowledge", "?")]
    broken = output(*seen, reason=reason).model_copy(update={"dropped_events": lost})
    assert not ok(evaluator, broken)


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


def test_every_evaluator_is_read_from_our_dataset_files(tmp_path: Path) -> None:
    written = [
        {"type": type_name(type(one)), **to_jsonable_python(one.as_spec().kwargs)}
        | ({"id": f"number {position}"} if one.id is None else {})
        for position, one in enumerate(EXAMPLES)
    ]
    case = {"name": "one", "message": "?", "evaluators": written}
    data = {"version": 2, "task": "retrieval", "name": "laws", "cases": [case]}
    path = tmp_path / "laws.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    read = build_dataset(read_source(path), Authoring()).dataset.cases[0].evaluators
    assert [replace(one, id=None) for one in read] == [replace(one, id=None) for one in EXAMPLES]


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


@given(tools=TOOLS, wanted=st.lists(WORDS, min_size=2, max_size=3))
def test_an_order_holds_where_what_is_left_of_the_calls_is_that_order(
    tools: list[str], wanted: list[str]
) -> None:
    out = completed_run(tools, [])
    rows = [tuple(tools[start : start + len(wanted)]) for start in range(len(tools))]
    within = combinations(tools, len(wanted))
    assert ok(CalledToolsInOrder(tuple(wanted)), out) is (tuple(wanted) in within)
    assert ok(CalledToolsInOrder(tuple(wanted), adjacent=True), out) is (tuple(wanted) in rows)


@given(words=st.lists(WORDS, min_size=1, max_size=4), asked=WORDS)
def test_arguments_contain_no_term_exactly_where_none_matches_it(
    words: list[str], asked: str
) -> None:
    calls = [tool_use("@K", "send", "ok", arguments={"text": [word]}) for word in words]
    out = output(*(event for call in calls for event in call), answer("So."))
    assert ok(ToolArgumentsContainNoTerms((asked,)), out) is (asked not in words)


@given(counts=st.lists(st.integers(1, 50), min_size=1, max_size=4), limit=st.integers(0, 100))
def test_usage_is_within_a_limit_exactly_where_its_sum_is(counts: list[int], limit: int) -> None:
    used = [ModelResponded(input_tokens=count, cost_usd=count / 10) for count in counts]
    out = output(*used, answer("So."))
    assert ok(UsageWithin(input_tokens=limit), out) is (sum(counts) <= limit)
    assert ok(UsageWithin(cost_usd=limit / 10), out) is (sum(counts) <= limit)


@given(seconds=st.integers(1, 20), limit=st.integers(1, 40))
def test_a_run_is_in_time_exactly_where_it_took_no_longer(seconds: int, limit: int) -> None:
    out = run(answer("So."), seconds=seconds)
    assert ok(TookAtMost(limit), out) is (2 * seconds <= limit)


@given(said=st.lists(WORDS, min_size=1, max_size=3), expected=st.lists(WORDS, min_size=1))
def test_the_same_answer_alone_is_wholly_similar(said: list[str], expected: list[str]) -> None:
    out = output(answer(" ".join(said)))
    similar = AnswerIsSimilar((" ".join(expected),), threshold=1)
    assert ok(similar, out) is (said == expected)
