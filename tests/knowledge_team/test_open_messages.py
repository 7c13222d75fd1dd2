import pytest

from knowledge_team.open_messages import OpenMessages


def test_nothing_open_is_over_at_once() -> None:
    assert OpenMessages().none_left().done()


def test_who_waits_is_released_by_the_last_message() -> None:
    counted = OpenMessages()
    counted.opened()
    counted.opened()
    waiter = counted.none_left()
    counted.handled()
    assert not waiter.done()
    counted.handled()
    assert waiter.done()


def test_a_cancelled_wait_disturbs_nobody() -> None:
    counted = OpenMessages()
    counted.opened()
    first, second = counted.none_left(), counted.none_left()
    first.cancel()
    counted.handled()
    assert second.done()


@pytest.mark.parametrize("before", [True, False])
def test_closing_releases_everybody(before: bool) -> None:  # noqa: FBT001 a parameter
    counted = OpenMessages()
    counted.opened()
    waiter = counted.none_left() if before else None
    counted.close()
    assert (waiter or counted.none_left()).done()
