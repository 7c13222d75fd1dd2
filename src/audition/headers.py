"""The first line of a file of JSON Lines, which says what the file is. No file is opened here."""

from pathlib import Path

from pydantic import JsonValue

from audition.errors import NewerFormat, RecordError
from audition.values import parse_json


def check_header(
    path: Path, line: bytes, *, file_format: str, version: int
) -> dict[str, JsonValue]:
    """Return the header that the first line of a file is.

    Args:
        path: The file, for the text of an error.
        line: Its first line.
        file_format: The format that it must name.
        version: The newest version of the format that can be read.

    Raises:
        RecordError: The line is no header of this format.
        NewerFormat: The file was written in a newer version of it.

    """
    try:
        header = parse_json(line)
    except ValueError:
        header = None
    if not isinstance(header, dict) or header.get("format") != file_format:
        raise RecordError(
            str(path), f"the first line must be a header with format {file_format!r}", 1
        )
    found = header.get("version")
    if not isinstance(found, int) or found > version:
        raise NewerFormat(str(path), found=found, readable=version)
    return header
