import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from audition.experiment.journal import JOURNAL, OUTPUTS
from audition.experiment.kept_lines import read_journal
from audition.experiment.manifest import read_manifest
from audition.experiment.native_report import REPORT
from tests.cli.datasets import SAYS_YES, run_folder, write
from tests.cli.doors import Done, Door
from tests.stored_runs import SEED

POLITE = {"type": "human_response_contains_terms", "required_terms": ["please"], "id": "polite"}


def rescore(audition: Door, desk: Path, *arguments: str | Path) -> tuple[Done, dict[str, Any]]:
    """Judge anew into the folder `again`, and return what was printed as JSON."""
    done = audition("rescore", *arguments, "--reports", "again", "--format", "json", cwd=desk)
    return done, json.loads(done.out) if done.out else {}


def again(desk: Path) -> Path:
    (journal,) = desk.glob(f"again/*/*/{JOURNAL}")
    return journal.parent


def changed(desk: Path, *names: str, evaluators: Sequence[Any]) -> Path:
    """Write the dataset anew, each case with other evaluators."""
    cases = [{"name": name, "message": name, "evaluators": evaluators} for name in names]
    return write(desk, cases=cases)


def without_team(desk: Path) -> None:
    """Take the team away: whoever asks it breaks."""
    (desk / "desk_team.py").unlink()


def test_another_evaluator_judges_a_run_without_its_team(audition: Door, desk: Path) -> None:
    audition("run", write(desk, "good day", "bad day"), cwd=desk)
    without_team(desk)
    changed(desk, "good day", "bad day", evaluators=[POLITE])
    done, told = rescore(audition, desk, run_folder(desk))
    assert (done.code, told["exit_code"], told["counts"]["failed"]) == (1, 1, 2)
    assert {one["id"] for one in told["cases"][0]["assertions"]} == {"polite", "completed"}
    manifest = read_manifest(again(desk))
    assert manifest.rescored_from is not None
    assert manifest.rescored_from.path == str(run_folder(desk))
    assert (manifest.team, manifest.application_version) == ("evaluation", "7")
    assert "differ from the run" not in done.err


def test_a_report_is_judged_with_the_dataset_of_the_call(audition: Door, desk: Path) -> None:
    dataset = write(desk, "good day", "bad day")
    audition("run", dataset, "--repeat", "2", cwd=desk)
    report = shutil.copy(run_folder(desk) / REPORT, desk / "kept.json")
    done, told = rescore(audition, desk, report, "--dataset", dataset, "--tag", "good")
    assert (done.code, [one["repeat"] for one in told["cases"]]) == (0, [1, 2])
    assert told["application"] == "desk"


def test_a_report_of_another_tool_is_judged(audition: Door, desk: Path) -> None:
    (desk / "rag4j.json").write_text(json.dumps(SEED), "utf-8")
    cases = [
        {"name": name, "message": f"{name}?", "evaluators": [SAYS_YES]}
        for name in ("ours", "theirs", "raised")
    ]
    without = {"name": "retrieval", "without": [{"id": "completed", "reason": "a test"}]}
    dataset = write(desk, cases=cases, contract=without)
    done, told = rescore(audition, desk, "rag4j.json", "--dataset", dataset)
    assert (done.code, told["not_run"]) == (3, 1)
    assert {one["case"]: one["status"] for one in told["cases"]} == {
        "ours": "passed",
        "raised": "error",
    }
    assert "1 case(s) of the run cannot be rescored, not in the dataset: asked else" in done.err
    assert "1 case(s) of the dataset cannot be rescored, no output of ours: theirs" in done.err


def test_what_cannot_be_rescored_is_counted_and_named_in_bounds(audition: Door, desk: Path) -> None:
    names = [f"good {number}" for number in range(9)]
    audition("run", write(desk, "good day", *names), cwd=desk)
    write(desk, "good day", "good night")
    done, told = rescore(audition, desk, run_folder(desk))
    assert (done.code, told["not_run"], told["counts"]["passed"]) == (4, 1, 1)
    assert "9 case(s) of the run cannot be rescored, not in the dataset: good 0, " in done.err
    assert "good 4 and 4 more" in done.err
    assert "new in the dataset, so not run: good night" in done.err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "REPORT: found None; wanted the folder of a run or a native report"),
        (["none"], "none: No such file or directory"),
        (["desk.json"], "desk.json: no native report"),
        (["RUN/report.json"], "--dataset: found None; wanted a dataset file"),
        (["RUN", "--dataset", "none.json"], "none.json"),
        (["RUN", "--case", "good dya"], "did you mean 'good day'?"),
        (["RUN", "--dataset", "other.json"], "RUN: found '1 case(s) of the run cannot be rescored"),
        (["RUN/journal.jsonl"], "a file of a run; name its folder: RUN"),
        (["RUN", "--retry", "errors"], "wanted it beside --resume FOLDER"),
        (["--resume", "RUN"], "wanted `audition run --resume RUN`"),
        (["RUN", "--max-concurrency", "0"], "'--max-concurrency'"),
    ],
)
def test_a_wrong_call_ends_with_2_and_one_line(
    audition: Door, desk: Path, arguments: list[str], told: str
) -> None:
    audition("run", write(desk, "good day"), cwd=desk)
    shutil.move(run_folder(desk), desk / "RUN")
    other = json.loads((desk / "desk.json").read_text("utf-8"))
    other["cases"][0]["name"] = "another"
    (desk / "other.json").write_text(json.dumps(other), "utf-8")
    done, _ = rescore(audition, desk, *arguments)
    assert (done.code, done.out, list(desk.glob("again/*/*"))) == (2, "", [])
    assert told in done.err
    assert "Traceback" not in done.err


