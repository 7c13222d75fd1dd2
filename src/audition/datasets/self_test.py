"""Whether the evaluators of a file tell good from bad, proved on recordings of both.

Nothing is asked of a judge: it needs a model, and is proved by its calibration.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic_evals import Case

from audition.datasets.loading import LoadedDataset
from audition.errors import Problem, RecordError, tell_error
from audition.evaluators.case_evaluator import CaseEvaluator, Finding, Layer, Severity
from audition.evaluators.reasons import few
from audition.evaluators.view import EvidenceView
from audition.output import CaseOutput
from audition.sessions import SessionInput, read_output

MOST_RECORDINGS = 50
"""Recordings of a file that an evaluator which held on those of its case is tried on."""

_SHOWN = 500
_NAMED = 10


@dataclass(slots=True, kw_only=True)
class SelfTestResult:
    """What the recordings of a file say of its evaluators.

    Attributes:
        told_apart: The cases whose evaluators tell their recordings apart, each with the names of
            the assertions that fail on the bad one.
        problems: Where they do not.
        warnings: What the recordings do not show.

    """

    told_apart: dict[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    problems: list[Problem] = field(default_factory=list[Problem])
    warnings: list[Problem] = field(default_factory=list[Problem])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Recording:
    """A conversation that is known to be good or bad, and where its file is named."""

    file: str
    pointer: str
    output: CaseOutput


@dataclass(frozen=True, slots=True, kw_only=True)
class _Placed:
    """What must hold, and where it is written; None where that is the contract."""

    pointer: str | None
    evaluator: CaseEvaluator

    @property
    def name(self) -> str:
        return self.evaluator.get_default_evaluation_name()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tested:
    """A case with its recordings and what must hold of it."""

    name: str
    good: _Recording
    bad: _Recording
    evaluators: Sequence[_Placed]


def self_test(loaded: LoadedDataset) -> SelfTestResult:
    """Return whether the evaluators of each case tell its good recording from its bad one.

    On the good one all that must hold does; on the bad one something that must hold does not.
    What is wrong, or not shown, is in the result and raises nothing.
    """
    result = SelfTestResult()
    found = (_tested(loaded, place, result) for place in range(len(loaded.dataset.cases)))
    tested = [one for one in found if one is not None]
    held = [placed for one in tested for placed in _judge(one, result)]
    recordings = [recording for one in tested for recording in (one.good, one.bad)]
    result.warnings += _never_failing(held, recordings[:MOST_RECORDINGS])
    result.warnings += _without(loaded)
    return result


def _tested(loaded: LoadedDataset, place: int, result: SelfTestResult) -> _Tested | None:
    """Return a case with its recordings, None where it names none or one cannot be read."""
    case = loaded.dataset.cases[place]
    named = loaded.plans[case.name or ""].self_test
    if named is None:
        return None
    at = f"/cases/{place}"
    read = [
        _read(loaded, case, file, f"{at}/self_test/{kind}")
        for kind, file in (("good", named.good), ("bad", named.bad))
    ]
    result.problems += [one for one in read if isinstance(one, Problem)]
    good, bad = read
    if isinstance(good, Problem) or isinstance(bad, Problem):
        return None
    evaluators = list(_that_must_hold(loaded, case))
    return _Tested(name=case.name or "", good=good, bad=bad, evaluators=evaluators)


def _read(
    loaded: LoadedDataset, case: Case[Any, Any, Any], file: str, pointer: str
) -> _Recording | Problem:
    try:
        output = read_output(_inputs(case.inputs, str(loaded.path.parent / file)))
    except RecordError as error:
        wanted = "name a recording or a session that can be read"
        return Problem(pointer=pointer, found=str(error), wanted=wanted)
    return _Recording(file=file, pointer=pointer, output=output)


def _inputs(inputs: Any, session: str) -> SessionInput:
    """Return what is judged of a recording: the whole of it, as the case would look at it."""
    if not isinstance(inputs, SessionInput):
        return SessionInput(session=session, tool_rules=inputs.tool_rules)
    whole = {"session": session, "source": None, "session_id": None, "invocation": None}
    return inputs.model_copy(update=whole)


def _that_must_hold(loaded: LoadedDataset, case: Case[Any, Any, Any]) -> Iterator[_Placed]:
    """Yield the evaluators of a case whose failure fails it, its own before the contract's."""
    own = zip(loaded.plans[case.name or ""].pointers, case.evaluators, strict=True)
    for pointer, one in [*own, *((None, one) for one in loaded.dataset.evaluators)]:
        if isinstance(one, CaseEvaluator) and _must_hold(one):
            yield _Placed(pointer=pointer, evaluator=one)


