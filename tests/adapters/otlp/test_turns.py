"""What spans stand for, whose they are, and which are one turn."""

import pytest
from pydantic import JsonValue

from audition.adapters.otlp.frames import Frame, read_frames
from audition.adapters.otlp.turns import Record, Step, Work, read_turns, work_of
from tests.adapters.otlp.records import TRACE, enclosed, run, span


def read(*spans: JsonValue) -> Record:
    return read_turns(read_frames([enclosed(*spans)]))


def steps(*spans: JsonValue) -> list[Step]:
    return [step for turn in read(*spans).turns for step in turn.steps]


def ids(record: Record) -> list[list[str]]:
    return [[step.span.span_id for step in turn.steps] for turn in record.turns]


@pytest.mark.parametrize(
    ("name", "attributes", "work"),
    [
        ("x", {"gen_ai.operation.name": "execute_tool"}, Work.TOOL),
        ("x", {"gen_ai.operation.name": "invoke_agent"}, Work.AGENT),
        ("x", {"gen_ai.operation.name": "invoke_workflow"}, Work.WORKFLOW),
        ("x", {"gen_ai.operation.name": "chat"}, Work.MODEL),
        ("x", {"gen_ai.operation.name": "generate_content"}, Work.MODEL),
        ("x", {"gen_ai.operation.name": "embeddings", "gen_ai.request.model": "m"}, Work.OTHER),
        ("x", {"gen_ai.operation.name": ["chat"]}, Work.OTHER),
        ("running tool", {"gen_ai.tool.name": "look"}, Work.TOOL),
        ("call_llm", {}, Work.MODEL),
        ("openai.chat", {"gen_ai.request.model": "m"}, Work.MODEL),
        ("agent run", {"agent_name": "desk"}, Work.AGENT),
        ("agent_run [desk]", {}, Work.AGENT),
        ("invocation", {"gcp.vertex.agent.invocation_id": "e"}, Work.WORKFLOW),
        ("invocation", {}, Work.OTHER),
        ("GET", {"gen_ai.conversation.id": "s"}, Work.OTHER),
    ],
)
def test_a_span_stands_for_work(name: str, attributes: dict[str, JsonValue], work: Work) -> None:
    assert work_of(Frame(index=0, kind="span", name=name, attributes=attributes)) is work


def test_the_agent_is_the_nearest_that_is_named() -> None:
    named = steps(
        run(),
        span("t", "execute_tool ask", "r", at=1),
        span("i", "invoke_agent pilot", "t", at=2),
        span("c", "chat m", "i", at=3),
        span("o", "chat m", "r", at=4, gen_ai__agent__name="other"),
    )
    assert [step.agent for step in named] == ["desk", "desk", "pilot", "pilot", "other"]
    assert [step.run_id for step in named] == ["r", "r", "i", "i", "r"]
    callers = [None if step.caller is None else step.caller.span.span_id for step in named]
    assert callers == [None, None, "t", "t", None]


def test_without_an_agent_the_service_acts() -> None:
    (step,) = steps(span("c", "chat m"))
    assert (step.agent, step.run_id) == ("dock-desk", f"{step.span.trace_id}/dock-desk")
    frames = read_frames([enclosed(span("c", "chat m"), service="unknown_service:python")])
    assert read_turns(frames).turns[0].steps[0].agent is None


def test_a_span_without_an_agent_name_may_have_it_in_its_own() -> None:
    older: JsonValue = {"traceId": "t", "spanId": "a", "name": "agent_run [desk]"}
    (turn,) = read_turns(read_frames([older])).turns
    assert turn.steps[0].agent == "desk"


def test_order_is_by_start_then_parents_first() -> None:
    inner = span("c", "chat m", "r", at=5)
    record = read(
        inner, span("t", "execute_tool look", "r", at=3), run(), span("x", "chat m", "c", at=5)
    )
    assert ids(record) == [["r", "t", "c"]]
    assert record.turns[0].steps[2].views[0].span_id == "x"


def test_a_span_without_a_start_stays_where_it_is_stored() -> None:
    lost = span("t", "execute_tool look", "r")
    del lost["startTimeUnixNano"]
    assert ids(
        read(run(), span("a", "chat m", "r", at=4), lost, span("b", "chat m", "r", at=6))
    ) == [["r", "a", "t", "b"]]


def test_a_span_that_was_exported_twice_counts_once() -> None:
    record = read(run(lasts=None), run(), run(), span("c", "chat m", "r"))
    assert ids(record) == [["r", "c"]]
    assert record.turns[0].steps[0].span.index == 1
    assert record.void == {0: "seen before", 2: "seen before"}


def test_a_pending_span_is_the_start_of_another() -> None:
    record = read(run(), span("p", "chat m", "r", logfire__span_type="pending_span"))
    assert record.void == {1: "the start of a span, told before its end"}


def test_the_same_request_traced_twice_is_one() -> None:
    record = read(
        run(),
        span("a", "chat m", "r"),
        span("b", "generate_content m", "a"),
        span("c", "chat m", "b"),
    )
    assert ids(record) == [["r", "a"]]
    told = "the same request to a model as frame 1"
    assert (record.void[2], record.void[3]) == (told, told)
    assert [view.span_id for view in record.turns[0].steps[1].views] == ["b", "c"]


