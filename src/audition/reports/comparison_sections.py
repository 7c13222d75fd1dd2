"""What is told of a comparison to people: section by section, the same as text and as Markdown."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from audition.comparison.comparing import ComparedRun, Comparison
from audition.comparison.differences import Difference, Family
from audition.comparison.verdicts import CaseVerdict, Verdict
from audition.evaluators.reasons import few
from audition.statistics.cases import CaseRuns
from audition.statistics.samples import Quantile

_MOST = 20
"""Cases of one verdict, or parts of a family, that are told; how many more there are is said."""

_LEVEL = 0.05

_HEADINGS = {
    Verdict.BROKEN: "Broken",
    Verdict.FIXED: "Fixed",
    Verdict.FLAKY: "Flaky: pass at times on either side",
    Verdict.CHANGED: "Changed: not compared",
    Verdict.NOT_MEASURED: "Not measured on both sides",
    Verdict.NEW: "New",
    Verdict.GONE: "Gone",
    Verdict.NOT_SELECTED: "Not selected",
}

_FAMILIES = {
    Family.EVALUATOR: "Evaluators",
    Family.TAG: "Tags: to find where to look",
    Family.LAYER: "Layers: to find where to look",
    Family.AGENT: "Agents: to find where to look",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A part of what is told.

    Attributes:
        title: What stands above it.
        lines: One thing each; what belongs to the one above it is indented by two blanks.
        head: The columns of its table, empty where it has none.
        rows: The rows of that.

    """

    title: str
    lines: Sequence[str] = ()
    head: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()


def sections(comparison: Comparison) -> Iterator[Section]:
    """Yield what is told, what makes the runs incomparable first."""
    told = [f"{one.what}: {one.base} -> {one.candidate}" for one in comparison.doubts]
    if told:
        yield Section(title="Not the same, so a difference may come from it", lines=told)
    yield Section(title="Summary", lines=list(_summary(comparison)))
    for verdict, heading in _HEADINGS.items():
        cases = [one for one in comparison.cases if one.verdict is verdict]
        if cases:
            yield Section(title=f"{heading} ({len(cases)})", lines=list(_cases(cases)))
    if comparison.moves:
        moved = [
            f"{len(one.cases)} from {one.base} to {one.candidate}: "
            + few(one.cases, separator=", ")
            for one in comparison.moves
        ]
        yield Section(title="Failures that moved", lines=_bounded(moved))
    yield from _families(comparison.differences)
    yield from _numbers(comparison)


def _summary(comparison: Comparison) -> Iterator[str]:
    for side, run in (("base", comparison.base), ("candidate", comparison.candidate)):
        yield f"{side}: {run.experiment} {run.started_at}, {run.path}"
        yield from _left_out(run)
    told = [f"{count} {verdict}" for verdict, count in comparison.counts.items() if count]
    yield f"cases: {', '.join(told) or 'none'}"
    overall = [one for one in comparison.differences if one.family is Family.ALL]
    if not overall:
        yield "pass rate: no case was measured on both sides"
    for one in overall:
        yield (
            f"pass rate: {_percent(one.base)} -> {_percent(one.candidate)}, {_points(one)}; "
            f"{one.cases} cases, p {_p(one.p_worse)} that chance alone does so badly, "
            f"{_p(one.p_changed)} that it changes so much ({one.test})"
        )
    moved = sum(len(one.cases) for one in comparison.moves)
    if moved:
        yield f"failures that moved: {moved}, which no pass rate shows"


def _left_out(run: ComparedRun) -> Iterator[str]:
    lost = (
        ("broke", run.errors),
        ("measured nothing", run.not_evaluated),
        ("not run", run.not_run),
    )
    if not any(count for _, count in lost):
        return
    told = ", ".join(f"{count} {what}" for what, count in lost if count)
    bounds = run.bounds
    rate = "" if bounds is None else f"; rate {_percent(bounds.low)} to {_percent(bounds.high)}"
    whatever = rate and " whatever those of the paired cases would have shown"
    yield f"  {run.repeats} repeats measured, {told}{rate}{whatever}"


