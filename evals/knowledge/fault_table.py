"""Which faults are planted, and where each is seen. Imports no framework: validating is free."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """The good team with one part made bad.

    Attributes:
        name: What is wrong.
        file: The dataset file in which it is shown.
        case: The case of that file.

    """

    name: str
    file: str
    case: str

    @property
    def team(self) -> str:
        """What it is called on the command line: `--team fault-…`."""
        return f"fault-{self.name}"

    @property
    def factory(self) -> str:
        """What makes its runtimes, as "module:object"."""
        return f"evals.knowledge.faults:{self.name.replace('-', '_')}"


FAULTS = (
    Fault(name="search-is-empty", file="retrieval", case="founders"),
    Fault(name="names-are-dropped", file="retrieval", case="founders"),
    Fault(name="nothing-is-searched", file="retrieval", case="founders"),
    Fault(name="four-of-six-are-stored", file="scenarios", case="ingest-then-list-six"),
    Fault(name="commit-before-update", file="scenarios", case="ingest-then-list-six"),
    Fault(name="success-is-claimed", file="scenarios", case="unreachable-page"),
    Fault(name="questions-write", file="scenarios", case="read-only-question-with-an-address"),
    Fault(name="searches-repeat", file="retrieval", case="unknown-favourite-port"),
    Fault(name="recommendation-is-dropped", file="retrieval", case="unknown-favourite-port"),
    Fault(name="specialist-dies", file="scenarios", case="direct-to-knowledge"),
    Fault(name="specialist-is-silent", file="scenarios", case="direct-to-knowledge"),
)
