"""What a gate would say of a plan, as text and as JSON."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from audition.gates.extrapolation import Amount
from audition.gates.findings import Verdict
from audition.gates.planning import POWER, Forecast, Intended, Shares
from audition.reports.terminal import one_line
from audition.values import writable_json

_VERDICTS = (Verdict.PASSED, Verdict.NOT_ENOUGH, Verdict.FAILED)


def plan_table(intended: Intended, told: Forecast, taken: Mapping[str, Amount]) -> str:
    """Return a forecast as text: the gate by what dropped, each rule alone, what it takes.

    Args:
        intended: The plan.
        told: What the gate would say.
        taken: What it would take, by what; empty where nothing says so.

    """
    mean = intended.population.mean
    plan = f"{intended.cases} cases, {intended.repeats} repeat(s) each"
    rate = f"a case passes in {100 * mean:.1f} % of its runs on average"
    lines = [
        f"{plan}, {intended.base_repeats} in the baseline; {rate}",
        "",
        *_gate(told),
        *_rules(told),
        "",
        f"{intended.drawn} made-up runs each, so within {_error(told):.1f} points",
        *(["", *map(_untold, told.untold)] if told.untold else []),
        *_once(intended),
        *_taken(intended, taken),
    ]
    return "\n".join(one_line(line, 400) if line.strip() else line for line in lines)


def _gate(told: Forecast) -> Iterator[str]:
    if not told.by_drop:
        yield "no rule of the policy can be tried"
        return
    for drop, shares in told.by_drop.items():
        what = "nothing changed" if not drop else f"{100 * drop:.0f} points worse"
        yield f"{what}: {_shares(shares)}"
    if told.least_drop is None:
        yield f"no drop fails the gate in {100 * POWER:.0f} % of all runs"
    else:
        yield (
            f"the least drop that fails the gate in {100 * POWER:.0f} % of all runs: "
            f"about {100 * told.least_drop:.0f} points"
        )


def _rules(told: Forecast) -> Iterator[str]:
    if told.by_rule:
        yield ""
        yield "each rule alone, where nothing changed:"
    for rule, shares in told.by_rule.items():
        yield f"- {rule}: {_shares(shares)}"


def _shares(shares: Shares) -> str:
    return ", ".join(
        f"{verdict} {100 * shares[verdict].value if verdict in shares else 0:.1f} %"
        for verdict in _VERDICTS
    )


def _error(told: Forecast) -> float:
    """Return the largest half of an interval of the simulation, in points."""
    every = [*told.by_drop.values(), *told.by_rule.values()]
    widths = [one.interval.width for shares in every for one in shares.values()]
    return 50 * max(widths, default=0.0)


def _untold(rule: str) -> str:
    return f"not tried: {rule}"


def _once(intended: Intended) -> Iterator[str]:
    if intended.repeats == 1:
        yield ""
        yield (
            "with one repeat a case that passes at times looks like one that passes, or fails: "
            "nothing is known of flaky cases, and a single failure may be chance"
        )


def _taken(intended: Intended, taken: Mapping[str, Amount]) -> Iterator[str]:
    runs = intended.cases * intended.repeats
    yield from ([""] if taken else [])
    for what, amount in taken.items():
        tell = _UNITS[what]
        yield (
            f"{runs} runs take about {tell(amount.total)}; median {tell(amount.median)} a run, "
            f"of {amount.known} runs"
        )


def _seconds(amount: float) -> str:
    return f"{amount / 60:.3g} min one after the other" if amount >= 120 else f"{amount:.3g} s"


def _dollars(amount: float) -> str:
    return f"${amount:.3g}"


def _tokens(amount: float) -> str:
    return f"{amount:,.0f} tokens"


def _tool_calls(amount: float) -> str:
    return f"{amount:,.0f} tool calls"


_UNITS: Mapping[str, Callable[[float], str]] = {
    "seconds": _seconds,
    "cost_usd": _dollars,
    "tokens": _tokens,
    "tool_calls": _tool_calls,
}


def plan_json(intended: Intended, told: Forecast, taken: Mapping[str, Amount]) -> dict[str, Any]:
    """Return a forecast as JSON values; as `plan_table`."""
    values: dict[str, Any] = {
        "cases": intended.cases,
        "repeats": intended.repeats,
        "baseline_repeats": intended.base_repeats,
        "mean_rate": intended.population.mean,
        "seed": intended.seed,
        "simulations": intended.drawn,
        "gate": [
            {"drop": drop, "verdicts": _shares_json(shares)}
            for drop, shares in told.by_drop.items()
        ],
        "least_drop": told.least_drop,
        "power": POWER,
        "rules": [
            {"rule": rule, "verdicts": _shares_json(shares)}
            for rule, shares in told.by_rule.items()
        ],
        "not_tried": list(told.untold),
        "takes": {
            what: {"median": one.median, "total": one.total, "known": one.known}
            for what, one in taken.items()
        },
    }
    return {name: writable_json(value) for name, value in values.items()}


def _shares_json(shares: Shares) -> dict[str, Any]:
    return {
        str(verdict): {
            "share": shares[verdict].value,
            "low": shares[verdict].interval.low,
            "high": shares[verdict].interval.high,
        }
        for verdict in shares
    }
