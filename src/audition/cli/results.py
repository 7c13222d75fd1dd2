"""The results of a run in the format that was asked for, as `run` and `show` print them."""

import os
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from audition.reports.told_run import ToldRun


class ResultFormat(StrEnum):
    """How the results of a run are printed."""

    TABLE = "table"
    JSON = "json"
    JUNIT = "junit"
    MARKDOWN = "markdown"
    GITHUB = "github"
    CSV = "csv"


def print_results(told: "ToldRun", form: ResultFormat, out: TextIO) -> None:
    """Print the results of a run, piece by piece.

    Args:
        told: The run.
        form: How it is printed.
        out: Where; for GitHub the job summary goes to the file that its runner names, if any.

    """
    from audition.reports.comma_separated import comma_separated
    from audition.reports.junit import junit
    from audition.reports.markdown import markdown
    from audition.reports.results_json import results_json
    from audition.reports.table import table

    match form:
        case ResultFormat.TABLE:
            out.writelines(table(told))
        case ResultFormat.JSON:
            out.writelines(results_json(told))
        case ResultFormat.JUNIT:
            out.writelines(junit(told))
        case ResultFormat.MARKDOWN:
            out.writelines(markdown(told))
        case ResultFormat.CSV:
            out.writelines(comma_separated(told))
        case ResultFormat.GITHUB:
            _for_github(told, out)


def _for_github(told: "ToldRun", out: TextIO) -> None:
    from audition.files import naming
    from audition.reports.github import SUMMARY_BYTES, annotations, summary

    out.writelines(annotations(told))
    named = os.environ.get("GITHUB_STEP_SUMMARY")
    if not named:
        out.writelines(summary(told))
        return
    path = Path(named)
    with naming(path), path.open("a", encoding="utf-8") as stream:
        stream.writelines(summary(told, SUMMARY_BYTES - stream.tell()))
