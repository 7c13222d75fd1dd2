"""`audition doctor`: whether a secret stands in files that are to be shared."""

from pathlib import Path
from typing import Annotated

import typer


def doctor(
    paths: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help="Files, or folders, hidden files too."),
    ],
) -> None:
    """Name every place of a secret in recordings, reports and other files; exit 1 where one is.

    By the name of its place and by known shape; what it is itself, is not printed. What stands
    below .git, .hg, .svn and .venv of a folder is left out.
    """
    from audition.redaction.files import files_in, leaks
    from audition.reports.terminal import one_line

    files = [file for path in paths for file in files_in(path)]
    count = 0
    for file in files:
        for leak in leaks(file):
            count += 1
            print(one_line(str(leak), 2000))
    told = f"{count} secret(s) found" if count else "no secret was found"
    print(f"{told}, {len(files)} file(s) looked at")
    raise typer.Exit(1 if count else 0)
