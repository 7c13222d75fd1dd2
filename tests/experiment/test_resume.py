import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from audition.application import Application
from audition.errors import CallError
from audition.events import ModelResponded
from audition.experiment.driver import Experiment, Settings
from audition.experiment.exit_codes import ExitCode
from audition.experiment.journal import JOURNAL
from audition.experiment.kept import read_run
from audition.experiment.kept_lines import read_journal
from audition.experiment.limits import Limits
from audition.experiment.manifest import MANIFEST, read_manifest
from audition.experiment.native_report import REPORT, load_report
from audition.experiment.status import Status
from audition.inputs import CaseInput
from audition.output import CaseOutput
from audition.testing import answer, output
from tests.experiments import SAYS_YES, dataset

type Cases = Mapping[str, Mapping[str, Any]]


class Team:
    """Answers each case as it is told, and remembers what it was asked."""

    def __init__(self, **answers: str) -> None:
        self.answers = answers
        self.asked: list[str] = []

    async def __call__(self, inputs: CaseInput) -> CaseOutput:
        name = str(inputs.message).removesuffix("?")
        self.asked.append(name)
        told = self.answers.get(name, "yes")
        if told == "broken":
            raise ConnectionError
        return output(answer(told), asked=inputs.message or "")


NAMES: Cases = {"a": {}, "b": {}, "c": {}}


def run(
    folder: Path, team: Team, *, cases: Cases = NAMES, notes: list[str] | None = None, **more: Any
) -> Experiment:
    kept = folder / "run"
    kept.mkdir(exist_ok=True)
    fields: dict[str, Any] = {
        "application": Application(name="small", version="1"),
        "settings": Settings(max_concurrency=1),
        "on_note": list[str]().append if notes is None else notes.append,
    }
    made = Experiment(loaded=dataset(folder, cases), task=team, folder=kept, **(fields | more))
    asyncio.run(made.run())
    return made


def begun(folder: Path, **answers: str) -> None:
    """Run one case of three, as a run that was killed leaves it."""
    limits = Settings(max_concurrency=1, limits=Limits(fail_fast=True))
    run(folder, Team(**({"a": "no"} | answers)), settings=limits)


def test_what_is_missing_is_finished_and_nothing_is_run_twice(tmp_path: Path) -> None:
    begun(tmp_path)
    team = Team()
    made = run(tmp_path, team)
    assert team.asked == ["b", "c"]
    assert {one.unit.name: one.status for one in made.results()} == {
        "a": Status.FAILED,
        "b": Status.PASSED,
        "c": Status.PASSED,
    }
    assert [case.name for case in load_report(made.folder / REPORT).cases] == ["a", "b", "c"]
    manifest = read_manifest(made.folder)
    assert (len(manifest.resumed_at), manifest.exit_code, manifest.stopped_by) == (1, 1, None)


def test_a_run_that_stopped_early_says_why_and_that_evidence_is_missing(tmp_path: Path) -> None:
    limits = Settings(max_concurrency=1, limits=Limits(tool_calls=0))
    made = run(tmp_path, Team(), settings=limits)
    assert made.code is ExitCode.NOT_ENOUGH_EVIDENCE
    assert "tool calls" in (read_manifest(made.folder).stopped_by or "")


def test_a_whole_run_is_gone_on_with_without_running_anything(tmp_path: Path) -> None:
    run(tmp_path, Team(a="no"))
    team = Team()
    made = run(tmp_path, team)
    assert (team.asked, made.code) == ([], ExitCode.FAILED)


@pytest.mark.parametrize(
    ("retry", "asked", "statuses"),
    [
        (Status.ERROR, ["b"], ["failed", "passed", "passed"]),
        (Status.FAILED, ["a"], ["failed", "error", "passed"]),
    ],
)
def test_what_broke_is_replaced_and_what_failed_stays_failed(
    tmp_path: Path, retry: Status, asked: list[str], statuses: list[str]
) -> None:
    run(tmp_path, Team(a="no", b="broken"))
    team = Team()
    settings = Settings(max_concurrency=1, retry=frozenset({retry}))
    made = run(tmp_path, team, settings=settings)
    assert team.asked == asked
    results = sorted(made.results(), key=lambda one: one.unit.position)
    assert [str(one.status) for one in results] == statuses
    again = [line for line in read_journal(made.folder) if line.attempt == 2]
    assert [(line.case, str(line.status)) for line in again] == [(asked[0], "passed")]


