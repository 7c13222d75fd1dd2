import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from pydantic_evals.evaluators import Evaluator, EvaluatorContext

from audition.application import Application
from audition.datasets.authoring import Authoring
from audition.datasets.loading import build_dataset
from audition.datasets.reading import read_source
from audition.experiment.driver import Experiment, Settings
from audition.experiment.manifest import read_manifest
from audition.inputs import CaseInput
from audition.output import CaseOutput
from audition.testing import answer, output
from tests.cli.datasets import run_folder, write
from tests.cli.doors import Done, Door
from tests.experiments import experiment

CASES = Path(__file__).parents[1] / "cases"
CASE_43 = json.loads((CASES / "43-all-nan-case.json").read_text("utf-8"))
CASE_71 = json.loads((CASES / "71-result-line-and-exit-code.json").read_text("utf-8"))


@dataclass
class Scored(Evaluator[Any, Any, Any]):
    """Gives the scores of a case by its message, and whether they reach a bar."""

    scores: Mapping[str, Mapping[str, float]]
    bar: float

    def evaluate(self, ctx: EvaluatorContext[Any, Any, Any]) -> dict[str, float | bool]:
        scores = self.scores[ctx.inputs.message.removesuffix("?")]
        return {**scores, "reaches the bar": min(scores.values()) >= self.bar}


@dataclass
class One(Evaluator[Any, Any, Any]):
    """Gives one score of a case alone, so that a NaN hides no other."""

    scores: Mapping[str, Mapping[str, float]]
    score: str

    def get_default_evaluation_name(self) -> str:
        return self.score

    def evaluate(self, ctx: EvaluatorContext[Any, Any, Any]) -> float:
        return self.scores[ctx.inputs.message.removesuffix("?")][self.score]


def ran(folder: Path, names: list[str], evaluators: list[Evaluator[Any, Any, Any]]) -> Path:
    """Return the folder of a run of cases that these evaluators judge."""
    run = experiment(folder, dict.fromkeys(names, "yes"))
    dataset = run.loaded.dataset
    for case in dataset.cases:
        case.evaluators = []
    dataset.evaluators = evaluators
    asyncio.run(run.run())
    return run.folder


def gated(audition: Door, folder: Path, run: Path | str, rules: Any, *options: str) -> Done:
    path = folder / "policy.json"
    path.write_text(json.dumps({"version": 1, **rules}), "utf-8")
    return audition("gate", run, "--policy", path, *options, cwd=folder)


def test_a_result_line_and_the_exit_code_say_the_same_for_each_policy(
    audition: Door, tmp_path: Path
) -> None:
    """Case 71: every case must pass, then 85 % of them."""
    scores = {case["name"]: {"score": case["score"]} for case in CASE_71["cases"]}
    run = ran(tmp_path, [*scores], [Scored(scores, CASE_71["bar"])])
    every = gated(audition, tmp_path, run, {"must_pass": {"every": True}})
    assert every.code == 1
    last = every.out.splitlines()[-1]
    assert last.startswith("failed (exit 1): must pass: 28 of 31 cases passed in every repeat; 3 ")
    assert "case-01" not in last  # a score of exactly 0.8 passes
    share = gated(audition, tmp_path, run, {"bars": [{"at_least": 0.85}]}, "--format", "json")
    told = json.loads(share.out)
    assert (share.code, told["verdict"]) == (4, "not enough evidence")
    assert told["rules"][0]["numbers"]["rate"] == pytest.approx(0.9032, abs=1e-4)
    assert "28 of 31 cases passed (90.3 %), 95 % interval 75.1 % to 96.7 %" in told["sentence"]
    mean = gated(audition, tmp_path, run, {"scores": [{"score": "score", "at_least": 0.8}]})
    assert mean.code == 0  # the policy asks for nothing else
    assert gated(audition, tmp_path, run / "report.json", {"must_pass": {"every": True}}).code == 1


def test_a_case_that_measured_nothing_is_neither_passed_nor_failed(
    audition: Door, tmp_path: Path
) -> None:
    """Case 43: NaN is the absence of a measurement."""
    scores = {
        case["name"]: {name: float(score) for name, score in case["scores"].items()}
        for case in CASE_43["cases"]
    }
    evaluators: list[Evaluator[Any, Any, Any]] = [
        One(scores, "grounded"),
        One(scores, "relevant"),
    ]
    run = ran(tmp_path, [*scores], evaluators)
    rules = {"scores": [{"score": "grounded", "at_least": CASE_43["threshold"]}]}
    for kept in (run, run / "report.json"):
        done = gated(audition, tmp_path, kept, rules, "--format", "json")
        told = json.loads(done.out, parse_constant=pytest.fail)
        assert (done.code, told["verdict"]) == (4, "not enough evidence")
        assert told["rules"][0]["numbers"]["mean"] == pytest.approx(0.8)
        assert "1 not evaluated" in told["rules"][0]["why"]
        (unmeasured,) = [rule for rule in told["rules"] if rule["subject"] == "unmeasured runs"]
        assert unmeasured["why"].startswith("1 of 3 runs measured nothing, neither passed nor")


