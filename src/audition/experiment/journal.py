"""The results of a run as they are kept: a small line for each, and the whole beside it.

`journal.jsonl` has one line for each finished attempt of a (case, repeat): what comparing and
gating need, and where in `outputs.jsonl` the full result is. That holds the line once more, so
that whatever was written whole is known, wherever a process was killed. Written by
`journal_writer`, cut to what is whole by `recovery`.
"""

import json
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter
from pydantic_core import to_json
from pydantic_evals.reporting import ReportCase, ReportCaseFailure

from audition.datasets.formats import KnownFailure
from audition.experiment.status import Status
from audition.values import writable_json

JOURNAL = "journal.jsonl"
OUTPUTS = "outputs.jsonl"
FORMATS = {JOURNAL: "audition-journal", OUTPUTS: "audition-outputs"}
VERSION = 2

type CaseResult = ReportCase[Any, Any, Any] | ReportCaseFailure[Any, Any, Any]


class JournalLine(BaseModel):
    """One finished attempt of a (case, repeat).

    Attributes:
        case: The name of the case, without secrets.
        case_id: What tells it from all others, also where its name holds a secret: see
            `plan.name_id`. Empty in journals of version 1, which tell cases by name.
        repeat: Which repeat this is, from 1.
        repeats: How many there are.
        attempt: Which attempt of that repeat this is, from 1.
        fingerprint: Of the inputs and evaluators of the case, as in the plan of the run; empty in
            journals of version 1.
        position: Its place among all of the run, from 0.
        must_pass: The file says that a gate must not let the case fail.
        known_failure: What the file says of why it fails, and until when that is an excuse; None
            where it says nothing.
        status: What became of it.
        cut: Why the run ended it before it was over, None where it was not: such a one has
            measured nothing, and is run again when the run is resumed.
        assertions: Whether each holds, by name.
        renamed: The `plan.name_id` of each assertion whose name is shown without a secret; that of
            all others follows from their names.
        scores: The value of each score, by name.
        reasons: Of what failed and of what could not be measured, by name, in short.
        failed: The assertions that fail, by severity, and within one in the order of the layers;
            those of severity `must` alone decide the status.
        layer: The first failing layer, None where nothing failed.
        cause: What went wrong there, None where it is not known.
        agent: The agent that is to blame, None where it is not known.
        error: What broke outside the team, in a line; None where nothing did.
        lost_facts: The expected facts that did not come through, each with the stage it came to.
        seconds: Time the task took, None where it raised.
        cost_usd: What the models cost in US dollars, None where a price is not known.
        input_tokens: Tokens read by models, None where a source does not count them.
        output_tokens: Tokens written by models, None likewise.
        tool_calls: Tools called by the team, without its runtime's own.
        model_ids: The models that answered.
        route: Digest of who wrote to whom, in order; None where the task raised.
        tools: Digest of which agent called which tool, in order; None likewise.
        offset: Where the full result starts in `outputs.jsonl`, in bytes.
        length: How long it is, in bytes, its line end included.

    """

    model_config = ConfigDict(extra="forbid", frozen=True, protected_namespaces=())

    case: str
    case_id: str = ""
    repeat: int = Field(ge=1)
    repeats: int = Field(ge=1)
    attempt: int = Field(default=1, ge=1)
    fingerprint: str = ""
    position: int = Field(default=0, ge=0)
    must_pass: bool = False
    known_failure: KnownFailure | None = None
    status: Status
    cut: str | None = None
    assertions: dict[str, bool]
    renamed: dict[str, str] = {}
    scores: dict[str, float] = {}
    reasons: dict[str, str] = {}
    failed: tuple[str, ...] = ()
    layer: str | None = None
    cause: str | None = None
    agent: str | None = None
    error: str | None = None
    lost_facts: tuple[str, ...] = ()
    seconds: float | None
    cost_usd: float | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    tool_calls: int = 0
    model_ids: tuple[str, ...] = ()
    route: str | None = None
    tools: str | None = None
    offset: int = Field(default=0, ge=0)
    length: int = Field(default=0, ge=0)

    @property
    def key(self) -> "UnitKey":
        """What tells this (case, repeat) from all others of the run."""
        return self.case_id or self.case, self.repeat

    @property
    def name(self) -> str:
        """The name in the native report, as Pydantic Evals names repeats."""
        return self.case if self.repeats == 1 else f"{self.case} [{self.repeat}/{self.repeats}]"

    @property
    def measured(self) -> bool:
        """Whether it says anything about the team: an error, or one that was cut, does not."""
        return self.status is not Status.ERROR and self.cut is None


type UnitKey = tuple[str, int]
"""The id of a case, and the number of a repeat."""


def header_line(name: str) -> bytes:
    """Return the first line of one of the two files, by its name."""
    return json.dumps({"format": FORMATS[name], "version": VERSION}).encode() + b"\n"


_ANYTHING: TypeAdapter[Any] = TypeAdapter(Any)


def plain_json(value: object) -> bytes:
    """Return a result as JSON that every reader can read.

    NaN is not JSON, and null is no score: it becomes text, which is read as the number again. A
    lone surrogate, or bytes that are no text, cannot be written: they become what can be.
    """
    try:
        return to_json(value, inf_nan_mode="strings", fallback=repr)
    except ValueError:
        return careful_json(value)


def careful_json(value: object) -> bytes:
    """Return anything as `plain_json`, slower: NaN is text also where a model would say null."""
    plain = writable_json(_ANYTHING.dump_python(value, fallback=repr))
    return json.dumps(plain, ensure_ascii=False).encode()
