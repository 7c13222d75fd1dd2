import asyncio
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pykka
import pytest
from pydantic import JsonValue
from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models.function import AgentInfo, FunctionModel

from audition.events import read_event
from knowledge_team.catalog import TeamCard, load_team
from knowledge_team.errors import ModelSettingError, TeamStateError, UnknownNameError
from knowledge_team.facts import Entity
from knowledge_team.team import STORE_FILE, KnowledgeTeam

if TYPE_CHECKING:
    from tests.knowledge_team.conftest import Watched

type Start = Callable[..., "Watched"]
type Searching = Callable[[Callable[[], str]], TeamCard]

QUESTION = "What is the profession of Mira Solberg?"


def failing(error: Exception) -> FunctionModel:
    async def respond(_: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        raise error

    return FunctionModel(respond)


def busy(begun: threading.Event) -> FunctionModel:
    async def respond(_: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        begun.set()
        await asyncio.sleep(60)
        raise AssertionError

    return FunctionModel(respond)


def test_a_question_goes_through_the_manager_and_back(start: Start) -> None:
    watched = start()
    assert watched.ask(QUESTION) == "Mira Solberg is a marine engineer and tide researcher."
    assert watched.routes() == [
        ("@Human", "@Manager"),
        ("@Manager", "@Knowledge"),
        ("@Knowledge", "@Manager"),
        ("@Manager", "@Human"),
    ]


def test_a_target_is_asked_directly(start: Start) -> None:
    watched = start()
    assert "marine engineer" in watched.ask(QUESTION, "@Knowledge")
    assert watched.routes() == [("@Human", "@Knowledge"), ("@Knowledge", "@Human")]


def test_the_recommendation_survives_the_way_back(start: Start) -> None:
    answer = start().ask("What is Mira Solberg's favourite database?")
    assert "not in the knowledge base" in answer
    assert "ingest a source" in answer
    assert "@WebIngest" in answer


def test_events_come_in_the_order_of_what_happens(start: Start) -> None:
    watched = start()
    watched.ask(QUESTION, "@Knowledge")
    watched.team.shutdown()
    assert [event["kind"] for event in watched.events] == [
        *["agent_started"] * 4,
        "message_sent",
        "model_responded",
        "tool_called",
        "tool_returned",
        "tool_evidence",
        "model_responded",
        "message_sent",
        "message_handled",
        "message_handled",
        *["agent_stopped"] * 4,
        "runtime_stopped",
    ]


def test_every_event_is_of_the_published_vocabulary(start: Start) -> None:
    watched = start()
    watched.ask(QUESTION)
    watched.team.shutdown()
    assert [read_event(event).kind for event in watched.events] == [
        event["kind"] for event in watched.events
    ]


def test_each_message_is_caused_by_the_one_before(start: Start) -> None:
    watched = start()
    watched.ask(QUESTION)
    sent = watched.kinds("message_sent")
    assert [event["cause_id"] for event in sent] == [
        None,
        *(event["message_id"] for event in sent[:-1]),
    ]


def test_what_an_agent_does_is_caused_by_the_message_it_handles(start: Start) -> None:
    watched = start()
    watched.ask(QUESTION)
    request = next(e for e in watched.kinds("message_sent") if e["recipient"] == "@Knowledge")
    tools = watched.kinds("tool_called", "tool_returned", "tool_evidence")
    own = [event for event in tools if event["agent"] == "@Knowledge"]
    assert [event["cause_id"] for event in own] == [request["message_id"]] * 3


def test_the_managers_way_to_decide_is_no_tool_of_the_application(start: Start) -> None:
    watched = start()
    watched.ask(QUESTION)
    internal = {event["tool_name"]: event["internal"] for event in watched.kinds("tool_returned")}
    assert internal == {"delegate": True, "search_graph": False}


def test_a_later_question_may_say_she(start: Start) -> None:
    watched = start()
    watched.ask(QUESTION)
    assert watched.ask("Where does she live?") == "Mira Solberg lives in Norvik."


def test_a_failing_model_is_told_and_the_team_goes_on(start: Start) -> None:
    watched = start(failing(LookupError("no tide\ntable")))
    watched.ask("Hello")
    watched.ask("Hello again")
    failures = watched.kinds("agent_failed")
    assert [event["error"] for event in failures] == ["LookupError: no tide table"] * 2
    assert [event["agent"] for event in failures] == ["@Manager", "@Manager"]


def test_a_model_that_is_not_there_fails_the_start(start: Start, card: TeamCard) -> None:
    broken = tuple(
        replace(agent, model="no_such:model") if agent.name == "@Knowledge" else agent
        for agent in card.agents
    )
    with pytest.raises(ModelSettingError, match="no_such"):
        start(model=None, of=replace(card, agents=broken))


def test_a_failure_is_told_before_its_message_is_over(start: Start) -> None:
    watched = start(failing(OSError("gone")))
    assert watched.ask("Hello", "@Knowledge") == "@Knowledge failed and gives no answer."
    kinds = [(event["kind"], event.get("message_type")) for event in watched.events[-4:]]
    assert kinds == [
        ("agent_failed", None),
        ("message_sent", "notification"),
        ("message_handled", None),
        ("message_handled", None),
    ]


def test_a_specialists_failure_reaches_the_person(start: Start, searching: Searching) -> None:
    def fail() -> str:
        raise SystemExit(3)

    watched = start(of=searching(fail))
    assert watched.ask(QUESTION) == "@Knowledge failed and gives no answer."
    assert [event["agent"] for event in watched.kinds("agent_failed")] == ["@Knowledge"]


def test_a_broken_tool_is_an_error_that_the_answer_names(
    start: Start, searching: Searching
) -> None:
    def fail() -> str:
        msg = "index is locked"
        raise OSError(msg)

    watched = start(of=searching(fail))
    assert watched.ask(QUESTION).endswith("could not be searched: OSError: index is locked")
    told = [(e["outcome"], e["content"]) for e in watched.kinds("tool_evidence")[1:3]]
    assert told == [("tool_error", "OSError: index is locked")] * 2


def test_keys_are_in_no_event(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "pier-key-12345678")
    watched = start(failing(PermissionError("refused pier-key-12345678")))
    watched.ask("Hello")
    assert watched.kinds("agent_failed")
    assert "pier-key" not in str(watched.events)


def test_stopping_does_not_wait_for_a_busy_model(start: Start) -> None:
    begun = threading.Event()
    watched = start(busy(begun))
    watched.team.send("Hello")
    assert begun.wait(5)
    began = time.monotonic()
    watched.team.shutdown()
    assert time.monotonic() - began < 1
    assert [e["kind"] for e in watched.events[-5:]] == [*["agent_stopped"] * 4, "runtime_stopped"]


def test_an_observer_may_send_the_next_message(start: Start) -> None:
    watched = start()
    answered = threading.Event()

    def ask_again(event: dict[str, JsonValue]) -> None:
        if event.get("recipient") == "@Human" and not answered.is_set():
            answered.set()
            watched.team.send("Who leads Vela Maritime?")

    watched.team.subscribe(ask_again)
    watched.ask(QUESTION)
    assert watched.told()[1:] == ["Tor Lund leads Vela Maritime."]


def test_stopping_twice_from_two_threads_is_stopping_once(start: Start) -> None:
    watched = start()
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(KnowledgeTeam.shutdown, [watched.team] * 4))
    assert len(watched.kinds("runtime_stopped")) == 1


def test_who_waits_for_quiet_is_released_by_the_end(start: Start) -> None:
    begun = threading.Event()
    watched = start(busy(begun))

    async def wait() -> None:
        watched.team.send("Hello")
        waiting = asyncio.create_task(watched.team.settled())
        await asyncio.to_thread(begun.wait, 5)
        assert not waiting.done()
        await asyncio.to_thread(watched.team.shutdown)
        await asyncio.wait_for(waiting, 1)

    asyncio.run(wait())


def test_quiet_means_that_all_was_told(start: Start) -> None:
    watched = start()

    async def ask() -> JsonValue:
        watched.team.send(QUESTION)
        await watched.team.settled()
        return watched.events[-1]["agent"]

    assert [asyncio.run(ask()) for _ in range(5)] == ["@Human"] * 5


def test_a_wait_can_end_before_the_team_is_quiet(start: Start) -> None:
    watched = start(busy(threading.Event()))
    watched.team.send("Hello")
    with pytest.raises(TimeoutError):
        watched.team.wait_settled(0.05)


def test_a_team_is_started_once(start: Start) -> None:
    with pytest.raises(TeamStateError, match="cannot start: the team is running"):
        start().team.start()


@pytest.mark.parametrize("state", ["new", "stopped"])
def test_only_a_running_team_can_be_spoken_to(card: TeamCard, state: str) -> None:
    team = KnowledgeTeam(card)
    if state == "stopped":
        team.shutdown()
    with pytest.raises(TeamStateError, match=f"cannot send: the team is {state}"):
        team.send("Hello")


@pytest.mark.parametrize("target", ["@Pilot", "@Human", "Knowledge"])
def test_an_unknown_target_is_answered_with_the_known_ones(start: Start, target: str) -> None:
    with pytest.raises(UnknownNameError, match="known: @Knowledge, @Manager"):
        start().team.send("Hello", target)


def test_a_stop_beside_a_slow_start_wins(
    card: TeamCard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "slow_models.py").write_text(
        "import threading\n"
        "begun, go = threading.Event(), threading.Event()\n"
        "def slow():\n"
        "    from knowledge_team.scripted.model import scripted_model\n"
        "    begun.set()\n"
        "    go.wait(5)\n"
        "    return scripted_model()\n"
    )
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    slow = __import__("slow_models")
    team = KnowledgeTeam(card, model="slow_models:slow")
    with ThreadPoolExecutor(1) as threads:
        starting = threads.submit(team.start)
        assert slow.begun.wait(5)
        team.shutdown()
        slow.go.set()
        with pytest.raises(TeamStateError, match="cannot start: the team is stopped"):
            starting.result(5)


def test_a_start_that_fails_leaves_nothing_running(card: TeamCard, tmp_path: Path) -> None:
    occupied = tmp_path / STORE_FILE
    occupied.mkdir()
    before = len(pykka.ActorRegistry.get_all())
    with pytest.raises(Exception, match="unable to open"):
        KnowledgeTeam(card, state_dir=tmp_path).start()
    assert len(pykka.ActorRegistry.get_all()) == before


def test_a_state_folder_keeps_the_facts(card: TeamCard, tmp_path: Path) -> None:
    with KnowledgeTeam(card, state_dir=tmp_path / "new") as team:
        team.store.upsert_entities([Entity(name="Pier", entity_type="place", description="Long.")])
    with KnowledgeTeam(card, state_dir=tmp_path / "new") as team:
        assert team.store.entities("Pier")


def test_the_store_is_there_from_the_start_on(card: TeamCard) -> None:
    with pytest.raises(TeamStateError, match="cannot reach the store: the team is new"):
        _ = KnowledgeTeam(card).store


def test_the_roster_is_that_of_the_card() -> None:
    team = KnowledgeTeam(load_team("production"))
    assert team.roster == ("@Human", "@Manager", "@Knowledge", "@WebIngest")
    assert team.card.entry == "@Human"
