"""That a run is not worse than its baseline by more than a margin."""

from collections.abc import Iterator, Sequence

from audition.evaluators.reasons import few
from audition.gates.bars import absent
from audition.gates.decisions import Compared, compared, margin_verdicts
from audition.gates.findings import Finding, Verdict
from audition.gates.pairs import Pairs, pairs_of, worst
from audition.gates.policy import Margin, Policy
from audition.gates.subjects import Subject
from audition.gates.wording import counted, percent, points
from audition.statistics.cases import case_rates

_RULE = "/baseline"


def margin_findings(subject: Subject, base: Subject | None, policy: Policy) -> Iterator[Finding]:
    """Yield what becomes of each margin of a policy; without a baseline it has none."""
    if base is None or policy.baseline is None:
        return
    margins = policy.baseline.margins
    each = [(at, margin, pairs_of(base, subject, margin)) for at, margin in margins]
    comparisons = [_compared(pairs, margin, policy) for _, margin, pairs in each]
    verdicts = margin_verdicts(
        comparisons, confidence=policy.confidence, correction=policy.baseline.correction
    )
    for (at, margin, pairs), one, (verdict, p) in zip(each, comparisons, verdicts, strict=True):
        rule = _RULE + at
        if pairs is None and margin.named is not None:
            yield absent(subject, *margin.named, rule)
        elif pairs is None or one is None:
            yield _incomparable(margin, pairs, rule)
        else:
            yield _finding(margin, pairs, one, (verdict, p), rule)


def _compared(pairs: Pairs | None, margin: Margin, policy: Policy) -> Compared | None:
    if pairs is None or not pairs.paired:
        return None
    pair = [one.before for one in pairs.paired], [one.after for one in pairs.paired]
    return compared(pair, margin.margin, confidence=policy.confidence)


def _subject(margin: Margin) -> str:
    return f"{margin} against the baseline"


def _incomparable(margin: Margin, pairs: Pairs | None, rule: str) -> Finding:
    left_out = pairs.left_out if pairs is not None else ""
    told = f"no case can be compared{f' ({left_out})' if left_out else ''}"
    return Finding(rule=rule, subject=_subject(margin), verdict=Verdict.NOT_ENOUGH, told=told)


def _finding(
    margin: Margin, pairs: Pairs, one: Compared, outcome: tuple[Verdict, float | None], rule: str
) -> Finding:
    verdict, p = outcome
    before, after = (_mean(pairs, side) for side in ("before", "after"))
    between = one.difference.interval
    left_out = f" ({pairs.left_out})" if pairs.left_out else ""
    told = (
        f"{counted(len(pairs.paired), 'case')} in common{left_out}, {percent(before)} before and "
        f"{percent(after)} now: {points(one.difference.value)} points, "
        f"{100 * between.confidence:g} % interval {points(between.low)} to {points(between.high)}, "
        f"wanted less than {_points(margin.margin)} worse: "
        f"{_means(pairs, one, verdict, p)}"
    )
    return Finding(
        rule=rule,
        subject=_subject(margin),
        verdict=verdict,
        told=told,
        numbers={
            "before": before,
            "after": after,
            "difference": one.difference.value,
            "low": between.low,
            "high": between.high,
            "confidence": between.confidence,
            "margin": margin.margin,
            "p_harm": p,
            "cases": len(pairs.paired),
            "worse": [case.case.case for case in pairs.paired if case.change < 0],
            "changed": list(pairs.changed),
            "new": pairs.new,
            "gone": pairs.gone,
        },
        warns=bool(pairs.changed),
    )


def _mean(pairs: Pairs, side: str) -> float:
    rates: Sequence[float] = case_rates([getattr(one, side) for one in pairs.paired])
    return sum(rates) / len(rates)


def _means(pairs: Pairs, one: Compared, verdict: Verdict, p: float | None) -> str:
    """Return what the interval and the test mean, with the cases that got worse."""
    if verdict is Verdict.PASSED:
        is_worse = one.difference.interval.high < 0
        return "shown, though it is worse" if is_worse else "shown"
    worse = few([*worst(pairs)], most=3)
    if verdict is Verdict.FAILED:
        return f"it got worse ({_p(p)}): {worse}"
    seen = f"; lower now: {worse}" if worse else ""
    return f"neither that nor harm is shown ({_p(p)}){seen}"


def _p(p: float | None) -> str:
    value = 1.0 if p is None else p
    return "p below 0.0001" if value < 0.0001 else f"p {value:.2g}"


def _points(margin: float) -> str:
    told = points(margin, signed=False)
    return f"{told} point{'' if told == '1' else 's'}"
