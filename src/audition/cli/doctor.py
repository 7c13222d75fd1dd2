"""`audition doctor`: whether a secret stands in files that are to be shared."""

from pathlib import Path
from typing import Annotated

import typer


def doctor(
    paths: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help="Files, or folders of files, of any kind."),
    ],
) -> None:
    """Name every place of a secret in recordings, reports and other files; exit 1 where one is.

    By the name of its place and by known shape; what it is itself, is not printed.
    """
    from audition.redaction.files import leaks
    from audition.reports.terminal import one_line

    count = 0
    for path in paths:
        for leak in leaks(path):
            count += 1
            print(one_line(str(leak), 2000))
    print(f"{count} secret(s) found" if count else "no secret was found")
    raise typer.Exit(1 if count else 0)
