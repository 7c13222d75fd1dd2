"""What each case of a native report did, as a run in a folder tells it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from pydantic_evals.evaluators import EvaluationResult
from pydantic_evals.reporting import ReportCase

from audition.datasets.authoring import Authoring
from audition.diagnosis.layers import evaluator_of
from audition.evaluators.builtin import by_class_name
from audition.evaluators.case_evaluator import CaseEvaluator
from audition.evaluators.reasons import shortened
from audition.experiment.histories import CaseHistory, RunHistory, add_lines
from audition.experiment.journal import CaseResult, JournalLine
from audition.experiment.kept import KeptRun, read_run
from audition.experiment.manifest import Manifest
from audition.experiment.plan import Check, check_of, fingerprint, name_id
from audition.experiment.results import UnitResult

_UNKNOWN = ""
_REASON_CHARACTERS = 300


def history_of_report(path: Path, authoring: Authoring | None = None) -> RunHistory:
    """Return what became of every case of a native report, without secrets.

    It knows less than the folder of a run: of team, packages and settings only what the report
    says of itself.

    Args:
        path: The file.
        authoring: What its application adds; None where that is not known, and then the
            evaluators of an application are taken to be `must`.

    Raises:
        RecordError: The file cannot be read, or is no such report.

    """
    kept = read_run(path)
    known = authoring or Authoring()
    types = by_class_name(known.evaluator_types)
    told = sorted(kept.unit_results(known), key=lambda one: one.unit.unit.position)
    results = [one.result for one in told]
    cases: dict[str, CaseHistory] = {}
    add_lines(cases, _lines(results, [one.unit for one in told]))
    for result in results:
        case = cases[name_id(_case_name(result))]
        case.inputs = fingerprint([result.inputs, result.metadata, result.expected_output])
        if isinstance(result, ReportCase):
            checks = {name_id(name): _check(one, types) for name, one in result.assertions.items()}
            case.checks = {**case.checks, **checks}
    shared = _shared(cases.values())
    for case in cases.values():
        case.checks = {of: check for of, check in case.checks.items() if of not in shared}
    return RunHistory(path=path, manifest=_manifest(kept), shared=shared, cases=cases)


def _shared(cases: Iterable[CaseHistory]) -> dict[str, Check]:
    """Return the evaluators of all cases: which those are, a report does not say."""
    each = [case.checks for case in cases if case.checks]
    if len(each) < 2:
        return {}
    first, *others = each
    return {of: check for of, check in first.items() if all(one.get(of) == check for one in others)}


def _case_name(result: CaseResult) -> str:
    return result.source_case_name or result.name


def _lines(results: list[CaseResult], told: list[UnitResult]) -> Iterator[JournalLine]:
    repeats = Counter(map(_case_name, results))
    positions = {name: position for position, name in enumerate(repeats)}
    seen = Counter[str]()
    for result, unit in zip(results, told, strict=True):
        name, shown = _case_name(result), unit.unit.case
        seen[name] += 1
        line = JournalLine(
            case=name if shown == result.name else shown,
            case_id=name_id(name),
            repeat=seen[name],
            repeats=repeats[name],
            position=positions[name],
            status=unit.status,
            assertions={one.name: one.ok for one in unit.assertions},
            reasons={
                one.name: shortened(one.reason or "no reason", _REASON_CHARACTERS)
                for one in unit.assertions
                if not one.ok
            },
            error=unit.error and shortened(unit.error, _REASON_CHARACTERS),
            seconds=unit.seconds,
        )
        yield line.model_copy(update=_diagnosed(unit) | _measured(result, unit))


def _diagnosed(unit: UnitResult) -> dict[str, object]:
    found = unit.diagnosis
    if found is None:
        return {}
    return {"layer": str(found.layer), "cause": found.cause, "agent": found.agent}


def _measured(result: CaseResult, unit: UnitResult) -> dict[str, object]:
    if not isinstance(result, ReportCase):
        return {}
    told = [one.name for one in unit.assertions]
    pairs = zip(told, result.assertions, strict=True)
    names = ("cost_usd", "input_tokens", "output_tokens")
    found: dict[str, object] = {
        "scores": {name: float(score.value) for name, score in result.scores.items()},
        "renamed": {shown: name_id(name) for shown, name in pairs if shown != name},
    }
    return found | {name: unit.metrics[name] for name in names if name in unit.metrics}


def _check(result: EvaluationResult[bool], types: Mapping[str, type[CaseEvaluator]]) -> Check:
    evaluator = evaluator_of(result, types)
    if evaluator is not None:
        return check_of(evaluator)
    source = result.source
    told = fingerprint([source, result.evaluator_version])
    return Check(name=result.name, fingerprint=told)


def _manifest(kept: KeptRun) -> Manifest:
    """Return what the report says of itself; what it does not is empty, and not compared."""
    return Manifest(
        experiment=kept.name,
        dataset_name=kept.name,
        dataset_path=_UNKNOWN,
        dataset_fingerprint=_UNKNOWN,
        evaluators_fingerprint=_UNKNOWN,
        application=kept.application,
        application_version=None,
        team=kept.team,
        units=kept.planned,
        model_ids=[],
        packages={},
        python=_UNKNOWN,
        git_commit=None,
        git_dirty=None,
        limits={},
        started_at=_UNKNOWN,
        exit_code=kept.code,
    )
