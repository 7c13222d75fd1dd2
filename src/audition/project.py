"""How a project names its applications, and what is named as "module:object", imported.

[tool.audition]
default = "desk"

[tool.audition.applications]
desk = "evals.desk.application:application"
"""

import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from pydantic import JsonValue

from audition.datasets.problems import accepted
from audition.datasets.reading import as_object
from audition.errors import SetupError
from audition.files import read_bounded

HOW_TO_NAME = (
    "name one in a pyproject.toml in the folder of the dataset file or above it: "
    '[tool.audition.applications], NAME = "module:object"'
)
"""What to do where an application is needed and none is named."""

_KEYS = ("applications", "default")
_NAME_IT = "wanted one of tool.audition.applications, which names none"
_MAX_BYTES = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """The applications that a pyproject.toml names.

    Attributes:
        folder: Where it is.
        applications: "module:object" by name.
        default: The application of a file that names none, None where there is no default.

    """

    folder: Path
    applications: Mapping[str, str] = field(default_factory=dict[str, str])
    default: str | None = None

    @property
    def file(self) -> Path:
        """The pyproject.toml."""
        return self.folder / "pyproject.toml"


def find_project(*starts: Path) -> Project:
    """Return the project of the nearest pyproject.toml with a table `tool.audition`.

    Args:
        starts: Folders to look in and above, in this order.

    Raises:
        SetupError: A pyproject.toml cannot be read, or its table is not as it must be.

    """
    for start in starts:
        for folder in (start, *start.parents):
            project = _read_project(folder / "pyproject.toml")
            if project is not None:
                return project
    return Project(folder=starts[0] if starts else Path())


def _read_project(path: Path) -> Project | None:
    if not os.path.isfile(path):  # noqa: PTH113  # Path.is_file raises for a name that is too long
        return None
    try:
        data = tomllib.loads(read_bounded(path, _MAX_BYTES).decode())
    except (OSError, ValueError) as error:
        msg = f"{path}: {error}"
        raise SetupError(msg) from None
    table = as_object(data.get("tool")).get("audition")
    if table is None:
        return None
    problem = next(_problems(table), None)
    if problem is not None:
        msg = f"{path}: {problem}"
        raise SetupError(msg)
    known = as_object(table)
    return Project(
        folder=path.parent,
        applications=cast("dict[str, str]", known.get("applications", {})),
        default=cast("str | None", known.get("default")),
    )


def _problems(table: object) -> Iterator[str]:
    """Yield what is wrong with the table, each with its key, what was found and what is wanted."""
    if not isinstance(table, dict):
        yield f"tool.audition: found {table!r}; wanted a table"
        return
    known = as_object(cast("object", table))
    for key in known:
        if key not in _KEYS:
            yield f"tool.audition: unknown key {key!r}; {accepted(key, _KEYS)}"
    applications = known.get("applications", {})
    yield from _problems_of_applications(applications)
    yield from _problems_of_default(known.get("default"), as_object(applications))


def _problems_of_applications(written: JsonValue) -> Iterator[str]:
    if not isinstance(written, dict):
        wanted = 'wanted a table of "module:object" by name'
        yield f"tool.audition.applications: found {written!r}; {wanted}"
    for name, text in as_object(written).items():
        if not isinstance(text, str):
            yield f'tool.audition.applications.{name}: found {text!r}; wanted "module:object"'


def _problems_of_default(
    written: JsonValue, applications: Mapping[str, JsonValue]
) -> Iterator[str]:
    if written is None or (isinstance(written, str) and written in applications):
        return
    wanted = "wanted the name of an application"
    if isinstance(written, str):
        wanted = accepted(written, applications, otherwise=_NAME_IT)
    yield f"tool.audition.default: found {written!r}; {wanted}"
