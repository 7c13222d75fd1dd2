import asyncio
from pathlib import Path
from typing import Any

import pytest

from audition.errors import CallError, NewerFormat, RecordError
from audition.events import CompletionReason
from audition.experiment.histories import read_history
from audition.experiment.manifest import Selection, read_manifest
from audition.gates.baselines import promote, promoted, read_promotions
from audition.testing import output
from tests.experiments import experiment

TIMEOUT = output(reason=CompletionReason.TIMEOUT)


def ran(folder: Path, *answers: Any) -> Path:
    """Return the folder of a run whose cases were answered so."""
    folder.mkdir()
    run = experiment(folder, {f"case-{at}": answer for at, answer in enumerate(answers)})
    asyncio.run(run.run())
    return run.folder


def test_a_baseline_tells_what_became_of_every_case_and_has_no_output(tmp_path: Path) -> None:
    run = ran(tmp_path / "a", "yes", "no")
    folder, promotions = promote(run, tmp_path / "kept")
    assert folder == tmp_path / "kept" / "small-set"
    assert {path.name for path in folder.iterdir()} == {
        "baseline.json",
        "journal.jsonl",
        "manifest.json",
        "plan.jsonl",
    }
    told = [
        [(case.count, case.inputs) for case in read_history(one).cases.values()]
        for one in (run, folder)
    ]
    assert told[0] == told[1]
    (first,) = promotions.promotions
    assert (first.run, first.dataset, first.cases, first.rate, first.change) == (
        "run",
        "small.json",
        2,
        0.5,
        None,
    )


def test_each_promotion_says_what_it_changes_and_what_all_of_them_add_up_to(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    answers = (("yes", "yes", "yes"), ("yes", "yes", "no"), ("yes", "no", "no"))
    for number, each in enumerate(answers):
        promote(ran(tmp_path / str(number), *each), kept, name="desk")
    assert promoted(kept) == [kept / "desk"]
    found = read_promotions(kept / "desk")
    changes = [one.change and round(one.change.difference, 3) for one in found.promotions]
    assert changes == [None, -0.333, -0.333]
    assert found.crept == pytest.approx(-2 / 3)
    assert [path.name for path in kept.iterdir()] == ["desk"]


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"finished_at": None}, "it was killed, or is running still"),
        ({"exit_code": 130}, "it was interrupted"),
        ({"stopped_by": "the run has used its tokens"}, "the run has used its tokens"),
        ({"selection": Selection(tags=("old",))}, "--tag 'old'"),
        ({"selection": Selection(shard="1/2")}, "--shard 1/2"),
        ({"redacted": False}, "--no-redact"),
    ],
)
def test_what_is_not_the_whole_is_refused_and_nothing_is_written(
    tmp_path: Path, fields: dict[str, Any], told: str
) -> None:
    run = ran(tmp_path / "a", "yes")
    read_manifest(run).model_copy(update=fields).write(run)
    with pytest.raises(CallError, match=told):
        promote(run, tmp_path / "kept")
    assert not (tmp_path / "kept").exists()


def test_a_run_that_broke_or_lacks_runs_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CallError, match="more of its runs broke than it tolerates"):
        promote(ran(tmp_path / "a", "yes", TIMEOUT), tmp_path / "kept")
    run = ran(tmp_path / "b", "yes", "yes")
    journal = run / "journal.jsonl"
    journal.write_text("".join(journal.read_text("utf-8").splitlines(keepends=True)[:-1]), "utf-8")
    with pytest.raises(CallError, match="1 of its runs did not run"):
        promote(run, tmp_path / "kept")


def test_a_name_is_a_plain_one_and_a_baseline_is_not_promoted_to_itself(tmp_path: Path) -> None:
    run = ran(tmp_path / "a", "yes")
    with pytest.raises(CallError, match="wanted a plain name, such as desk"):
        promote(run, tmp_path / "kept", name="../desk")
    folder, _ = promote(run, tmp_path / "kept")
    with pytest.raises(CallError, match="wanted another run than the baseline itself"):
        promote(folder, tmp_path / "kept")
    with pytest.raises(CallError, match="wanted the folder of a run"):
        promote(run / "report.json", tmp_path / "kept")


def test_a_folder_that_is_no_baseline_is_refused(tmp_path: Path) -> None:
    (tmp_path / "baseline.json").write_text("{}", "utf-8")
    with pytest.raises(RecordError, match="no baseline"):
        read_promotions(tmp_path)
    (tmp_path / "baseline.json").write_text('{"version": 9, "promotions": []}', "utf-8")
    with pytest.raises(NewerFormat):
        read_promotions(tmp_path)
