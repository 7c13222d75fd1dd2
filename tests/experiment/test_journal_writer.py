import os
import subprocess
import sys
from pathlib import Path

import pytest

from audition.experiment.journal import JOURNAL, OUTPUTS
from audition.experiment.journal_writer import Journal
from audition.experiment.kept_lines import read_journal, standing_results
from audition.experiment.recovery import recover
from tests.journals import line, written


def test_a_journal_is_gone_on_with(tmp_path: Path) -> None:
    written(tmp_path, "one")
    written(tmp_path, "two")
    assert [kept.line.case for kept in standing_results(tmp_path)] == ["one", "two"]


FULL = """
import resource, signal, sys
from pathlib import Path
from audition.experiment.journal import JOURNAL, OUTPUTS
from audition.experiment.journal_writer import Journal
from tests.journals import line

folder = Path(sys.argv[1])
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (2_600, 2_600))
with Journal(folder) as journal:
    journal.write(line("small"), b"{}", is_failure=False)
    sizes = [(folder / name).stat().st_size for name in (OUTPUTS, JOURNAL)]
    try:
        journal.write(line("large"), b'"' + b"x" * 3_000 + b'"', is_failure=False)
    except OSError as error:
        print(error.strerror, Path(error.filename).name)
    assert [(folder / name).stat().st_size for name in (OUTPUTS, JOURNAL)] == sizes
    journal.write(line("next"), b"{}", is_failure=False)
"""


def test_what_a_full_disk_takes_in_part_is_taken_back(tmp_path: Path) -> None:
    """In a process of its own, since no file of it may grow, that of its output included."""
    done = subprocess.run(  # noqa: S603  # our own script
        [sys.executable, "-c", FULL, tmp_path],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "File too large outputs.jsonl\n", "")
    assert [one.case for one in read_journal(tmp_path)] == ["small", "next"]
    assert recover(tmp_path) == 0


def test_a_result_whose_line_finds_no_room_is_taken_back_too(tmp_path: Path) -> None:
    """A disk that is full for one of two files: its descriptor is turned to another device."""
    journal = Journal(tmp_path)
    journal.write(line("one"), b"{}", is_failure=False)
    size = (tmp_path / OUTPUTS).stat().st_size
    number = _descriptor(tmp_path / JOURNAL)
    kept, full = os.dup(number), os.open("/dev/full", os.O_WRONLY)
    os.dup2(full, number)
    with pytest.raises(OSError, match=r"journal\.jsonl"):
        journal.write(line("two"), b"{}", is_failure=False)
    assert (tmp_path / OUTPUTS).stat().st_size == size
    os.dup2(kept, number)
    with journal:
        journal.write(line("three"), b"{}", is_failure=False)
    assert [one.case for one in read_journal(tmp_path)] == ["one", "three"]
    for each in (kept, full):
        os.close(each)


def _descriptor(path: Path) -> int:
    """Return the number under which this process has a file open."""
    (found,) = [one for one in Path("/proc/self/fd").iterdir() if one.resolve() == path.resolve()]
    return int(found.name)
