"""What an adapter returns is a plain value."""

from audition.adaptation import Adapted, innermost
from audition.events import AgentStopped


def test_what_a_record_comes_to_is_a_value() -> None:
    first, second = (
        Adapted(events=(AgentStopped(agent="@K"),), dropped=(), human="user") for _ in range(2)
    )
    assert (first, hash(first)) == (second, hash(second))


def test_what_is_wrapped_in_what_is_wrapped_comes_out_in_order() -> None:
    holds = {"a": ["b", "", "c"], "b": ["d", "e"], "e": ["f"]}
    assert list(innermost(["a", "x"], lambda one: holds.get(one, []))) == ["d", "f", "", "c", "x"]
