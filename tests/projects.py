"""Projects that name their applications, as folders of tests."""

from pathlib import Path

TABLE = """\
[tool.audition]
default = "desk"
[tool.audition.applications]
desk = "desk_of_tests:application"
"""


def project(folder: Path, text: str) -> Path:
    """Give a folder a pyproject.toml, and return it."""
    (folder / "pyproject.toml").write_text(text, "utf-8")
    return folder
