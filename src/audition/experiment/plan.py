"""The cases of a run, written down before the first is run: what is missing can be told later.

Compare, gate and resume read the plan and the journal, and no dataset file.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import from_json, to_json, to_jsonable_python
from pydantic_evals import Case
from pydantic_evals.evaluators import Evaluator

from audition.datasets.loading import CasePlan, LoadedDataset
from audition.datasets.reading import as_list, as_object
from audition.errors import RecordError
from audition.evaluators.case_evaluator import CaseEvaluator, Severity, type_name
from audition.experiment.journal import plain_json
from audition.files import naming
from audition.headers import check_header
from audition.inputs import CaseInput
from audition.redaction.records import Redactor
from audition.sessions import SessionInput
from audition.values import canonical_json

PLAN = "plan.jsonl"
FORMAT = "audition-plan"
VERSION = 1
_DIGITS = 16
UNKNOWN = "unknown"
"""Stands for a fingerprint of what is told by nothing but its place in memory."""


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Check(_Line):
    """An evaluator of a case as it is known before it is run.

    Attributes:
        name: The id that the file gives it, else what it is; a name that is made of its arguments
            may hold a secret.
        fingerprint: Of its class, version and arguments.
        layer: The layer that it blames, None where it is none of ours.
        severity: What it means when it fails.
        agent: The agent whose doing it looks at, None for the whole team.

    """

    name: str
    fingerprint: str
    layer: str | None = None
    severity: Severity = Severity.MUST
    agent: str | None = None


class PlannedCase(_Line):
    """A case of a run.

    Attributes:
        case: Its name, without secrets.
        case_id: The `name_id` of its name, which tells it from all others.
        position: Its place in the file, from 0.
        repeats: How often it is run.
        tags: Its tags.
        must_pass: The file says that a gate must not let it fail.
        known_failure: Until when it is known to fail, None where it is not.
        inputs: Fingerprint of what the team is given, and of what is expected.
        asked: Fingerprint of what the team is given alone, None in plans that lack it.
        checks: Its own evaluators, by the `name_id` of their assertion.
        fingerprint: Of its inputs and of all its evaluators, shared ones included.

    """

    case: str
    case_id: str
    position: int = Field(ge=0)
    repeats: int = Field(ge=1)
    tags: tuple[str, ...] = ()
    must_pass: bool = False
    known_failure: date | None = None
    inputs: str
    asked: str | None = None
    checks: Mapping[str, Check] = {}
    fingerprint: str


class PlanHead(BaseModel):
    """The first line of a plan.

    Attributes:
        format: Says what the file is.
        version: The version of its format.
        shared: The evaluators of all cases, by the `name_id` of their assertion.

    """

    model_config = ConfigDict(extra="ignore", frozen=True)

    format: str = FORMAT
    version: int = VERSION
    shared: Mapping[str, Check] = {}


def name_id(name: str) -> str:
    """Return what tells a case, or an assertion, from others where its name is shown redacted."""
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


def fingerprint(value: object) -> str:
    """Return the first 16 hexadecimal digits of the SHA-256 of a value's JSON, its keys sorted."""
    unknown: list[object] = []

    def note(value: object) -> str:
        unknown.append(value)
        return f"{UNKNOWN} {type(value).__qualname__}"

    plain = to_jsonable_python(value, fallback=note)
    text = json.dumps(plain, sort_keys=True)  # in ASCII, so half a character can be told too
    return UNKNOWN if unknown else hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]


def plan_head(loaded: LoadedDataset) -> PlanHead:
    """Return what all cases of a dataset share."""
    return PlanHead(shared=_checks(loaded.dataset.evaluators))


def planned_cases(loaded: LoadedDataset, *, repeat: int | None = None) -> Iterator[PlannedCase]:
    """Yield the cases of a dataset, one by one, in the order of the file.

    Args:
        loaded: The dataset.
        repeat: How often each case is run, None for what the file says, or once.

    """
    shared = plan_head(loaded).shared
    redactor = Redactor()
    for position, case in enumerate(loaded.dataset.cases):
        name = case.name or "case"
        plan = loaded.plans.get(name, CasePlan())
        checks, held = _checks(case.evaluators), _held(case.inputs)
        given = _given(case.inputs, held, loaded)
        inputs = fingerprint([given, case.metadata, case.expected_output])
        known = plan.known_failure
        every = {of: check.fingerprint for of, check in {**shared, **checks}.items()}
        yield PlannedCase(
            case=redactor.text(name),
            case_id=name_id(name),
            position=position,
            repeats=repeat or plan.repeat or 1,
            tags=_tags(case),
            must_pass=plan.must_pass,
            known_failure=known and known.until,
            inputs=inputs,
            asked=fingerprint(_given(_without_rules(case.inputs), held, loaded)),
            checks=checks,
            fingerprint=fingerprint([inputs, every]),
        )


def _tags(case: Case[Any, Any, Any]) -> tuple[str, ...]:
    tags = as_list(as_object(case.metadata).get("tags"))
    return tuple(map(str, tags))


def _held(inputs: object) -> str | None:
    """Return the fingerprint of the recording that a case names, None where it names none."""
    if isinstance(inputs, SessionInput) and inputs.session is not None:
        return _content(Path(inputs.session))
    return None


def _given(inputs: object, held: str | None, loaded: LoadedDataset) -> object:
    """Return what a case gives; of a recording, where it is from the dataset and what it holds."""
    if isinstance(inputs, SessionInput) and inputs.session is not None:
        named = Path(os.path.relpath(inputs.session, loaded.path.parent)).as_posix()
        return [inputs.model_copy(update={"session": named}), held]
    return inputs


