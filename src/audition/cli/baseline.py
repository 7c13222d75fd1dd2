"""`audition baseline`: a run that later ones are compared with, kept where it can be committed."""

from pathlib import Path
from typing import Annotated

import typer

from audition.cli.gate import Baselines, Reports

baseline = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, help="Runs that later ones are compared with."
)


@baseline.command("promote")
def promote(
    run: Annotated[str, typer.Argument(help="The folder of a run, or `latest`.")],
    name: Annotated[
        str | None,
        typer.Option("--as", metavar="NAME", help="Its name, in place of the experiment's."),
    ] = None,
    reports: Reports = Path("eval-reports"),
    baselines: Baselines = Path("eval-baselines"),
) -> None:
    """Make a whole run the baseline, and say what that changes against the one before."""
    from audition.cli.printing import tell
    from audition.gates.baselines import promote as promoted
    from audition.gates.subjects import find_run
    from audition.reports.baseline_text import baseline_text

    folder, promotions = promoted(
        find_run(run, reports=reports, baselines=baselines), baselines, name=name
    )
    print(baseline_text(folder, promotions))
    tell(f"commit {folder}: what the team said is not in it, reasons of failures are")


@baseline.command("show")
def show(
    name: Annotated[str | None, typer.Argument(help="Which; all where none is named.")] = None,
    baselines: Baselines = Path("eval-baselines"),
) -> None:
    """Print where baselines came from, and what each promotion changed."""
    from audition.datasets.problems import accepted
    from audition.errors import CallError
    from audition.gates.baselines import promoted, read_promotions
    from audition.reports.baseline_text import baseline_text

    found = {folder.name: folder for folder in promoted(baselines)}
    if name is not None and name not in found:
        raise CallError(name, what=f"a baseline in {baselines}", wanted=accepted(name, found))
    for one in found if name is None else [name]:
        print(baseline_text(found[one], read_promotions(found[one])))
