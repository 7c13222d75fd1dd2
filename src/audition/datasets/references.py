"""Names in a dataset file that must exist elsewhere: in the file, in the application, on disk.

They are looked up in the data as it stands in the file, so that a wrong name is told together with
whatever else is wrong at the same place.
"""

import os
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path

from pydantic import JsonValue

from audition.captures import NAME_OF_VALUE, is_value_name, misnamed_places, places_in
from audition.datasets.authoring import Authoring
from audition.datasets.problems import accepted
from audition.datasets.reading import Written, as_list, as_object
from audition.datasets.session_files import missing_file
from audition.errors import Problem
from audition.evaluators.case_evaluator import type_name
from audition.evaluators.trajectory import MatchedTrajectory
from audition.events import HUMAN
from audition.matching.chat_messages import expected_calls, expected_steps, is_call
from audition.matching.tool_calls import EVERY_OTHER
from audition.matching.trajectories import calls_of
from audition.values import pointer_token

_TOOL_FIELDS = (
    "tool_name",
    "tool_names",
    "required_tools",
    "forbidden_tools",
    "allowed_tools",
    "ordered_tools",
)
_AGENT_FIELDS = ("sender", "recipient", "agent_names")
_PATTERN_FIELDS = ("first", "then", "event", "after", "before", "one", "other")


def unknown_in_evaluator(
    pointer: str, written: Written, *, authoring: Authoring
) -> Iterator[Problem]:
    """Yield a problem for each agent or tool of an evaluator that the application does not declare.

    Args:
        pointer: JSON pointer of the evaluator.
        written: The evaluator as it stands in the file.
        authoring: What the application declares.

    """
    for place, name in _agents(written):
        yield from unknown_agent(f"{pointer}/{place}", name, authoring=authoring)
    for field in _TOOL_FIELDS:
        for place, name in _texts(field, written.get(field)):
            yield from unknown_tool(f"{pointer}/{place}", name, authoring=authoring)
    for place, name in _tools_of_trajectory(written):
        yield from unknown_tool(f"{pointer}/{place}", name, authoring=authoring)
    for field in _PATTERN_FIELDS:
        yield from _unknown_in_pattern(f"{pointer}/{field}", written.get(field), authoring)


def _unknown_in_pattern(
    pointer: str, pattern: JsonValue, authoring: Authoring
) -> Iterator[Problem]:
    """Yield the same for what happened, as `audition.evaluators.patterns` has it."""
    written = as_object(pattern)
    for field in ("sender", "recipient", "agent"):
        yield from unknown_agent(f"{pointer}/{field}", written.get(field), authoring=authoring)
    yield from unknown_tool(f"{pointer}/tool", written.get("tool"), authoring=authoring)


def _tools_of_trajectory(written: Written) -> Iterator[tuple[str, str]]:
    """Yield the tools of `trajectory_match`, each with its place; no reference has it elsewhere."""
    if written.get("type") != type_name(MatchedTrajectory):
        return
    for position, item in enumerate(as_list(written.get("reference"))):
        try:
            calls = expected_calls([item]) if is_call(item) else calls_of(expected_steps([item]))
        except ValueError:
            continue  # the model says it
        yield from ((f"reference/{position}", call.tool) for call in calls)
    for name in as_object(written.get("overrides")):
        if name != EVERY_OTHER:
            yield f"overrides/{pointer_token(name)}", name


def unknown_agent(pointer: str, name: JsonValue, *, authoring: Authoring) -> Iterator[Problem]:
    """Yield a problem where a name is that of no declared member, nor that of the person."""
    agents = authoring.agents
    yield from _unknown(pointer, "agent", name, None if agents is None else agents | {HUMAN})


def unknown_target(pointer: str, name: JsonValue, *, authoring: Authoring) -> Iterator[Problem]:
    """Yield a problem where a message goes to no member: not to the person who says it, either."""
    members = None if authoring.agents is None else set(authoring.agents) - {HUMAN}
    if name == HUMAN:
        wanted = accepted(HUMAN, members or (), otherwise="name an agent of the team")
        yield Problem(pointer=pointer, found=f"{HUMAN} is who says it", wanted=wanted)
    else:
        yield from _unknown(pointer, "agent", name, members)


