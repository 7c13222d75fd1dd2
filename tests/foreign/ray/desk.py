"""A project whose team does what a case asks of it, to the process that it runs in."""

import json
from pathlib import Path
from typing import Any

PROJECT = """\
[tool.audition]
default = "desk"
[tool.audition.applications]
desk = "desk_of_ray:application"
"""

APPLICATION = """\
import hashlib, os, signal, time
from pathlib import Path

from audition.application import Application
from audition.runtimes.function import FunctionFactory

def answer(message: str) -> str:
    marks = Path(os.environ["DESK_MARKS"])
    (marks / f"{message} {os.getpid()} {time.monotonic_ns()}").touch()
    if message == "die always" or (message == "die once" and len([*marks.glob("die once *")]) < 2):
        os.kill(os.getpid(), signal.SIGKILL)
    if message.startswith("slow"):
        time.sleep(60)
    if message == "key":
        print("the key is", os.environ["DESK_KEY"], flush=True)
        return hashlib.sha256(os.environ["DESK_KEY"].encode()).hexdigest()
    return f"yes, {message}"

application = Application(
    name="desk", version="7", runtimes={"desk": FunctionFactory(answer, agent="@Desk")}
)
"""


def project(folder: Path, *cases: str, says: str = "yes", **fields: Any) -> Path:
    """Make a project with a case of each name, which asks its name, and return its dataset."""
    (folder / "pyproject.toml").write_text(PROJECT, "utf-8")
    (folder / "desk_of_ray.py").write_text(APPLICATION, "utf-8")
    wanted = {"type": "human_response_contains_terms", "required_terms": [says], "id": "says"}
    entries = [{"name": name, "message": name, "evaluators": [wanted]} for name in cases]
    data = {"version": 2, "task": "retrieval", "name": "desk", "cases": entries, **fields}
    path = folder / "desk.json"
    path.write_text(json.dumps(data), "utf-8")
    return path
