"""Where the results of a run go, and where they are looked for."""

import re
from datetime import UTC, datetime
from pathlib import Path

from audition.errors import CallError
from audition.experiment.manifest import MANIFEST


def new_folder(reports: Path, experiment: str) -> Path:
    """Return a new empty folder `<reports>/<experiment>/<UTC time>`.

    Raises:
        CallError: It cannot be made.

    """
    slug = folder_name(experiment)
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    for number in range(1, 1000):
        folder = reports / slug / (stamp if number == 1 else f"{stamp}-{number}")
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            continue  # another run began in the same second
        except OSError as error:
            raise CallError(
                error.strerror, what=str(folder), wanted="wanted a folder that can be made"
            ) from None
        return folder
    found = "a thousand runs in this second"
    raise CallError(found, what=str(reports / slug), wanted="wanted a free name")


def folder_name(experiment: str) -> str:
    """Return the name of the folder of an experiment."""
    return re.sub(r"[^\w.-]+", "-", experiment).strip("-.") or "experiment"


def runs_below(folder: Path) -> list[Path]:
    """Return the folders of runs up to two levels below, the last that was begun first."""
    kept = [*folder.glob(f"*/{MANIFEST}"), *folder.glob(f"*/*/{MANIFEST}")]
    return sorted((path.parent for path in kept), key=lambda run: run.name, reverse=True)
