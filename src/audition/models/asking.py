"""Who asks a model what, and where: what a recorded call is found by."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import JsonValue
from pydantic_ai import RunContext

# The one way to learn which agent asks: of a model's methods, that for streams alone is told.
from pydantic_ai._run_context import get_current_run_context
from pydantic_ai.messages import ModelMessage
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.settings import ModelSettings

from audition.models.calls import Asked, request_hash
from audition.models.requests import (
    Scrub,
    scrubbed_request,
    with_canonical_texts,
)
from audition.redaction.records import Redactor
from audition.running_case import RunningCase, running_case
from audition.values import writable_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A request to a model, with its secrets.

    Attributes:
        case: What counts how often it is asked.
        agent: Who asks, None where none is known.
        scrubbed: What is asked, without what changes from run to run.

    """

    case: RunningCase
    agent: str | None
    scrubbed: JsonValue

    def told(self, redactor: Redactor) -> tuple[Asked, JsonValue]:
        """Return who asks, and what is asked, without secrets.

        Args:
            redactor: May know some from elsewhere.

        """
        request = with_canonical_texts(redactor.whole(self.scrubbed))
        asked = Asked(
            case=_without_secrets(self.case.name),
            repeat=self.case.repeat,
            agent=_without_secrets(self.agent),
            request_hash=request_hash(request),
        )
        return asked, request


class Asking:
    """Makes questions of requests, and counts them.

    Args:
        path: The recording: two of them count apart.
        scrub: Applied to each text of the messages, None for nothing.

    """

    def __init__(self, path: Path, scrub: Scrub | None) -> None:
        self._path = path
        self._scrub = scrub
        self._outside = RunningCase()

    def question(
        self,
        messages: Sequence[ModelMessage],
        settings: ModelSettings | None,
        parameters: ModelRequestParameters,
        context: RunContext[Any] | None = None,
    ) -> Question:
        """Return what is asked here and now.

        Args:
            messages: The conversation.
            settings: Those of the request, None for none.
            parameters: Its tools and its output.
            context: The agent's run, None for the current one, if there is one.

        """
        return Question(
            case=running_case() or self._outside,
            agent=_agent(context or get_current_run_context()),
            scrubbed=scrubbed_request(messages, settings, parameters, scrub=self._scrub),
        )

    def occurrence(self, question: Question, asked: Asked) -> int:
        """Return which time this is that something is asked in the case of a question."""
        return question.case.count((self._path, asked))


def _agent(context: RunContext[Any] | None) -> str | None:
    return context.agent.name if context is not None and context.agent is not None else None


def _without_secrets(name: str | None) -> str | None:
    return None if name is None else Redactor().text(writable_text(name))