def _without_rules(inputs: object) -> object:
    """Return inputs without the rules that tools are judged by."""
    if isinstance(inputs, CaseInput | SessionInput):
        return inputs.model_copy(update={"tool_rules": ()})
    return inputs


def _content(path: Path) -> str | None:
    """Return the fingerprint of a recording but for its line ends, None where it is not there."""
    hashed = hashlib.sha256()
    try:
        with path.open("rb") as stream:
            for line in stream:
                hashed.update(line.rstrip(b"\r\n") + b"\n")
    except OSError:
        return None
    return hashed.hexdigest()


def _checks(evaluators: Iterable[Evaluator[Any, Any, Any]]) -> dict[str, Check]:
    """Return evaluators by the id of their name, which Pydantic Evals makes unique so."""
    checks: dict[str, Check] = {}
    for evaluator in evaluators:
        named = _named_check(evaluator)
        of, count = named.name_id, 1
        while of in checks:
            count += 1
            of = name_id(f"{named.name}_{count}")
        checks[of] = named.check
    return checks


def check_of(evaluator: Evaluator[Any, Any, Any]) -> Check:
    """Return an evaluator as it is known before it is run."""
    return _named_check(evaluator).check


class _NamedCheck(NamedTuple):
    name: str
    name_id: str
    check: Check


_known: dict[tuple[type, bytes], _NamedCheck] = {}
"""Those seen before: many cases of a file have the same evaluators, and to tell one takes long."""

_MOST_KNOWN = 4_096


def _named_check(evaluator: Evaluator[Any, Any, Any]) -> _NamedCheck:
    if not isinstance(evaluator, CaseEvaluator):  # its arguments may not be all that it is
        return _tell_check(evaluator)
    key = (type(evaluator), to_json(evaluator.as_spec().arguments, fallback=repr))
    known = _known.get(key)
    if known is None:
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        known = _known[key] = _tell_check(evaluator)
    return known


def _tell_check(evaluator: Evaluator[Any, Any, Any]) -> _NamedCheck:
    name = evaluator.get_default_evaluation_name()
    told = fingerprint([evaluator.as_spec(), evaluator.get_evaluator_version()])
    if not isinstance(evaluator, CaseEvaluator):
        check = Check(name=evaluator.get_serialization_name(), fingerprint=told)
        return _NamedCheck(name, name_id(name), check)
    check = Check(
        name=Redactor().text(evaluator.id) if evaluator.id else type_name(type(evaluator)),
        fingerprint=told,
        layer=str(type(evaluator).layer),
        severity=evaluator.severity,
        agent=evaluator.scope.agent,
    )
    return _NamedCheck(name, name_id(name), check)


class PlanTotals(NamedTuple):
    """What a plan adds up to; the same for a checkout with other line ends.

    Attributes:
        units: How many (case, repeat) it has.
        inputs: SHA-256 of what the team is given in all cases.
        evaluators: SHA-256 of all evaluators with their arguments.

    """

    units: int
    inputs: str
    evaluators: str


def write_plan(folder: Path, head: PlanHead, cases: Iterable[PlannedCase]) -> PlanTotals:
    """Write a plan to the folder of a run, whole or not at all; one case in memory at a time."""
    inputs, evaluators = hashlib.sha256(), hashlib.sha256()
    evaluators.update(_told(head.shared))
    units = 0
    part = folder / f"{PLAN}.part"
    with naming(part), part.open("wb") as stream:
        stream.write(plain_json(head) + b"\n")
        for case in cases:
            stream.write(plain_json(case) + b"\n")
            units += case.repeats
            inputs.update(f"{case.case_id}{case.inputs}".encode())
            evaluators.update(case.case_id.encode() + _told(case.checks))
        stream.flush()
        os.fsync(stream.fileno())
    part.replace(folder / PLAN)
    return PlanTotals(units, inputs.hexdigest(), evaluators.hexdigest())


def _told(checks: Mapping[str, Check]) -> bytes:
    return canonical_json({of: check.fingerprint for of, check in checks.items()}).encode()


def read_plan(folder: Path) -> tuple[PlanHead, Iterator[PlannedCase]]:
    """Return the head of a plan, and its cases one by one.

    Raises:
        RecordError: There is none, or it cannot be read; of a case while they are yielded.
        NewerFormat: It was written in a newer format.

    """
    path = folder / PLAN
    try:
        with path.open("rb") as stream:
            first = stream.readline()
    except OSError as error:
        raise RecordError(str(path), str(error.strerror or error)) from None
    check_header(path, first, file_format=FORMAT, version=VERSION)
    return PlanHead.model_validate_json(first), _cases(path)


def _cases(path: Path) -> Iterator[PlannedCase]:
    for number, line in _numbered(path):
        try:
            yield PlannedCase.model_validate_json(line)
        except ValidationError as error:
            problem = f"no case of a plan: {error.errors(include_url=False)[0]['msg']}"
            raise RecordError(str(path), problem, number) from None


def fingerprints(folder: Path) -> dict[str, str] | None:
    """Return the fingerprints of the cases of a run by id, None where it has no plan.

    Raises:
        RecordError: As `read_plan`.
        NewerFormat: As `read_plan`.

    """
    if not (folder / PLAN).exists():
        return None
    read_plan(folder)  # checks its head
    found: dict[str, str] = {}
    for number, line in _numbered(folder / PLAN):
        try:
            case = from_json(line)  # the whole case takes ten times as long
            found[case["case_id"]] = case["fingerprint"]
        except (ValueError, KeyError, TypeError):
            raise RecordError(str(folder / PLAN), "no case of a plan", number) from None
    return found


def _numbered(path: Path) -> Iterator[tuple[int, bytes]]:
    with path.open("rb") as stream:
        stream.readline()
        yield from enumerate(stream, start=2)
