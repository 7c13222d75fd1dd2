"""A run that is gone on with: what of the call may be another, and what may not."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from audition.experiment.journal import JOURNAL
from audition.experiment.kept_lines import read_journal
from tests.cli.datasets import run_folder, write
from tests.cli.doors import Door


def stopped(audition: Door, desk: Path, *options: str) -> Path:
    """Return the folder of a run of two cases of which one is missing."""
    path = write(desk, "bad day", "good day")
    arguments = (path, "--fail-fast", "--max-concurrency", "1", *options)
    done = audition("run", *arguments, cwd=desk)
    assert (done.code, "1 not run of 2" in done.out) == (1, True)
    return run_folder(desk)


def test_a_run_is_finished_by_its_folder_alone(audition: Door, desk: Path) -> None:
    folder = stopped(audition, desk)
    done = audition("run", "--resume", folder, cwd=desk)
    assert (done.code, done.out.splitlines()[-1]) == (
        1,
        "1 failed, 1 passed of 2: failed: an assertion that must hold does not (exit 1)",
    )
    assert [line.case for line in read_journal(folder)] == ["bad day", "good day"]
    again = audition("run", "--resume", folder, cwd=desk)
    assert (again.code, again.out) == (1, done.out)
    assert len(list(read_journal(folder))) == 2


def test_what_failed_is_run_again_and_stays_failed(audition: Door, desk: Path) -> None:
    folder = stopped(audition, desk)
    assert audition("run", "--resume", folder, "--last-failed", cwd=desk).code == 1
    told = [(line.case, line.attempt) for line in read_journal(folder)]
    assert sorted(told) == [("bad day", 1), ("bad day", 2), ("good day", 1)]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--repeat", "3"], "--repeat with --resume FOLDER: found 3; wanted None"),
        (["--case", "good day"], "--case with --resume"),
        (["--timeout", "9"], "--timeout with --resume FOLDER: found 9.0; wanted 4.0"),
        (["--team", "production"], "--team with --resume"),
    ],
)
def test_what_is_measured_stays_as_the_run_began(
    audition: Door, desk: Path, arguments: list[str], told: str
) -> None:
    folder = stopped(audition, desk, "--timeout", "4")
    done = audition("run", "--resume", folder, *arguments, cwd=desk)
    assert (done.code, told.replace("FOLDER", str(folder)) in done.err) == (2, True)
    assert len((folder / JOURNAL).read_text("utf-8").splitlines()) == 2
    same = audition("run", "--resume", folder, "--timeout", "4", cwd=desk)
    assert same.code == 1


@pytest.mark.parametrize("arguments", [["--retry", "errors"], ["--last-failed"], ["--common-only"]])
def test_to_run_something_again_needs_a_run(
    audition: Door, desk: Path, arguments: list[str]
) -> None:
    done = audition("run", write(desk, "good day"), *arguments, cwd=desk)
    assert (done.code, "wanted it beside --resume FOLDER" in done.err) == (2, True)


def test_without_a_dataset_and_a_run_there_is_nothing_to_do(audition: Door, desk: Path) -> None:
    done = audition("run", cwd=desk)
    assert (done.code, "wanted a dataset file, or --resume FOLDER" in done.err) == (2, True)


def test_a_folder_that_holds_no_run_ends_with_2(audition: Door, desk: Path) -> None:
    done = audition("run", "--resume", desk, cwd=desk)
    assert (done.code, "manifest.json: No such file" in done.err) == (2, True)


def test_a_dataset_that_changed_is_refused_by_the_names_of_its_cases(
    audition: Door, desk: Path
) -> None:
    folder = stopped(audition, desk)
    path = desk / "desk.json"
    data = json.loads(path.read_text("utf-8"))
    data["cases"][0]["message"] = "another question"
    path.write_text(json.dumps(data), "utf-8")
    done = audition("run", "--resume", folder, cwd=desk)
    assert (done.code, "bad day (changed: its inputs)" in done.err) == (2, True)
    common = audition("run", "--resume", folder, "--common-only", cwd=desk)
    assert (common.code, "left out: bad day" in common.err) == (0, True)
    assert common.out.splitlines()[-1].startswith("1 passed of 1")


def test_parts_of_a_dataset_are_run_apart(audition: Door, desk: Path) -> None:
    path = write(desk, "good day", "bad day")
    counts: list[int] = []
    for part in ("1/3", "2/3", "3/3"):
        done = audition("run", path, "--shard", part, "--reports", part, cwd=desk)
        journals = desk.glob(f"{part}/**/{JOURNAL}")
        counts.append(sum(len(list(read_journal(at.parent))) for at in journals))
        assert done.code == (0 if not counts[-1] or "1 passed" in done.out else 1)
    assert sorted(counts) == [0, 1, 1]
    assert audition("run", path, "--shard", "4/3", cwd=desk).code == 2


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_run_that_was_asked_to_stop_says_how_to_finish_it(
    audition: Door, desk: Path, number: signal.Signals
) -> None:
    path = write(desk, "good day", "slow", "good night")
    program = Path(sys.executable).with_name("audition")
    command = [program, "run", path, "--grace", "0", "--max-concurrency", "1"]
    with subprocess.Popen(  # noqa: S603  # our own command
        command, cwd=desk, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline().startswith("passed good day")
        process.send_signal(number)
        out, err = process.communicate(timeout=20)
    folder = run_folder(desk)
    assert (process.returncode, "2 not run of 3: interrupted (exit 130)" in out) == (130, True)
    assert f"finish it with `audition run --resume {folder.relative_to(desk)}`" in err
    assert [line.case for line in read_journal(folder)] == ["good day"]


FULL_DISK = 'ulimit -f 40; trap "" XFSZ; exec "$0" run "$1" --grace 0'


def test_a_disk_that_was_full_loses_nothing_that_was_written(audition: Door, desk: Path) -> None:
    path = write(desk, *(f"good {number}" for number in range(20)))
    program = Path(sys.executable).with_name("audition")
    full = subprocess.run(  # noqa: S603  # our own command
        ["/bin/sh", "-c", FULL_DISK, program, path],
        cwd=desk,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (full.returncode, "cannot be written: File too large" in full.stderr) == (3, True)
    folder = run_folder(desk)
    kept = [line.case for line in read_journal(folder)]
    assert 0 < len(kept) < 20
    assert audition("run", "--resume", folder, cwd=desk).code == 0
    cases = [line.case for line in read_journal(folder)]
    assert (cases[: len(kept)], len({*cases}), len(cases)) == (kept, 20, 20)
