import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from audition import __version__
from audition.cli import app, main
from tests.cli.datasets import write
from tests.cli.doors import Door

AUDITION = Path(sys.executable).with_name("audition")


def test_help_names_every_command_and_every_exit_code(audition: Door, tmp_path: Path) -> None:
    done = audition("--help", cwd=tmp_path)
    assert done.code == 0
    assert all(f"\n  {command} " in done.out for command in
               ("run", "validate", "list", "show", "schema"))  # fmt: skip
    assert "130 interrupted" in " ".join(done.out.split())


def test_the_version_is_told(audition: Door, tmp_path: Path) -> None:
    assert audition("--version", cwd=tmp_path).out == f"audition {__version__}\n"


@pytest.mark.parametrize("arguments", [["unknown"], ["run"], ["show"], ["validate"]])
def test_a_call_that_lacks_something_ends_with_2(
    audition: Door, tmp_path: Path, arguments: list[str]
) -> None:
    assert audition(*arguments, cwd=tmp_path).code == 2


def test_the_module_is_the_command(desk: Path) -> None:
    write(desk, "bad day")
    done = [
        subprocess.run(  # noqa: S603  # our own command
            [*command, "run", "desk.json", "--format", "json"],
            cwd=desk, capture_output=True, text=True, check=False,
        )
        for command in ([AUDITION], [sys.executable, "-m", "audition"])
    ]  # fmt: skip
    assert [one.returncode for one in done] == [1, 1]
    told = [{**json.loads(one.stdout), "cases": None, "seconds": None} for one in done]
    assert told[0] == told[1]


def test_a_terminal_that_cannot_show_a_character_loses_no_run(desk: Path) -> None:
    write(desk, "bad \U0001f6a2")
    done = subprocess.run(  # noqa: S603  # our own command
        [AUDITION, "run", "desk.json"], cwd=desk, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )  # fmt: skip
    assert (done.returncode, "bad \\U0001f6a2" in done.stdout) == (1, True)


def test_a_reader_that_has_seen_enough_changes_no_exit_code(desk: Path) -> None:
    write(desk, *(f"bad {number}" for number in range(400)))
    script = f'"{AUDITION}" run desk.json 2>/dev/null | true; echo "${{PIPESTATUS[0]}}"'
    done = subprocess.run(  # noqa: S603  # our own script
        ["/bin/bash", "-c", script], cwd=desk, capture_output=True, text=True, check=True
    )
    assert done.stdout == "1\n"


@app.command("raise-for-tests", hidden=True)
def _raise(kind: str) -> None:
    given = {"password": "pw-GORSE-1188"}
    raise {"own": RuntimeError(f"our fault {given}"), "interrupt": KeyboardInterrupt()}[kind]


@pytest.mark.parametrize(("kind", "code"), [("own", 3), ("interrupt", 130)])
def test_our_own_fault_is_no_failed_assertion(kind: str, code: int) -> None:
    with pytest.raises(SystemExit) as end:
        main(["raise-for-tests", kind])
    assert end.value.code == code


def test_our_own_fault_is_told_without_secrets(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["raise-for-tests", "own"])
    told = capsys.readouterr().err
    assert told.startswith("Traceback (most recent call last):")
    assert told.endswith("RuntimeError: our fault {'password': '[redacted:password]'}\n")
