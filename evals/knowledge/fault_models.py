"""Models that do one thing wrong, and all else as the scripted one."""

import asyncio
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, cast, override

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings

from knowledge_team.facts import Entity, Relation
from knowledge_team.scripted.model import scripted_model
from knowledge_team.search_text import read_results

KEPT_RELATIONS = 4
"""What the forgetful extraction keeps of a page."""

SEARCHES = 5
"""How often the stubborn specialist searches."""

_DROPPED = 2
_RECOMMENDATION = re.compile(r"\s*[^.!?]*@WebIngest[^.!?]*[.!?]")


class _Faulty(WrapperModel):
    """Answers as the scripted model, and then does something else."""

    def __init__(self) -> None:
        super().__init__(scripted_model())

    @override
    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        response = await super().request(messages, model_settings, model_request_parameters)
        return self.instead(response, messages)

    def instead(self, response: ModelResponse, messages: Sequence[ModelMessage]) -> ModelResponse:
        """Return what is answered in the place of the scripted answer."""
        raise NotImplementedError


class DropsNames(_Faulty):
    """Leaves the last two of the names that were found out of a list of them."""

    @override
    def instead(self, response: ModelResponse, messages: Sequence[ModelMessage]) -> ModelResponse:
        names = _found_names(messages)
        return _retold(response, lambda text: without_last(text, names))


class AnswersFromNowhere(_Faulty):
    """Never looks anything up."""

    @override
    def instead(self, response: ModelResponse, messages: Sequence[ModelMessage]) -> ModelResponse:
        return ModelResponse(parts=[TextPart("As everybody knows, that is the Old Ropewalk.")])


class KeepsFour(_Faulty):
    """Keeps four of the relations of a page in what it stores."""

    @override
    def instead(self, response: ModelResponse, messages: Sequence[ModelMessage]) -> ModelResponse:
        parts = [
            replace(part, args=_with_fewer(part.args_as_dict()))
            if isinstance(part, ToolCallPart) and _calls(part, "update_graph")
            else part
            for part in response.parts
        ]
        return replace(response, parts=parts)


class CommitsFirst(_Faulty):
    """Commits an ingestion before it has stored anything."""

    @override
    def instead(self, response: ModelResponse, messages: Sequence[ModelMessage]) -> ModelResponse:
        update = next((part for part in response.parts if _calls(part, "update_graph")), None)
        if update is None or any(_calls(part, "commit_web_ingestion") for part in _said(messages)):
            return response
        fetched = json.loads(_returns(messages, "web_fetch_tool")[-1])["results"][0]
        arguments = {"url": fetched["url"], "content_hash": fetched["content_hash"]}
        return ModelResponse(parts=[ToolCallPart("commit_web_ingestion", arguments)])


class ClaimsSuccess(_Faulty):
    """Claims to have ingested a page that could not be fetched."""

    @override
    def instead(self, response: ModelResponse, messages: Sequence[ModelMessage]) -> ModelResponse:
        return _retold(response, _as_success)


class WritesFirst(_Faulty):
    """Writes to the graph before it answers a question."""

    @override
    def instead(self, response: ModelResponse, messages: Sequence[ModelMessage]) -> ModelResponse:
        if any(_calls(part, "update_graph") for part in _said(messages)):
            return response
        arguments = {
            "source_url": "https://notes.invalid/page",
            "create_entities": [
                {"name": "A note", "entity_type": "note", "description": "A note was asked about."}
            ],
        }
        return ModelResponse(parts=[ToolCallPart("update_graph", arguments)])


class SearchesAgain(_Faulty):
    """Repeats its search, whatever it found."""

    @override
    def instead(self, response: ModelResponse, messages: Sequence[ModelMessage]) -> ModelResponse:
        searches = [part for part in _said(messages) if _calls(part, "search_graph")]
        if not searches or len(searches) >= SEARCHES or not _is_text(response):
            return response
        return ModelResponse(parts=[ToolCallPart("search_graph", searches[0].args)])


