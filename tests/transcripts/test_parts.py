"""What an adapter reads of a message."""

import pytest

from audition.adaptation import FrameHead
from audition.tool_payloads import Returned
from audition.transcripts.parts import Answered, Asked, Called, Frame, Part, Said

BACK = Answered(returned=Returned(content="x"))


@pytest.mark.parametrize(
    ("part", "opens_turn", "uses_tools"),
    [
        (Asked(text=""), True, False),
        (Said(text="x"), False, False),
        (Called(name="find"), False, True),
        (BACK, False, True),
    ],
)
def test_what_a_frame_does_is_told_by_its_parts(
    part: Part, *, opens_turn: bool, uses_tools: bool
) -> None:
    frame = Frame(head=FrameHead(index=0), parts=(part,))
    assert (frame.opens_turn, frame.uses_tools) == (opens_turn, uses_tools)
