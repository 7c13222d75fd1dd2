"""Values taken out of one turn, and the places in later messages that they are put into.

A place is the name of a value in double braces: `What became of {{ticket}}?`. Messages of a
conversation that takes no value have no places: braces in them are text.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from audition.matching.json_paths import JsonPath, parse_path, select
from audition.matching.patterns import check_pattern, matched_text
from audition.values import structure_of, text_of, writable_text

MAX_VALUE = 2_000
"""Characters of a value: more is no name, number or reference, but a whole answer."""

NAME_OF_VALUE = "letters, digits and underscores, no digit first"
"""What the name of a value is, for the texts of errors."""

_NAME = r"[A-Za-z_][A-Za-z0-9_]*"
_PLACE = re.compile(rf"\{{\{{\s*({_NAME})\s*\}}\}}")
_BRACES = re.compile(r"\{\{[^{}]*\}\}")

type ValueName = Annotated[str, Field(pattern=f"^{_NAME}$", max_length=100)]


class Capture(BaseModel):
    """Where a value stands: in the answer of a turn, or in what a tool gave back in it.

    Attributes:
        regex: The value is what this pattern matches, in the dialect of `matching.patterns`; None
            for all that the path leads to.
        after: Only behind the first place of this text, without regard to case; None to look at
            all of it.
        tool_name: Look into what this tool gave back in the turn, the last call that ended well
            first; None for the answer.
        path: Look at what this path leads to in its JSON, in the language of
            `matching.json_paths`; None for its text.

    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    regex: Annotated[str, AfterValidator(check_pattern)] | None = None
    after: Annotated[str, Field(min_length=1)] | None = None
    tool_name: Annotated[str, Field(min_length=1)] | None = None
    path: JsonPath | None = None

    @model_validator(mode="after")
    def _says_what_to_take(self) -> Self:
        if self.regex is None and self.path is None:
            msg = "give a `regex` that matches the value, or the `path` of it in the JSON"
            raise ValueError(msg)
        return self

    def __str__(self) -> str:
        where = "the answer" if self.tool_name is None else f"what {self.tool_name} gave back"
        path = f" at {self.path}" if self.path is not None else ""
        after = f" behind {self.after!r}" if self.after is not None else ""
        what = f"a match of /{self.regex}/" if self.regex is not None else "a value"
        return f"{what} in {where}{path}{after}"

    def first_in(self, texts: Iterable[str]) -> str | None:
        """Return the value from the first of the texts that has it, None where none has."""
        return next((value for text in texts if (value := self._in(text))), None)

    def _in(self, text: str) -> str | None:
        if self.path is None:
            return self._of(text)
        values = select(parse_path(self.path), structure_of(text))
        return next((found for value in values if (found := self._of(text_of(value)))), None)

    def _of(self, text: str) -> str | None:
        if self.after is not None:
            place = re.search(re.escape(self.after), text, re.IGNORECASE)
            if place is None:
                return None
            text = text[place.end() :]
        found = text if self.regex is None else matched_text(self.regex, text)
        return writable_text(found.strip()[:MAX_VALUE]) if found is not None else None


def is_value_name(name: str) -> bool:
    """Return whether a value may have this name."""
    return re.fullmatch(_NAME, name) is not None


def misnamed_places(message: str) -> list[str]:
    """Return what stands in double braces in a message and is no name of a value, as written."""
    return [found for found in _BRACES.findall(message) if not _PLACE.fullmatch(found)]


def places_in(message: str) -> list[str]:
    """Return the names of the values that a message has places for, each once, in order."""
    return list(dict.fromkeys(_PLACE.findall(message)))


def filled(message: str, values: Mapping[str, str]) -> str:
    """Return the message with the values in their places; a place without a value stays."""
    return _PLACE.sub(lambda place: values.get(place[1], place[0]), message)
