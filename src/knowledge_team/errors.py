"""Every exception of the team, as a tree; the class says what has to be put right.

- KnowledgeTeamError
    - CatalogError          a catalog file is not what its reader accepts
        - UnknownNameError  it names something that is not there
    - ModelSettingError     the model's name leads to no model
    - TeamStateError        the call does not fit what the team is doing
    - FetchFailedError      a page of the web could not be had
    - BodyRefusedError      the body of an answer is not taken
    - IngestionError        an ingestion cannot go on like this
"""

from collections.abc import Iterable


class KnowledgeTeamError(Exception):
    """The base of all errors of this package."""


class CatalogError(KnowledgeTeamError):
    """A catalog file is not what its reader accepts."""

    def __init__(self, source: str, problem: str) -> None:
        super().__init__(f"{source}: {problem}")
        self.source = source
        self.problem = problem


class UnknownNameError(CatalogError):
    """A name in the catalog, or given to it, leads nowhere."""

    def __init__(self, source: str, kind: str, name: str, known: Iterable[str]) -> None:
        self.known = tuple(sorted(known))
        listed = ", ".join(self.known) or "none"
        super().__init__(source, f"unknown {kind} {name!r}; known: {listed}")
        self.kind = kind
        self.name = name


class ModelSettingError(KnowledgeTeamError):
    """The model's name leads to no model."""

    def __init__(self, setting: str, problem: str) -> None:
        super().__init__(f"model {setting!r}: {problem}")
        self.setting = setting
        self.problem = problem


class TeamStateError(KnowledgeTeamError):
    """The call does not fit what the team is doing."""

    def __init__(self, call: str, state: str) -> None:
        super().__init__(f"cannot {call}: the team is {state}")
        self.call = call
        self.state = state


class FetchFailedError(KnowledgeTeamError):
    """A page of the web could not be had; the reason is short, and fit for a model to read."""

    def __init__(self, url: str, reason: str) -> None:
        super().__init__(f"{url}: {reason}")
        self.url = url
        self.reason = reason


class BodyRefusedError(KnowledgeTeamError):
    """The body of an answer is too large, broken, or compressed in an unknown way."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem


class IngestionError(KnowledgeTeamError):
    """An ingestion cannot go on like this; the text says what to do instead."""

    def __init__(self, url: str, problem: str) -> None:
        super().__init__(f"{url}: {problem}")
        self.url = url
        self.problem = problem
