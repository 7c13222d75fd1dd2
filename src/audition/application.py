"""What an application gives the library, and how a project names its applications.

    [tool.audition]
    default = "desk"

    [tool.audition.applications]
    desk = "evals.desk.application:application"

The folder of that pyproject.toml is put on `sys.path`. What is costly is named as "module:object"
and imported when it is needed, so that validating and listing load no framework.
"""

import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from audition.datasets.authoring import Authoring
from audition.datasets.loading import LoadedDataset, build_dataset
from audition.datasets.native import build_native_dataset, is_native
from audition.datasets.problems import accepted
from audition.datasets.reading import SourceFile, read_source
from audition.errors import DatasetError, Problem, SetupError
from audition.runtime import TeamRuntimeFactory


@dataclass(frozen=True, slots=True, kw_only=True)
class Application:
    """A team that can be evaluated.

    Attributes:
        name: Its name in dataset files.
        authoring: What its dataset files may rely on.
        runtimes: What makes its runtimes, as "module:object", by the team they drive; the first
            is the default.
        version: The version of what is evaluated, None where it has none.

    """

    name: str
    authoring: Authoring = field(default_factory=Authoring)
    runtimes: Mapping[str, str] = field(default_factory=dict[str, str])
    version: str | None = None

    def runtime_factory(self, team: str | None = None) -> TeamRuntimeFactory[Any]:
        """Return what makes the runtimes of a team, imported now.

        Args:
            team: One of `runtimes`, None for the first.

        Raises:
            SetupError: The application has no such team, or what is named cannot be used.

        """
        if not self.runtimes:
            msg = f"the application {self.name!r} names no runtime, so nothing can answer its cases"
            raise SetupError(msg)
        name = next(iter(self.runtimes)) if team is None else team
        if name not in self.runtimes:
            msg = (
                f"application {self.name!r}: unknown team {name!r}; {accepted(name, self.runtimes)}"
            )
            raise SetupError(msg)
        factory = import_object(self.runtimes[name])
        if not callable(getattr(factory, "runtime", None)):
            msg = f"{self.runtimes[name]} has no method `runtime(inputs)`, so it makes no runtime"
            raise SetupError(msg)
        return cast("TeamRuntimeFactory[Any]", factory)


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
    if not path.is_file():
        return None
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        msg = f"{path}: {error}"
        raise SetupError(msg) from None
    table = _table(data.get("tool")).get("audition")
    if table is None:
        return None
    written = _table(table).get("applications", {})
    default = _table(table).get("default")
    applications = {name: text for name, text in _table(written).items() if isinstance(text, str)}
    if applications != written or (default is not None and default not in list(applications)):
        msg = (
            f"{path}: tool.audition.default is {default!r}, and tool.audition.applications must "
            'map it and any other name to "module:object"'
        )
        raise SetupError(msg)
    return Project(folder=path.parent, applications=applications, default=default)


def _table(value: object) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def load_application(project: Project, name: str | None = None) -> Application:
    """Return an application of a project.

    Args:
        project: What names it.
        name: Its name, None for the default; where there is none, an application that declares
            nothing.

    Raises:
        SetupError: It is not named, or what is named is no application.

    """
    chosen = name or project.default
    if chosen is None:
        return Application(name="none")
    if chosen not in project.applications:
        msg = (
            f"unknown application {chosen!r}; {accepted(chosen, project.applications)}; "
            f"they are named in {project.folder / 'pyproject.toml'}, tool.audition.applications"
        )
        raise SetupError(msg)
    if str(project.folder) not in sys.path:
        sys.path.insert(0, str(project.folder))
    found = import_object(project.applications[chosen])
    if not isinstance(found, Application):
        msg = f"{project.applications[chosen]} is no Application but {type(found).__name__}"
        raise SetupError(msg)
    return found


def import_object(reference: str) -> object:
    """Return what "module:object" names.

    Raises:
        SetupError: The module cannot be imported, whatever it raises, or has no such object.

    """
    module, _, name = reference.partition(":")
    if not module or not name:
        msg = f'{reference!r} must be written as "module:object"'
        raise SetupError(msg)
    try:
        imported = import_module(module)
    except Exception as error:  # its own code may raise anything: it is set up wrongly
        msg = f"{reference}: importing {module} raised {type(error).__name__}: {error}"
        raise SetupError(msg) from error
    try:
        return getattr(imported, name)
    except AttributeError:
        msg = f"{reference}: the module {module} has no {name}"
        raise SetupError(msg) from None


def load_dataset(path: str | Path, *, session: Path | None = None) -> LoadedDataset:
    """Return the dataset of a file, ours or Pydantic Evals' own, for the application it names.

    Args:
        path: The file.
        session: Judge this session in every case of a session file, None for those it names.

    Raises:
        DatasetError: Everything that is wrong with the file, at once.
        SetupError: Its application cannot be used.

    """
    return open_dataset(Path(path), session=session)[1]


def open_dataset(path: Path, *, session: Path | None = None) -> tuple[Application, LoadedDataset]:
    """Return the application that a file is for, and its dataset; as `load_dataset`."""
    source = read_source(path)
    application = _application_of(source)
    if is_native(source):
        return application, build_native_dataset(source, application.authoring)
    return application, build_dataset(source, application.authoring, session=session)


def _application_of(source: SourceFile) -> Application:
    """Return the application that a file names, or the default; a session file needs none."""
    named = source.data.get("application")
    if not isinstance(named, str):
        named = None
        if source.data.get("task") == "session":
            return Application(name="none")
    project = find_project(Path.cwd(), source.path.resolve().parent)
    try:
        return load_application(project, named)
    except SetupError as error:
        if named is None:
            raise
        problem = Problem(pointer="/application", found=f"found {named!r}", wanted=str(error))
        raise DatasetError(str(source.path), [problem]) from None
