"""What was run, with what: enough to say later whether two runs can be compared."""

import hashlib
import json
import os
import platform
import subprocess
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError
from pydantic_core import to_jsonable_python

from audition.datasets.loading import LoadedDataset
from audition.datasets.pointers import first_wrong
from audition.errors import NewerFormat, RecordError
from audition.files import naming
from audition.output import RuntimeCapabilities
from audition.recording import read_record
from audition.redaction.records import Redactor
from audition.sessions import SessionInput
from audition.values import canonical_json, writable_json

MANIFEST = "manifest.json"
FORMAT = "audition-manifest"
VERSION = 1
_MAX_BYTES = 64 * 1024 * 1024
_PACKAGES = ("audition", "pydantic-evals", "pydantic-ai-slim", "pydantic", "logfire", "pykka")


class Manifest(BaseModel):
    """What was run, with what.

    Attributes:
        format: Says what this file is.
        version: The version of its format.
        experiment: The name of the experiment.
        dataset_name: The name of the dataset.
        dataset_path: Its file, as it was named.
        dataset_fingerprint: SHA-256 of the content of the dataset, not of its bytes: the same
            for a checkout with other line ends.
        evaluators_fingerprint: SHA-256 of all evaluators with their arguments.
        application: The application, None where there is none.
        application_version: Its version, None where it has none.
        team: The team that was evaluated, None where there is none.
        model_ids: The models that answered, in order of appearance.
        packages: Versions of the packages that matter; None where one is not installed.
        python: Version of Python.
        git_commit: The commit of the working directory, None outside a repository.
        git_dirty: Whether it had changes, None outside a repository.
        capabilities: What the evidence can be relied on for, None before the first result.
        units: How many (case, repeat) were to be run, None where it was not written down.
        limits: What the call said of bounds and repeats.
        started_at: UTC, ISO 8601.
        finished_at: UTC, ISO 8601; None while it runs, or where it was killed.
        exit_code: What the process said, None as before.

    """

    model_config = ConfigDict(extra="forbid", protected_namespaces=())

    format: str = FORMAT
    version: int = VERSION
    experiment: str
    dataset_name: str
    dataset_path: str
    dataset_fingerprint: str
    evaluators_fingerprint: str
    application: str | None
    application_version: str | None
    team: str | None
    model_ids: list[str]
    packages: Mapping[str, str | None]
    python: str
    git_commit: str | None
    git_dirty: bool | None
    capabilities: RuntimeCapabilities | None = None
    units: int | None = None
    limits: Mapping[str, JsonValue]
    started_at: str
    finished_at: str | None = None
    exit_code: int | None = None

    def write(self, folder: Path, *, redact: bool = True) -> None:
        """Write it to the folder of a run, whole or not at all.

        Args:
            folder: The folder.
            redact: False to keep secrets as they are.

        """
        plain = writable_json(self.model_dump(mode="json"))
        text = json.dumps(Redactor().whole(plain) if redact else plain, indent=2)
        part = folder / f"{MANIFEST}.part"
        with naming(part):
            part.write_text(f"{text}\n", encoding="utf-8")
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


def fingerprint(value: object) -> str:
    """Return the SHA-256 of a value's canonical JSON."""
    text = canonical_json(writable_json(to_jsonable_python(value, fallback=repr)))
    return hashlib.sha256(text.encode()).hexdigest()


def dataset_fingerprints(loaded: LoadedDataset) -> tuple[str, str]:
    """Return the fingerprints of a dataset and of its evaluators."""
    cases = [
        (case.name, _inputs(case.inputs, loaded), case.metadata) for case in loaded.dataset.cases
    ]
    shared = [evaluator.as_spec() for evaluator in loaded.dataset.evaluators]
    own = [
        (case.name, [evaluator.as_spec() for evaluator in case.evaluators])
        for case in loaded.dataset.cases
    ]
    return fingerprint(cases), fingerprint((shared, own))


def _inputs(inputs: object, loaded: LoadedDataset) -> object:
    """Return the inputs of a case, with a session as it is named relative to the dataset file."""
    if not isinstance(inputs, SessionInput) or inputs.session is None:
        return inputs
    named = os.path.relpath(inputs.session, loaded.path.parent)
    return inputs.model_copy(update={"session": Path(named).as_posix()})


def package_versions(names: Iterable[str] = _PACKAGES) -> dict[str, str | None]:
    """Return the installed version of each package, None where it is not installed."""
    return {name: _version(name) for name in names}


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
