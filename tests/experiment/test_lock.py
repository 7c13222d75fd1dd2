import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from audition.errors import CallError
from audition.experiment.lock import locked

HOLD = """
import sys, time
from pathlib import Path
from audition.experiment.lock import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_folder_that_another_process_holds_is_refused_until_that_dies(tmp_path: Path) -> None:
    with subprocess.Popen(  # noqa: S603  # our own script
        [sys.executable, "-c", HOLD, tmp_path], stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with (
            pytest.raises(CallError, match=f"process {holder.pid} writes to it"),
            locked(tmp_path),
        ):
            pass
        os.kill(holder.pid, signal.SIGKILL)
        holder.wait(timeout=10)
    with locked(tmp_path):
        pass


def test_a_folder_that_was_left_can_be_held_again(tmp_path: Path) -> None:
    for _ in range(2):
        with locked(tmp_path):
            pass
