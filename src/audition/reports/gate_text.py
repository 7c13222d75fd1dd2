"""The decision of a gate as a table, as Markdown and as JSON: the sentence first."""

from collections.abc import Sequence
from typing import Any

from audition.gates.findings import WORST_FIRST, Decision, Finding, Verdict
from audition.reports.terminal import one_line
from audition.values import writable_json

_LONGEST = 1000
_MARKS = {
    Verdict.PASSED: "passed",
    Verdict.FAILED: "FAILED",
    Verdict.BROKEN: "BROKEN",
    Verdict.NOT_ENOUGH: "NOT ENOUGH",
}


def gate_table(decision: Decision) -> str:
    """Return a decision as text: what was judged, a line for each rule, and the sentence."""
    ordered = _in_order(decision)
    widths = [max(len(_MARKS[one.verdict]) for one in ordered)]
    rows = [
        f"{_MARKS[one.verdict].ljust(widths[0])}  {one_line(str(one), _LONGEST)}" for one in ordered
    ]
    return "\n".join([_judged(decision), *rows, "", one_line(decision.sentence, _LONGEST)])


def gate_markdown(decision: Decision) -> str:
    """Return a decision as Markdown, for the summary of a job or a comment."""
    head = f"### Gate: {decision.verdict}"
    rows = [
        f"| {_MARKS[one.verdict]} | {_cell(one.subject)} | {_cell(one.told)} |"
        for one in _in_order(decision)
    ]
    table = ["| verdict | rule | why |", "|---|---|---|", *rows]
    judged = _escaped(_judged(decision))
    told = _escaped(one_line(decision.sentence, _LONGEST))
    return "\n".join([head, "", told, "", *table, "", judged])


def gate_json(decision: Decision) -> dict[str, Any]:
    """Return a decision as JSON values, its rules in the order of the policy."""
    return {
        "experiment": decision.name,
        "run": decision.run,
        "baseline": decision.baseline,
        "verdict": str(decision.verdict),
        "exit_code": int(decision.code),
        "sentence": decision.sentence,
        "failing": list(decision.failing),
        "rules": [_finding_json(one) for one in decision.findings],
    }


def _finding_json(finding: Finding) -> dict[str, Any]:
    return {
        "rule": finding.rule,
        "subject": finding.subject,
        "verdict": str(finding.verdict),
        "why": finding.told,
        "numbers": writable_json(dict(finding.numbers)),
    }


def _in_order(decision: Decision) -> Sequence[Finding]:
    """Return the findings, the worst first, and within one as they stand in the policy."""
    return sorted(decision.findings, key=lambda one: WORST_FIRST.index(one.verdict))


def _judged(decision: Decision) -> str:
    against = f" against {decision.baseline}" if decision.baseline else ""
    return one_line(f"{decision.name}: {decision.run}{against}", _LONGEST)


def _cell(text: str) -> str:
    return _escaped(one_line(text, _LONGEST)).replace("|", "\\|")


def _escaped(text: str) -> str:
    """Return a text that Markdown shows as it is: what an agent said is no markup."""
    for special in ("\\", "`", "*", "_", "[", "<"):
        text = text.replace(special, f"\\{special}")
    return text
