"""The command line: parse, call, print. One module a command; what is heavy is imported in it."""

import sys
import traceback
from collections.abc import Sequence
from io import TextIOWrapper
from typing import NoReturn

import typer

from audition.cli.add_case import add_case
from audition.cli.baseline import baseline
from audition.cli.compare import compare
from audition.cli.doctor import doctor
from audition.cli.extract import extract
from audition.cli.gate import gate
from audition.cli.list_command import list_cases
from audition.cli.merge import merge
from audition.cli.plan import plan
from audition.cli.printing import quiet_end, tell
from audition.cli.record import record
from audition.cli.rescore import rescore
from audition.cli.run import run
from audition.cli.schema import schema
from audition.cli.sessions import sessions
from audition.cli.show import show
from audition.cli.validate import validate
from audition.errors import AuditionError
from audition.experiment.exit_codes import ExitCode

app = typer.Typer(
    name="audition",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Evaluate agent teams: run cases, keep the evidence, name the layer that lost the answer.",
    epilog="Exit codes: 0 passed, 1 an assertion failed, 2 the call or a file is wrong, "
    "3 more cases broke than are tolerated, 4 not enough evidence, 130 interrupted.",
)
app.command("run", short_help="Run the cases of a dataset file and judge them.")(run)
app.command("merge", short_help="Put the runs of parts of a dataset together.")(merge)
app.command("rescore", short_help="Judge anew what a run has kept, without the team.")(rescore)
app.command("validate")(quiet_end()(validate))
app.command("list")(list_cases)
app.command("show", short_help="Print a run, or one of its cases with its evidence.")(
    quiet_end()(show)
)
app.command(
    "compare", short_help="What became of the cases since another run; exit 1 where one broke."
)(quiet_end()(compare))
app.command("extract", short_help="A recorded session as an account, messages, events, frames.")(
    extract
)
app.command("record", short_help="Write a recording and a suite that asserts what it shows.")(
    record
)
app.command("add-case", short_help="Keep a failure of a run, or a session, as a case.")(
    quiet_end()(add_case)
)
app.command("sessions", short_help="Print the recorded sessions of a source; exit 1 without one.")(
    quiet_end()(sessions)
)
app.command("gate", short_help="Judge a run by a policy: passed, failed, not enough evidence.")(
    gate
)
app.command("plan", short_help="What a gate would find with so many cases and repeats.")(plan)
app.add_typer(baseline, name="baseline")
app.command("doctor", short_help="Name the places of secrets in files; exit 1 where one is.")(
    quiet_end()(doctor)
)
app.command("schema", short_help="Print the JSON Schema of dataset files.")(quiet_end()(schema))


@app.callback(invoke_without_command=True)
def _root(
    version: bool = typer.Option(False, "--version", help="Say the version and end."),
) -> None:
    if version:
        from audition import __version__

        print(f"audition {__version__}")
        raise typer.Exit


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and end the process with its exit code.

    Args:
        arguments: What stands behind the name of the command; None for those of this process.

    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # it may be unable to show what an agent said
            stream.reconfigure(errors="backslashreplace")
    try:
        app(arguments)
    except (AuditionError, OSError) as error:
        tell(f"audition: {error}")
        sys.exit(ExitCode.USAGE)
    except KeyboardInterrupt:
        print("audition: interrupted", file=sys.stderr)
        sys.exit(ExitCode.INTERRUPTED)
    except Exception:  # noqa: BLE001  # our own fault; Python itself would say 1, a failed assertion
        tell(traceback.format_exc().rstrip())
        sys.exit(ExitCode.INFRASTRUCTURE)
    sys.exit(ExitCode.OK)
