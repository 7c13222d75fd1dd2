"""Models whose calls are recorded in a live run, and replayed without key or network.

A call is found again by its scrubbed request (`requests`), its agent, and which time that agent
asked this in the same repeat of the same case. So cases may be replayed in any order and number at
once, and no repeat is answered from what another one recorded. Outside of a case it is the time
that one model object is asked.

A replayed response is the recorded one without its secrets, its usage included; its time is now.
"""

import os
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast, override

from pydantic import ValidationError
from pydantic_ai import RunContext
from pydantic_ai.messages import ModelMessage, ModelMessagesTypeAdapter, ModelResponse
from pydantic_ai.models import (
    CompletedStreamedResponse,
    KnownModelName,
    Model,
    ModelRequestParameters,
    StreamedResponse,
    infer_model,
)
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.native_tools import SUPPORTED_NATIVE_TOOLS, AbstractNativeTool
from pydantic_ai.providers import infer_provider_class
from pydantic_ai.settings import ModelSettings

from audition.errors import AuditionError, RecordError, SetupError, UnrecordedCall
from audition.imports import import_object
from audition.models.asking import Asking, Question
from audition.models.calls import (
    RecordedCall,
    RecordedModel,
    append_call,
    begin_calls,
    read_calls,
)
from audition.models.misses import told_miss
from audition.models.profiles import plain_profile, read_profile
from audition.models.requests import Scrub, plain_response, scrubbed_settings
from audition.redaction.records import Redactor

CALLS_VARIABLE = "AUDITION_MODEL_CALLS"
"""The environment variable that names the file of recorded calls."""

MODEL_VARIABLE = "AUDITION_MODEL"
"""The environment variable that names the live model to record; without it, calls are replayed."""

_BROKEN_STREAMS = ("incomplete", "interrupted")


def from_environment(environ: Mapping[str, str] = os.environ) -> Model:
    """Return the model that the environment asks for: one that records, or one that replays.

    Args:
        environ: `AUDITION_MODEL_CALLS` names the file. `AUDITION_MODEL` names the live model whose
            calls are recorded, as `provider:model` or `module:factory`; without it, calls are
            replayed.

    Raises:
        SetupError: A variable is missing, or names nothing that is there.
        RecordError: The file cannot be read or written, or is for another model.

    """
    named = environ.get(CALLS_VARIABLE, "").strip()
    if not named:
        msg = f"{CALLS_VARIABLE} is not set; wanted the file to record model calls into, or replay"
        raise SetupError(msg)
    live = environ.get(MODEL_VARIABLE, "").strip()
    if live:
        return RecordingModel(_live_model(live), named)
    if not Path(named).exists():
        msg = f"{CALLS_VARIABLE}: there is no {named}; set {MODEL_VARIABLE} to record it"
        raise SetupError(msg)
    return ReplayModel(named)


def _live_model(setting: str) -> Model:
    if _is_provider(setting.partition(":")[0]):
        try:
            return infer_model(setting)
        except Exception as error:  # of any provider's client: it is set up wrongly
            msg = f"{MODEL_VARIABLE}: {setting}: {type(error).__name__}: {error}"
            raise SetupError(msg) from error
    factory = import_object(setting, named_at=MODEL_VARIABLE)
    is_other = callable(factory) and factory is not from_environment  # which would never end
    made = cast("Callable[[], object]", factory)() if is_other else None
    if not isinstance(made, Model):
        msg = f"{MODEL_VARIABLE}: {setting} must be a function that returns a live model"
        raise SetupError(msg)
    return cast("Model", made)  # of any client: nobody here needs to know which


def _is_provider(prefix: str) -> bool:
    try:
        infer_provider_class(prefix)
    except ValueError:
        return False
    except ImportError:
        return True  # known, but its package is not installed: `infer_model` says which
    return True


