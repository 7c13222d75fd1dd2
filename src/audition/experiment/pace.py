"""How many cases run at a time, so that the models they use are not asked too often.

Additive increase, multiplicative decrease, for each model apart (Chiu and Jain 1989): a case that
met a rate limit halves the number of those that may run with its models, each that met none adds
its share of one.
"""

import asyncio
import re
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

UNKNOWN = "unknown"
"""Stands for the model of a case that has not told yet which it uses."""

_RATE_LIMIT = re.compile(
    r"\b(?:429|529)\b|\brate[\s_-]?limit|too many requests|overloaded_error|resource[\s_]exhausted",
    re.IGNORECASE,
)


def met_rate_limit(errors: Iterable[str]) -> bool:
    """Return whether a provider of models refused for its limits, by what broke.

    Args:
        errors: Texts of errors; answers are none.

    """
    return any(_RATE_LIMIT.search(error) for error in errors)


@dataclass(slots=True)
class _Model:
    """What may run at a time with a model.

    Attributes:
        limit: How many may, as far as is known; its whole part counts.
        running: How many do.
        lowered_at: The number of the last case that had begun when the limit was lowered: what
            began before it says nothing about the new one.

    """

    limit: float
    running: int = 0
    lowered_at: int = 0


@dataclass(frozen=True, slots=True)
class Slot:
    """The place of a running case.

    Attributes:
        models: The models it is expected to use.
        number: Which case it is, in the order of beginning.

    """

    models: tuple[str, ...]
    number: int


class Pace:
    """Lets cases begin as their models bear it.

    Args:
        most: How many may run at a time where no limit is met.

    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._models: dict[str, _Model] = {}
        self._of_case: dict[str, tuple[str, ...]] = {}
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._begun = 0

    def limit(self, model: str) -> int:
        """Return how many cases may run at a time with a model."""
        found = self._models.get(model)
        return self._most if found is None else int(found.limit)

    async def begin(self, case_id: str) -> Slot:
        """Wait until a case may begin, and return its place."""
        models = self._of_case.get(case_id) or tuple(self._models) or (UNKNOWN,)
        while not all(self._has_room(model) for model in models):
            waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(waiting)
            await waiting
        for model in models:
            self._model(model).running += 1
        self._begun += 1
        return Slot(models, self._begun)

    def end(
        self, slot: Slot, case_id: str, *, models: Iterable[str] = (), limited: bool = False
    ) -> None:
        """Take note that a case is over.

        Args:
            slot: Its place.
            case_id: What tells the case from others.
            models: The models that it did use.
            limited: It met a rate limit.

        """
        for model in slot.models:
            self._model(model).running -= 1
        used = tuple(models) or slot.models
        if models:
            self._of_case[case_id] = used
        for model in used:
            self._adapt(self._model(model), slot, limited=limited)
        while self._waiting:
            waiting = self._waiting.popleft()
            if not waiting.done():
                waiting.set_result(None)

    def _adapt(self, model: _Model, slot: Slot, *, limited: bool) -> None:
        if not limited:
            model.limit = min(self._most, model.limit + 1 / model.limit)
        elif slot.number > model.lowered_at:
            model.limit = max(1.0, model.limit / 2)
            model.lowered_at = self._begun

    def _has_room(self, model: str) -> bool:
        found = self._model(model)
        return found.running < int(found.limit)

    def _model(self, model: str) -> _Model:
        return self._models.setdefault(model, _Model(float(self._most)))
