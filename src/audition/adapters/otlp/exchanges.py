"""Calls and returns out of the messages of models, joined with the spans of the tools.

A call is new where a model says it; what it is told repeats the whole history, and only answers
calls that are known. A call id joins them. ADK gives its calls other ids in messages than in the
spans of tools: there the tool, the arguments and the order join them.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from audition.adapters.otlp.attributes import named, word
from audition.adapters.otlp.messages import Part, Parts, Said
from audition.adapters.otlp.turns import Step
from audition.tool_payloads import read_arguments
from audition.values import canonical_json

ARGUMENTS = (
    *("gen_ai.tool.call.arguments", "gcp.vertex.agent.tool_call_args", "tool_arguments"),
    "gen_ai.tool.arguments",
)
"""The attributes of a tool's span that hold what it was given."""

_UNNAMED = {"<not specified>", ""}


@dataclass(slots=True, kw_only=True, eq=False)
class Exchange:
    """A call, and what came of it.

    Attributes:
        step: What it is told by first: the model that said it, else the tool.
        asked: The call in the messages, None where none of them has it.
        asker: The step whose model said it, None where none is known to have.
        tool: The span that ran it, None where none did or it is not in the record.
        told: The return in the messages, None where none of them has it.
        told_by: The step in whose messages the return stands, None where none does.

    """

    step: Step
    asked: Part | None = None
    asker: Step | None = None
    tool: Step | None = None
    told: Part | None = None
    told_by: Step | None = None

    @property
    def name(self) -> str | None:
        """The tool."""
        span = None if self.tool is None else tool_name(self.tool)
        return span or (None if self.asked is None else self.asked.name)

    @property
    def call_id(self) -> str | None:
        """The id of the call, None where nothing has one."""
        span = None if self.tool is None else tool_call_id(self.tool)
        return span or (None if self.asked is None else self.asked.call_id)


type _Pair = tuple[Part | None, Part]
type _Key = tuple[str | None, str | None, str]


def tool_name(tool: Step) -> str | None:
    """Return the tool that a span ran, by its attribute, else by the name of the span."""
    told = tool.span.name.removeprefix("execute_tool").strip()
    return word(tool.span.attributes, "gen_ai.tool.name") or told or None


def tool_call_id(tool: Step) -> str | None:
    """Return the id of the call that a tool's span ran, None where it says none."""
    told = word(tool.span.attributes, "gen_ai.tool.call.id")
    return None if told in _UNNAMED else told


def join_exchanges(said: Sequence[tuple[Step, Said]], tools: Sequence[Step]) -> list[Exchange]:
    """Return every call of a turn: those that models said, then those that only ran.

    Args:
        said: What each model was told and said, in the order of time.
        tools: The spans of the tools, in the order of time.

    """
    exchanges: list[Exchange] = []
    known: defaultdict[_Key, list[Exchange]] = defaultdict(list)
    histories = [(step, _pairs(words.inputs)) for step, words in said]
    for (step, words), (_, pairs) in zip(said, histories, strict=True):
        _answer(known, step, pairs)
        for exchange in _asked(step, words.outputs):
            exchanges.append(exchange)
            if exchange.asked is not None:
                known[_key(exchange.asked)].append(exchange)
    waiting: defaultdict[str | None, list[Exchange]] = defaultdict(list)
    for exchange in exchanges:
        waiting[exchange.name].append(exchange)
    for tool in tools:
        exchanges += _run(waiting, tool)
    for exchange in exchanges:
        if exchange.asked is None:
            _look_up(exchange, histories)
    return exchanges


def _asked(step: Step, outputs: Parts) -> Iterable[Exchange]:
    """Yield the calls of one model; the messages of a whole run hold their returns as well."""
    told = {id(call): back for call, back in _pairs(outputs) if call is not None}
    for part in outputs:
        if part.kind == "call" and part.role == "assistant" and part.name is not None:
            back = told.get(id(part))
            by = None if back is None else step
            yield Exchange(step=step, asked=part, asker=step, told=back, told_by=by)


