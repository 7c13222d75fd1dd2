"""What a run took, beside what it may take. What is not known is within no limit."""

from collections.abc import Callable, Iterator, Sequence

from audition.evaluators.reasons import few
from audition.experiment.histories import CaseHistory
from audition.gates.findings import Finding, Verdict
from audition.gates.policy import Budgets, Policy
from audition.gates.subjects import Subject
from audition.gates.wording import counted
from audition.statistics.samples import quantile

_RULE = "/budgets"


def budget_findings(subject: Subject, policy: Policy) -> Iterator[Finding]:
    """Yield what becomes of each budget of a policy; of a repeat, the attempt that counts."""
    budgets = policy.budgets or Budgets()
    cases = [*subject.cases.values()]
    if budgets.cost_usd is not None:
        yield _total(cases, "cost_usd", budgets.cost_usd, _dollars)
    if budgets.tokens is not None:
        yield _total(cases, "tokens", budgets.tokens, lambda amount: f"{amount:,.0f} tokens")
    if budgets.seconds_p95 is not None:
        yield _seconds(cases, budgets.seconds_p95)
    if budgets.tool_calls_per_case is not None:
        yield _tool_calls(cases, budgets.tool_calls_per_case)


def _dollars(amount: float) -> str:
    return f"${amount:.4g}"


def _total(
    cases: Sequence[CaseHistory], what: str, most: float, tell: Callable[[float], str]
) -> Finding:
    amounts = [_AMOUNTS[what](case) for case in cases]
    used = float(sum(map(sum, amounts)))
    ran = sum(case.statuses.total() for case in cases)
    unknown = ran - sum(map(len, amounts))
    told = f"{tell(used)} in {counted(ran, 'run')}, wanted at most {tell(most)}"
    verdict = Verdict.FAILED if used > most else Verdict.PASSED
    if unknown:
        verdict = verdict if used > most else Verdict.NOT_ENOUGH
        told += f"; {unknown} of them do not say theirs"
    numbers = {"used": used, "at_most": most, "unknown": unknown}
    return Finding(
        rule=f"{_RULE}/{what}",
        subject=_SUBJECTS[what],
        verdict=verdict,
        told=told,
        numbers=dict(numbers),
    )


_AMOUNTS: dict[str, Callable[[CaseHistory], Sequence[float]]] = {
    "cost_usd": lambda case: case.costs_usd,
    "tokens": lambda case: case.tokens,
}
_SUBJECTS = {"cost_usd": "cost", "tokens": "tokens"}


def _seconds(cases: Sequence[CaseHistory], most: float) -> Finding:
    samples = [case.seconds for case in cases if case.seconds]
    rule, subject = f"{_RULE}/seconds_p95", "seconds"
    if not samples:
        told = f"no run has a time, wanted a 95th percentile of {most:g} s at most"
        return Finding(rule=rule, subject=subject, verdict=Verdict.NOT_ENOUGH, told=told)
    found = quantile(samples, 0.95)
    told = f"95th percentile {found.value:.3g} s, wanted at most {most:g} s"
    return Finding(
        rule=rule,
        subject=subject,
        verdict=Verdict.PASSED if found.value <= most else Verdict.FAILED,
        told=told,
        numbers={"p95": found.value, "low": found.low, "high": found.high, "at_most": most},
    )


def _tool_calls(cases: Sequence[CaseHistory], most: int) -> Finding:
    over = [case for case in cases if max(case.tool_calls, default=0) > most]
    highest = max((max(case.tool_calls, default=0) for case in cases), default=0)
    told = f"at most {highest} in a run, wanted at most {most}"
    if over:
        named = few(over, lambda case: f"{case.case} ({max(case.tool_calls)})", most=3)
        told = f"{counted(len(over), 'case')} called more than {most}: {named}"
    return Finding(
        rule=f"{_RULE}/tool_calls_per_case",
        subject="tool calls",
        verdict=Verdict.FAILED if over else Verdict.PASSED,
        told=told,
        numbers={"most": highest, "at_most": most, "over": [case.case for case in over]},
    )
