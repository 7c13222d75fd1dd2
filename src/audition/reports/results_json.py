"""The results of a run as strict JSON, written one case at a time, and the schema of that."""

import json
from collections.abc import Iterable, Iterator
from textwrap import indent
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from audition.datasets.formats import KnownFailure
from audition.evaluators.case_evaluator import Severity
from audition.experiment.kept_rows import Told
from audition.experiment.status import Status
from audition.reports.told_run import ToldRun, unmeasured
from audition.values import writable_json

FORMAT = "audition-results"
VERSION = 1

type Number = int | float
type Metric = Number | Literal["nan", "inf", "-inf"]
"""A number that JSON has, else its name."""


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)


class Counts(_Model):
    """How many (case, repeat) have each status. An error says nothing about the team's answers."""

    error: int = Field(ge=0)
    failed: int = Field(ge=0)
    not_evaluated: int = Field(ge=0)
    known_failure: int = Field(ge=0)
    passed: int = Field(ge=0)


class ScoreSummary(_Model):
    """What the values of one score add up to."""

    mean: float | None
    """Of what was measured; null where nothing was."""
    measured: int = Field(ge=0)
    unmeasured: int = Field(ge=0)
    """How often its evaluator ran and measured nothing."""


class Head(_Model):
    """The results of a run, but for its cases."""

    format: Literal["audition-results"] = FORMAT
    version: Literal[1] = VERSION
    dataset: str
    application: str | None
    team: str | None
    exit_code: int | None
    """What the process said; null where the run did not come to its end."""
    outcome: str
    """What that means, in words."""
    counts: Counts
    not_run: int = Field(ge=0)
    """How many (case, repeat) were planned and not run."""
    layers: dict[str, int]
    """How many did not pass, by first failing layer."""
    tags: dict[str, Counts]
    scores: dict[str, ScoreSummary]
    seconds: Number | None
    """Time that all cases took together."""
    cost_usd: Number | None
    """What the models cost; null where a price is not known."""
    input_tokens: int | None
    output_tokens: int | None


class Assertion(_Model):
    """One assertion of a case."""

    id: str
    ok: bool
    severity: Severity
    """Only `must` fails a case."""
    layer: str | None
    """The layer that is to blame; null where it holds."""
    cause: str | None
    reason: str | None


class Fact(_Model):
    """How far an expected fact came."""

    fact: str
    stages: dict[str, bool | None]
    """Whether it was there, by stage; null where that says nothing."""
    lost: str | None
    """The first stage that lost it."""


class CaseEntry(_Model):
    """What became of one repeat of one case."""

    case: str
    repeat: int = Field(ge=1)
    repeats: int = Field(ge=1)
    attempt: int = Field(ge=1)
    """Which attempt of this repeat it is: an error may have been run again."""
    tags: list[str]
    must_pass: bool
    known_failure: KnownFailure | None
    status: Status
    cut: str | None
    """Why the run ended it before it was over."""
    layer: str | None
    """The first failing layer."""
    cause: str | None
    agent: str | None
    """The agent that is to blame."""
    seconds: Number | None
    cost_usd: Number | None
    input_tokens: int | None
    output_tokens: int | None
    error: str | None
    """What broke outside the team."""
    facts: list[Fact]
    metrics: dict[str, Metric]
    """What was said, called and paid, all together and by agent."""
    scores: dict[str, Metric]
    unmeasured: dict[str, str]
    """Why an evaluator measured nothing, by its name."""
    assertions: list[Assertion]
    trajectory: list[dict[str, JsonValue]] | None = None
    """The chat messages; only with `--show-trajectory`."""


class NotRun(_Model):
    """A (case, repeat) that was planned and not run."""

    case: str
    repeat: int = Field(ge=1)


class Results(Head):
    """The results of a run."""

    cases: list[CaseEntry]
    """Those that were run, the worst first."""
    not_run_cases: list[NotRun]


def results_schema() -> dict[str, Any]:
    """Return the JSON Schema of the results of a run."""
    made = Results.model_json_schema(mode="serialization")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **made}


def results_json(told: ToldRun) -> Iterator[str]:
    """Yield the results of a run as pieces of one JSON text."""
    yield _text(_head(told)).removesuffix("\n}")
    yield from _array("cases", (_case(told, unit) for unit in told.units()))
    missing = (NotRun(case=unit.case, repeat=unit.repeat) for unit in told.missing())
    yield from _array("not_run_cases", missing)
    yield "\n}\n"


def _text(model: BaseModel) -> str:
    absent = {"trajectory"} if getattr(model, "trajectory", 0) is None else None
    plain = writable_json(model.model_dump(mode="json", exclude=absent))
    return json.dumps(plain, indent=2, allow_nan=False)


def _array(name: str, entries: Iterable[BaseModel]) -> Iterator[str]:
    yield f',\n  "{name}": ['
    ending = "]"
    for number, entry in enumerate(entries):
        yield f"{',' if number else ''}\n{indent(_text(entry), '    ')}"
        ending = "\n  ]"
    yield ending


def _head(told: ToldRun) -> Head:
    totals, code = told.totals, told.run.code
    return Head(
        dataset=told.name,
        application=told.run.application,
        team=told.run.team,
        exit_code=None if code is None else int(code),
        outcome=told.outcome,
        counts=_counts(totals.statuses),
        not_run=told.not_run,
        layers=dict(totals.layers),
        tags={tag: _counts(statuses) for tag, statuses in totals.tags.items()},
        scores={
            name: ScoreSummary(mean=one.mean, measured=one.measured, unmeasured=one.unmeasured)
            for name, one in totals.scores.items()
        },
        seconds=totals.seconds.amount,
        cost_usd=totals.cost_usd.amount,
        input_tokens=_whole(totals.input_tokens.amount),
        output_tokens=_whole(totals.output_tokens.amount),
    )


def _counts(statuses: dict[Status, int]) -> Counts:
    return Counts(**{str(status): statuses.get(status, 0) for status in Status})


def _whole(amount: float | None) -> int | None:
    return None if amount is None else int(amount)


def _case(told: ToldRun, one: Told) -> CaseEntry:
    line, unit = one.row.line, one.unit
    messages = list(told.trajectory(one)) if told.show_trajectory else None
    return CaseEntry(
        case=line.case,
        repeat=line.repeat,
        repeats=line.repeats,
        attempt=line.attempt,
        tags=list(one.row.tags),
        must_pass=line.must_pass,
        known_failure=line.known_failure,
        status=line.status,
        cut=line.cut,
        layer=line.layer,
        cause=line.cause,
        agent=line.agent,
        seconds=line.seconds,
        cost_usd=line.cost_usd,
        input_tokens=line.input_tokens,
        output_tokens=line.output_tokens,
        error=unit.error,
        facts=[Fact(fact=of.fact, stages=dict(of.stages), lost=of.lost) for of in unit.facts],
        metrics=_metrics(unit.metrics),
        scores=_metrics(line.scores),
        unmeasured=unmeasured(line),
        assertions=[
            Assertion(
                id=of.name,
                ok=of.ok,
                severity=of.severity,
                layer=of.layer,
                cause=of.cause,
                reason=of.reason,
            )
            for of in unit.assertions
        ],
        trajectory=messages,
    )


def _metrics(amounts: Any) -> Any:
    """Return amounts as JSON has them: what is no finite number is its name."""
    return writable_json(dict(amounts))