def test_a_rescoring_that_was_killed_is_gone_on_with(audition: Door, desk: Path) -> None:
    audition("run", write(desk, "good day", "good night", "bad day"), cwd=desk)
    rescore(audition, desk, run_folder(desk), "--max-concurrency", "1")
    for name in (JOURNAL, OUTPUTS):  # as a process leaves it that was killed in its second case
        path = again(desk) / name
        lines = path.read_bytes().splitlines(keepends=True)
        path.write_bytes(b"".join(lines[:2]) + lines[2][:40])
    without_team(desk)
    done, told = rescore(audition, desk, "--resume", again(desk))
    assert (done.code, told["counts"]["passed"], told["counts"]["failed"]) == (1, 2, 1)
    assert "good day" not in "".join(line.split()[0] for line in done.err.splitlines())
    assert [line.case for line in read_journal(again(desk))] == [
        "good day",
        "good night",
        "bad day",
    ]


def test_a_rescoring_is_no_run_of_a_team(audition: Door, desk: Path) -> None:
    audition("run", write(desk, "good day"), cwd=desk)
    rescore(audition, desk, run_folder(desk))
    done = audition("run", "--resume", again(desk), cwd=desk)
    assert (done.code, done.out) == (2, "")
    assert f"wanted `audition rescore --resume {again(desk)}`" in done.err


def test_kept_spans_are_in_the_report_and_stay_asked_for(audition: Door, desk: Path) -> None:
    audition("run", write(desk, "good day"), "--keep-spans", cwd=desk)
    assert read_manifest(run_folder(desk)).limits["keep_spans"] is True
    done = audition("run", "--resume", run_folder(desk), cwd=desk)
    assert done.code == 0


def test_what_secrets_leave_nothing_to_say_to_is_told(audition: Door, desk: Path) -> None:
    key = "sk-abcdefghijklmnopqrstuv"
    silent = {"type": "human_response_contains_no_terms", "forbidden_terms": [key], "id": "silent"}
    case = {"name": "one", "message": f"good {key}", "evaluators": [SAYS_YES, silent]}
    assert audition("run", write(desk, cases=[case]), cwd=desk).code == 1
    done, told = rescore(audition, desk, run_folder(desk))
    assert (done.code, told["counts"]["not_evaluated"]) == (4, 1)
    assert "1 evaluator(s) cannot be rescored, since secrets were taken out" in done.err
    assert "look at: one: silent" in done.err
    assert key not in done.out + done.err


def test_spans_of_records_are_said_to_be_seen_in_place_of_the_runs(
    audition: Door, desk: Path
) -> None:
    span = {"HasMatchingSpan": {"query": {"name_contains": "invoke_agent"}}}
    case = {"name": "one", "inputs": {"message": "good day"}, "evaluators": [span]}
    (desk / "native.json").write_text(json.dumps({"name": "n", "cases": [case]}), "utf-8")
    audition("run", "native.json", cwd=desk)
    done, told = rescore(audition, desk, run_folder(desk))
    assert (done.code, told["counts"]["passed"]) == (0, 1)
    assert "1 result(s) have evaluators of spans, and no spans of the run" in done.err


def test_what_an_unchanged_evaluator_says_otherwise_is_told(audition: Door, desk: Path) -> None:
    audition("run", write(desk, "good day"), cwd=desk)
    journal = run_folder(desk) / JOURNAL
    text = journal.read_text("utf-8")
    journal.write_text(text.replace('"says yes":true', '"says yes":false'), "utf-8")
    done, _ = rescore(audition, desk, run_folder(desk))
    assert (
        done.code,
        "differ from the run (warning): good day: says yes was failed" in done.err,
    ) == (
        0,
        True,
    )


def test_a_recorded_session_that_was_judged_is_judged_anew(audition: Door, desk: Path) -> None:
    recorded = Path(__file__).parents[1] / "recordings" / "kagent" / "demo"
    session = min(recorded.glob("*.json*"))
    shutil.copy(session, desk / session.name)
    case = {"name": "one", "evaluators": [{"type": "completed"}]}
    data = {"version": 2, "task": "session", "name": "golden", "cases": [case]}
    (desk / "golden.json").write_text(json.dumps(data), "utf-8")
    audition("run", "golden.json", "--session", session.name, cwd=desk)
    done, told = rescore(audition, desk, run_folder(desk))
    assert (told["not_run"], len(told["cases"])) == (0, 1), done.err
