"""`audition compare`: what became of the cases of a run since another one."""

import gc
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from audition.experiment.exit_codes import ExitCode

_RUN = "The folder of a run, a native report, an experiment for its newest run, or `latest`."


class ComparisonFormat(StrEnum):
    """How a comparison is printed."""

    TABLE = "table"
    JSON = "json"
    MARKDOWN = "markdown"


def compare(
    base: Annotated[str, typer.Argument(help=f"The run before. {_RUN}")],
    candidate: Annotated[str, typer.Argument(help="The run after, named in the same way.")],
    format: Annotated[  # noqa: A002  # the name of the option
        ComparisonFormat, typer.Option(help="How the comparison is printed.")
    ] = ComparisonFormat.TABLE,
    confidence: Annotated[
        float, typer.Option(metavar="SHARE", help="Of the intervals, between 0 and 1.")
    ] = 0.95,
    reports: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Where runs are that are named shortly.")
    ] = Path("eval-reports"),
) -> None:
    """Print what broke, what was fixed and how sure that is; exit 1 where a case broke."""
    gc.disable()  # nothing that is read is let go before the end
    from audition.comparison.comparing import compare as compared
    from audition.comparison.sides import find_run, read_side
    from audition.errors import CallError
    from audition.redaction.records import Redactor
    from audition.reports.comparison_text import (
        comparison_json,
        comparison_markdown,
        comparison_text,
    )

    if not 0 < confidence < 1:
        wanted = "wanted a share between 0 and 1, such as 0.95"
        raise CallError(confidence, what="--confidence", wanted=wanted)
    before, after = (read_side(find_run(one, reports)) for one in (base, candidate))
    comparison = compared(before, after, confidence=confidence)
    match format:
        case ComparisonFormat.JSON:
            print(Redactor().json(comparison_json(comparison)).decode())
        case ComparisonFormat.MARKDOWN:
            print(Redactor().text(comparison_markdown(comparison)))
        case ComparisonFormat.TABLE:
            print(Redactor().text(comparison_text(comparison)))
    if comparison.code is not ExitCode.OK:
        raise typer.Exit(comparison.code)
