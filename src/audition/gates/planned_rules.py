"""The rules of a policy on runs that are made up: which cases each looks at, and its decision.

The cases of a made-up run are those of an earlier one, where there is one: first those that must
pass, then the others in turn, as often as it takes. So each has its tags.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from audition.experiment.histories import CaseHistory
from audition.gates.decisions import compared, decide_bar, decide_must_pass, margin_verdicts
from audition.gates.findings import WORST_FIRST, Verdict
from audition.gates.must_pass import demands
from audition.gates.policy import Bar, Margin, MustPass, MustPassCase, Policy, Target
from audition.gates.slices import slice_of
from audition.gates.subjects import Subject
from audition.statistics.cases import CaseRuns
from audition.statistics.populations import (
    BetaPopulation,
    ObservedPopulation,
    Population,
    population_like,
)
from audition.statistics.power import Plan

type _Runs = Sequence[CaseRuns]
type Decide = Callable[[_Runs, _Runs], Verdict]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedRule:
    """A rule on made-up runs.

    Attributes:
        told: What it looks at and wants, in words.
        places: Its cases among those of the plan, None where they are none of it: such a rule is
            tried alone.
        margin: The margin, None where it is no such rule: several are tested together.
        decide: Its verdict on the runs of its cases before and now.
        alone: What it is tried on alone.

    """

    told: str
    places: Sequence[int] | None
    margin: float | None
    decide: Decide
    alone: Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedRules:
    """All rules on made-up runs.

    Attributes:
        plan: What all of them are tried on together.
        rules: Those that can be tried, in the order of the policy.
        untold: Those that cannot, and why.
        policy: Where they stand.

    """

    plan: Plan
    rules: Sequence[PlannedRule]
    untold: Sequence[str]
    policy: Policy

    def joint_verdict(self, base: _Runs, now: _Runs) -> Verdict:
        """Return the verdict of all rules on the cases of the plan together."""
        found = set[Verdict]()
        margins = list[tuple[float, _Runs, _Runs]]()
        for rule in self.rules:
            if rule.places is None:
                continue
            before, after = ([side[place] for place in rule.places] for side in (base, now))
            if rule.margin is None:
                found.add(rule.decide(before, after))
            else:
                margins.append((rule.margin, before, after))
        found.update(_margins(margins, self.policy))
        return next((verdict for verdict in WORST_FIRST if verdict in found), Verdict.PASSED)


def _margins(margins: Sequence[tuple[float, _Runs, _Runs]], policy: Policy) -> list[Verdict]:
    confidence = policy.confidence
    each = [
        compared((before, now), margin, confidence=confidence) for margin, before, now in margins
    ]
    correction = policy.baseline.correction if policy.baseline is not None else "none"
    found = margin_verdicts(each, confidence=confidence, correction=correction)
    return [verdict for verdict, _ in found]


def planned_rules(plan: Plan, policy: Policy, like: Subject | None) -> PlannedRules:
    """Return the rules of a policy that can be tried, and those that cannot.

    Args:
        plan: The cases and repeats.
        policy: The rules.
        like: The earlier run whose cases they are, None where there is none.

    """
    made = _Maker(plan, policy, like)
    made.must_pass()
    for bar in policy.bars:
        made.bar(bar)
    for _, margin in policy.baseline.margins if policy.baseline is not None else ():
        made.margin(margin)
    made.others()
    return PlannedRules(plan=made.plan, rules=made.rules, untold=made.untold, policy=policy)


class _Maker:
    """Makes the rules one by one; knows which case of the earlier run stands at which place."""

    def __init__(self, plan: Plan, policy: Policy, like: Subject | None) -> None:
        self.rules: list[PlannedRule] = []
        self.untold: list[str] = []
        self._policy, self._like = policy, like
        wanted = demands(like, policy.must_pass or MustPass()) if like is not None else []
        self._demands = [demand for demand in wanted if demand.case.count.runs][: plan.cases]
        self._cases = self._placed(plan.cases)
        special = [_as_seen(demand.case, plan.population) for demand in self._demands]
        self.plan = replace(plan, special=special)

    def _placed(self, count: int) -> list[CaseHistory]:
        if self._like is None:
            return []
        first = [demand.case for demand in self._demands]
        ids = {case.case_id for case in first}
        others = [case for case in self._like.cases.values() if case.case_id not in ids] or first
        return [*first, *(others[at % len(others)] for at in range(count - len(first)))]

    def must_pass(self) -> None:
        """Add the cases that must pass, with the repeats that each needs."""
        rule = self._policy.must_pass
        needs = [demand.repeats for demand in self._demands]
        if self._like is None and rule is not None:
            named = [one.repeats if isinstance(one, MustPassCase) else rule.repeats
                     for one in rule.cases]  # fmt: skip
            needs = [rule.repeats] * self.plan.cases if rule.every else named
            if rule.marked and not rule.every:
                self.untold.append("cases that the dataset marks `must_pass`: name a run of them")
        needs = needs[: self.plan.cases]
        if not needs:
            return

        def decide(_: _Runs, now: _Runs) -> Verdict:
            found = {decide_must_pass(case, need) for case, need in zip(now, needs, strict=True)}
            return next(verdict for verdict in WORST_FIRST if verdict in found)

        alone = replace(self.plan, cases=len(needs))
        told = f"must pass, {len(needs)} of the cases"
        self._add(told, range(len(needs)), decide, alone)

    def bar(self, bar: Bar) -> None:
        """Add a bar."""
        confidence = self._policy.confidence

        def decide(_: _Runs, now: _Runs) -> Verdict:
            return decide_bar(now, bar.at_least, confidence=confidence)

        self._target(bar, f"{bar} at least {100 * bar.at_least:g} %", decide)

    def margin(self, margin: Margin) -> None:
        """Add a margin."""

        def decide(base: _Runs, now: _Runs) -> Verdict:
            return _margins([(margin.margin, base, now)], self._policy)[0]

        told = f"{margin} less than {100 * margin.margin:g} points worse"
        self._target(margin, told, decide, margin=margin.margin)

    def others(self) -> None:
        """Name the rules that are about something else than pass rates."""
        policy = self._policy
        named = (
            ("scores", bool(policy.scores)),
            ("budgets", policy.budgets is not None),
            ("flaky cases", policy.tolerate.flaky is not None),
        )
        self.untold += [
            f"{what}: nothing says how they would be" for what, is_asked in named if is_asked
        ]

    def _target(
        self, target: Target, told: str, decide: Decide, *, margin: float | None = None
    ) -> None:
        if target.named is None:
            self._add(told, range(self.plan.cases), decide, self.plan, margin=margin)
            return
        if self._like is None:
            self.untold.append(f"{target}: name a run, to know of how many cases it is")
            return
        part = slice_of(self._like, target)
        if part is None or not part.counts:
            self.untold.append(f"{target}: the run has none of it, so that the gate would fail")
            return
        population = population_like(part.counts)
        if target.tag is not None:
            places = [at for at, case in enumerate(self._cases) if target.tag in case.tags]
            count = len(places)
        else:
            places, count = None, round(self.plan.cases * len(part.counts) / len(self._like.cases))
        alone = replace(self.plan, cases=max(1, count), population=population, special=())
        self._add(told, places, decide, alone, margin=margin)

    def _add(
        self,
        told: str,
        places: Sequence[int] | None,
        decide: Decide,
        alone: Plan,
        *,
        margin: float | None = None,
    ) -> None:
        self.rules.append(
            PlannedRule(told=told, places=places, margin=margin, decide=decide, alone=alone)
        )


def _as_seen(case: CaseHistory, population: Population) -> Population:
    """Return what the runs of a case say of its rate, after how those of all are spread."""
    prior = population.prior if isinstance(population, ObservedPopulation) else BetaPopulation(1, 1)
    return ObservedPopulation((CaseRuns(*case.count),), prior)
