"""What was run, with what: enough to say later whether two runs can be compared."""

import hashlib
import json
import math
import os
import platform
import subprocess
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import cast

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError, field_validator
from pydantic_core import to_jsonable_python

from audition.application import Application
from audition.datasets.loading import LoadedDataset
from audition.datasets.pointers import first_wrong
from audition.errors import NewerFormat, RecordError
from audition.experiment.plan import PlanTotals
from audition.files import naming
from audition.output import RuntimeCapabilities
from audition.recording import read_record
from audition.redaction.records import Redactor
from audition.values import writable_json

MANIFEST = "manifest.json"
FORMAT = "audition-manifest"
VERSION = 1
_MAX_BYTES = 64 * 1024 * 1024
_PACKAGES = ("audition", "pydantic-evals", "pydantic-ai-slim", "pydantic", "logfire", "pykka")


class Selection(BaseModel):
    """Which cases of a dataset a run is of; all, where nothing is said.

    Attributes:
        names: The names of cases.
        tags: Tags, one of which each has.
        shard: Which part of all, as "2/4"; None for all.
        session: The recorded session that they judge, None for what the file names.
        source: Where the sessions come from, None for what the file names.

    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    names: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    shard: str | None = None
    session: str | None = None
    source: str | None = None


class RescoredFrom(BaseModel):
    """Where the outputs come from that were judged anew.

    Attributes:
        path: The folder of the run, or its native report, as it was named.
        sha256: SHA-256 of its journal, or of the report.
        left_out: What could not be judged anew: the first names of cases, by the reason.
        counts: How many cases, by the reason.

    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    path: str
    sha256: str
    left_out: Mapping[str, tuple[str, ...]] = {}
    counts: Mapping[str, int] = {}


