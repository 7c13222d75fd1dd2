"""Which call a result is of."""

from audition.tool_payloads import Returned
from audition.transcripts.calls import Call, Calls
from audition.transcripts.parts import Answered


def call(name: str, call_id: str | None, frame: int = 0) -> Call:
    return Call(
        name=name,
        call_id=call_id or f"made-{name}",
        run_id="r",
        agent="a",
        frame=frame,
        has_id=call_id is not None,
    )


def calls(*made: Call) -> Calls:
    known = Calls()
    for one in made:
        known.add(one, one.call_id if one.has_id else None)
    return known


def result(name: str | None = None, call_id: str | None = None) -> Answered:
    return Answered(name=name, call_id=call_id, returned=Returned(content="x"))


def test_a_result_is_of_the_call_with_its_id() -> None:
    first, second = call("find", "1"), call("find", "2")
    assert calls(first, second).of(result(call_id="2")) is second


def test_a_second_result_is_of_the_same_call() -> None:
    only = call("find", "1")
    only.answered = True
    assert calls(only).of(result(call_id="1")) is only


def test_an_id_that_is_used_again_is_that_of_the_later_call() -> None:
    earlier, later = call("find", "1"), call("find", "1", frame=2)
    assert calls(earlier, later).of(result(call_id="1")) is later


def test_calls_of_one_message_with_one_id_are_answered_in_order() -> None:
    first, second = call("find", "1"), call("book", "1")
    known = calls(first, second)
    assert (first.call_id, second.call_id) == ("1", "1#2")
    first.answered = True
    assert known.of(result(call_id="1")) is second


def test_without_an_id_name_and_order_tell() -> None:
    first, book, second = call("find", None), call("book", None), call("find", None)
    known = calls(first, book, second)
    assert known.of(result("book")) is book
    assert known.of(result("find")) is first
    first.answered = True
    assert known.of(result("find")) is second
    assert known.of(result()) is book


def test_a_result_with_an_id_is_not_of_a_call_with_another_one() -> None:
    assert calls(call("find", "1")).of(result("find", "2")) is None


def test_a_result_with_an_id_may_be_of_a_call_without_one() -> None:
    only = call("find", None)
    assert calls(only).of(result("find", "2")) is only
