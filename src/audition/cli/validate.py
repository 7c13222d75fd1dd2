"""`audition validate`: what is wrong or doubtful in dataset files, before any team starts."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from audition.cli.printing import tell_warnings
from audition.experiment.exit_codes import ExitCode


def validate(
    datasets: Annotated[list[Path], typer.Argument(help="Dataset files.")],
    strict: Annotated[bool, typer.Option(help="Take warnings for errors.")] = False,
) -> None:
    """Say everything that is wrong with dataset files. Starts no team and needs no key."""
    from audition.application import open_dataset
    from audition.errors import AuditionError
    from audition.reports.terminal import safe

    failed = False
    for path in datasets:
        try:
            _, loaded = open_dataset(path)
        except AuditionError as error:
            print(safe(str(error)), file=sys.stderr)
            failed = True
            continue
        tell_warnings(path, loaded.warnings)
        failed |= strict and bool(loaded.warnings)
        doubts = f", {len(loaded.warnings)} warning(s)" if loaded.warnings else ""
        print(f"{path}: {loaded.task}, {len(loaded.dataset.cases)} case(s){doubts}")
    if failed:
        raise typer.Exit(ExitCode.USAGE)