class Manifest(BaseModel):
    """What was run, with what.

    Attributes:
        format: Says what this file is.
        version: The version of its format.
        experiment: The name of the experiment.
        dataset_name: The name of the dataset.
        dataset_path: Its file, as it was named.
        dataset_sha256: SHA-256 of the bytes of its file, None where that was not kept.
        dataset_fingerprint: SHA-256 of what the team is given, not of the bytes of the file: the
            same for a checkout with other line ends.
        evaluators_fingerprint: SHA-256 of all evaluators with their arguments.
        application: The application, None where there is none.
        application_version: Its version, None where it has none.
        configuration: What else the application says makes its team another one.
        selection: Which cases of the dataset were chosen.
        team: The team that was evaluated, None where there is none.
        model_ids: The models that answered, in order of appearance.
        packages: Versions of the packages that matter; None where one is not installed.
        python: Version of Python.
        git_commit: The commit of the working directory, None outside a repository.
        git_dirty: Whether it had changes, None outside a repository.
        capabilities: What the evidence can be relied on for, None before the first result.
        units: How many (case, repeat) were to be run, None where it was not written down.
        redacted: Whether secrets were taken out of what is kept.
        rescored_from: Where the outputs come from, None where a team was asked for them.
        limits: What the call said of bounds and repeats.
        merged_from: The folders of the runs that it was put together from, empty where it is one.
        started_at: UTC, ISO 8601.
        resumed_at: When it was gone on with, each in UTC, ISO 8601.
        finished_at: UTC, ISO 8601; None while it runs, or where it was killed.
        exit_code: What the process said, None as before.
        stopped_by: Why units were left unrun, None where none was for a reason of the run.

    """

    model_config = ConfigDict(extra="forbid", protected_namespaces=())

    format: str = FORMAT
    version: int = VERSION
    experiment: str
    dataset_name: str
    dataset_path: str
    dataset_sha256: str | None = None
    dataset_fingerprint: str
    evaluators_fingerprint: str
    application: str | None
    application_version: str | None
    configuration: Mapping[str, str] = {}
    selection: Selection = Selection()
    team: str | None
    model_ids: list[str]
    packages: Mapping[str, str | None]
    python: str
    git_commit: str | None
    git_dirty: bool | None
    capabilities: RuntimeCapabilities | None = None
    units: int | None = None
    redacted: bool = True
    rescored_from: RescoredFrom | None = None
    limits: Mapping[str, JsonValue]
    merged_from: list[str] = []
    started_at: str
    resumed_at: list[str] = []
    finished_at: str | None = None
    exit_code: int | None = None
    stopped_by: str | None = None

    @field_validator("limits")
    @classmethod
    def _are_finite(cls, limits: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
        for name, value in limits.items():
            if isinstance(value, float) and not math.isfinite(value):
                msg = f"{name} is {value}; wanted a number that is finite"
                raise ValueError(msg)
        return limits

    def write(self, folder: Path, *, redact: bool = True) -> None:
        """Write it to the folder of a run, whole or not at all.

        Args:
            folder: The folder.
            redact: False to keep secrets as they are.

        """
        plain = writable_json(self.model_dump(mode="json"))
        text = json.dumps(Redactor().whole(plain) if redact else plain, indent=2)
        part = folder / f"{MANIFEST}.part"
        with naming(part), part.open("wb") as stream:
            stream.write(f"{text}\n".encode())
            stream.flush()
            os.fsync(stream.fileno())  # else a loss of power may leave an empty one in its place
        part.replace(folder / MANIFEST)


def read_manifest(folder: Path) -> Manifest:
    """Return the manifest of a run.

    Raises:
        RecordError: It cannot be read, or is none.
        NewerFormat: It was written in a newer format.

    """
    path = folder / MANIFEST
    content = read_record(path, _MAX_BYTES)
    try:
        manifest = Manifest.model_validate_json(content)
    except ValidationError as error:
        raise RecordError(str(path), f"no manifest: {first_wrong(error)}") from None
    if manifest.version > VERSION:
        raise NewerFormat(str(path), found=manifest.version, readable=VERSION)
    return manifest


def now() -> str:
    """Return the time as the files of a run say it: UTC, ISO 8601, in seconds."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def new_manifest(
    loaded: LoadedDataset,
    application: Application,
    *,
    team: str | None,
    selection: Selection,
    plan: PlanTotals,
    limits: object,
) -> Manifest:
    """Return the manifest of a run that begins now.

    Args:
        loaded: The dataset.
        application: What it is for.
        team: The team that is evaluated, None where there is none.
        selection: Which of its cases.
        plan: What its plan adds up to.
        limits: What the call said of bounds and repeats.

    """
    commit, dirty = git_state()
    return Manifest(
        experiment=loaded.dataset.name or loaded.path.stem,
        dataset_name=loaded.dataset.name or "",
        dataset_path=str(loaded.path),
        dataset_sha256=file_sha256(loaded.path),
        dataset_fingerprint=plan.inputs,
        evaluators_fingerprint=plan.evaluators,
        application=application.name,
        application_version=application.version,
        configuration=dict(application.configuration),
        selection=selection,
        team=team,
        units=plan.units,
        model_ids=[],
        packages=package_versions(),
        python=python_version(),
        git_commit=commit,
        git_dirty=dirty,
        limits=cast("dict[str, JsonValue]", to_jsonable_python(limits)),
        started_at=now(),
    )


def file_sha256(path: Path) -> str | None:
    """Return the SHA-256 of the bytes of a file, None where it cannot be read."""
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError:
        return None


def package_versions(names: Iterable[str] = _PACKAGES) -> dict[str, str | None]:
    """Return the installed version of each package, None where it is not installed."""
    return {name: _version(name) for name in names}


@cache
def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def python_version() -> str:
    """Return the version of the running Python."""
    return platform.python_version()


def git_state() -> tuple[str | None, bool | None]:
    """Return the commit of the working directory and whether it has changes."""
    commit = _git("rev-parse", "HEAD")
    if commit is None:
        return None, None
    return commit.strip(), bool(_git("status", "--porcelain", "--untracked-files=no"))


def _git(*arguments: str) -> str | None:
    try:
        done = subprocess.run(  # noqa: S603  # fixed arguments, no shell
            ("git", *arguments),  # noqa: S607  # the git on PATH is the one the user means
            capture_output=True,
            check=False,
            text=True,
            timeout=5,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None
