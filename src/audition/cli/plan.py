"""`audition plan`: what a gate would say of so many cases and repeats, before they are paid."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from audition.cli.gate import Baselines, Reports, subject_of
from audition.cli.printing import Format, quiet_end

if TYPE_CHECKING:
    from collections.abc import Mapping

    from audition.gates.extrapolation import Amount
    from audition.gates.policy import Policy
    from audition.gates.subjects import Subject
    from audition.statistics.populations import Population

_MARGIN = 0.03


def plan(
    cases: Annotated[
        int, typer.Option(min=1, max=100_000, metavar="COUNT", help="How many cases.")
    ],
    repeats: Annotated[
        int, typer.Option(min=1, max=1000, metavar="COUNT", help="How often each is run.")
    ],
    baseline_repeats: Annotated[
        int | None,
        typer.Option(min=1, max=1000, metavar="COUNT", help="How often each was in the baseline."),
    ] = None,
    policy: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The gate; without one, a margin of 3 points."),
    ] = None,
    like: Annotated[
        str | None,
        typer.Option("--from", metavar="RUN", help="Cases like those of this run, as for `gate`."),
    ] = None,
    rate: Annotated[
        float | None, typer.Option(min=0, max=1, help="Else how often a case passes on average.")
    ] = None,
    spread: Annotated[
        float | None,
        typer.Option(min=0, max=0.5, help="And how much cases differ: a standard deviation."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, metavar="NUMBER", help="For drawing.")] = 0,
    simulations: Annotated[
        int,
        typer.Option(min=100, max=100_000, metavar="COUNT", help="Runs to make up, at most."),
    ] = 1000,
    reports: Reports = Path("eval-reports"),
    baselines: Baselines = Path("eval-baselines"),
    format: Annotated[Format, typer.Option(help="How it is printed.")] = Format.TABLE,  # noqa: A002  # the name of the option
) -> None:
    """Say what a gate would find with so many cases and repeats, and what they would take."""
    import json

    from audition.gates.extrapolation import amounts
    from audition.gates.planning import Intended, forecast
    from audition.reports.plan_text import plan_json, plan_table

    asked = _policy(policy)
    subject = None if like is None else subject_of(like, reports, baselines)
    intended = Intended(
        cases=cases,
        repeats=repeats,
        base_repeats=baseline_repeats or repeats,
        population=_population(subject, rate, spread),
        like=subject,
        seed=seed,
        simulations=simulations,
    )
    told = forecast(intended, asked)
    taken: Mapping[str, Amount] = {}
    if subject is not None:
        taken = amounts(subject, cases * repeats)
    with quiet_end():
        if format is Format.JSON:
            print(json.dumps(plan_json(intended, told, taken), indent=2))
        else:
            print(plan_table(intended, told, taken))


def _policy(path: Path | None) -> "Policy":
    from audition.gates.policy import Baseline, Policy
    from audition.gates.policy_file import read_policy

    if path is not None:
        return read_policy(path)
    return Policy(version=1, baseline=Baseline(margin=_MARGIN))


def _population(
    subject: "Subject | None", rate: float | None, spread: float | None
) -> "Population":
    """Return how the rates of the cases are spread, by a run or by what the call says."""
    from audition.errors import CallError
    from audition.gates.planning import spread_like
    from audition.statistics.cases import CaseRuns
    from audition.statistics.populations import population_like

    if (subject is None) == (rate is None) or (rate is None and spread is not None):
        found = "both" if rate is not None else "--spread" if spread is not None else "neither"
        wanted = "wanted a run to be like, or --rate, with or without --spread"
        raise CallError(found, what="--from and --rate", wanted=wanted)
    if subject is not None:
        counts = [CaseRuns(*case.count) for case in subject.cases.values() if case.count.runs]
        if not counts:
            raise CallError(str(subject.path), what="--from", wanted="wanted a run with results")
        return population_like(counts)
    try:
        return spread_like(rate or 0.0, spread)
    except ValueError as error:
        raise CallError(rate, what="--rate", wanted=str(error)) from None