def _must_hold(evaluator: CaseEvaluator) -> bool:
    return evaluator.severity is Severity.MUST and evaluator.layer is not Layer.JUDGE


def _judge(one: _Tested, result: SelfTestResult) -> list[_Placed]:
    """Put what the recordings of a case show to the result; return what held on both of them."""
    problems = [*_ended_early(one.good)]
    failing: list[str] = []
    held: list[_Placed] = []
    for placed in one.evaluators:
        good, bad = _finding(placed, one.good), _finding(placed, one.bad)
        problems += [found for found in (good, bad) if isinstance(found, Problem)]
        if isinstance(good, Finding) and not good.ok:
            problems.append(_fails_on_good(placed, one.good, good.reason))
        if isinstance(bad, Finding) and not bad.ok:
            failing.append(placed.name)
        elif isinstance(bad, Finding):
            held.append(placed)
    if not failing:
        problems.append(_passes_as_bad(one.bad, len(one.evaluators)))
    if not problems:
        result.told_apart[one.name] = failing
    result.problems += problems
    result.warnings += _proves_little(one.bad)
    return held


def _finding(placed: _Placed, recording: _Recording) -> Finding | Problem:
    """Return what an evaluator finds, or that it could not run: it may be an application's own."""
    evaluator = placed.evaluator
    try:
        return evaluator.examine(EvidenceView(recording.output, evaluator.scope))
    except Exception as error:  # noqa: BLE001  # whatever an application's evaluator raises
        found = f"{placed.name} could not run on {recording.file}: {tell_error(error)}"
        return Problem(pointer=placed.pointer or recording.pointer, found=found, wanted=_MEND)


_MEND = "mend the evaluator, or name another recording"


def _fails_on_good(placed: _Placed, good: _Recording, reason: str) -> Problem:
    told = f"{placed.name} fails on the good recording {good.file}: {reason[:_SHOWN]}"
    return Problem(pointer=placed.pointer or good.pointer, found=told, wanted=_MEND)


def _passes_as_bad(bad: _Recording, count: int) -> Problem:
    told = f"all {count} assertion(s) that must hold do on the bad recording {bad.file}"
    wanted = "add an evaluator that fails on it, or name another recording"
    return Problem(pointer=bad.pointer, found=told, wanted=wanted)


def _ended_early(good: _Recording) -> Iterator[Problem]:
    """Yield a problem where the good recording is of a case that would be an error in a run."""
    if not good.output.completed:
        told = f"the good recording {good.file} ended with {good.output.completion_reason}"
        wanted = "name one whose turns were all completed"
        yield Problem(pointer=good.pointer, found=told, wanted=wanted)


def _proves_little(bad: _Recording) -> Iterator[Problem]:
    """Yield a warning where the bad recording broke: nearly everything fails on such a one."""
    if not bad.output.completed:
        told = f"the bad recording {bad.file} ended with {bad.output.completion_reason}"
        wanted = "name one that was completed and went wrong: a run that broke fails by itself"
        yield Problem(pointer=bad.pointer, found=told, wanted=wanted)


def _never_failing(held: Sequence[_Placed], recordings: Sequence[_Recording]) -> Iterator[Problem]:
    """Yield a warning for each evaluator of a case that fails on no recording of the file."""
    for placed in held:
        if placed.pointer is None:
            continue  # the contract's are not this file's
        findings = (_finding(placed, recording) for recording in recordings)
        if all(isinstance(found, Problem) or found.ok for found in findings):
            told = f"{placed.name} holds on every recording of the file"
            wanted = "name a recording on which it fails: nothing shows that it can"
            yield Problem(pointer=placed.pointer, found=told, wanted=wanted)


def _without(loaded: LoadedDataset) -> Iterator[Problem]:
    """Yield a warning where cases name no recordings."""
    names = [name for name, plan in loaded.plans.items() if plan.self_test is None]
    if names:
        told = few(names, most=_NAMED, separator=", ")
        told = f"{len(names)} case(s) have no self_test: {told}"
        yield Problem(pointer="/cases", found=told, wanted="name a good and a bad recording")