def _pairs(parts: Parts) -> list[_Pair]:
    """Return every return in the messages with the call before it that it answers, if any."""
    waiting: list[Part] = []
    pairs: list[_Pair] = []
    for part in parts:
        if part.kind == "call":
            waiting.append(part)
        elif part.kind == "return":
            same = [call for call in waiting if part.call_id and call.call_id == part.call_id]
            alike = [call for call in waiting if part.name and call.name == part.name]
            # ADK counts its ids by the place in the message, so that a lone return may be "0".
            near = [call for call in waiting if _counted(call) and _may_answer(part, call)]
            call = next(iter(same or alike or near), None)
            pairs.append((call, part))
            waiting = [other for other in waiting if other is not call]
    return pairs


def _counted(part: Part) -> bool:
    """Return whether an id is no more than the place in a message, or is none."""
    return part.call_id is None or part.call_id.rpartition("_")[2].isdecimal()


def _may_answer(back: Part, call: Part) -> bool:
    """Return whether a return whose id counts is of the same tool, as far as it says."""
    tool = back.name or (back.call_id or "").rpartition("_")[0]
    return _counted(back) and tool in {"", call.name}


def _answer(known: Mapping[_Key, list[Exchange]], step: Step, pairs: Iterable[_Pair]) -> None:
    """Note the returns that a model was told, for the calls that were said before it.

    The history holds the calls of earlier turns as well, so the last ones of a kind are paired.
    """
    seen: defaultdict[_Key, list[Part]] = defaultdict(list)
    for call, back in pairs:
        if call is not None:
            seen[_key(call)].append(back)
    for key, backs in seen.items():
        for exchange, back in zip(reversed(known.get(key, [])), reversed(backs), strict=False):
            if exchange.told is None:
                exchange.told, exchange.told_by = back, step


def _key(call: Part) -> _Key:
    arguments = read_arguments(call.body)
    text = arguments.raw if arguments.value is None else canonical_json(arguments.value)
    return (call.call_id, call.name, text or "")


def _run(waiting: Mapping[str | None, list[Exchange]], tool: Step) -> list[Exchange]:
    """Note the span of a tool at the call that it ran; return a call of its own for any other."""
    call_id = tool_call_id(tool)
    asked = waiting.get(tool_name(tool), [])
    found = next((one for one in asked if call_id is not None and one.call_id == call_id), None)
    if found is None:
        found = _likely([one for one in asked if _may_have_run(one, tool, call_id)], tool)
    if found is None:
        return [Exchange(step=tool, tool=tool)]
    asked.remove(found)
    found.tool = tool
    return []


def _likely(exchanges: Sequence[Exchange], tool: Step) -> Exchange | None:
    """Return the first call with the arguments that the tool was given, else the first."""
    given = read_arguments(named(tool.span.attributes, *ARGUMENTS)).value
    said = ((one, one.asked and read_arguments(one.asked.body).value) for one in exchanges)
    return next((one for one, value in said if value == given), next(iter(exchanges), None))


def _may_have_run(exchange: Exchange, tool: Step, call_id: str | None) -> bool:
    """Return whether a call without the id of the span can be the one that it ran."""
    asker, asked = exchange.asker, exchange.asked
    if asker is None or asked is None or asker.rank > tool.rank or asker.agent != tool.agent:
        return False
    return call_id is None or (_counted(asked) and call_id.startswith("adk-"))


def _look_up(exchange: Exchange, histories: Iterable[tuple[Step, list[_Pair]]]) -> None:
    """Note what the histories say of a call that no model was seen to say, by its id alone."""
    call_id = exchange.call_id
    for step, pairs in histories if call_id is not None else ():
        for call, back in pairs:
            if back.call_id == call_id and exchange.told is None:
                exchange.asked, exchange.told, exchange.told_by = call, back, step
