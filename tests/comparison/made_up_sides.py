"""A short way to a run: each case as a word with a letter a repeat."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from audition.comparison.pairing import Pair, pairs
from audition.comparison.sides import Known, Side
from audition.evaluators.case_evaluator import Severity
from audition.experiment.histories import CaseHistory, RunHistory, add_lines
from audition.experiment.journal import JournalLine
from audition.experiment.manifest import Manifest
from audition.experiment.plan import Check, name_id
from audition.experiment.status import Status
from tests.journals import line

SAYS_YES = "says yes"

REPEATS: dict[str, dict[str, Any]] = {
    "p": {},
    "f": {
        "status": Status.FAILED,
        "assertions": {SAYS_YES: False},
        "reasons": {SAYS_YES: "lacks yes"},
        "layer": "answer",
    },
    "e": {"status": Status.ERROR, "assertions": {}, "error": "timeout", "layer": "run"},
    "n": {"status": Status.NOT_EVALUATED, "assertions": {}, "reasons": {"judge": "measured nan"}},
}
REPEATS["k"] = REPEATS["f"] | {"status": Status.KNOWN_FAILURE}
"""Passed, failed, broke, measured nothing, and failed as it is known to."""


def check(name: str = SAYS_YES, *, version: int = 1, **fields: Any) -> dict[str, Check]:
    """Return an evaluator by the id of its assertion."""
    fields = {"layer": "answer", "severity": Severity.MUST} | fields
    return {name_id(name): Check(name=name, fingerprint=f"{name} {version}", **fields)}


def manifest(**fields: Any) -> Manifest:
    """Return the manifest of a run that came to its end, but for what is said."""
    about: dict[str, Any] = {
        "experiment": "small", "dataset_name": "small", "dataset_path": "small.json",
        "dataset_fingerprint": "d", "evaluators_fingerprint": "e", "application": "desk",
        "application_version": "1", "team": None, "model_ids": [], "packages": {},
        "python": "3.12.1", "git_commit": None, "git_dirty": None, "limits": {},
        "started_at": "2031-01-01T09:00:00+00:00", "finished_at": "2031-01-01T09:01:00+00:00",
    }  # fmt: skip
    return Manifest(**(about | fields))


def case(name: str, repeats: str, **fields: Any) -> CaseHistory:
    """Return a case that is planned with an evaluator, and ran as the letters say."""
    planned: dict[str, Any] = {"planned": len(repeats), "inputs": "i", "checks": check()}
    made = CaseHistory(case=name, case_id=name_id(name), **(planned | fields))
    ran = [
        line(name, case_id=made.case_id, repeat=number, repeats=len(repeats), **REPEATS[letter])
        for number, letter in enumerate(repeats, 1)
    ]
    return with_lines(made, *ran)


def with_lines(made: CaseHistory, *lines: JournalLine) -> CaseHistory:
    """Return a case with these lines of its journal added."""
    add_lines({made.case_id: made}, lines)
    return made


def side(
    cases: Mapping[str, str],
    *more: CaseHistory,
    shared: Mapping[str, Check] | None = None,
    known: Known = Known.PLAN,
    **about: Any,
) -> Side:
    """Return a run of some cases, each named with its repeats, and of others that are made."""
    every = [*(case(name, repeats) for name, repeats in cases.items()), *more]
    return Side(
        history=RunHistory(
            path=Path("run"),
            manifest=manifest(**about),
            shared=shared or {},
            cases={one.case_id: one for one in every},
        ),
        known=known,
    )


def pair(base: CaseHistory, candidate: CaseHistory) -> Pair:
    """Return the pair of a case."""
    (found,) = pairs(side({}, base), side({}, candidate))
    return found
