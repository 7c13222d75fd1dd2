"""The models of dataset files, version 2: strict, so that a typo is an error and no missing check.

`retrieval` asks a team one question a case, over fixtures or over what a running system knows;
`conversation` holds several turns, each with checks of its own; `session` judges conversations
that somebody else's runtime recorded.
"""

from datetime import date
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints

from audition.captures import Capture, ValueName
from audition.datasets.session_sources import SourceEntry
from audition.inputs import Amount, Dollars, Seconds, Text
from audition.matching.terms import Term
from audition.tool_rules import ToolRule

VERSION = 2

type Name = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=r"^\S(.*\S)?$")]
type Scalar = str | int | float | bool | None


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class KnownFailure(_Part):
    """A case that is known to fail does not turn a run red, until a day.

    Attributes:
        reason: Why it fails.
        until: The last day on which that is an excuse.

    """

    reason: Text
    until: date


class LeftOut(_Part):
    """An evaluator of the contract that a file does without.

    Attributes:
        id: The name of the assertion.
        reason: Why.

    """

    id: Text
    reason: Text


class ContractChoice(_Part):
    """The contract of a file, narrowed.

    Attributes:
        name: The contract, one of the application's.
        without: What is left out of it.

    """

    name: Name
    without: tuple[LeftOut, ...] = ()


class Limits(_Part):
    """Bounds of a case; each as in `CaseInput`, None for its default.

    Attributes:
        timeout_seconds: Longest wait for one turn.
        deadline_seconds: Longest time for the whole case but its shutdown.
        start_seconds: Longest time for the team to start.
        shutdown_seconds: Longest time for the team to end.
        max_tokens: Most tokens that its models may read and write.
        max_cost_usd: Most that they may cost in US dollars.
        max_tool_calls: Most tools that its agents may call.

    """

    timeout_seconds: Seconds | None = None
    deadline_seconds: Seconds | None = None
    start_seconds: Seconds | None = None
    shutdown_seconds: Seconds | None = None
    max_tokens: Amount | None = None
    max_cost_usd: Dollars | None = None
    max_tool_calls: Amount | None = None


class SelfTest(_Part):
    """Two recordings that show that the evaluators of a case tell good from bad.

    Attributes:
        good: A file that holds a conversation on which all that must hold does, relative to the
            dataset file; as for `session`: a recording of ours, or a session of ADK or kagent.
        bad: One on which something that must hold does not.

    """

    good: Text
    bad: Text


class CaseEntry[EntryT](_Part):
    """What a case of any format has.

    Attributes:
        name: Unique in the file, also without regard to case, spaces and Unicode form.
        tags: Words to select cases by.
        metadata: Shown in reports.
        must_pass: Written beside its results, in the journal and in the JSON of a run, so that a
            gate can let nothing through while it fails; the run itself does not read it.
        repeat: How often it is run, None for what the call says.
        limits: Its bounds.
        known_failure: It is known to fail, and until when that is an excuse.
        evaluators: Its own checks, besides the contract.
        facts: What must come through to the answer; where one is lost, a run says at which stage.
        fact_stages: The stages that they should pass, None for all of the application.
        self_test: Recordings that its evaluators must tell apart, None where there are none.

    """

    name: Name
    tags: tuple[Name, ...] = ()
    metadata: dict[str, Scalar] = Field(default_factory=dict[str, Scalar])
    must_pass: bool = False
    repeat: Annotated[int, Field(ge=1, le=10_000)] | None = None
    limits: Limits = Limits()
    known_failure: KnownFailure | None = None
    evaluators: tuple[EntryT, ...] = ()
    facts: tuple[Term, ...] = ()
    fact_stages: Annotated[tuple[Name, ...], Field(min_length=1)] | None = None
    self_test: SelfTest | None = None


class RetrievalCase[EntryT](CaseEntry[EntryT]):
    """One question.

    Attributes:
        message: What the human asks.
        target: The agent it goes to, None for the team's entry.
        fixture: The fixture it is asked over, None for the file's default.

    """

    message: Text
    target: Name | None = None
    fixture: Name | None = None


class TurnEntry[EntryT](_Part):
    """One message of a conversation, and what must hold of the turn that it begins.

    Attributes:
        message: What the human says; `{{name}}` is the place of a value of an earlier turn.
        target: The agent it goes to, None for the team's entry.
        capture: What is taken out of the turn for later messages, by name.
        evaluators: Its checks; each looks at this turn.

    """

    message: Text
    target: Name | None = None
    capture: dict[ValueName, Capture] = Field(default_factory=dict[str, Capture])
    evaluators: tuple[EntryT, ...] = ()


