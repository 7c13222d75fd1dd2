"""What the commands share that read a recorded session: their options, and the reading."""

from typing import TYPE_CHECKING, Annotated

import typer

from audition.cli.printing import tell_lost

if TYPE_CHECKING:
    from audition.recording import Recording
    from audition.sessions import SessionInput

# Plain names: typer does not look through aliases that are made by `type`.
SessionId = Annotated[
    str | None, typer.Option(metavar="ID", help="The session, where the source has several.")
]
Invocation = Annotated[str | None, typer.Option(metavar="ID", help="Only this invocation of it.")]
User = Annotated[str | None, typer.Option(metavar="NAME", help="The user whose session it is.")]
Context = Annotated[str | None, typer.Option(help="The context of kubectl's configuration.")]
Redact = Annotated[
    bool, typer.Option("--redact/--no-redact", help="Take secrets out, or keep them.")
]


def recorded(inputs: "SessionInput") -> "Recording":
    """Return a session as a recording of ours, and say how much of it could not be read."""
    from audition.sessions import recording_of, understood

    adapted = understood(inputs.record(), invocation=inputs.invocation).adapted
    tell_lost(adapted.lost)
    return recording_of(adapted)
