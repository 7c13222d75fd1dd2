"""Reviewed knowledge as it stands in a dataset file, and the inputs of a case over it."""

from collections import Counter
from typing import Annotated, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    model_validator,
)

from audition.inputs import CaseInput
from knowledge_team.errors import FetchFailedError
from knowledge_team.web_addresses import source_key

type Name = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class FixtureRecord(_Part):
    """An entity that the team may find.

    Attributes:
        name: What it is called.
        entity_type: What kind of thing it is.
        description: What is known of it, in sentences.

    """

    name: Name
    entity_type: Name
    description: Name


class FixtureRelation(_Part):
    """How one entity stands to another.

    Attributes:
        from_entity: The name of the one.
        relation_type: A verb or noun: `formed_by`, `works_at`.
        to_entity: The name of the other.
        description: More about it, empty where there is no more.

    """

    from_entity: Name
    relation_type: Name
    to_entity: Name
    description: str = ""


class FixturePage(_Part):
    """What one fetch of a page comes to: a text, or a failure.

    Attributes:
        text: What the page says, None where it cannot be fetched.
        html: The same as a page of HTML, of which the team makes the text; None where it is text.
        failure: Why it cannot be fetched, None where it can.

    """

    text: str | None = None
    html: str | None = None
    failure: Name | None = None

    @model_validator(mode="after")
    def _is_one_thing(self) -> Self:
        if sum(given is not None for given in (self.text, self.html, self.failure)) != 1:
            msg = "give exactly one of `text`, `html` and `failure`"
            raise ValueError(msg)
        return self


def _checked(url: str) -> str:
    try:
        source_key(url)
    except FetchFailedError as error:
        msg = f"{error.reason}: write an http or https address"
        raise ValueError(msg) from error
    return url


type Url = Annotated[str, AfterValidator(_checked)]


class KnowledgeFixture(_Part):
    """All that the team can find out in a case.

    With pages, the team takes them in and searches its own store, which holds the records from
    the start; without, its search looks into the records alone.

    Attributes:
        records: The entities.
        relations: The relations between them.
        pages: What each fetch of a page comes to, by its address; the last stands for all after
            it, and there is no other page.

    """

    records: tuple[FixtureRecord, ...] = ()
    relations: tuple[FixtureRelation, ...] = ()
    pages: dict[Url, Annotated[tuple[FixturePage, ...], Field(min_length=1)]] = Field(
        default_factory=dict[str, tuple[FixturePage, ...]]
    )

    @model_validator(mode="after")
    def _holds_something(self) -> Self:
        if not self.records and not self.pages:
            msg = "there is nothing to find out: give `records` or `pages`"
            raise ValueError(msg)
        return self

    @model_validator(mode="after")
    def _names_each_once(self) -> Self:
        pages = Counter(map(source_key, self.pages))
        records = Counter(record.name for record in self.records)
        twice = [name for name, number in (*pages.items(), *records.items()) if number > 1]
        if twice:
            msg = f"{twice[0]!r} is there twice: give each page and each record once"
            raise ValueError(msg)
        return self


class KnowledgeCaseInput(CaseInput):
    """The inputs of a case for the knowledge team.

    Attributes:
        fixture: What the team can find out, None for its own store and the web.

    """

    fixture: KnowledgeFixture | None = None
