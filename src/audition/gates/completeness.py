"""Whether a run is the whole: what broke, measured nothing, or was not run; and what is flaky."""

from collections.abc import Iterator

from audition.evaluators.reasons import few
from audition.experiment.histories import CaseHistory
from audition.gates.findings import Finding, Verdict
from audition.gates.policy import Policy
from audition.gates.subjects import Subject
from audition.gates.wording import counted, percent
from audition.statistics.cases import CaseRuns
from audition.statistics.left_out import rates_with_errors


def completeness_findings(subject: Subject, policy: Policy) -> Iterator[Finding]:
    """Yield what says how far a run can be relied on; every gate asks for this."""
    yield _errors(subject, policy)
    yield _unmeasured(subject, policy)
    yield _whole(subject)
    if subject.selection is not None:
        yield _selection(subject, policy)
    if policy.tolerate.flaky is not None:
        yield _flaky(subject, policy.tolerate.flaky)


def _errors(subject: Subject, policy: Policy) -> Finding:
    cases = [*subject.cases.values()]
    ran = sum(case.statuses.total() for case in cases)
    broken = [case for case in cases if case.errors]
    errors = sum(case.errors for case in broken)
    allowed = policy.tolerate.errors
    is_over = errors > allowed * ran
    told = f"{errors} of {counted(ran, 'run')} broke"
    if errors:
        told += (
            f" ({percent(errors / ran)}, {_bounds(cases)}), "
            f"tolerated {percent(allowed, unlike=errors / ran)}: {few(broken, _because, most=3)}"
        )
    return Finding(
        rule="/tolerate/errors",
        subject="broken runs",
        verdict=Verdict.BROKEN if is_over else Verdict.PASSED,
        told=told,
        numbers={"errors": errors, "runs": ran, "tolerated": allowed},
        warns=bool(errors),
    )


def _because(case: CaseHistory) -> str:
    return f"{case.case}{f' ({case.reasons[0]})' if case.reasons else ''}"


def _bounds(cases: list[CaseHistory]) -> str:
    ran = [case for case in cases if case.count.runs + case.errors]
    told = rates_with_errors([CaseRuns(*case.count) for case in ran], [case.errors for case in ran])
    return f"so that {percent(told.low)} to {percent(told.high)} passed"


def _unmeasured(subject: Subject, policy: Policy) -> Finding:
    empty = [case for case in subject.cases.values() if case.unmeasured]
    number = sum(case.unmeasured for case in empty)
    ran = sum(case.statuses.total() for case in subject.cases.values())
    allowed = policy.tolerate.unmeasured
    is_over = number > allowed * ran
    told = f"{number} of {counted(ran, 'run')} measured nothing"
    if number:
        shown = percent(allowed, unlike=number / ran)
        told += f", neither passed nor failed, tolerated {shown}: {few(empty, _because, most=3)}"
    return Finding(
        rule="/tolerate/unmeasured",
        subject="unmeasured runs",
        verdict=Verdict.NOT_ENOUGH if is_over else Verdict.PASSED,
        told=told,
        numbers={"unmeasured": number, "runs": ran, "tolerated": allowed},
        warns=bool(number),
    )


def _whole(subject: Subject) -> Finding:
    left = sum(case.not_run for case in subject.cases.values())
    planned = sum(case.planned for case in subject.cases.values())
    why = subject.unfinished
    lacks = bool(left) or why is not None or not subject.cases
    told = f"all of {counted(planned, 'planned run')} ended"
    if not subject.cases:
        told = "the run has no case"
    elif left:
        told = f"{left} of {counted(planned, 'planned run')} did not run"
    return Finding(
        rule="",
        subject="whole run",
        verdict=Verdict.NOT_ENOUGH if lacks else Verdict.PASSED,
        told=f"{told}: {why}; `audition run --resume` finishes it" if why else told,
        numbers={"planned": planned, "not_run": left},
    )


def _selection(subject: Subject, policy: Policy) -> Finding:
    is_allowed = policy.tolerate.selection
    told = f"it is of a part of its dataset alone, {subject.selection}"
    if not is_allowed:
        told += "; the rest is not known, and `tolerate: {selection: true}` lets a part pass"
    return Finding(
        rule="/tolerate/selection",
        subject="chosen cases",
        verdict=Verdict.PASSED if is_allowed else Verdict.NOT_ENOUGH,
        told=told,
        warns=True,
    )


def _flaky(subject: Subject, allowed: float) -> Finding:
    repeated = [case for case in subject.cases.values() if case.count.runs > 1]
    flaky = [case for case in repeated if case.is_flaky]
    if not repeated:
        verdict = Verdict.NOT_ENOUGH
        told = "no case was measured twice, so nothing is known of cases that pass at times"
    else:
        share = len(flaky) / len(repeated)
        verdict = Verdict.FAILED if len(flaky) > allowed * len(repeated) else Verdict.PASSED
        told = (
            f"{len(flaky)} of {counted(len(repeated), 'repeated case')} passed at times "
            f"({percent(share)}), tolerated {percent(allowed, unlike=share)}"
        )
        told += f": {few(flaky, _times, most=3)}" if flaky else ""
    return Finding(
        rule="/tolerate/flaky",
        subject="flaky cases",
        verdict=verdict,
        told=told,
        numbers={"flaky": [case.case for case in flaky], "repeated": len(repeated)},
    )


def _times(case: CaseHistory) -> str:
    return f"{case.case} ({case.count.passed} of {case.count.runs})"
