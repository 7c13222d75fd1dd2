"""Dataset files for the tests of the command line."""

import json
from pathlib import Path
from typing import Any

from audition.experiment.journal import JOURNAL

SAYS_YES = {"type": "human_response_contains_terms", "required_terms": ["yes"], "id": "says yes"}


def write(folder: Path, *names: str, **fields: Any) -> Path:
    """Write a file with a case of each name, which asks its name and must be told yes."""
    cases = [
        {"name": name, "message": name, "evaluators": [SAYS_YES], "tags": [name.split()[0]]}
        for name in names
    ]
    path = folder / "desk.json"
    data = {"version": 2, "task": "retrieval", "name": "desk", "cases": cases, **fields}
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def run_folder(project: Path) -> Path:
    """Return the folder of the only run of a project."""
    (journal,) = project.glob(f"eval-reports/*/*/{JOURNAL}")
    return journal.parent
