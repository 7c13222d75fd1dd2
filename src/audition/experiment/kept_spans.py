"""Spans that are kept with the result of their case, and what a case sees of them again.

They stand among the attributes of its native result, so that they go where that goes, without their
secrets as all of it. Of too many none are kept: on a part of them a budget would hold.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from pydantic import ValidationError
from pydantic_core import from_json
from pydantic_evals import Case
from pydantic_evals.evaluators import EvaluatorContext
from pydantic_evals.lifecycle import CaseLifecycle
from pydantic_evals.otel import SpanTreeRecordingError
from pydantic_evals.otel.span_tree import SPAN_TREE_ADAPTER, SpanNode, SpanTree
from pydantic_evals.reporting import ReportCase

from audition.experiment.journal import CaseResult
from audition.metrics import MetricsFromRecords
from audition.output import CaseOutput
from audition.spans import SpansFromRecords, with_spans

SPANS = "audition.spans"
"""The attribute of a native result under which the spans of its case stand."""

MOST_SPANS = 5_000
MOST_CHARACTERS = 8_000_000


class RecordsAndSpans(MetricsFromRecords, SpansFromRecords):
    """What a case gets where an evaluator may look at spans."""


class SpanKeeper:
    """A lifecycle of one case that keeps the spans which the run made itself.

    What is made of the records is made of them again.
    """

    def __init__(self) -> None:
        self._nodes: list[SpanNode] = []

    def __call__(self, case: Case[Any, Any, Any]) -> CaseLifecycle[Any, Any, Any]:
        """Return what prepares the case."""
        return _Keeping(case, self)

    def hear(self, ctx: EvaluatorContext[Any, CaseOutput, Any]) -> None:
        """Take the spans of the run, unless they may be those of another case."""
        if ctx.output.capabilities.trace_context:
            with suppress(SpanTreeRecordingError):
                self._nodes = list(ctx.span_tree)  # the tree itself gets those of the records too

    def keep(self, result: CaseResult) -> None:
        """Put the spans to the result of the case, or why there are none."""
        if isinstance(result, ReportCase) and self._nodes:
            result.attributes[SPANS] = self._bounded()

    def _bounded(self) -> object:
        if len(self._nodes) <= MOST_SPANS:
            tree = SpanTree()
            tree.add_spans(self._nodes)
            text = SPAN_TREE_ADAPTER.dump_json(tree)
            if len(text) <= MOST_CHARACTERS:
                return from_json(text)
        return (
            f"{len(self._nodes)} spans were not kept: at most {MOST_SPANS} are, "
            f"of {MOST_CHARACTERS} characters together"
        )


class _Keeping(RecordsAndSpans):
    def __init__(self, case: Case[Any, Any, Any], keeper: SpanKeeper) -> None:
        super().__init__(case)
        self._keeper = keeper

    async def prepare_context(
        self, ctx: EvaluatorContext[Any, Any, Any]
    ) -> EvaluatorContext[Any, Any, Any]:
        """Return the context as it would be without."""
        if isinstance(ctx.output, CaseOutput):
            self._keeper.hear(ctx)
        return await super().prepare_context(ctx)


def spans_kept(attributes: Mapping[str, Any]) -> SpanTree | None:
    """Return the spans that were kept among the attributes of a result, None where none were."""
    try:
        return SPAN_TREE_ADAPTER.validate_python(attributes.get(SPANS))
    except ValidationError:
        return None


def restored(
    ctx: EvaluatorContext[Any, CaseOutput, Any], kept: ReportCase[Any, CaseOutput, Any]
) -> EvaluatorContext[Any, CaseOutput, Any]:
    """Return the context of a case as it was when its result was kept."""
    seen = replace(
        ctx,
        duration=kept.task_duration,
        metrics=dict(kept.metrics),
        attributes={name: value for name, value in kept.attributes.items() if name != SPANS},
    )
    return with_spans(seen, spans_kept(kept.attributes) or SpanTree())


class Restoring:
    """A lifecycle of one case that sees what its run saw.

    Args:
        kept: Its result.

    """

    def __init__(self, kept: ReportCase[Any, CaseOutput, Any]) -> None:
        self._kept = kept

    def __call__(self, case: Case[Any, Any, Any]) -> CaseLifecycle[Any, Any, Any]:
        """Return what prepares the case."""
        return _Restored(case, self._kept)


class _Restored(RecordsAndSpans):
    def __init__(self, case: Case[Any, Any, Any], kept: ReportCase[Any, CaseOutput, Any]) -> None:
        super().__init__(case)
        self._kept = kept

    async def prepare_context(
        self, ctx: EvaluatorContext[Any, Any, Any]
    ) -> EvaluatorContext[Any, Any, Any]:
        """Return the context as it was, what the records lack of spans made of them."""
        return await super().prepare_context(restored(ctx, self._kept))