def test_the_same_call_traced_twice_is_one() -> None:
    record = read(
        run(),
        span("a", "execute_tool look", "r", gen_ai__tool__call__id="1"),
        span("b", "execute_tool look", "a"),
        span("c", "execute_tool other", "a"),
        span("d", "execute_tool look", "a", gen_ai__tool__call__id="2"),
    )
    assert ids(record) == [["r", "a", "c", "d"]]


def test_a_model_inside_an_agent_inside_a_model_is_its_own() -> None:
    record = read(
        run(),
        span("a", "chat m", "r"),
        span("t", "execute_tool ask", "a", at=1),
        span("b", "chat m", "t", at=2),
    )
    assert ids(record) == [["r", "a", "t", "b"]]


def test_a_merged_span_of_adk_is_no_call() -> None:
    merged = span("m", "execute_tool (merged tools)", "r")
    assert read(run(), merged).void == {1: "sums up calls that have spans of their own"}


def test_an_invocation_that_goes_on_in_another_trace_is_one_turn() -> None:
    held: dict[str, JsonValue] = {"gcp__vertex__agent__invocation_id": "e-1"}
    record = read(
        run(),
        span("c", "chat m", "r", held=held),
        span("r2", "invoke_agent desk", trace="t-2", at=9),
        span("c2", "chat m", "r2", trace="t-2", at=10, held=held),
    )
    assert ids(record) == [["r", "c", "r2", "c2"]]


def test_a_trace_of_several_invocations_is_several_turns() -> None:
    spans: list[JsonValue] = [span("root", "test_suite")]
    for number, at in ((1, 1), (2, 5)):
        held: dict[str, JsonValue] = {"gcp__vertex__agent__invocation_id": f"e-{number}"}
        spans += [
            span(f"r{number}", "invoke_agent desk", "root", at=at),
            span(f"t{number}", "execute_tool look", f"r{number}", at=at + 2),
            span(f"c{number}", "chat m", f"r{number}", at=at + 1, held=held),
        ]
    assert ids(read(*spans)) == [["r1", "c1", "t1"], ["r2", "c2", "t2"]]


def test_the_invocation_of_an_agent_inside_a_tool_is_no_turn_of_its_own() -> None:
    record = read(
        run(),
        span("a", "chat m", "r", at=1, held={"gcp__vertex__agent__invocation_id": "e-1"}),
        span("t", "execute_tool ask_pilot", "r", at=3, lasts=9),
        span("i", "invoke_agent pilot", "t", at=4, lasts=6),
        span("b", "chat m", "i", at=5, held={"gcp__vertex__agent__invocation_id": "e-2"}),
        span("l", "invoke_agent lost", "gone", at=7, lasts=2),
        span("c", "chat m", "l", at=8, held={"gcp__vertex__agent__invocation_id": "e-3"}),
    )
    assert ids(record) == [["r", "a", "t", "i", "b", "l", "c"]]


def test_spans_without_a_trace_belong_to_their_conversation() -> None:
    bare: list[JsonValue] = [
        {"context": {"trace_id": "0x0", "span_id": name}, "name": "chat", "attributes": {
            "gen_ai.operation.name": "chat", "gen_ai.conversation.id": of}}
        for name, of in (("a", "s"), ("b", "s"))
    ]  # fmt: skip
    assert ids(read_turns(read_frames(bare))) == [["a", "b"]]


def test_what_is_missing_is_counted() -> None:
    (turn,) = read(span("a", "chat m", "gone"), span("b", "execute_tool look", "gone", at=2)).turns
    assert (turn.missing, turn.open_end) == ({"gone": 2}, "gone")


def test_a_missing_span_above_the_run_does_not_hide_its_end() -> None:
    (turn,) = read(span("r", "invoke_agent desk", "gone"), span("a", "chat m", "r")).turns
    assert (turn.missing, turn.open_end) == ({"gone": 1}, None)


def test_a_circle_of_parents_ends() -> None:
    record = read(span("a", "chat m", "b"), span("b", "execute_tool look", "a"))
    assert sorted(ids(record)[0]) == ["a", "b"]


def test_a_log_record_is_read_with_its_span() -> None:
    log: JsonValue = {
        "timeUnixNano": "1",
        "body": {"stringValue": "x"},
        "traceId": TRACE,
        "spanId": "r",
    }
    record = read_turns(read_frames([log, enclosed(run())]))
    assert [[log.index for log in logs] for logs in record.logs.values()] == [[0]]
    assert record.void == {0: "read with the span that it belongs to, frame 1"}


def test_a_log_record_without_its_span_is_dropped() -> None:
    log: JsonValue = {
        "timeUnixNano": "1",
        "body": {"stringValue": "x"},
        "traceId": "t",
        "spanId": "s",
    }
    record = read_turns(read_frames([log, enclosed(run())]))
    assert record.void == {0: "a log record of no agent, model or tool that is here"}
