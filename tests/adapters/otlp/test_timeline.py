"""The order of time, and what decides where times are equal."""

from audition.adapters.otlp.frames import Frame
from audition.adapters.otlp.timeline import Timeline, seconds
from audition.adapters.otlp.turns import Step, Work
from audition.events import AgentStarted


def step(rank: int, start: int | None = 5) -> Step:
    frame = Frame(index=10 + rank, kind="span", start=start)
    return Step(span=frame, work=Work.TOOL, rank=rank, start=start or 0)


def test_time_then_rank_then_what_was_added_first() -> None:
    line = Timeline()
    for name, at, rank in (("d", 9, 0), ("c", 7, 1), ("a", 7, 0), ("b", 7, 0)):
        line.add(AgentStarted(agent=name), step(rank), at)
    assert [(frame, event.agent) for frame, event in line.in_order()] == [
        (10, "a"),
        (10, "b"),
        (11, "c"),
        (10, "d"),
    ]


def test_what_a_model_was_told_comes_before_what_it_says() -> None:
    line = Timeline()
    line.add(AgentStarted(agent="said"), step(0), 7)
    line.add(AgentStarted(agent="told"), step(0), 7, is_told=True, frame=3)
    assert [(frame, event.agent) for frame, event in line.in_order()] == [(3, "told"), (10, "said")]


def test_the_end_of_a_run_comes_after_what_was_inside() -> None:
    line = Timeline()
    for name, rank, closes in (("outer", 0, True), ("inner", 1, True), ("tool", 2, False)):
        line.add(AgentStarted(agent=name), step(rank), 7, closes=closes)
    assert [event.agent for _, event in line.in_order()] == ["tool", "inner", "outer"]


def test_a_time_that_is_not_known_is_not_shown() -> None:
    assert seconds(step(0), 1935910800011000000) == 1935910800.011
    assert seconds(step(0, None), 1935910800011000000) is None
