import os
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest

from audition.cli.printing import claim_stdout, tell_warnings
from audition.errors import Problem
from tests.cli.datasets import write
from tests.cli.doors import Door


def test_a_warning_is_told_with_its_place_and_never_raw(capsys: pytest.CaptureFixture[str]) -> None:
    tell_warnings(Path("a.json"), [Problem(pointer="/x", found="found \x1b[2J", wanted="less")])
    assert capsys.readouterr().err == "a.json#/x: found \\x1b[2J; less (warning)\n"


def test_stdout_that_is_no_descriptor_is_claimed_from_python(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    out, err = StringIO(), StringIO()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    claimed = claim_stdout()
    sys.stdout.write("noise\n")
    claimed.write("results\n")
    assert (out.getvalue(), err.getvalue()) == ("results\n", "noise\n")


@pytest.mark.parametrize("closed", ["1", "2"])
def test_a_stream_that_is_closed_breaks_no_run(desk: Path, closed: str) -> None:
    write(desk, "good day")
    audition = Path(sys.executable).with_name("audition")
    script = f'"{audition}" run desk.json {closed}>&-'
    done = subprocess.run(  # noqa: S603  # our own script
        ["/bin/bash", "-c", script], cwd=desk, capture_output=True, text=True, check=False
    )
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)


@pytest.mark.parametrize(
    ("place", "code", "told"),
    [(">&-", 0, ""), ("> /dev/full", 2, "No space left on device: 'standard output'")],
    ids=["closed", "full"],
)
def test_an_extract_that_nobody_can_be_given(
    tmp_path: Path, place: str, code: int, told: str
) -> None:
    audition = Path(sys.executable).with_name("audition")
    (tmp_path / "chat.jsonl").write_text('{"role": "user", "content": "Free?"}\n')
    done = subprocess.run(  # noqa: S603  # our own script
        ["/bin/bash", "-c", f'"{audition}" extract chat.jsonl --raw {place}'],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, "Traceback" in done.stderr) == (code, False)
    assert told in done.stderr


def test_results_that_cannot_be_printed_are_told_in_one_line(desk: Path) -> None:
    write(desk, "good day")
    audition = Path(sys.executable).with_name("audition")
    done = subprocess.run(  # noqa: S603  # our own script
        ["/bin/bash", "-c", f'"{audition}" run desk.json > /dev/full'],
        cwd=desk,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, "Traceback" in done.stderr) == (3, False)
    assert "standard output cannot be written: No space left on device" in done.stderr


@pytest.mark.parametrize("command", ["list", "show"])
def test_a_reader_that_has_gone_ends_a_command_quietly(
    audition: Door, desk: Path, command: str
) -> None:
    path = write(desk, "good day")
    audition("run", path, "--report", "report.json", cwd=desk)
    subject = path if command == "list" else "report.json"
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(  # noqa: S603  # our own command
        [Path(sys.executable).with_name("audition"), command, subject],
        cwd=desk,
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")
