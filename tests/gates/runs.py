"""A short way to a run as a gate sees it: each repeat of a case is a letter."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from audition.experiment.histories import CaseHistory, add_lines
from audition.experiment.plan import Check, name_id
from audition.experiment.status import Status
from audition.gates.policy import Policy
from audition.gates.subjects import Subject
from tests.journals import line

SAYS_YES = Check(name="says yes", fingerprint="1", layer="answer", agent="@Manager")
_REPEATS: Mapping[str, dict[str, Any]] = {
    "p": {},
    "f": {
        "status": Status.FAILED,
        "assertions": {"says yes": False},
        "reasons": {"says yes": "lacks yes"},
    },
    "k": {"status": Status.KNOWN_FAILURE, "assertions": {"says yes": False}},
    "e": {"status": Status.ERROR, "assertions": {}, "error": "timeout"},
    "n": {
        "status": Status.NOT_EVALUATED,
        "assertions": {},
        "reasons": {"grounded": "measured nan"},
    },
}


def case(name: str, repeats: str, **fields: Any) -> CaseHistory:
    """Return a case whose repeats passed, failed, were excused, broke, or measured nothing.

    Args:
        name: Its name.
        repeats: A letter each: p, f, k, e, n; a dash for one that was not run.
        fields: Anything else of it.

    """
    of = name_id(name)
    made: dict[str, Any] = {"checks": {name_id("says yes"): SAYS_YES}, "inputs": name, **fields}
    history = CaseHistory(case=name, case_id=of, planned=len(repeats), **made)
    told = [
        line(name, case_id=of, repeat=number, **_REPEATS[letter])
        for number, letter in enumerate(repeats, 1)
        if letter != "-"
    ]
    add_lines({of: history}, told)
    return history


def run(*cases: CaseHistory, **fields: Any) -> Subject:
    """Return a run of these cases."""
    by_id = {one.case_id: one for one in cases}
    return Subject(path=Path("run"), name="small", cases=by_id, shared={}, **fields)


def cases(passed: int, failed: int = 0, *, repeats: int = 1, **fields: Any) -> list[CaseHistory]:
    """Return so many cases that always passed, and so many that never did."""
    letters = "p" * passed + "f" * failed
    return [
        case(f"case-{number:02}", letter * repeats, **fields)
        for number, letter in enumerate(letters, 1)
    ]


def policy(**rules: Any) -> Policy:
    """Return a policy of these rules."""
    return Policy.model_validate({"version": 1, **rules})
