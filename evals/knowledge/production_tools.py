"""The team with its production tools, on pages of this machine: `make eval-production-tools`.

The web tool fetches over HTTP, from a server that lives in this process. Which port is free is
known only when it has started, so the dataset file names the host `pages.invalid`, and what is run
is a copy of the file with the address in its place.
"""

import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from audition.cli import main as audition
from evals.knowledge.page_server import serving
from evals.knowledge.served_pages import ServedPages
from knowledge_team.fetching import ALLOW_PRIVATE_VARIABLE

DATASET = Path(__file__).parents[2] / "datasets" / "production-tools.json"
PLACE = "http://pages.invalid"
"""Where the address of the server comes in the dataset file."""


def main(options: Sequence[str]) -> None:
    """Be `audition run` of the dataset with the team `production`, and end with its exit code.

    Args:
        options: Further options of `audition run`.

    """
    os.environ[ALLOW_PRIVATE_VARIABLE] = "1"  # of this process alone, which ends with the run
    with (
        serving(ServedPages()) as address,
        TemporaryDirectory(prefix="production-tools-", ignore_cleanup_errors=True) as folder,
    ):
        # The databases of the cases go with it, also where a case could not end by itself.
        tempfile.tempdir = folder
        dataset = Path(folder) / DATASET.name
        dataset.write_text(DATASET.read_text("utf-8").replace(PLACE, address), "utf-8")
        audition(["run", str(dataset), "--team", "production", *options])


if __name__ == "__main__":
    main(sys.argv[1:])
