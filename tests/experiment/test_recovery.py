import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audition.errors import RecordError
from audition.experiment.journal import JOURNAL, OUTPUTS
from audition.experiment.kept_lines import read_journal, standing_results
from audition.experiment.recovery import recover
from tests.journals import written

CASES = ("one", "two", "three")


def cases(folder: Path) -> list[str]:
    return [kept.line.case for kept in standing_results(folder)]


def test_a_folder_without_a_journal_is_left_alone(tmp_path: Path) -> None:
    assert (recover(tmp_path), list(tmp_path.iterdir())) == (0, [])


def test_a_whole_journal_is_left_as_it_is(tmp_path: Path) -> None:
    written(tmp_path, *CASES)
    before = [(tmp_path / name).read_bytes() for name in (JOURNAL, OUTPUTS)]
    assert recover(tmp_path) == 0
    assert [(tmp_path / name).read_bytes() for name in (JOURNAL, OUTPUTS)] == before


def test_a_half_line_is_cut_off_before_another_is_appended(tmp_path: Path) -> None:
    written(tmp_path, "one")
    with (tmp_path / JOURNAL).open("ab") as stream:
        stream.write(b'{"case":"two","rep')
    recover(tmp_path)
    written(tmp_path, "three")
    assert cases(tmp_path) == ["one", "three"]


def test_a_result_whose_line_was_not_written_any_more_is_not_lost(tmp_path: Path) -> None:
    lines = written(tmp_path, *CASES)
    journal = tmp_path / JOURNAL
    kept = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(kept[:2]) + kept[2][:30])
    assert recover(tmp_path) == 2
    assert list(read_journal(tmp_path)) == lines


def test_a_line_without_its_result_is_cut_off(tmp_path: Path) -> None:
    lines = written(tmp_path, *CASES)
    with (tmp_path / OUTPUTS).open("r+b") as stream:
        stream.truncate(lines[1].offset + 10)
    assert recover(tmp_path) == 0
    assert cases(tmp_path) == ["one"]
    written(tmp_path, "two")
    assert cases(tmp_path) == ["one", "two"]


def test_a_tail_of_zeros_that_a_loss_of_power_leaves_is_cut_off(tmp_path: Path) -> None:
    written(tmp_path, *CASES)
    for name in (JOURNAL, OUTPUTS):
        with (tmp_path / name).open("ab") as stream:
            stream.write(b"\0" * 100)
    assert recover(tmp_path) == 0
    assert cases(tmp_path) == list(CASES)


def test_a_broken_line_in_the_middle_is_told_with_its_number(tmp_path: Path) -> None:
    written(tmp_path, *CASES)
    journal = tmp_path / JOURNAL
    lines = journal.read_bytes().split(b"\n")
    journal.write_bytes(b"\n".join([*lines[:2], b"{broken", *lines[3:]]))
    with pytest.raises(RecordError, match=r"journal\.jsonl:3: no line of a journal"):
        recover(tmp_path)


@given(seed=st.integers(0, 10_000))
def test_wherever_both_files_are_cut_every_whole_result_is_kept_and_no_other(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    """Outputs are written first, so a process killed anywhere leaves no less of them."""
    folder = tmp_path_factory.mktemp("cut")
    dice = random.Random(seed)  # noqa: S311  # no secret
    lines = written(folder, *CASES)
    journal, outputs = folder / JOURNAL, folder / OUTPUTS
    ends = [0]
    for text in journal.read_bytes().splitlines(keepends=True):
        ends.append(ends[-1] + len(text))
    cut = dice.randrange(outputs.stat().st_size + 1)
    whole = sum(line.offset + line.length <= cut for line in lines)
    listed = dice.randrange(ends[whole + 1] + 1) if cut else 0
    for path, end in ((outputs, cut), (journal, listed)):
        with path.open("r+b") as stream:
            stream.truncate(end)
    recover(folder)
    if journal.exists() and outputs.exists():
        assert cases(folder) == list(CASES[:whole])
    written(folder, "more")
    recover(folder)
    assert cases(folder)[-1] == "more"
