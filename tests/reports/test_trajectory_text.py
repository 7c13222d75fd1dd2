from audition.events import ToolCalled
from audition.reports.trajectory_text import redacted_messages, trajectory_lines
from audition.testing import answer, output, tool_use


def test_who_spoke_what_was_called_and_what_came_back_stand_in_lines() -> None:
    out = output(*tool_use("@K", "find", "berth\n4"), answer("Berth 4.", "@K"), asked="Where?")
    assert list(trajectory_lines(redacted_messages(out))) == [
        "user: Where?",
        "assistant @K calls find {}",
        "tool find: berth 4",
        "assistant @K: Berth 4.",
    ]


def test_arguments_that_were_not_recorded_are_said_to_be_so() -> None:
    out = output(ToolCalled(agent="@K", tool_name="find", run_id="r", tool_call_id="1"))
    lines = list(trajectory_lines(redacted_messages(out)))
    assert "assistant @K calls find arguments not recorded" in lines


def test_no_secret_and_no_control_sequence_is_told() -> None:
    out = output(answer("\x1b[2J password=ORCHARD-77 and again ORCHARD-77", "@K"))
    told = "\n".join(trajectory_lines(redacted_messages(out)))
    assert "ORCHARD" not in told
    assert "\x1b" not in told


def test_a_long_text_is_cut_and_says_so() -> None:
    out = output(answer("x" * 5000, "@K"))
    line = list(trajectory_lines(redacted_messages(out)))[-1]
    assert (len(line) < 500, "4600 characters left out" in line) == (True, True)
