"""What an application gives the library, and the dataset files that are written for it.

What is costly is named as "module:object" and imported when it is needed, so that validating and
listing load no framework. The folder of the pyproject.toml that names an application is put on
`sys.path`.
"""

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from audition.datasets.authoring import Authoring
from audition.datasets.contracts import unknown_in_contracts
from audition.datasets.kagent_suites import build_kagent_suite, is_kagent_suite
from audition.datasets.loading import LoadedDataset, build_dataset
from audition.datasets.native import build_native_dataset, is_native
from audition.datasets.problems import accepted
from audition.datasets.reading import SourceFile, read_source
from audition.datasets.session_files import Given
from audition.errors import DatasetError, Problem, SetupError
from audition.evaluators.reasons import shortened
from audition.imports import import_object
from audition.project import HOW_TO_NAME, Project, find_project
from audition.runtime import TeamRuntimeFactory


@dataclass(frozen=True, slots=True, kw_only=True)
class Application:
    """A team that can be evaluated.

    Attributes:
        name: Its name in dataset files, None for what stands in where there is no application.
        authoring: What its dataset files may rely on.
        runtimes: What makes its runtimes, as "module:object" or itself, by the team they drive;
            the first is the default.
        version: The version of what is evaluated, None where it has none.
        configuration: What else makes its team another one, such as the models that it is
            configured with. Runs of another are not mixed, and comparing them says so.

    """

    name: str | None = None
    authoring: Authoring = field(default_factory=Authoring)
    runtimes: Mapping[str, str | TeamRuntimeFactory[Any]] = field(
        default_factory=dict[str, "str | TeamRuntimeFactory[Any]"]
    )
    version: str | None = None
    configuration: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def default_team(self) -> str | None:
        """The team that is evaluated where none is asked for, None where there is no runtime."""
        return next(iter(self.runtimes), None)

    def runtime_factory(self, team: str | None = None) -> TeamRuntimeFactory[Any]:
        """Return what makes the runtimes of a team; what is named is imported now.

        Args:
            team: One of `runtimes`, None for the first.

        Raises:
            SetupError: The application has no such team, or what is named cannot be used.

        """
        if not isinstance(cast("object", self.runtimes), Mapping):
            found = shortened(repr(self.runtimes), 80)
            msg = f"application {self.name!r}: runtimes: found {found}; wanted them by team"
            raise SetupError(msg)
        if not self.runtimes:
            msg = f"application {self.name!r}: there is no runtime, so nothing can answer the cases"
            if self.name is None:
                msg = f"no application is named, so nothing can answer the cases; {HOW_TO_NAME}"
            raise SetupError(msg)
        name = str(self.default_team) if team is None else team
        if name not in self.runtimes:
            msg = (
                f"application {self.name!r}: unknown team {name!r}; {accepted(name, self.runtimes)}"
            )
            raise SetupError(msg)
        return self._made(name)

    def _made(self, team: str) -> TeamRuntimeFactory[Any]:
        given: object = self.runtimes[team]
        at = f"application {self.name!r}: runtimes[{team!r}]"
        factory = import_object(given, named_at=at) if isinstance(given, str) else given
        if callable(getattr(factory, "runtime", None)) and not isinstance(factory, type):
            return cast("TeamRuntimeFactory[Any]", factory)
        found = given if isinstance(given, str) else shortened(repr(given), 80)
        problem = (
            "is a class; wanted an instance of it"
            if isinstance(factory, type)
            else 'has no method `runtime(inputs)`; wanted a factory, or its "module:object"'
        )
        msg = f"{at}: found {found}, which {problem}"
        raise SetupError(msg)


def load_application(project: Project, name: str | None = None) -> Application:
    """Return an application of a project.

    Args:
        project: What names it.
        name: Its name, None for the default, or the only one; where none is named at all, an
            application that declares nothing.

    Raises:
        SetupError: It is not named, or what is named is no application.

    """
    chosen = name or _default(project)
    if chosen is None:
        return Application()
    at = f"{project.file}, tool.audition.applications"
    if chosen not in project.applications:
        there = f"{accepted(chosen, project.applications)}; they are named in {at}"
        msg = f"unknown application {chosen!r}; {there if project.applications else HOW_TO_NAME}"
        raise SetupError(msg)
    if str(project.folder) not in sys.path:
        sys.path.insert(0, str(project.folder))
    reference, at = project.applications[chosen], f"{at}.{chosen}"
    found = import_object(reference, named_at=at)
    if not isinstance(found, Application):
        msg = f"{at}: {reference} is no Application but {type(found).__name__}"
        raise SetupError(msg)
    return found


def _default(project: Project) -> str | None:
    if project.default is None and len(project.applications) > 1:
        wanted = accepted("", project.applications)
        msg = f"{project.file}: tool.audition.default: is missing; {wanted}"
        raise SetupError(msg)
    return project.default or next(iter(project.applications), None)


def load_dataset(path: str | Path, *, session: Given | None = None) -> LoadedDataset:
    """Return the dataset of a file for the application it names.

    It may be ours, a suite of kagent-agentevals, or Pydantic Evals' own.

    Args:
        path: The file.
        session: Judge this session in every case of a session file, or the sessions of this
            source; None for what it names.

    Raises:
        DatasetError: Everything that is wrong with the file, at once.
        SetupError: Its application cannot be used, or its contracts name what it does not declare.

    """
    return open_dataset(Path(path), session=session)[1]


def open_dataset(path: Path, *, session: Given | None = None) -> tuple[Application, LoadedDataset]:
    """Return the application that a file is for, and its dataset; as `load_dataset`."""
    source = read_source(path)
    if is_kagent_suite(source):
        return Application(), build_kagent_suite(source, session=session)
    application = _application_of(source)
    _check_contracts(application)
    if is_native(source):
        return application, build_native_dataset(source, application.authoring)
    return application, build_dataset(source, application.authoring, session=session)


def _check_contracts(application: Application) -> None:
    problems = "; ".join(map(str, unknown_in_contracts(application.authoring)))
    if problems:
        msg = f"application {application.name!r}: contracts: {problems}"
        raise SetupError(msg)


def _application_of(source: SourceFile) -> Application:
    """Return the application that a file names, or the default; a session file needs none."""
    named = source.data.get("application")
    if not isinstance(named, str):
        named = None
        if source.data.get("task") == "session":
            return Application()
    project = find_project(source.path.resolve().parent, Path.cwd())
    try:
        return load_application(project, named)
    except SetupError as error:
        if named is None:
            raise
        problem = Problem(pointer="/application", found=f"found {named!r}", wanted=str(error))
        raise DatasetError(str(source.path), [problem]) from None
