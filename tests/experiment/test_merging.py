import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from audition.application import Application
from audition.datasets.selection import select_shard
from audition.errors import CallError
from audition.experiment.driver import Experiment, Settings
from audition.experiment.exit_codes import ExitCode
from audition.experiment.histories import read_history
from audition.experiment.kept_lines import read_journal
from audition.experiment.manifest import Selection, read_manifest
from audition.experiment.merging import merge_runs
from audition.experiment.native_report import REPORT, load_report
from audition.inputs import CaseInput
from audition.output import CaseOutput
from audition.testing import answer, output
from tests.experiments import dataset

CASES: Mapping[str, Mapping[str, Any]] = {name: {} for name in "abcde"}


def part(
    folder: Path,
    shard: str,
    *,
    cases: Mapping[str, Mapping[str, Any]] = CASES,
    say: str = "yes",
    **more: Any,
) -> Path:
    """Run a part of the cases, and return the folder of the run."""

    async def task(inputs: CaseInput) -> CaseOutput:
        return output(answer(say), asked=inputs.message or "")

    loaded = dataset(folder, cases)
    select_shard(loaded.dataset, shard)
    kept = folder / shard.replace("/", "-of-")
    kept.mkdir()
    fields: dict[str, Any] = {
        "application": Application(name="small", version="1"),
        "selection": Selection(shard=shard),
        "settings": Settings(repeat=2),
    }
    run = Experiment(loaded=loaded, task=task, folder=kept, **(fields | more))
    asyncio.run(run.run())
    return kept


def test_parts_are_put_together_as_one_run_of_all(tmp_path: Path) -> None:
    parts = [part(tmp_path, "1/2"), part(tmp_path, "2/2")]
    merged = merge_runs(parts, tmp_path / "all")
    assert (merged.code, merged.missing) == (ExitCode.OK, [])
    history = read_history(tmp_path / "all")
    assert sorted(case.case for case in history.cases.values()) == list("abcde")
    assert {case.count for case in history.cases.values()} == {(2, 2)}
    assert len(load_report(tmp_path / "all" / REPORT).cases) == 10
    manifest = read_manifest(tmp_path / "all")
    assert (manifest.units, manifest.selection.shard, len(manifest.merged_from)) == (10, None, 2)


def test_a_part_that_is_not_there_is_told(tmp_path: Path) -> None:
    merged = merge_runs([part(tmp_path, "1/3"), part(tmp_path, "3/3")], tmp_path / "all")
    assert (merged.code, merged.missing) == (ExitCode.NOT_ENOUGH_EVIDENCE, ["2/3"])
    assert "2/3" in (read_manifest(tmp_path / "all").stopped_by or "")


def test_a_part_that_is_given_twice_counts_once(tmp_path: Path) -> None:
    one = part(tmp_path, "1/1")
    assert merge_runs([one, one], tmp_path / "all").code is ExitCode.OK
    assert len(list(read_journal(tmp_path / "all"))) == 10


def test_a_result_that_two_parts_hold_otherwise_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    parts = [part(tmp_path, "1/1"), part(tmp_path / "other", "1/1", say="yes, yes")]
    before = sorted(tmp_path.iterdir())
    with pytest.raises(CallError, match=r"another result of . \[1/2\], attempt 1"):
        merge_runs(parts, tmp_path / "all")
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"application": Application(name="small", version="2")}, "application_version"),
        ({"settings": Settings(repeat=3)}, "repeat"),
        ({"settings": Settings(repeat=2, seed=7)}, "seed"),
        ({"redact": False}, "redacted"),
    ],
)
def test_parts_of_another_run_are_refused(tmp_path: Path, more: dict[str, Any], told: str) -> None:
    parts = [part(tmp_path, "1/2"), part(tmp_path, "2/2", **more)]
    with pytest.raises(CallError, match=f"{told}: found"):
        merge_runs(parts, tmp_path / "all")


def test_a_case_that_is_another_in_another_part_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    changed = {**CASES, "a": {"message": "another?"}}
    parts = [part(tmp_path, "1/1"), part(tmp_path / "other", "1/1", cases=changed)]
    with pytest.raises(CallError, match="a with other inputs or evaluators"):
        merge_runs(parts, tmp_path / "all")


def test_a_folder_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    with pytest.raises(CallError, match="wanted a folder that is not there"):
        merge_runs([part(tmp_path, "1/1")], tmp_path)


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    with pytest.raises(CallError, match=r"--output: .*wanted a folder that can be made"):
        merge_runs([part(tmp_path, "1/1")], tmp_path / "file" / "all")
