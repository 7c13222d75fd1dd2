"""A `kubectl` that runs nothing: it keeps what it is given, and prints what it was told to."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

SCRIPT = """#!/bin/sh
folder={folder}
call=$(ls "$folder" | grep -c arguments || true)
printf '%s\\n' "$@" > "$folder/arguments.$call"
cat > "$folder/given.$call"
cat "$folder/out" 2> /dev/null
[ -f "$folder/out.$call" ] && cat "$folder/out.$call"
[ -f "$folder/err" ] && cat "$folder/err" >&2
exit $(cat "$folder/code" 2> /dev/null || echo 0)
"""


@dataclass(frozen=True, slots=True)
class FakeKubectl:
    """What stands in its folder: what it prints, and what it was given."""

    folder: Path

    def prints(self, *answers: Sequence[object]) -> None:
        """Print one list of rows at each call."""
        for call, answer in enumerate(answers):
            lines = [json.dumps(row, ensure_ascii=False) for row in answer]
            (self.folder / f"out.{call}").write_text("\n".join(lines) + "\n", encoding="utf-8")

    def fails(self, code: int, *lines: str) -> None:
        """End with a code, and say why."""
        (self.folder / "code").write_text(str(code))
        (self.folder / "err").write_text("\n".join(lines) + "\n")

    def arguments(self, call: int) -> list[str]:
        """Return the arguments of a call."""
        return (self.folder / f"arguments.{call}").read_text().split("\n")[:-1]

    def given(self, call: int) -> list[str]:
        """Return the lines of the standard input of a call."""
        return (self.folder / f"given.{call}").read_text().split("\n")


def on_path(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str = SCRIPT) -> FakeKubectl:
    """Put the script in front of everything on PATH."""
    kept = folder / "kept"
    kept.mkdir()
    program = folder / "bin" / "kubectl"
    program.parent.mkdir()
    program.write_text(script.format(folder=kept))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    return FakeKubectl(kept)
