import pytest
from pydantic import JsonValue

from audition.models.placeholders import covers

TAKEN_OUT = "[redacted:password]"


@pytest.mark.parametrize(
    ("recorded", "asked", "same"),
    [
        ("calm", "calm", True),
        ("calm", "storm", False),
        (f"with {TAKEN_OUT}.", "with calm sea.", True),
        (f"with {TAKEN_OUT}.", "with [redacted:token].", True),
        (f"with {TAKEN_OUT}.", "with calm sea!", False),
        (f"with {TAKEN_OUT}.", "by calm sea.", False),
        (f"{TAKEN_OUT} and [redacted:private-key]", "calm and storm", True),
        (f"{TAKEN_OUT} and {TAKEN_OUT} and {TAKEN_OUT}", "calm and storm", False),
        (f"a{TAKEN_OUT}a", "a", False),
        ("with calm sea.", f"with {TAKEN_OUT}.", False),
        ({"a": [TAKEN_OUT, 1]}, {"a": ["calm", 1]}, True),
        ({"a": [TAKEN_OUT, 1]}, {"a": ["calm", True]}, False),
        ({"a": [TAKEN_OUT]}, {"a": ["calm", "sea"]}, False),
        ({"a": TAKEN_OUT}, {"b": "calm"}, False),
        (TAKEN_OUT, 7, False),
        (1, 1.0, False),
    ],
)
def test_a_recorded_placeholder_stands_for_any_text(
    recorded: JsonValue, asked: JsonValue, *, same: bool
) -> None:
    assert covers(recorded, asked) is same


def test_many_placeholders_in_a_long_text_are_no_work() -> None:
    recorded = f"x{TAKEN_OUT}" * 2000 + "z"
    assert not covers(recorded, "x" * 1_000_000)
