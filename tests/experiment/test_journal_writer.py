import errno
import os
import resource
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from audition.experiment.journal import JOURNAL, OUTPUTS, plain_json
from audition.experiment.journal_writer import Journal
from audition.experiment.kept_lines import read_journal, standing_results
from audition.experiment.recovery import recover
from tests.journals import line, result, written


def test_a_journal_is_gone_on_with(tmp_path: Path) -> None:
    written(tmp_path, "one")
    written(tmp_path, "two")
    assert [kept.line.case for kept in standing_results(tmp_path)] == ["one", "two"]


@pytest.fixture
def small_files() -> Iterator[None]:
    """Let no file of this process grow beyond 2,600 bytes, as a full disk would."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2_600, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)
    signal.signal(signal.SIGXFSZ, handler)


@pytest.mark.usefixtures("small_files")
def test_what_a_full_disk_takes_in_part_is_taken_back(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        journal.write(line("small"), b"{}", is_failure=False)
        sizes = [(tmp_path / name).stat().st_size for name in (OUTPUTS, JOURNAL)]
        large = plain_json(result("large", attributes={"text": "x" * 3_000}))
        with pytest.raises(OSError, match=r"outputs\.jsonl") as full:
            journal.write(line("large"), large, is_failure=False)
        assert full.value.errno == errno.EFBIG
        assert [(tmp_path / name).stat().st_size for name in (OUTPUTS, JOURNAL)] == sizes
        journal.write(line("next"), b"{}", is_failure=False)
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