def _cases(cases: Sequence[CaseVerdict]) -> Iterator[str]:
    for one in cases[:_MOST]:
        counts = ""
        if one.base is not None and one.candidate is not None:
            counts = f": {_of(one.base)} -> {_of(one.candidate)}"
        why = f": {'; '.join(one.why)}" if one.why else ""
        marks = [", must pass"] * one.must_pass + [", known failure"] * one.known_failure
        yield f"{one.case}{counts}{why}{''.join(marks)}"
        if one.verdict in {Verdict.BROKEN, Verdict.FLAKY, Verdict.NOT_MEASURED}:
            yield from (f"  now: {reason}" for reason in one.candidate_reasons)
        if one.verdict is not Verdict.CHANGED:
            yield from (f"  before: {reason}" for reason in one.base_reasons)
    if len(cases) > _MOST:
        yield f"and {len(cases) - _MOST} more"


def _of(runs: CaseRuns) -> str:
    return f"{runs.passed} of {runs.runs}"


def _families(found: Sequence[Difference]) -> Iterator[Section]:
    head = ("name", "cases", "base", "candidate", "difference", "p worse", "p changed", "")
    for family, heading in _FAMILIES.items():
        every = [one for one in found if one.family is family]
        ordered = sorted(every, key=lambda one: (one.adjusted_p_changed, one.name))
        if not every:
            continue
        note = f"p values are adjusted for all {len(every)} of them (Holm)"
        more = [f"and {len(every) - _MOST} more"] if len(every) > _MOST else []
        rows = [_row(one) for one in ordered[:_MOST]]
        yield Section(title=heading, lines=[note, *more], head=head, rows=rows)


def _row(one: Difference) -> Sequence[str]:
    return (
        one.name,
        str(one.cases),
        _percent(one.base),
        _percent(one.candidate),
        _points(one),
        _p(one.adjusted_p_worse),
        _p(one.adjusted_p_changed),
        _mark(one),
    )


def _mark(one: Difference) -> str:
    if one.adjusted_p_worse < _LEVEL:
        return "worse"
    return "better" if one.difference > 0 and one.adjusted_p_changed < _LEVEL else ""


def _numbers(comparison: Comparison) -> Iterator[Section]:
    if comparison.scores:
        head = ("score", "cases", "base", "candidate", "difference")
        rows = [
            (
                one.name,
                str(one.cases),
                f"{one.base:.4g}",
                f"{one.candidate:.4g}",
                f"{one.difference:+.4g}"
                + ("" if one.interval is None else _ends(one.interval.low, one.interval.high)),
            )
            for one in comparison.scores
        ]
        yield Section(title="Scores: mean over cases", head=head, rows=_bounded(rows))
    if comparison.usage:
        head = ("what", "cases", "base median", "median", "base p95", "p95", "median ratio")
        rows = [
            (
                one.name,
                str(one.cases),
                _quantile(one.base_median),
                _quantile(one.candidate_median),
                _quantile(one.base_p95),
                _quantile(one.candidate_p95),
                "" if one.ratio is None else _quantile(one.ratio),
            )
            for one in comparison.usage
        ]
        yield Section(title="Used: each case weighs the same", head=head, rows=rows)


def _bounded[T](things: Sequence[T]) -> Sequence[T]:
    return things[:_MOST]


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _points(one: Difference) -> str:
    ends = _ends(100 * one.interval.low, 100 * one.interval.high, "{:+.1f}".format)
    return f"{100 * one.difference:+.1f} points{ends}"


def _quantile(found: Quantile) -> str:
    return f"{_number(found.value)}{_ends(found.low, found.high)}"


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def _ends(low: float | None, high: float | None, tell: Callable[[float], str] = _number) -> str:
    if low is None and high is None:
        return ""
    low_told, high_told = ("?" if end is None else tell(end) for end in (low, high))
    return f" ({low_told} to {high_told})"


def _p(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"{value:.3f}"
