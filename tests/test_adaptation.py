"""What an adapter returns is a plain value."""

from audition.adaptation import Adapted
from audition.events import AgentStopped


def test_what_a_record_comes_to_is_a_value() -> None:
    first, second = (
        Adapted(events=(AgentStopped(agent="@K"),), dropped=(), human="user") for _ in range(2)
    )
    assert (first, hash(first)) == (second, hash(second))