def unknown_tool(pointer: str, name: JsonValue, *, authoring: Authoring) -> Iterator[Problem]:
    """Yield a problem where a name is no tool of a team that declares its tools."""
    yield from _unknown(pointer, "tool", name, authoring.tools)


def _unknown(
    pointer: str, kind: str, name: JsonValue, known: Collection[str] | None
) -> Iterator[Problem]:
    if known is not None and isinstance(name, str) and name not in known:
        found = f"unknown {kind} {name!r}"
        wanted = accepted(name, known, otherwise=f"remove it: no {kind} is declared")
        yield Problem(pointer=pointer, found=found, wanted=wanted)


def _agents(written: Written) -> Iterator[tuple[str, str]]:
    yield from _texts("scope/agent", as_object(written.get("scope")).get("agent"))
    for field in _AGENT_FIELDS:
        yield from _texts(field, written.get(field))
    for position, leg in enumerate(as_list(written.get("expected_route"))):
        place = f"expected_route/{position}"
        legs = leg.split(">") if isinstance(leg, str) else as_list(leg)
        yield from ((place, name.strip()) for name in legs if isinstance(name, str))


def _texts(place: str, value: JsonValue) -> Iterator[tuple[str, str]]:
    """Yield a text, or each text of a list, with its place."""
    if isinstance(value, str):
        yield place, value
    for position, item in enumerate(as_list(value)):
        if isinstance(item, str):
            yield f"{place}/{position}", item


def unknown_vocabularies(
    pointer: str, written: Written, *, vocabularies: Collection[str]
) -> Iterator[Problem]:
    """Yield a problem for each vocabulary that an evaluator names and the file does not have."""
    for field, name in written.items():
        if field.endswith("_ref") and isinstance(name, str) and name not in vocabularies:
            found = f"unknown vocabulary {name!r}"
            define = f"define it in the file: `vocabularies: {{{name}: [...]}}`"
            wanted = accepted(name, vocabularies, otherwise=define)
            yield Problem(pointer=f"{pointer}/{field}", found=found, wanted=wanted)


def unknown_fixtures(data: Written) -> Iterator[Problem]:
    """Yield a problem for each fixture that a file for a team names and does not have."""
    knowledge = as_object(data.get("knowledge"))
    if data.get("knowledge") is None or knowledge.get("source") == "running_system":
        yield from _needless_fixtures(data)
        return
    fixtures = knowledge.get("fixtures")
    if not isinstance(fixtures, dict):
        return  # the model says it
    default = knowledge.get("default_fixture")
    yield from _unknown("/knowledge/default_fixture", "fixture", default, fixtures)
    for pointer, case in _cases(data):
        if case.get("fixture") is not None:
            yield from _unknown(f"{pointer}/fixture", "fixture", case["fixture"], fixtures)
        elif default is None:
            found, wanted = "is missing, and there is no default", accepted("", fixtures)
            yield Problem(pointer=f"{pointer}/fixture", found=found, wanted=wanted)


def _needless_fixtures(data: Written) -> Iterator[Problem]:
    for pointer, case in _cases(data):
        if case.get("fixture") is not None:
            found = "a fixture, and the knowledge of the file is not from fixtures"
            wanted = 'remove it, or give knowledge with source "fixtures"'
            yield Problem(pointer=f"{pointer}/fixture", found=found, wanted=wanted)


def missing_self_tests(data: Written, is_there: Callable[[str], bool]) -> Iterator[Problem]:
    """Yield a problem for each recording of a self-test that is not there.

    Args:
        data: The file.
        is_there: Whether there is a file of this name, relative to the dataset file.

    """
    for pointer, case in _cases(data):
        for kind, named in as_object(case.get("self_test")).items():
            yield from missing_file(f"{pointer}/self_test/{kind}", named, is_there)