def test_a_changed_case_is_no_regression(audition: Door, tmp_path: Path) -> None:
    """Case 42: the team did not change, the question did."""
    folders = [_berths(tmp_path / when, when) for when in ("before", "after")]
    before, after = map(str, folders)
    rules = {"baseline": {"margin": 0.05}}
    done = gated(audition, tmp_path, after, rules, "--baseline", before, "--format", "json")
    told = json.loads(done.out)
    assert done.code == 4
    margin = told["rules"][0]
    assert (margin["numbers"]["cases"], margin["numbers"]["worse"]) == (1, [])
    assert "1 changed: berth-count (its evaluators human_response_contains_terms)" in margin["why"]


def _berths(folder: Path, when: str) -> Path:
    async def task(_: CaseInput) -> CaseOutput:
        return output(answer("7, at the Gannet Pier"))

    run = folder / "run"
    run.mkdir(parents=True)
    path = CASES / f"42-same-name-changed-case-{when}.json"
    made = Experiment(
        loaded=build_dataset(read_source(path), Authoring()),
        application=Application(name="berths"),
        task=task,
        folder=run,
        settings=Settings(),
    )
    asyncio.run(made.run())
    return run


def test_the_latest_run_is_judged_and_a_part_of_its_dataset_does_not_pass(
    audition: Door, desk: Path
) -> None:
    path = write(desk, "good day", "good night")
    audition("run", path, "--tag", "good", "--case", "good day", cwd=desk)
    rules: dict[str, Any] = {"must_pass": {"every": True}}
    done = gated(audition, desk, "latest", rules)
    assert done.code == 4
    assert "it is of a part of its dataset alone, --case 'good day' --tag 'good'" in done.out
    done = gated(audition, desk, "latest", {**rules, "tolerate": {"selection": True}})
    assert done.code == 0
    assert "; chosen cases: it is of a part" in done.out.splitlines()[-1]


def test_a_run_that_was_killed_is_never_passed(audition: Door, desk: Path) -> None:
    audition("run", write(desk, "good day"), cwd=desk)
    folder = run_folder(desk)
    manifest = read_manifest(folder)
    manifest.finished_at = manifest.exit_code = None
    manifest.write(folder)
    done = gated(audition, desk, folder, {"must_pass": {"every": True}})
    assert (done.code, "it was killed, or is running still" in done.out) == (4, True)


def test_broken_cases_end_with_3_and_are_tolerated_up_to_a_share(
    audition: Door, desk: Path
) -> None:
    audition("run", write(desk, "good day", "bad day", "break it"), cwd=desk)
    done = gated(audition, desk, "latest", {"bars": [{"at_least": 0.01}]})
    assert done.code == 3
    assert done.out.splitlines()[-1].endswith("; 1 failed beside that: bad day (0 of 1)")
    rules = {"bars": [{"at_least": 0.01}], "tolerate": {"errors": 0.5}}
    assert gated(audition, desk, "latest", rules).code == 0


def test_markdown_is_for_a_summary(audition: Door, desk: Path) -> None:
    audition("run", write(desk, "good day"), cwd=desk)
    rules = {"must_pass": {"every": True}}
    done = gated(audition, desk, "latest", rules, "--format", "markdown")
    assert done.out.startswith("### Gate: passed\n\npassed (exit 0): must pass: 1 of 1 case passed")


def test_a_wrong_call_or_policy_ends_with_2(audition: Door, desk: Path) -> None:
    audition("run", write(desk, "good day"), cwd=desk)
    folder, rules = str(run_folder(desk)), {"must_pass": {"every": True}}
    told = {
        "latst": gated(audition, desk, "latst", rules),
        "without": gated(audition, desk, "latest", {"baseline": {"margin": 0.1}}),
        "surplus": gated(audition, desk, "latest", rules, "--baseline", folder),
        "same": gated(
            audition, desk, "latest", {"baseline": {"margin": 0.1}}, "--baseline", folder
        ),
        "policy": gated(audition, desk, "latest", {"bar": []}),
    }
    assert {done.code for done in told.values()} == {2}
    assert "did you mean 'latest'?" in told["latst"].err
    assert "wanted a run or a baseline's name" in told["without"].err
    assert "wanted `baseline: {margin: 0.03}`, or the like" in told["surplus"].err
    assert "wanted another run than the judged one" in told["same"].err
    assert "policy.json#/bar: unknown field 'bar'; did you mean 'bars'?" in told["policy"].err
