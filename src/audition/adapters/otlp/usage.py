"""What a request to a model cost, and how it or a run went wrong, by the attributes of a span."""

from collections.abc import Sequence
from typing import TypedDict

from pydantic import JsonValue

from audition.adapters.otlp.attributes import (
    JsonObject,
    named,
    read_list,
    read_object,
    whole_number,
    word,
)
from audition.adapters.otlp.frames import Frame
from audition.values import parse_json, writable_text

_INPUT = ("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens")
_OUTPUT = ("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens")
_READ = (
    "gen_ai.usage.cache_read.input_tokens",
    "gen_ai.usage.cache_read_input_tokens",
    "gen_ai.usage.details.cache_read_tokens",
)
_WRITTEN = (
    "gen_ai.usage.cache_creation.input_tokens",
    "gen_ai.usage.cache_creation_input_tokens",
    "gen_ai.usage.details.cache_write_tokens",
)
_MOST_TOKENS = 2**53
_MOST_USD = 1e12


class Usage(TypedDict):
    """The fields of a model's answer that spans tell; see `ModelResponded`."""

    model_name: str | None
    provider_name: str | None
    input_tokens: int
    output_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int
    cost_usd: float | None
    finish_reason: str | None


def read_usage(spans: Sequence[Frame]) -> Usage:
    """Return the usage of one request, of which several spans may tell: the first that does."""
    told: JsonObject = {}
    for span in spans:
        told = {**span.attributes, **told}
    return {
        "model_name": word(told, "gen_ai.response.model", "gen_ai.request.model"),
        "provider_name": word(told, "gen_ai.provider.name", "gen_ai.system"),
        "input_tokens": _tokens(told, _INPUT),
        "output_tokens": _tokens(told, _OUTPUT),
        "cache_read_tokens": _tokens(told, _READ),
        "cache_write_tokens": _tokens(told, _WRITTEN),
        "cost_usd": _cost(told.get("operation.cost")),
        "finish_reason": _finish_reason(told),
    }


def is_counted(span: Frame) -> bool:
    """Return whether the source counted the tokens of the request."""
    return named(span.attributes, *_INPUT, *_OUTPUT) is not None


def error_of(span: Frame) -> str | None:
    """Return what went wrong in one line, None where nothing did."""
    kind = word(span.attributes, "error.type")
    if not span.failed and kind is None:
        return None
    raised = [event.attributes for event in span.events if event.name == "exception"]
    last = raised[-1] if raised else {}
    names = (word(last, "exception.type") or kind, word(last, "exception.message") or span.status)
    told = ": ".join(dict.fromkeys(" ".join(name.split()) for name in names if name))
    return writable_text(told) or "the span has the status ERROR"


def _tokens(attributes: JsonObject, names: Sequence[str]) -> int:
    count = whole_number(named(attributes, *names))
    return count if count is not None and 0 < count < _MOST_TOKENS else 0


def _cost(value: JsonValue) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value < _MOST_USD else None


def _finish_reason(attributes: JsonObject) -> str | None:
    reasons = named(
        attributes, "gen_ai.response.finish_reasons", "gen_ai.completion.0.finish_reason"
    )
    if isinstance(reasons, str) and reasons.startswith("["):
        try:
            reasons = parse_json(reasons)
        except ValueError:
            return None
    first = next(iter(read_list(reasons)), reasons)
    return word(read_object({"reason": first}), "reason")