class RecordingModel(WrapperModel):
    """A live model whose answers are kept in a file as they come.

    A call that failed, was cancelled, or whose stream was not read to its end, is not kept.

    Args:
        wrapped: The live model, or its name as `provider:model`.
        path: The file: made where it is not there, else it holds calls of the same model.
        scrub: Applied to each text of the messages to find a call again; None for nothing.

    Raises:
        RecordError: The file cannot be written, or is for another model.
        NewerFormat: It was written in a newer format.

    """

    def __init__(
        self, wrapped: Model | KnownModelName, path: str | Path, *, scrub: Scrub | None = None
    ) -> None:
        super().__init__(wrapped)
        self._path = Path(path)
        self._asking = Asking(self._path, scrub)
        settings = Redactor().whole(scrubbed_settings(self.wrapped.settings))
        begin_calls(
            self._path,
            RecordedModel(
                name=self.wrapped.model_name,
                system=self.wrapped.system,
                settings=cast("dict[str, Any]", settings),
                profile=plain_profile(self.wrapped.profile),
            ),
        )

    @override
    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """Ask the live model, and keep what it answers."""
        question = self._asking.question(messages, model_settings, model_request_parameters)
        response = await super().request(messages, model_settings, model_request_parameters)
        self._keep(question, response)
        return response

    @override
    @asynccontextmanager
    async def request_stream(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
        run_context: RunContext[Any] | None = None,
    ) -> AsyncGenerator[StreamedResponse]:
        """Ask the live model, and keep what it answered once the stream was read to its end."""
        asked = messages, model_settings, model_request_parameters, run_context
        question = self._asking.question(*asked)
        async with super().request_stream(*asked) as stream:
            yield stream
            response = stream.get()
        if response.state not in _BROKEN_STREAMS:
            self._keep(question, response)

    def _keep(self, question: Question, response: ModelResponse) -> None:
        redactor = Redactor()
        redactor.learn([question.scrubbed])
        answer = redactor.whole(plain_response(response))
        asked, request = question.told(redactor)
        call = RecordedCall(
            case=asked.case,
            repeat=asked.repeat,
            agent=asked.agent,
            # Counted when it is answered: a failed call is asked again, and a replay never fails.
            occurrence=self._asking.occurrence(question, asked),
            request=request,
            response=answer,
        )
        try:
            append_call(self._path, call)
        except AuditionError as error:
            question.case.problems.append(str(error))
            raise


class ReplayModel(Model):
    """A model that answers what was recorded, and nothing else.

    Args:
        path: The file.
        scrub: As it was when the calls were recorded.

    Raises:
        RecordError: The file cannot be read.
        NewerFormat: It was written in a newer format.

    """

    def __init__(self, path: str | Path, *, scrub: Scrub | None = None) -> None:
        self._recorded = read_calls(Path(path))
        self._asking = Asking(self._recorded.path, scrub)
        model = self._recorded.model
        profile = read_profile(model.profile)
        super().__init__(
            settings=cast("ModelSettings", model.settings) or None, profile=lambda _: profile
        )

    @property
    @override
    def model_name(self) -> str:
        """The name of the model that was recorded."""
        return self._recorded.model.name

    @property
    @override
    def system(self) -> str:
        """Its provider."""
        return self._recorded.model.system

    @classmethod
    @override
    def supported_native_tools(cls) -> frozenset[type[AbstractNativeTool]]:
        """Return all: which of them the recorded model has, its profile says."""
        return SUPPORTED_NATIVE_TOOLS

    @override
    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """Return the recorded answer.

        Raises:
            UnrecordedCall: There is none.

        """
        return self._answer(messages, model_settings, model_request_parameters)

    @override
    @asynccontextmanager
    async def request_stream(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
        run_context: RunContext[Any] | None = None,
    ) -> AsyncGenerator[StreamedResponse]:
        """Stream the recorded answer, each part of it whole.

        Raises:
            UnrecordedCall: There is none.

        """
        response = self._answer(messages, model_settings, model_request_parameters, run_context)
        yield CompletedStreamedResponse(
            response, model_request_parameters=model_request_parameters, replay_events=True
        )

    def _answer(
        self,
        messages: list[ModelMessage],
        settings: ModelSettings | None,
        parameters: ModelRequestParameters,
        context: RunContext[Any] | None = None,
    ) -> ModelResponse:
        question = self._asking.question(messages, settings, parameters, context)
        try:
            return self._recorded_answer(question)
        except AuditionError as error:
            # Whatever the team makes of it, the case says nothing about how good it is.
            question.case.problems.append(str(error))
            raise

    def _recorded_answer(self, question: Question) -> ModelResponse:
        line, call = self._recorded_call(question)
        try:
            (response,) = ModelMessagesTypeAdapter.validate_python([call.response])
        except ValidationError:
            response = None
        if not isinstance(response, ModelResponse):
            raise RecordError(str(self._recorded.path), "holds no response of a model", line)
        return replace(response, timestamp=datetime.now(UTC))

    def _recorded_call(self, question: Question) -> tuple[int, RecordedCall]:
        recorded = self._recorded
        asked, request = question.told(Redactor())
        occurrence = self._asking.occurrence(question, asked)
        found = recorded.calls.get((asked, occurrence))
        if found is not None:
            return found
        for other in recorded.covering(asked, request):
            found = recorded.calls.get((other, self._asking.occurrence(question, other)))
            if found is not None:
                return found
        told = told_miss(recorded, asked, occurrence, request)
        raise UnrecordedCall(str(recorded.path), told)
