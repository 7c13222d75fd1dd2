"""A fresh team for every case, and no experiment but the one that was asked for."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from audition.errors import SetupError
from audition.events import CompletionReason
from audition.output import CaseOutput
from audition.run_case import run_case_with_factory
from evals.knowledge.composition import with_model
from evals.knowledge.fixtures import FixtureRecord, KnowledgeCaseInput, KnowledgeFixture
from evals.knowledge.runtime import STATE_VARIABLE, KnowledgeRuntimeFactory
from knowledge_team.catalog import TeamCard
from knowledge_team.models import MODEL_VARIABLE

FIXTURE = KnowledgeFixture(
    records=(
        FixtureRecord(
            name="Orla Quist", entity_type="person", description="Orla Quist is a ship pilot."
        ),
    )
)


def ask(factory: KnowledgeRuntimeFactory, inputs: KnowledgeCaseInput) -> CaseOutput:
    return asyncio.run(run_case_with_factory(inputs, runtime_factory=factory))


def question(message: str = "What is the profession of Orla Quist?") -> KnowledgeCaseInput:
    return KnowledgeCaseInput(message=message, fixture=FIXTURE)


def test_a_question_is_answered_from_its_fixture() -> None:
    output = ask(KnowledgeRuntimeFactory("evaluation", environ={}), question())
    assert "ship pilot" in (output.final_response or "")


def test_everything_the_team_did_is_evidence() -> None:
    output = ask(KnowledgeRuntimeFactory("evaluation", environ={}), question())
    (search,) = output.tool_invocations("search_graph")
    assert (search.agent, search.turn, search.outcome) == ("@Knowledge", 0, "ok")
    assert output.capabilities.actor_quiescence
    assert output.provenance.model_ids == ("scripted",)


def test_a_specialist_can_be_asked_directly() -> None:
    inputs = question().model_copy(update={"target": "@Knowledge"})
    output = ask(KnowledgeRuntimeFactory("evaluation", environ={}), inputs)
    route = [(record.sender, record.recipient) for record in output.messages]
    assert route == [("@Human", "@Knowledge"), ("@Knowledge", "@Human")]


def test_a_fixture_for_the_production_team_is_refused() -> None:
    with pytest.raises(SetupError, match="must not quietly use prepared knowledge"):
        KnowledgeRuntimeFactory("production", environ={}).check(question())


def test_a_persistent_store_is_refused_unless_it_is_asked_for(tmp_path: Path) -> None:
    environ = {STATE_VARIABLE: str(tmp_path)}
    with pytest.raises(SetupError, match="names a persistent store"):
        KnowledgeRuntimeFactory("evaluation", environ=environ).check(question())


def test_the_persistent_team_needs_a_store_to_be_named() -> None:
    factory = KnowledgeRuntimeFactory("production", allow_persistent_store=True, environ={})
    with pytest.raises(SetupError, match=f"needs {STATE_VARIABLE}"):
        factory.check(KnowledgeCaseInput(message="What is known?"))


def test_the_persistent_team_keeps_its_store(tmp_path: Path) -> None:
    environ = {STATE_VARIABLE: str(tmp_path)}
    factory = KnowledgeRuntimeFactory("production", allow_persistent_store=True, environ=environ)
    output = ask(factory, KnowledgeCaseInput(message="What is the profession of Orla Quist?"))
    assert output.completion_reason is CompletionReason.RESPONSE
    assert list(tmp_path.iterdir())


def test_an_unknown_target_is_the_error_of_its_turn() -> None:
    inputs = question().model_copy(update={"target": "@Librarian"})
    output = ask(KnowledgeRuntimeFactory("evaluation", environ={}), inputs)
    assert output.completion_reason is CompletionReason.ERROR
    assert "@Librarian" in output.errors[0]


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("nobody:gpt-1", "model 'nobody:gpt-1': no provider, and no module to import"),
        ("nonsense", "model 'nonsense': want scripted, provider:model or module:factory"),
    ],
)
def test_a_model_that_is_not_there_is_refused_before_a_team_starts(
    setting: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(MODEL_VARIABLE, setting)
    with pytest.raises(SetupError, match=f"^{MODEL_VARIABLE}: {said}"):
        KnowledgeRuntimeFactory("evaluation", environ={}).check(question())


def test_a_model_that_a_card_names_is_looked_at_too() -> None:
    def nowhere(team: TeamCard) -> TeamCard:
        return with_model(team, agent_name="@Knowledge", model="nowhere:model")

    with pytest.raises(SetupError, match=r"^@Knowledge: model 'nowhere:model': no provider"):
        KnowledgeRuntimeFactory(change=nowhere, environ={}).check(question())


@pytest.mark.parametrize("team", ["evaluation", "production"])
def test_a_wrong_model_ends_the_command_before_any_case(team: str, tmp_path: Path) -> None:
    root = Path(__file__).parents[3]
    dataset = root / "datasets" / "retrieval.json"
    if team == "production":  # which must not be given fixtures
        dataset = tmp_path / "live.json"
        dataset.write_text(
            '{"version": 2, "task": "retrieval", "name": "live", "application": "knowledge", '
            '"cases": [{"name": "any", "message": "Who is Orla Quist?"}]}'
        )
    main, reports = "from audition.cli import main; main()", tmp_path / "reports"
    done = subprocess.run(  # noqa: S603  # our own command
        [sys.executable, "-c", main, "run", dataset, "--team", team, "--reports", reports],
        cwd=root,
        env={**os.environ, MODEL_VARIABLE: "nobody:gpt-1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert f"audition: {MODEL_VARIABLE}: model 'nobody:gpt-1': no provider" in done.stderr
    assert not reports.exists()
