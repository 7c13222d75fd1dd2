"""Makes events of what an agent's run does, while it does it.

Hooks of a pydantic-ai capability, not the messages of the finished run: a run that is cut short
has told everything up to that point.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, cast, override

from pydantic import JsonValue
from pydantic_ai import RunContext, ToolDefinition
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.capabilities.abstract import WrapToolExecuteHandler
from pydantic_ai.exceptions import (
    AgentRunError,
    ToolFailed,
    ToolFailedError,
    ToolRetryError,
    UserError,
)
from pydantic_ai.messages import ModelResponse, ToolCallPart, ToolReturnPart
from pydantic_ai.models import ModelRequestContext
from pydantic_ai.run import AgentRunResult

from knowledge_team.event_feed import EventFeed
from knowledge_team.failures import failure_line

_OUTCOMES = {"success": "ok", "denied": "rejected", "interrupted": "infrastructure_error"}


@dataclass(slots=True, kw_only=True)
class RunScope:
    """Who runs, because of which message, and which tool calls are still open.

    Attributes:
        feed: Where the events go.
        agent: The member whose run it is.
        cause_id: The message being handled.
        open_calls: Ids of the tool calls whose end was not told yet; True where the call is the
            way in which a model hands over its structured output, not a tool of the application.

    """

    feed: EventFeed
    agent: str
    cause_id: str
    open_calls: dict[str, bool] = field(default_factory=dict[str, bool])


class RunEvents(AbstractCapability[RunScope]):
    """Tells of model answers, tool calls and their ends; an agent's deps say where to."""

    @override
    async def after_model_request(
        self,
        ctx: RunContext[RunScope],
        *,
        request_context: ModelRequestContext,
        response: ModelResponse,
    ) -> ModelResponse:
        """Tell that the model answered, and which tools it asked for."""
        _tell_usage(ctx, response)
        output_tools = request_context.model_request_parameters.output_tools
        output_names = {tool.name for tool in output_tools}
        for part in response.parts:
            if isinstance(part, ToolCallPart):
                _tell_call(ctx, part, internal=part.tool_name in output_names)
        return response

    @override
    async def before_model_request(
        self, ctx: RunContext[RunScope], request_context: ModelRequestContext
    ) -> ModelRequestContext:
        """Tell of calls that ended without running: bad arguments, an unknown tool."""
        _tell_ends(ctx, request_context.messages[-1].parts)
        return request_context

    @override
    async def after_run(
        self, ctx: RunContext[RunScope], *, result: AgentRunResult[Any]
    ) -> AgentRunResult[Any]:
        """Tell of calls that no further request follows: those that hand over the output."""
        for message in result.new_messages():
            _tell_ends(ctx, message.parts)
        return result

    @override
    async def wrap_tool_execute(
        self,
        ctx: RunContext[RunScope],
        *,
        call: ToolCallPart,
        tool_def: ToolDefinition,
        args: dict[str, Any],
        handler: WrapToolExecuteHandler,
    ) -> Any:
        """Tell of the end of one execution as soon as it is known."""
        try:
            result = await handler(args)
        except Exception as error:
            _tell_end(ctx, _failed_return(call, error))
            raise
        _tell_end(ctx, ToolReturnPart(call.tool_name, result, call.tool_call_id))
        return result

    @override
    async def on_tool_execute_error(
        self,
        ctx: RunContext[RunScope],
        *,
        call: ToolCallPart,
        tool_def: ToolDefinition,
        args: dict[str, Any],
        error: Exception,
    ) -> Any:
        """Give the model the error of a broken tool, so that it can say so; the run goes on."""
        if isinstance(error, AgentRunError | UserError):
            raise error  # not the tool's: pydantic-ai ends the run, as when retries are used up
        raise ToolFailed(failure_line(error)) from error


def _failed_return(call: ToolCallPart, error: Exception) -> ToolReturnPart:
    match error:
        case ToolRetryError(tool_retry=ToolReturnPart() as part):
            return part
        case ToolFailedError(tool_failed=part):
            return part
        case ToolFailed(message=text):
            pass
        case _:
            # Retries used up: the reason is what the last of them was given.
            text = failure_line(error.__cause__ or error)
    return ToolReturnPart(call.tool_name, text, call.tool_call_id, outcome="failed")


def _tell_usage(ctx: RunContext[RunScope], response: ModelResponse) -> None:
    usage = response.usage
    _emit(
        ctx,
        "model_responded",
        model_name=response.model_name,
        provider_name=response.provider_name,
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cache_read_tokens=usage.cache_read_tokens,
        cache_write_tokens=usage.cache_write_tokens,
        cost_usd=_cost_usd(response),
        finish_reason=response.finish_reason,
    )


def _cost_usd(response: ModelResponse) -> float | None:
    if response.provider_name is None or response.model_name is None:
        return None
    try:
        return float(response.cost().total_price)
    except LookupError:
        return None


def _tell_call(ctx: RunContext[RunScope], part: ToolCallPart, *, internal: bool) -> None:
    ctx.deps.open_calls[part.tool_call_id] = internal
    # As the model wrote them: pydantic-ai's own text of the arguments is already put right.
    raw = part.args if isinstance(part.args, str) else json.dumps(part.args, ensure_ascii=False)
    raw = raw if part.args else "{}"
    arguments, parse_error = _parsed(raw)
    _emit(
        ctx,
        "tool_called",
        tool_name=part.tool_name,
        tool_call_id=part.tool_call_id,
        arguments_raw=raw,
        arguments=arguments,
        parse_error=parse_error,
        internal=internal,
    )


def _tell_ends(ctx: RunContext[RunScope], parts: Iterable[object]) -> None:
    for part in parts:
        if isinstance(part, ToolReturnPart):
            # An isinstance check cannot know what the content is; it is only made into text.
            _tell_end(ctx, cast("ToolReturnPart[Any]", part))


def _tell_end(ctx: RunContext[RunScope], part: ToolReturnPart[Any]) -> None:
    internal = ctx.deps.open_calls.pop(part.tool_call_id, None)
    if internal is None:
        return  # told before, or part of an earlier conversation
    content = part.model_response_str(wrap_if_error=False)
    call: dict[str, JsonValue] = {
        "tool_name": part.tool_name,
        "tool_call_id": part.tool_call_id,
        "outcome": _OUTCOMES.get(part.outcome, "tool_error"),
        "internal": internal,
    }
    _emit(ctx, "tool_returned", **call)
    _emit(ctx, "tool_evidence", **call, content=content, structure=_structure(content))


def _parsed(raw: str) -> tuple[JsonValue, str | None]:
    try:
        return json.loads(raw), None
    except ValueError as error:
        return None, str(error)


def _structure(content: str) -> JsonValue:
    value, _ = _parsed(content) if content.lstrip()[:1] in {"{", "["} else (None, None)
    return value


def _emit(ctx: RunContext[RunScope], kind: str, **fields: JsonValue) -> None:
    scope = ctx.deps
    scope.feed.emit(kind, scope.agent, cause_id=scope.cause_id, run_id=ctx.run_id, **fields)