class DropsRecommendation(_Faulty):
    """Leaves the recommendation out of an answer that it passes on."""

    @override
    def instead(self, response: ModelResponse, messages: Sequence[ModelMessage]) -> ModelResponse:
        return _retold(response, _without_recommendation)


class NeverAnswers(_Faulty):
    """Is waited for in vain."""

    @override
    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        await asyncio.Event().wait()
        raise AssertionError  # nobody sets it


def _calls(part: object, tool_name: str) -> bool:
    return isinstance(part, ToolCallPart) and part.tool_name == tool_name


def _is_text(response: ModelResponse) -> bool:
    return any(isinstance(part, TextPart) for part in response.parts)


def _said(messages: Sequence[ModelMessage]) -> Iterator[ToolCallPart]:
    """Yield the calls of this run: those of earlier runs stand before the last prompt."""
    for message in _this_run(messages):
        if isinstance(message, ModelResponse):
            yield from (part for part in message.parts if isinstance(part, ToolCallPart))


def _this_run(messages: Sequence[ModelMessage]) -> Sequence[ModelMessage]:
    starts = [
        place
        for place, message in enumerate(messages)
        if isinstance(message, ModelRequest)
        and any(part.part_kind == "user-prompt" for part in message.parts)
    ]
    return messages[starts[-1] :] if starts else messages


def _returns(messages: Sequence[ModelMessage], tool_name: str) -> list[str]:
    """Return what every invocation of the tool gave back."""
    return [
        str(part.content)
        for message in messages
        if isinstance(message, ModelRequest)
        for part in message.parts
        if isinstance(part, ToolReturnPart) and part.tool_name == tool_name
    ]


def _found_names(messages: Sequence[ModelMessage]) -> list[str]:
    """Return the names in everything that was found."""
    names: dict[str, None] = {}
    for fact in chain.from_iterable(map(read_results, _returns(messages, "search_graph"))):
        match fact:
            case Entity(name=name):
                names[name] = None
            case Relation(to_entity=name):
                names[name] = None
    return list(names)


def without_last(text: str, names: Sequence[str]) -> str:
    """Return a text that names at least four things without the last two of them."""
    inside = [name for name in names if any(name != one and name in one for one in names)]
    there = sorted((one for one in names if one in text and one not in inside), key=text.index)
    if len(there) < _DROPPED + 2:
        return text
    for name in there[-_DROPPED:]:
        text = re.sub(rf"(?:,? and |, )?{re.escape(name)}", "", text)
    return text


def _with_fewer(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return an update that keeps four of the most frequent kind of relations, and their ends."""
    relations = cast("list[dict[str, str]]", arguments.get("create_relations", []))
    kinds = Counter(one["relation_type"] for one in relations)
    most = kinds.most_common(1)[0][0] if kinds else ""
    of_kind = [one for one in relations if one["relation_type"] == most]
    dropped = of_kind[KEPT_RELATIONS:]
    kept = [one for one in relations if one not in dropped]
    lost = _ends(dropped) - _ends(kept)
    entities = cast("list[dict[str, str]]", arguments.get("create_entities", []))
    return {
        **arguments,
        "create_relations": kept,
        "create_entities": [_without(one, lost) for one in entities if one["name"] not in lost],
    }


def _ends(relations: Sequence[dict[str, str]]) -> set[str]:
    return {name for one in relations for name in (one["from_entity"], one["to_entity"])}


def _without(entity: dict[str, str], names: set[str]) -> dict[str, str]:
    text = entity["description"]
    for name in names:
        text = re.sub(rf"(?:,| and)? {re.escape(name)}", "", text)
    return {**entity, "description": text}


def _as_success(text: str) -> str:
    failed = "could not be fetched" in text
    return "Ingested the page. All its facts are stored." if failed else text


def _without_recommendation(text: str) -> str:
    return _RECOMMENDATION.sub("", text)


def _retold(response: ModelResponse, tell: Callable[[str], str]) -> ModelResponse:
    parts = [
        replace(part, content=tell(part.content)) if isinstance(part, TextPart) else part
        for part in response.parts
    ]
    return replace(response, parts=parts)
