"""A comparison as text for a terminal, as Markdown, and as JSON."""

import re
from collections.abc import Iterator, Sequence

from audition.comparison.comparing import Comparison
from audition.experiment.journal import plain_json
from audition.reports.comparison_sections import Section, sections
from audition.reports.terminal import one_line, safe

_LINE = 700
FORMAT = "audition-comparison"
VERSION = 1

_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|~&])")


def comparison_text(comparison: Comparison) -> str:
    """Return a comparison as text that is safe for a terminal."""
    return "\n\n".join("\n".join(_text(section)) for section in sections(comparison))


def _text(section: Section) -> Iterator[str]:
    yield section.title
    for line in section.lines:
        yield f"  {_indent(line)}{one_line(line, _LINE)}"
    if section.rows:
        cells = [[one_line(cell) for cell in row] for row in (section.head, *section.rows)]
        widths = [max(len(row[column]) for row in cells) for column in range(len(section.head))]
        for row in cells:
            padded = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
            yield f"  {'  '.join(padded)}".rstrip()


def _indent(line: str) -> str:
    return "  " if line.startswith("  ") else ""


def comparison_markdown(comparison: Comparison) -> str:
    """Return a comparison as Markdown; what agents and files said is not taken for markup."""
    return "\n\n".join("\n".join(_markdown(section)) for section in sections(comparison))


def _markdown(section: Section) -> Iterator[str]:
    yield f"## {section.title}\n"
    for line in section.lines:
        yield f"{_indent(line)}- {_escaped(line)}"
    if section.rows:
        yield from ("",) if section.lines else ()
        yield _markdown_row(section.head)
        yield _markdown_row(["---"] * len(section.head))
        yield from (_markdown_row([_escaped(cell) for cell in row]) for row in section.rows)


def _markdown_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _escaped(text: str) -> str:
    return _MARKUP.sub(r"\\\1", one_line(safe(text), _LINE))


def comparison_json(comparison: Comparison) -> bytes:
    """Return a comparison as strict JSON: its fields under a format and a version."""
    whole = plain_json(comparison)
    return b'{"format":"%b","version":%d,%b' % (FORMAT.encode(), VERSION, whole[1:])
