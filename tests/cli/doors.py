"""`audition` as a process of its own, without paying for its imports each time.

One process imports everything once; for each call it forks a child, which runs the command line as
the real one does: in its folder, with its own streams, to its own exit code.
"""

import json
import os
import subprocess
import sys
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import NoReturn

import coverage

HERE = Path(__file__).resolve()


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What a command left behind: its exit code, and what it printed where."""

    code: int
    out: str
    err: str


class Door:
    """Runs `audition` commands; closed at the end of the tests."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._calls = 0
        measured = coverage.Coverage.current()
        data_file = "" if measured is None else str(measured.get_option("run:data_file"))
        command = [sys.executable, str(HERE), data_file and str(Path(data_file).absolute())]
        self._process = subprocess.Popen(  # noqa: S603  # our own script
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=HERE.parents[2]
        )

    def __call__(self, *arguments: str | Path, cwd: Path) -> Done:
        """Run one command in a folder."""
        self._calls += 1
        out, err = (self._folder / f"{self._calls}.{kind}" for kind in ("out", "err"))
        call = {
            "arguments": [str(argument) for argument in arguments],
            "cwd": str(cwd),
            "out": str(out),
            "err": str(err),
        }
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(call) + "\n")
        self._process.stdin.flush()
        code = int(self._process.stdout.readline())
        return Done(code=code, out=out.read_text("utf-8"), err=err.read_text("utf-8"))

    def close(self) -> None:
        """End the process."""
        self._process.communicate(timeout=10)


_HEAVY = (
    "audition.cli",
    "audition.datasets.native",
    "audition.experiment.process",
    "audition.reports.case_text",
)


def _serve(data_file: str) -> None:
    for module in _HEAVY:
        import_module(module)
    for line in sys.stdin:
        call = json.loads(line)
        child = os.fork()
        if not child:
            _become(call["arguments"], call, data_file)
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()


def _become(arguments: Sequence[str], call: dict[str, str], data_file: str) -> NoReturn:
    """Be the command, in a child that never returns."""
    code = 70
    measured = _measured(data_file) if data_file else None
    try:
        os.chdir(call["cwd"])
        for stream, name in ((1, "out"), (2, "err")):
            os.dup2(os.open(call[name], os.O_WRONLY | os.O_CREAT), stream)
        sys.argv = ["audition", *arguments]
        audition_main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 70
    except BaseException:  # noqa: BLE001  # a child must not go on as its parent
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        if measured is not None:
            measured.stop()
            measured.save()
        os._exit(code)


def _measured(data_file: str) -> coverage.Coverage:
    """Return what measures this child, where the tests themselves are measured."""
    config = str(HERE.parents[2] / "pyproject.toml")
    measured = coverage.Coverage(data_file, data_suffix=True, config_file=config)
    quiet = ["module-not-measured", "already-imported", "no-data-collected"]
    measured.set_option("run:disable_warnings", quiet)
    measured.start()
    return measured


def audition_main() -> NoReturn:
    """Run the command line as its script does."""
    from audition.cli import main

    main()


if __name__ == "__main__":
    _serve(sys.argv[1])
