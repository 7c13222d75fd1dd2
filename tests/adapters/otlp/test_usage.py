"""What a request cost, and what went wrong."""

import pytest
from pydantic import JsonValue

from audition.adapters.otlp.frames import Frame, SpanEvent
from audition.adapters.otlp.usage import error_of, is_counted, read_usage


def frame(failed: bool = False, status: str | None = None, **values: JsonValue) -> Frame:  # noqa: FBT001, FBT002  # as the field
    attributes = {key.replace("__", "."): value for key, value in values.items()}
    return Frame(index=0, kind="span", failed=failed, status=status, attributes=attributes)


def raised(kind: str, message: str) -> SpanEvent:
    held: dict[str, JsonValue] = {"exception.type": kind, "exception.message": message}
    return SpanEvent(name="exception", attributes=held)


def test_the_first_view_that_tells_counts() -> None:
    own = frame(gen_ai__usage__input_tokens="10", gen_ai__request__model="m")
    view = frame(
        gen_ai__usage__input_tokens=99,
        gen_ai__usage__completion_tokens=5,
        gen_ai__usage__cache_read_input_tokens=4,
        gen_ai__response__model="m-1",
        gen_ai__system="openai",
        gen_ai__response__finish_reasons='["stop"]',
    )
    told = read_usage([own, view])
    assert (told["input_tokens"], told["output_tokens"], told["cache_read_tokens"]) == (10, 5, 4)
    assert (told["model_name"], told["provider_name"]) == ("m-1", "openai")
    assert (told["finish_reason"], told["cost_usd"]) == ("stop", None)


@pytest.mark.parametrize("count", [-1, True, "many", 10**30, None, 1.5e300])
def test_what_is_no_count_is_none(count: JsonValue) -> None:
    assert read_usage([frame(gen_ai__usage__input_tokens=count)])["input_tokens"] == 0


@pytest.mark.parametrize(
    ("cost", "usd"),
    [(0.5, 0.5), (1, 1.0), (-1, None), (True, None), ("1", None), (10**400, None)],
)
def test_a_cost_is_a_number_of_dollars(cost: JsonValue, usd: float | None) -> None:
    assert read_usage([frame(operation__cost=cost)])["cost_usd"] == usd


@pytest.mark.parametrize(
    ("recorded", "reason"),
    [(["stop", "x"], "stop"), ('["stop"]', "stop"), ("length", "length"), ("[", None), ([], None)],
)
def test_a_finish_reason_is_one_word(recorded: JsonValue, reason: str | None) -> None:
    told = read_usage([frame(gen_ai__response__finish_reasons=recorded)])
    assert told["finish_reason"] == reason


def test_only_a_span_with_tokens_is_counted() -> None:
    assert is_counted(frame(gen_ai__usage__output_tokens=0))
    assert not is_counted(frame())


def test_an_error_is_told_in_one_line() -> None:
    failed = Frame(index=0, kind="span", failed=True, events=(raised("ValueError", "no\n berth"),))
    assert error_of(failed) == "ValueError: no berth"
    assert error_of(frame(failed=True, status="gone")) == "gone"
    assert error_of(frame(failed=True)) == "the span has the status ERROR"
    assert error_of(frame(error__type="timeout")) == "timeout"
    assert error_of(frame(status="fine")) is None


def test_an_exception_that_was_handled_is_no_error() -> None:
    assert error_of(Frame(index=0, kind="span", events=(raised("ValueError", "no"),))) is None
