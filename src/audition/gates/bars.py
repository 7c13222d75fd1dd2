"""Bars: pass rates that must be shown, and means of scores."""

from collections.abc import Iterator
from math import isclose
from statistics import fmean

from audition.datasets.problems import accepted
from audition.gates.decisions import bar_verdict, cases_wanted
from audition.gates.findings import Finding, Verdict
from audition.gates.policy import Bar, Policy, ScoreBar
from audition.gates.slices import Slice, known_names, slice_of
from audition.gates.subjects import Subject
from audition.gates.wording import counted, interval, passed_of, percent
from audition.statistics.rates import pass_rate


def bar_findings(subject: Subject, policy: Policy) -> Iterator[Finding]:
    """Yield what becomes of each bar of a policy."""
    for place, bar in enumerate(policy.bars):
        yield _of_rate(subject, bar, policy, f"/bars/{place}")
    for place, score in enumerate(policy.scores):
        yield _of_score(subject, score, policy, f"/scores/{place}")


def absent(subject: Subject, kind: str, name: str, rule: str) -> Finding:
    """Return the finding of a rule on something that the run does not have: it fails.

    Args:
        subject: The run.
        kind: What was looked for: "tag", "layer", "evaluator", "agent" or "score".
        name: Its name.
        rule: The place of the rule.

    """
    known = accepted(name, known_names(subject, kind), otherwise=f"it has no {kind} at all")
    told = f"the run has no {kind} of this name; {known}"
    return Finding(rule=rule, subject=f"{kind} {name}", verdict=Verdict.FAILED, told=told)


def _of_rate(subject: Subject, bar: Bar, policy: Policy, rule: str) -> Finding:
    part = slice_of(subject, bar)
    if part is None and bar.named is not None:
        return absent(subject, *bar.named, rule)
    if part is None or not part.counts:
        told = f"no run was measured, wanted at least {percent(bar.at_least)} passed"
        return Finding(rule=rule, subject=str(bar), verdict=Verdict.NOT_ENOUGH, told=told)
    rate = pass_rate(part.counts, confidence=policy.confidence)
    verdict = bar_verdict(rate, bar.at_least)
    holes = _holes(part)
    if verdict is Verdict.PASSED and part.unmeasured > policy.tolerate.unmeasured * _runs(part):
        verdict = Verdict.NOT_ENOUGH
    low = rate.interval
    told = (
        f"{passed_of(part.counts)}{holes}, {interval(low, unlike=bar.at_least)}, "
        f"wanted at least {percent(bar.at_least)}: {_means(part, bar, policy, verdict)}"
    )
    return Finding(
        rule=rule,
        subject=str(bar),
        verdict=verdict,
        told=told,
        numbers={
            "rate": rate.value,
            "low": low.low,
            "high": low.high,
            "confidence": low.confidence,
            "at_least": bar.at_least,
            "cases": len(part.counts),
            "runs": sum(count.runs for count in part.counts),
            "passed": sum(count.passed for count in part.counts),
            "broken": part.broken,
            "unmeasured": part.unmeasured,
        },
    )


def _runs(part: Slice) -> int:
    return sum(count.runs for count in part.counts) + part.unmeasured


def _holes(part: Slice) -> str:
    lost = (
        (part.broken, "broke"),
        (part.unmeasured, "measured nothing"),
    )
    told = ", ".join(f"{counted(number, 'run')} {what}" for number, what in lost if number)
    return f" ({told})" if told else ""


def _means(part: Slice, bar: Bar, policy: Policy, verdict: Verdict) -> str:
    """Return what an interval means for a bar."""
    confidence = policy.confidence
    if verdict is Verdict.PASSED:
        return "shown"
    if verdict is Verdict.FAILED:
        return "not even the upper end reaches it"
    wanted = cases_wanted(part.counts, bar.at_least, confidence=confidence)
    if wanted is None:
        return "the rate itself is not above it, so that more cases would not show it"
    more = wanted - len(part.counts)
    if not more:  # shown, but for what was not measured
        return "the lower end reaches it, but what measured nothing is not known"
    return (
        f"the lower end is below it; about {counted(more, 'more case')} at this rate would show it"
    )


def _of_score(subject: Subject, bar: ScoreBar, policy: Policy, rule: str) -> Finding:
    means = [fmean(case.scores[bar.score]) for case in subject.cases.values()
             if bar.score in case.scores]  # fmt: skip
    if not means:
        return absent(subject, "score", bar.score, rule)
    mean = fmean(means)
    reached = mean >= bar.at_least or isclose(mean, bar.at_least, rel_tol=1e-9)
    holes = [
        case for case in subject.cases.values() if case.unmeasured and bar.score not in case.scores
    ]
    verdict = Verdict.PASSED if reached else Verdict.FAILED
    if reached and len(holes) > policy.tolerate.unmeasured * len(subject.cases):
        verdict = Verdict.NOT_ENOUGH
    hidden = f", {len(holes)} not evaluated" if holes else ""
    told = (
        f"mean {mean:.4g} over {counted(len(means), 'case')} of {len(subject.cases)}{hidden}, "
        f"wanted at least {bar.at_least:g}"
    )
    return Finding(
        rule=rule,
        subject=f"score {bar.score}",
        verdict=verdict,
        told=told,
        numbers={"mean": mean, "cases": len(means), "at_least": bar.at_least},
    )