class ConversationCase[EntryT](CaseEntry[EntryT]):
    """A conversation of one turn or more, held in one team.

    Attributes:
        turns: The turns in their order.
        fixture: What the team is given, None for the file's default.

    """

    turns: Annotated[tuple[TurnEntry[EntryT], ...], Field(min_length=1, max_length=1_000)]
    fixture: Name | None = None


class SessionPlace(_Part):
    """Where a recorded conversation stands, in a session file or a case of it.

    Attributes:
        session: The file that holds it, relative to the dataset file.
        source: The source that has it, in place of a file.
        session_id: The session that is meant, None where there is but one.
        drop_internal_tools: Keep the runtime's own tools out of what is judged.
        extra_tool_denylist: Other tools that are kept out of it.

    """

    session: Text | None = None
    source: SourceEntry | None = None
    session_id: Text | None = None
    drop_internal_tools: bool | None = None
    extra_tool_denylist: tuple[Name, ...] | None = None


class SessionCase[EntryT](SessionPlace, CaseEntry[EntryT]):
    """One recorded conversation; what it does not say of its place, the file says.

    Attributes:
        invocation: Only this one of its invocations, None for all.

    """

    invocation: Text | None = None


class Fixtures[FixtureT](_Part):
    """Reviewed knowledge that the local evaluation team is given.

    Attributes:
        source: Says which kind of knowledge this is.
        default_fixture: The fixture of a case that names none, None where each must name one.
        fixtures: The fixtures by name.

    """

    source: Literal["fixtures"]
    default_fixture: Name | None = None
    fixtures: Annotated[dict[Name, FixtureT], Field(min_length=1)]


class RunningSystem(_Part):
    """Whatever a team that is already running knows.

    Attributes:
        source: Says which kind of knowledge this is.

    """

    source: Literal["running_system"]


class DatasetFile(_Part):
    """What a file of any format has.

    Attributes:
        schema_: Where editors find the schema; not read.
        version: The format version.
        name: The name of the dataset.
        application: The application it is for, None for the default.
        contract: The contract of every case, None for the one that has the name of the task.
        default_metadata: Metadata of every case.
        vocabularies: Named lists of terms.
        tool_rules: When a returned content is a domain failure, besides the application's rules.
        limits: Bounds of every case.

    """

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    schema_: str | None = Field(default=None, alias="$schema")
    version: Literal[2]
    name: Name
    application: Name | None = None
    contract: Name | ContractChoice | None = None
    default_metadata: dict[str, Scalar] = Field(default_factory=dict[str, Scalar])
    vocabularies: dict[Name, Annotated[tuple[Term, ...], Field(min_length=1)]] = Field(
        default_factory=dict[str, tuple[Term, ...]]
    )
    tool_rules: tuple[ToolRule, ...] = ()
    limits: Limits = Limits()


class TeamFile[FixtureT](DatasetFile):
    """What a file has whose cases are put to a team.

    Attributes:
        knowledge: What the team is given to know, None where it needs nothing.

    """

    knowledge: Annotated[
        Fixtures[FixtureT] | RunningSystem | None, Field(discriminator="source")
    ] = None


class RetrievalFile[FixtureT, EntryT](TeamFile[FixtureT]):
    """Questions, each answered by a team of its own, or by a running one.

    Attributes:
        task: Says which format this is.
        cases: At least one.

    """

    task: Literal["retrieval"]
    cases: Annotated[tuple[RetrievalCase[EntryT], ...], Field(min_length=1)]


class ConversationFile[FixtureT, EntryT](TeamFile[FixtureT]):
    """Conversations, each held with a team of its own, or with a running one.

    Attributes:
        task: Says which format this is.
        cases: At least one.

    """

    task: Literal["conversation"]
    cases: Annotated[tuple[ConversationCase[EntryT], ...], Field(min_length=1)]


class SessionFile[EntryT](SessionPlace, DatasetFile):
    """Recorded conversations, judged.

    Attributes:
        task: Says which format this is.
        cases: At least one.

    """

    model_config = DatasetFile.model_config

    task: Literal["session"]
    cases: Annotated[tuple[SessionCase[EntryT], ...], Field(min_length=1)]


TASKS = ("retrieval", "conversation", "session")
"""The formats that exist, by the word that selects them."""


def file_type(task: str, *, fixture_type: object, entry_type: Any) -> type[DatasetFile]:
    """Return the model of the files of a task.

    Args:
        task: One of `TASKS`.
        fixture_type: The type of a fixture, None where the application has none.
        entry_type: The type of an evaluator in a file.

    """
    if task == "session":
        return SessionFile[entry_type]
    fixture: Any = JsonValue if fixture_type is None else fixture_type
    if task == "conversation":
        return ConversationFile[fixture, entry_type]
    return RetrievalFile[fixture, entry_type]
