"""A fresh team for every case, and no experiment but the one that was asked for."""

import asyncio
from pathlib import Path

import pytest

from audition.errors import SetupError
from audition.events import CompletionReason
from audition.output import CaseOutput
from audition.run_case import run_case_with_factory
from evals.knowledge.fixtures import FixtureRecord, KnowledgeCaseInput, KnowledgeFixture
from evals.knowledge.runtime import STATE_VARIABLE, KnowledgeRuntimeFactory

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
