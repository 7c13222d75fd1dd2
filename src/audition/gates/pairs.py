"""Which cases of two runs are the same, by content: a name is no identity, a fingerprint is."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from audition.evaluators.reasons import few
from audition.experiment.histories import CaseHistory
from audition.experiment.plan import Check
from audition.gates.policy import Target
from audition.gates.slices import slice_of
from audition.gates.subjects import Subject
from audition.statistics.cases import CaseRuns


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedCase:
    """A case of both runs, measured in both.

    Attributes:
        case: What became of it in the run.
        before: Its runs in the baseline.
        after: Its runs now.

    """

    case: CaseHistory
    before: CaseRuns
    after: CaseRuns

    @property
    def change(self) -> float:
        """The difference of its rates, below 0 where it got worse."""
        return self.after.passed / self.after.runs - self.before.passed / self.before.runs


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairs:
    """A target in two runs.

    Attributes:
        paired: The cases that can be compared, in the order of the run.
        changed: Cases of both that are others now, each with what of it is.
        unmeasured: Cases of both that were not measured in one of them, by name.
        new: How many cases the baseline has not.
        gone: How many only the baseline has.

    """

    paired: tuple[PairedCase, ...]
    changed: tuple[str, ...]
    unmeasured: tuple[str, ...]
    new: int
    gone: int

    @property
    def left_out(self) -> str:
        """What is not compared, in words; empty where everything is."""
        told = (
            f"{len(self.changed)} changed: {few(self.changed, most=3)}" if self.changed else "",
            f"{len(self.unmeasured)} not measured in one of both" if self.unmeasured else "",
            f"{self.new} new" if self.new else "",
            f"{self.gone} gone" if self.gone else "",
        )
        return ", ".join(filter(None, told))


def pairs_of(base: Subject, subject: Subject, target: Target) -> Pairs | None:
    """Return a target in two runs, None where the newer has nothing of this name."""
    now, then = slice_of(subject, target), slice_of(base, target)
    if now is None:
        return None
    before: Mapping[str, CaseRuns] = {} if then is None else then.by_id
    after = now.by_id
    both = [
        case
        for of, case in subject.cases.items()
        if of in base.cases and (of in after or of in before)
    ]
    told = {case.case_id: _change(base, subject, case, target) for case in both}
    same = [case for case in both if not told[case.case_id]]
    return Pairs(
        paired=tuple(
            PairedCase(case=case, before=before[case.case_id], after=after[case.case_id])
            for case in same
            if case.case_id in before and case.case_id in after
        ),
        changed=tuple(f"{case.case} ({told[case.case_id]})" for case in both if told[case.case_id]),
        unmeasured=tuple(
            case.case for case in same if (case.case_id in before) != (case.case_id in after)
        ),
        new=sum(of not in base.cases for of in after),
        gone=sum(of not in subject.cases for of in before),
    )


def _change(base: Subject, subject: Subject, case: CaseHistory, target: Target) -> str:
    """Return what of a case is another than in the baseline, as far as the target looks at it."""
    earlier = base.cases[case.case_id]
    inputs = ["its inputs"] if earlier.inputs != case.inputs else []
    before, after = base.checks(earlier), subject.checks(case)
    if before.keys() == after.keys() and all(
        check.fingerprint == before[of].fingerprint for of, check in after.items()
    ):
        return "".join(inputs)
    names = dict.fromkeys(
        check.name
        for of, check in {**before, **after}.items()
        if _print(before, of) != _print(after, of) and _is_looked_at(check, target)
    )
    evaluators = [f"its evaluators {few([*names], most=3, separator=', ')}"] if names else []
    return " and ".join([*inputs, *evaluators])


def _print(checks: Mapping[str, Check], of: str) -> str | None:
    return checks[of].fingerprint if of in checks else None


def _is_looked_at(check: Check, target: Target) -> bool:
    kind, name = target.named or ("", "")
    match kind:
        case "layer":
            return check.layer == name
        case "agent":
            return check.agent == name
        case "evaluator":
            return check.name == name
        case _:
            return True


def worst(pairs: Pairs) -> Iterator[str]:
    """Yield the cases that got worse, those that lost most first, each with both numbers."""
    worse = sorted((one for one in pairs.paired if one.change < 0), key=lambda one: one.change)
    for one in worse:
        before, after = one.before, one.after
        now = f"now {after.passed} of {after.runs}"
        yield f"{one.case.case} ({before.passed} of {before.runs}, {now})"
