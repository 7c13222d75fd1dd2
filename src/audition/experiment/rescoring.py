"""Outputs that were kept, judged anew: no team and no model of it is asked."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from pydantic_evals.evaluators import Evaluator
from pydantic_evals.reporting import ReportCase, ReportCaseFailure

from audition.daemon_threads import run_plain
from audition.datasets.loading import LoadedDataset
from audition.evaluators.case_evaluator import LARGE_CHARACTERS, Layer
from audition.experiment.evaluation import Evaluation, FinishedUnit, failure_of, needs_spans
from audition.experiment.journal import CaseResult, JournalLine
from audition.experiment.kept_spans import SPANS, Restoring, spans_kept
from audition.experiment.manifest import Manifest, RescoredFrom
from audition.experiment.plan import Check, name_id, plan_head, planned_cases
from audition.experiment.status import not_asked
from audition.experiment.stored import GONE, NEVER_RUN, NEW, Sorted, StoredRun, sort_out
from audition.experiment.taken_out import TakenOut
from audition.experiment.units import PlannedUnit, Unit, units_of
from audition.output import CaseOutput
from audition.running_case import running

_KEPT_NAMES = 20
"""Names of cases that a manifest has for each reason why they could not be judged anew."""


@dataclass(kw_only=True)
class Rescoring:
    """What a run has kept, judged by the evaluators of a dataset; an engine of a run.

    Attributes:
        stored: What was kept.
        loaded: The dataset, each case as often as it was run.
        evaluation: How results are judged and kept.
        gone: The names of cases of the run that the dataset has no more.
        disagreements: What the same evaluators said otherwise of the same outputs in the run.
        in_doubt: Which evaluators were not asked since secrets were taken out, by case.
        without_spans: How many cases have an evaluator of spans, and kept none of their own.

    """

    stored: StoredRun
    loaded: LoadedDataset
    evaluation: Evaluation
    gone: Sequence[str] = ()
    disagreements: list[str] = field(default_factory=list[str])
    in_doubt: list[str] = field(default_factory=list[str])
    without_spans: int = 0

    def __post_init__(self) -> None:
        """Find out what can be judged."""
        self._now = {case.case_id: case for case in planned_cases(self.loaded)}
        self._shared = plan_head(self.loaded).shared
        self.sorted: Sorted = sort_out(self.stored, units_of(self.loaded), self._now, self.gone)

    def has(self, unit: Unit) -> bool:
        """Return whether there is something to judge."""
        return unit.key in self.sorted.keys

    async def finish(
        self, planned: PlannedUnit, *, seconds_left: float | None = None
    ) -> FinishedUnit:
        """Judge what was kept of a unit."""
        del seconds_left
        unit = planned.unit
        try:
            with running(unit.case, unit.repeat, run_seed=self.evaluation.run_seed):
                result = await self._result(planned)
        except Exception as error:  # noqa: BLE001  # of one unit, and no reason to lose the others
            result = failure_of(planned, error)
        finished = await self.evaluation.judged(planned, result, cut=None)
        self._compare(finished.line)
        return replace(finished, met_rate_limit=False)  # the team met it, and is not asked again

    async def close(self) -> None:
        """Free nothing: it holds nothing."""

    async def _result(self, planned: PlannedUnit) -> CaseResult:
        kept = await self._kept(planned.unit)
        if isinstance(kept, ReportCaseFailure):
            return _failed_as_before(planned, kept)
        case = planned.case
        rules = getattr(case.inputs, "tool_rules", kept.output.tool_rules)
        output: CaseOutput = kept.output.model_copy(update={"tool_rules": rules})
        why_not = self._why_not(planned, output, kept)

        async def answer(_: object) -> CaseOutput:
            return output

        result = await self.evaluation.evaluated(
            planned, answer, lifecycle=Restoring(kept), unless=lambda one: id(one) in why_not
        )
        if isinstance(result, ReportCase):
            result.evaluator_failures += [not_asked(one, why) for one, why in why_not.values()]
            if SPANS in kept.attributes:
                result.attributes[SPANS] = kept.attributes[SPANS]
        return result

    async def _kept(self, unit: Unit) -> CaseResult:
        line = self.stored.lines.get(unit.key)
        if line is None or line.length <= LARGE_CHARACTERS:
            return self.stored.result(unit.key)
        return await run_plain(partial(self.stored.result, unit.key))

    def _why_not(
        self, planned: PlannedUnit, output: CaseOutput, kept: ReportCase[Any, Any, Any]
    ) -> dict[int, tuple[Evaluator[Any, Any, Any], str]]:
        """Return the evaluators that are not asked with the reason, by their identity."""
        every = (*planned.case.evaluators, *self.loaded.dataset.evaluators)
        if not self.stored.is_same(planned, self._now[planned.unit.case_id]):
            return {id(one): (one, "it broke, and had other inputs then") for one in every}
        spans = spans_kept(kept.attributes)
        self.without_spans += spans is None and needs_spans(every)
        if not self.stored.redacted:
            return {}
        taken = TakenOut(output, spans)
        told = ((one, taken.why_not(one)) for one in every)
        found = {id(one): (one, why) for one, why in told if why is not None}
        name = self._now[planned.unit.case_id].case
        names = [one.get_default_evaluation_name() for one, _ in found.values()]
        self.in_doubt += [f"{name}: {one}" for one in names]
        return found

    def _compare(self, line: JournalLine) -> None:
        """Note where the same evaluators say something else of the same output than in the run."""
        before = self.stored.lines.get(line.key)
        case = self.stored.cases[line.case_id].plan
        now = self._now[line.case_id]
        if before is None or case is None or case.inputs != now.inputs:
            return
        known = {**self.stored.shared, **case.checks}
        checks = {**self._shared, **now.checks}
        same = {of for of, check in checks.items() if _is_sure(check) and known.get(of) == check}
        told, shown = _by_id(before), {of: name for name, of in _ids(line)}
        for of, ok in _by_id(line).items():
            if of in same and told.get(of, ok) != ok:
                self.disagreements.append(
                    f"{line.name}: {shown[of]} was {_said(told[of])} in the run, and is {_said(ok)}"
                )

    def origin(self) -> RescoredFrom:
        """Return what the manifest says of where the outputs come from."""
        left_out = self.sorted.left_out
        return RescoredFrom(
            path=str(self.stored.path),
            sha256=self.stored.sha256,
            left_out={why: tuple(names[:_KEPT_NAMES]) for why, names in left_out.items()},
            counts={why: len(names) for why, names in left_out.items()},
        )

    def described(self, manifest: Manifest) -> Manifest:
        """Return a manifest that says whose outputs are judged: what answered is not what runs."""
        before = self.stored.manifest
        told: dict[str, Any] = {"rescored_from": self.origin()}
        if before is not None:
            told |= {
                "application": before.application,
                "application_version": before.application_version,
                "configuration": before.configuration,
            }
        elif self.stored.application is not None:
            told |= {"application": self.stored.application, "application_version": None}
        return manifest.model_copy(update=told)

    def notes(self) -> Iterator[tuple[str, Sequence[str]]]:
        """Yield what could not be judged anew, and the names of the cases."""
        texts = {NEW: f"{NEW}, so not run", NEVER_RUN: f"{NEVER_RUN}, so not run"}
        for why, names in self.sorted.left_out.items():
            what = "of the run" if why == GONE else "of the dataset"
            yield f"{len(names)} case(s) {what} cannot be rescored, {texts.get(why, why)}", names


def _failed_as_before(
    planned: PlannedUnit, kept: ReportCaseFailure[Any, Any, Any]
) -> ReportCaseFailure[Any, Any, Any]:
    unit, case = planned.unit, planned.case
    return replace(
        kept,
        name=unit.name,
        inputs=case.inputs,
        metadata=case.metadata,
        expected_output=case.expected_output,
        source_case_name=unit.case if unit.repeats > 1 else None,
    )


def _is_sure(check: Check) -> bool:
    """Return whether an evaluator says the same of the same output: ours do, a judge need not."""
    return check.layer not in {None, str(Layer.JUDGE)}


def _ids(line: JournalLine) -> Iterator[tuple[str, str]]:
    yield from ((name, line.renamed.get(name) or name_id(name)) for name in line.assertions)


def _by_id(line: JournalLine) -> Mapping[str, bool]:
    return {of: line.assertions[name] for name, of in _ids(line)}


def _said(ok: bool) -> str:  # noqa: FBT001  # a verdict
    return "passed" if ok else "failed"


def as_often(loaded: LoadedDataset, stored: StoredRun) -> LoadedDataset:
    """Return a dataset whose cases are repeated as often as they were run."""
    plans = {
        name: replace(plan, repeat=stored.cases[name_id(name)].repeats)
        if name_id(name) in stored.cases
        else plan
        for name, plan in loaded.plans.items()
    }
    return replace(loaded, plans=plans)


async def nobody(_: object) -> CaseOutput:
    """Answer nothing: in the place of the task of a run whose outputs were kept."""
    msg = "a team was asked though its outputs are judged anew"
    raise AssertionError(msg)
