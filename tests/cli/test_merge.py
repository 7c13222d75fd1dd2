from pathlib import Path

from audition.experiment.journal import JOURNAL
from tests.cli.datasets import write
from tests.cli.doors import Door


def test_parts_that_were_run_apart_end_as_one_run(audition: Door, desk: Path) -> None:
    path = write(desk, "good day", "bad day", "good night")
    for number in ("1/2", "2/2"):
        audition("run", path, "--shard", number, "--reports", number[0], cwd=desk)
    parts = [journal.parent for journal in desk.glob(f"[12]/*/*/{JOURNAL}")]
    merged = audition("merge", *parts, "-o", "all", cwd=desk)
    whole = audition("run", path, cwd=desk)
    assert merged.code == whole.code
    table = audition("show", "all", cwd=desk).out.splitlines()
    assert table[-1] == whole.out.splitlines()[-1]


def test_a_part_that_is_missing_is_told_and_ends_with_4(audition: Door, desk: Path) -> None:
    path = write(desk, "good day", "good night")
    audition("run", path, "--shard", "1/2", cwd=desk)
    (journal,) = desk.glob(f"eval-reports/*/*/{JOURNAL}")
    merged = audition("merge", journal.parent, "--output", "all", cwd=desk)
    assert (merged.code, "not there: part 2/2" in merged.err) == (4, True)


def test_what_is_no_run_ends_with_2(audition: Door, desk: Path) -> None:
    done = audition("merge", desk, "-o", "all", cwd=desk)
    assert (done.code, "manifest.json" in done.err) == (2, True)
