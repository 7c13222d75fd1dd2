"""`audition extract`: a recorded session as an account, chat messages, events or frames."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from audition.cli.printing import claim_stdout, quiet_end, tell_reminder
from audition.cli.session_options import Context, Invocation, Redact, SessionId, User

if TYPE_CHECKING:
    from pydantic import JsonValue

    from audition.output import CaseOutput
    from audition.sessions import Understood
    from audition.sniff import Shape


def extract(
    source: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE",
            envvar="AUDITION_SOURCE",
            help="As for `audition sessions`: a file, - for standard input, or an address.",
        ),
    ],
    session: SessionId = None,
    invocation: Invocation = None,
    user: User = None,
    context: Context = None,
    list_invocations: Annotated[
        bool, typer.Option("--list-invocations", help="Only name the invocations.")
    ] = False,
    include_internal: Annotated[
        bool, typer.Option("--include-internal", help="Also the plumbing of the runtime.")
    ] = False,
    drop_tool: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Leave this tool out; may be repeated."),
    ] = None,
    format: Annotated[  # noqa: A002  # the name of the option
        str, typer.Option(metavar="NAME", help="What the frames are; auto finds out.")
    ] = "auto",
    summary: Annotated[bool, typer.Option("--summary", help="What became of each frame.")] = False,
    events: Annotated[bool, typer.Option("--events", help="Our events, as a recording.")] = False,
    messages: Annotated[
        bool, typer.Option("--messages", help="OpenAI chat messages; this is the default.")
    ] = False,
    raw: Annotated[bool, typer.Option("--raw", help="The frames themselves, one a line.")] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write to this file.")
    ] = None,
    redact: Redact = True,
) -> None:
    """Read a recorded session and write what it holds; every frame is accounted for.

    Exit 1 where there is nothing to write, 2 where the shape is unknown.
    """
    from audition.errors import CallError
    from audition.sessions import output_of, understood
    from audition.sources.addresses import open_source

    views = {"summary": summary, "events": events, "messages": messages, "raw": raw}
    chosen = [name for name, is_it in views.items() if is_it]
    if len(chosen) > 1:
        named = " and ".join(f"--{name}" for name in chosen)
        raise CallError(named, what="extract", wanted="wanted one of them")
    out = claim_stdout()
    shape = _shape(format)
    record = open_source(source, user=user, shape=shape, context=context).record(session)
    found = understood(record, shape=shape, invocation=invocation)
    extraction = _Extraction(
        understood=found,
        output=output_of(found.adapted, source=""),
        include_internal=include_internal,
        drop_tools=frozenset(drop_tool or ()),
        redact=redact,
    )
    _warn_of_unknown(extraction)
    view = "invocations" if list_invocations else chosen[0] if chosen else "messages"
    lines = list(extraction.lines(view))
    if not lines:
        print(f"audition: there is nothing to write of {source}", file=sys.stderr)
        raise typer.Exit(1)
    _write(lines, output, out)
    if view not in {"summary", "invocations"}:
        tell_reminder(output or "the output")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Extraction:
    """The views of a session, line by line.

    Attributes:
        understood: The session.
        output: What it shows.
        include_internal: Whether plumbing of the runtime is shown.
        drop_tools: Tools that are left out.
        redact: Whether secrets are taken out.

    """

    understood: "Understood"
    output: "CaseOutput"
    include_internal: bool
    drop_tools: frozenset[str]
    redact: bool

    def lines(self, view: str) -> Iterator[str]:
        """Yield the lines of a view: messages, summary, events, raw or invocations."""
        views = {
            "messages": self.messages,
            "summary": self.summary,
            "events": self.events,
            "raw": self.raw,
            "invocations": self.invocations,
        }
        return views[view]()

    def tools(self) -> frozenset[str]:
        """Return the tools that are called in it, those of the runtime too."""
        return frozenset(one.tool_name for one in self.output.tool_invocations(internal=True))

    def invocations(self) -> Iterator[str]:
        from audition.reports.terminal import one_line

        clean = self._cleaner()
        heads = self.understood.adapted.heads
        yield from dict.fromkeys(
            one_line(clean(head.invocation), 400) for head in heads if head.invocation
        )

    def summary(self) -> Iterator[str]:
        from audition.reports.session_text import account, account_table

        calls = self.output.tool_invocations(internal=self.include_internal)
        clean = self._cleaner()
        accounts = account(
            self.understood.adapted,
            clean=clean,
            include_internal=self.include_internal,
            drop_tools=self.drop_tools,
        )
        yield account_table(
            accounts,
            messages=len(self._messages()),
            tools=[clean(one.tool_name) for one in calls if one.tool_name not in self.drop_tools],
        )

    def messages(self) -> Iterator[str]:
        import json

        from audition.redaction.records import Redactor

        found = self._messages()
        if found:
            told = Redactor().whole(found) if self.redact else found
            yield json.dumps(told, indent=2, ensure_ascii=False)

    def events(self) -> Iterator[str]:
        from io import StringIO

        from audition.recording import record_events
        from audition.sessions import recording_of

        stream = StringIO()
        record_events(stream, recording_of(self.understood.adapted), redact=self.redact)
        yield stream.getvalue().removesuffix("\n")

    def raw(self) -> Iterator[str]:
        from audition.redaction.deltas import redacted_frames
        from audition.values import json_line

        frames = self.understood.frames
        for frame in redacted_frames(frames) if self.redact else frames:
            yield json_line(frame)

    def _messages(self) -> list["JsonValue"]:
        from audition.trajectory import chat_messages

        return [
            *chat_messages(
                self.output, include_internal=self.include_internal, drop_tools=self.drop_tools
            )
        ]

    def _cleaner(self) -> Callable[[str], str]:
        from audition.redaction.records import Redactor

        redactor = Redactor()
        if not self.redact:
            return str
        redactor.learn(self.understood.frames)
        return redactor.text


def _warn_of_unknown(extraction: _Extraction) -> None:
    """Say which tools are to be left out and are not there: what was meant may be in the output."""
    unknown = sorted(extraction.drop_tools - extraction.tools()) if extraction.drop_tools else ()
    if unknown:
        from audition.datasets.problems import accepted
        from audition.reports.terminal import one_line

        for name in unknown:
            told = (
                f"--drop-tool {name}: no such tool is there; {accepted(name, extraction.tools())}"
            )
            print(f"audition: {one_line(told, 2000)}", file=sys.stderr)


def _shape(name: str) -> "Shape | None":
    """Return the shape of this name, None where it is to be found out."""
    from audition.errors import CallError
    from audition.sniff import UnknownShape, shape_named

    try:
        return None if name == "auto" else shape_named(name)
    except UnknownShape as error:
        raise CallError(str(error), what="--format", wanted="wanted auto or one of them") from None


def _write(lines: list[str], output: Path | None, out: TextIO) -> None:
    from audition.errors import RecordError

    text = "".join(f"{line}\n" for line in lines)
    if output is None:
        with quiet_end(out):
            out.write(text)
        return
    try:
        # Like stdout: half a character, which UTF-8 does not have, is told as JSON writes it.
        output.write_text(text, "utf-8", "backslashreplace", newline="\n")
    except OSError as error:
        raise RecordError(str(output), str(error.strerror or error)) from None
