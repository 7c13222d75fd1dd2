"""`audition sessions`: the recorded sessions that a source has."""

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from audition.cli.printing import Format
from audition.cli.session_options import Context
from audition.experiment.exit_codes import ExitCode

if TYPE_CHECKING:
    from audition.sources.source import SessionInfo

_UNKNOWN = "?"


def sessions(
    source: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE",
            envvar="AUDITION_SOURCE",
            help="A file (JSON, JSON Lines, YAML, SQLite), - for standard input, "
            "postgres://USER@HOST/DATABASE, http://HOST:PORT of a kagent, or "
            "kubectl:[NAMESPACE[/WORKLOAD]].",
        ),
    ],
    agent: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="Only those whose agent has this in its name."),
    ] = None,
    limit: Annotated[int, typer.Option(min=1, help="At most so many.")] = 50,
    user: Annotated[str | None, typer.Option(help="Only the sessions of this user.")] = None,
    context: Context = None,
    format: Annotated[Format, typer.Option(help="How they are printed.")] = Format.TABLE,  # noqa: A002  # the name of the option
) -> None:
    """Print the recorded sessions of a source, where it knows the one that changed last first.

    Exit 1 where there is none.
    """
    from audition.sources.addresses import open_source

    found = open_source(source, user=user, context=context).sessions(agent=agent, limit=limit)
    if format is Format.JSON:
        print(json.dumps({"sessions": [asdict(info) for info in found]}, indent=2))
    elif found:
        _tell(found)
    if not found:
        print("no session found", file=sys.stderr)
        raise typer.Exit(ExitCode.FAILED)


def _tell(found: Sequence["SessionInfo"]) -> None:
    from audition.reports.terminal import one_line

    columns = [
        [heading, *(_UNKNOWN if value is None else one_line(str(value), 100) for value in values)]
        for heading, values in (
            ("SESSION", [info.id for info in found]),
            ("FRAMES", [info.frames for info in found]),
            ("AGENT", [info.agent for info in found]),
            ("USER", [info.user for info in found]),
            ("UPDATED", [info.updated_at for info in found]),
        )
        if any(value is not None for value in values)
    ]
    widths = [max(map(len, column)) for column in columns]
    for row in zip(*columns, strict=True):
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        print("  ".join(cells).rstrip())