def is_file_in(folder: Path) -> Callable[[str], bool]:
    """Return what says whether a name is that of a file, relative to a folder."""
    # Path.is_file raises for a name that is too long, this does not.
    return lambda name: os.path.isfile(folder / name)  # noqa: PTH113


def unknown_places(pointer: str, case: Written) -> Iterator[Problem]:
    """Yield a problem for each value that a message needs and no turn before it captures.

    And one for each that is captured and that no later message has a place for.

    Args:
        pointer: JSON pointer of the case.
        case: The case, a conversation.

    """
    turns = [as_object(turn) for turn in as_list(case.get("turns"))]
    takes_values = any(as_object(turn.get("capture")) for turn in turns)
    waiting: dict[str, str] = {}
    taken: set[str] = set()
    for number, turn in enumerate(turns):
        at = f"{pointer}/turns/{number}"
        said = turn.get("message")
        message = said if isinstance(said, str) else ""
        if takes_values:
            yield from _misnamed(f"{at}/message", message)
        for name in places_in(message):
            waiting.pop(name, None)
            if name not in taken:
                wanted = accepted(name, taken, otherwise="capture it in a turn before")
                yield Problem(pointer=f"{at}/message", found=f"no value {name!r}", wanted=wanted)
        captured = [name for name in as_object(turn.get("capture")) if is_value_name(name)]
        taken.update(captured)
        waiting |= {name: f"{at}/capture/{pointer_token(name)}" for name in captured}
    yield from _never_used(waiting)


def _misnamed(pointer: str, message: str) -> Iterator[Problem]:
    for written in misnamed_places(message):
        wanted = f"name a value: {NAME_OF_VALUE}"
        yield Problem(pointer=pointer, found=f"a place {written!r}", wanted=wanted)


def _never_used(waiting: Mapping[str, str]) -> Iterator[Problem]:
    """Yield a problem for each captured value, given where each is captured."""
    for name, place in waiting.items():
        wanted = f"write {{{{{name}}}}} in a later message, or remove it"
        yield Problem(pointer=place, found=f"{name!r} is never used", wanted=wanted)


def unknown_in_turns(pointer: str, case: Written, *, authoring: Authoring) -> Iterator[Problem]:
    """Yield a problem for each agent or tool in the turns of a case that is not declared."""
    for number, turn in enumerate(map(as_object, as_list(case.get("turns")))):
        at = f"{pointer}/turns/{number}"
        yield from unknown_target(f"{at}/target", turn.get("target"), authoring=authoring)
        for name, capture in as_object(turn.get("capture")).items():
            tool = as_object(capture).get("tool_name")
            place = f"{at}/capture/{pointer_token(name)}/tool_name"
            yield from unknown_tool(place, tool, authoring=authoring)


def unknown_stages(pointer: str, case: Written, *, authoring: Authoring) -> Iterator[Problem]:
    """Yield a problem for each stage of facts that the application does not declare.

    And one for stages without facts, or facts where the application declares no stage at all.
    """
    known = [stage.name for stage in authoring.fact_stages]
    chosen = as_list(case.get("fact_stages"))
    for position, name in enumerate(chosen):
        yield from _unknown(f"{pointer}/fact_stages/{position}", "stage", name, known)
        if name in chosen[:position]:
            found, wanted = f"{name!r} a second time", "name each stage once"
            yield Problem(pointer=f"{pointer}/fact_stages/{position}", found=found, wanted=wanted)
    if case.get("facts") and not known:
        wanted = "declare `fact_stages` in the application, or remove them"
        yield Problem(pointer=f"{pointer}/facts", found="no stage to trace", wanted=wanted)
    if case.get("fact_stages") and not case.get("facts"):
        found, wanted = "stages, and no facts", "give `facts`, or remove them"
        yield Problem(pointer=f"{pointer}/fact_stages", found=found, wanted=wanted)


def _cases(data: Written) -> Iterator[tuple[str, Written]]:
    for position, case in enumerate(as_list(data.get("cases"))):
        if isinstance(case, dict):
            yield f"/cases/{position}", case
