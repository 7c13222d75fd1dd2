"""Cases all of whose repeats must pass."""

from collections.abc import Iterator
from dataclasses import dataclass

from audition.datasets.problems import accepted
from audition.evaluators.reasons import few, shortened
from audition.experiment.histories import CaseHistory
from audition.experiment.plan import name_id
from audition.experiment.status import Status
from audition.gates.decisions import decide_must_pass
from audition.gates.findings import WORST_FIRST, Finding, Verdict
from audition.gates.policy import MustPass, MustPassCase, Policy
from audition.gates.subjects import Subject
from audition.gates.wording import counted
from audition.statistics.cases import CaseRuns

_RULE = "/must_pass"
_SUBJECT = "must pass"
_REASON = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Demand:
    """A case that must pass.

    Attributes:
        case: What became of it.
        repeats: How many repeats it must have.
        is_excused: Whether a known failure that is still excused is let through.

    """

    case: CaseHistory
    repeats: int
    is_excused: bool = False

    @property
    def verdict(self) -> Verdict:
        """Whether all its repeats passed, and there are enough; one that broke never passed."""
        passed, runs = self.case.count
        excused = self.case.statuses[Status.KNOWN_FAILURE] if self.is_excused else 0
        verdict = decide_must_pass(CaseRuns(passed + excused, runs), self.repeats)
        is_whole = not self.case.errors and not self.case.statuses[Status.NOT_EVALUATED]
        if verdict is Verdict.PASSED and not is_whole:
            return Verdict.NOT_ENOUGH
        return verdict

    def __str__(self) -> str:
        case = self.case
        passed, runs = case.count
        holes = (
            (case.errors, "broke"),
            (case.statuses[Status.NOT_EVALUATED], "measured nothing"),
            (case.not_run, "not run"),
        )
        told = [f"{passed} of {runs} passed", *(f"{many} {what}" for many, what in holes if many)]
        if passed == runs and runs < self.repeats and not any(many for many, _ in holes):
            told.append(f"wanted {self.repeats}")
        if case.known_failure is not None:
            told.append(f"known to fail until {case.known_failure}")
        reason = f": {shortened(case.reasons[0], _REASON)}" if case.reasons else ""
        return f"{case.case} ({', '.join(told)}{reason})"


def must_pass_findings(subject: Subject, policy: Policy) -> Iterator[Finding]:
    """Yield what becomes of the cases that must pass, and of those that are not there.

    What the dataset file marks must pass whether or not the policy speaks of it.
    """
    rule = policy.must_pass or MustPass()
    known = {case.case: case for case in subject.cases.values()}
    for place, one in enumerate(rule.cases):
        name = _name(one)
        if _case(subject, name) is None:
            told = f"the run has no case of this name; {accepted(name, known)}"
            at = f"{_RULE}/cases/{place}"
            yield Finding(rule=at, subject=f"case {name}", verdict=Verdict.FAILED, told=told)
    wanted = demands(subject, rule)
    if wanted:
        yield _finding(wanted)
    elif policy.must_pass is not None and not rule.cases:
        told = "no case of the run is marked with must_pass, and the policy names none"
        yield Finding(rule=_RULE, subject=_SUBJECT, verdict=Verdict.FAILED, told=told)


def demands(subject: Subject, rule: MustPass) -> list[Demand]:
    """Return the cases of a run that must pass, each once, in the order of the run."""
    own = {_name(one): one.repeats for one in rule.cases if isinstance(one, MustPassCase)}
    named = {case.case_id for one in rule.cases if (case := _case(subject, _name(one))) is not None}
    wanted: list[Demand] = []
    for case in subject.cases.values():
        is_meant = case.case_id in named or (rule.marked and case.must_pass)
        if is_meant or rule.every:
            repeats = own.get(case.case, rule.repeats)
            wanted.append(Demand(case=case, repeats=repeats, is_excused=not is_meant))
    return wanted


def _name(one: str | MustPassCase) -> str:
    return one if isinstance(one, str) else one.case


def _case(subject: Subject, name: str) -> CaseHistory | None:
    """Return the case of a name, which may be shown without a secret."""
    found = subject.cases.get(name_id(name))
    if found is not None:
        return found
    return next((case for case in subject.cases.values() if case.case == name), None)


def _finding(wanted: list[Demand]) -> Finding:
    of = {verdict: [one for one in wanted if one.verdict is verdict] for verdict in WORST_FIRST}
    verdict = next(verdict for verdict in WORST_FIRST if of[verdict])
    failed, unknown = of[Verdict.FAILED], of[Verdict.NOT_ENOUGH]
    told = [f"{len(of[Verdict.PASSED])} of {counted(len(wanted), 'case')} passed in every repeat"]
    if failed:
        told.append(f"{len(failed)} did not: {few(failed, most=3)}")
    if unknown:
        told.append(f"of {len(unknown)} it is not known: {few(unknown, most=3)}")
    return Finding(
        rule=_RULE,
        subject=_SUBJECT,
        verdict=verdict,
        told="; ".join(told),
        numbers={
            "cases": len(wanted),
            "passed": len(of[Verdict.PASSED]),
            "failed": [one.case.case for one in failed],
            "not_known": [one.case.case for one in unknown],
        },
    )