ANOTHER = [SAYS_YES | {"required_terms": ["no"]}]


@pytest.mark.parametrize(
    ("cases", "told"),
    [
        ({"a": {"evaluators": ANOTHER}}, r"a \(changed: its evaluators says yes\)"),
        ({"a": {"message": "why?"}}, r"a \(changed: its inputs\)"),
        ({}, r"a \(is no more in the dataset\)"),
    ],
)
def test_a_case_that_is_another_now_is_refused_by_name_or_left_out(
    tmp_path: Path, cases: Cases, told: str
) -> None:
    begun(tmp_path)
    team = Team()
    cases = {**cases, "b": {}, "c": {}}
    with pytest.raises(CallError, match=told):
        run(tmp_path, team, cases=cases)
    assert team.asked == []
    notes: list[str] = []
    made = run(tmp_path, team, cases=cases, common_only=True, notes=notes)
    assert team.asked == ["b", "c"]
    assert [one.unit.name for one in made.results()] == ["b", "c"]
    assert notes[0].startswith("left out: a (")
    assert made.code is ExitCode.OK
    assert read_run(made.folder).planned == 2


def test_a_case_that_is_new_in_the_dataset_is_not_of_the_run(tmp_path: Path) -> None:
    begun(tmp_path)
    team = Team()
    run(tmp_path, team, cases={**NAMES, "d": {}})
    assert team.asked == ["b", "c"]


@pytest.mark.parametrize(
    ("application", "told"),
    [
        (Application(name="other", version="1"), "the application: found 'other'"),
        (Application(name="small", version="2"), "the version of the application: found '2'"),
        (
            Application(name="small", version="1", configuration={"model": "m"}),
            "the configuration",
        ),
    ],
)
def test_another_team_is_refused(tmp_path: Path, application: Application, told: str) -> None:
    begun(tmp_path)
    with pytest.raises(CallError, match=told):
        run(tmp_path, Team(), application=application)


class Model(Team):
    """Answers with a model of that name."""

    async def __call__(self, inputs: CaseInput) -> CaseOutput:
        events = (ModelResponded(agent="@Manager", model_name=self.answers["model"]), answer("no"))
        return output(*events, asked=inputs.message or "")


def test_another_model_is_refused_when_it_answers(tmp_path: Path) -> None:
    stop = Settings(max_concurrency=1, limits=Limits(fail_fast=True))
    run(tmp_path, Model(model="one"), settings=stop)
    with pytest.raises(CallError, match="the models that answered: found 'two'"):
        run(tmp_path, Model(model="two"))
    assert len(list(read_journal(tmp_path / "run"))) == 1
    assert read_manifest(tmp_path / "run").exit_code == ExitCode.USAGE


@pytest.mark.parametrize("redact", [True, False])
def test_secrets_are_kept_or_taken_out_as_the_run_began(tmp_path: Path, *, redact: bool) -> None:
    stop = Settings(max_concurrency=1, limits=Limits(fail_fast=True))
    run(tmp_path, Team(a="no"), settings=stop, redact=redact)
    made = Experiment(
        loaded=dataset(tmp_path, NAMES),
        application=Application(name="small", version="1"),
        task=Team(b="yes, password=pw-GORSE-1188"),
        folder=tmp_path / "run",
        redact=not redact,
    )
    assert made.evaluation.redact is not redact  # whoever asks before the run begins
    asyncio.run(made.run())
    kept = (tmp_path / "run" / "outputs.jsonl").read_text("utf-8")
    assert ("pw-GORSE-1188" in kept) is not redact


def test_after_two_resumes_over_a_torn_tail_every_case_is_there_once(tmp_path: Path) -> None:
    run(tmp_path, Team())
    journal, outputs = tmp_path / "run" / JOURNAL, tmp_path / "run" / "outputs.jsonl"
    for path in (journal, outputs):
        content = path.read_bytes()
        path.write_bytes(content[: content.rindex(b"\n", 0, -1) + 40])
    team = Team()
    made = run(tmp_path, team)
    assert team.asked == ["c"]
    assert [line.case for line in read_journal(made.folder)] == ["a", "b", "c"]
    team = Team()
    run(tmp_path, team)
    assert team.asked == []


def test_a_manifest_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    begun(tmp_path)
    (tmp_path / "run" / MANIFEST).write_text(json.dumps({"format": "x"}), "utf-8")
    with pytest.raises(Exception, match=r"manifest\.json: no manifest"):
        run(tmp_path, Team())
