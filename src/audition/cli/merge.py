"""`audition merge`: runs of parts of a dataset, put together into one."""

from pathlib import Path
from typing import Annotated

import typer

from audition.cli.printing import tell
from audition.cli.run_options import TolerateErrors


def merge(
    runs: Annotated[list[Path], typer.Argument(help="The folders of the runs, one for each part.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The folder of the whole run, which is made.")
    ],
    tolerate_errors: TolerateErrors = 0,
) -> None:
    """Put the runs of parts of a dataset together; ends as one run of all would have."""
    from audition.experiment.merging import merge_runs

    merged = merge_runs(runs, output, tolerated_error_share=tolerate_errors)
    if merged.missing:
        tell(f"audition: not there: part {', '.join(merged.missing)}")
    tell(f"put together in {output}: `audition show {output}` tells it")
    raise typer.Exit(int(merged.code))
