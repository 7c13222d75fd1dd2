"""A case more in the text of a dataset file; everything else of it stays to the letter.

JSON keeps its indentation, YAML its comments. The text is read again before it is written: what
does not come to the same file with one more case is not written.
"""

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

import yaml

from audition.datasets.reading import Fields, SourceFile, as_list, read_source
from audition.datasets.yaml_text import yaml_lines
from audition.errors import CallError, DatasetError

_BLANK = re.compile(r"\s*")
_BY_HAND = "add the case by hand: this file cannot be added to without rewriting it"


def new_file(path: Path, head: Fields, case: Fields, comments: Sequence[str] = ()) -> str:
    """Return the text of a dataset file with one case.

    Args:
        path: `.json`, or `.yaml` or `.yml`.
        head: What stands in it beside the cases.
        case: The case.
        comments: Lines that stand behind the case, in a file that can have them.

    """
    if path.suffix == ".json":
        return json.dumps({**head, "cases": [case]}, indent=2, ensure_ascii=False) + "\n"
    lines = [*yaml_lines(head), "cases:", *_item_lines(case, comments, "  ")]
    return "".join(f"{line}\n" for line in lines)


def with_case(source: SourceFile, case: Fields, comments: Sequence[str] = ()) -> str:
    """Return the text of a dataset file with one case more at its end.

    Args:
        source: The file as it was read.
        case: The case.
        comments: Lines that stand behind the case, in a file that can have them.

    Raises:
        CallError: The cases cannot be added to without rewriting the file.

    """
    text = source.path.read_bytes().decode("utf-8")
    try:
        if source.path.suffix == ".json":
            return _with_json_case(text, case)
        return _with_yaml_case(text, case, comments)
    except (LookupError, ValueError):
        raise _by_hand(source.path) from None


def write_case(
    path: Path, text: str, source: SourceFile | None, case: Fields, *, check: Callable[[Path], None]
) -> None:
    """Write the text of a dataset file, whole or not at all, once it is read as it was meant.

    Args:
        path: The file.
        text: Its new text.
        source: The file as it was, None where it was not there.
        case: The case that is added.
        check: Given a file of the text that stands beside; raises where it is not to be written.

    Raises:
        CallError: The new text is not the old file with one case more.
        DatasetError: It is no dataset file.

    """
    part = path.with_name(f".part-{path.name}")
    part.parent.mkdir(parents=True, exist_ok=True)
    try:
        part.write_bytes(text.encode())
        if source is not None and not _is_added(part, source, case):
            raise _by_hand(path)
        check(part)
        part.replace(path)
    except DatasetError as error:
        raise DatasetError(str(path), error.problems) from None
    finally:
        part.unlink(missing_ok=True)


def _is_added(part: Path, source: SourceFile, case: Fields) -> bool:
    try:
        made = read_source(part)
    except DatasetError:
        return False
    cases = [*as_list(source.data.get("cases")), case]
    return not made.problems and made.data == {**source.data, "cases": cases}


def _by_hand(path: Path) -> CallError:
    return CallError(str(path), what="--to", wanted=_BY_HAND)


def _with_json_case(text: str, case: Fields) -> str:
    start, end, key_indent = _json_cases(text)
    inside = text[start + 1 : end - 1]
    lead = cast("re.Match[str]", _BLANK.match(inside)).group()
    at = start + 1 + len(inside.rstrip())
    if "\n" not in lead and inside.strip():
        return f"{text[:at]}, {json.dumps(case, ensure_ascii=False)}{text[at:]}"
    line_end = "\r\n" if "\r\n" in text else "\n"
    indent = lead.rpartition("\n")[2] if inside.strip() else f"{key_indent}  "
    unit = indent.removeprefix(key_indent) or "  "
    block = json.dumps(case, indent=unit, ensure_ascii=False).replace("\n", f"{line_end}{indent}")
    if not inside.strip():
        added = f"{line_end}{indent}{block}{line_end}{key_indent}"
        return f"{text[: start + 1]}{added}{text[end - 1 :]}"
    return f"{text[:at]},{line_end}{indent}{block}{text[at:]}"


def _json_cases(text: str) -> tuple[int, int, str]:
    """Return where the list of cases begins and is over, and how its line is indented.

    Raises:
        ValueError: There is none.

    """
    decoder = json.JSONDecoder()
    at = _skip(text, text.index("{") + 1)
    while text[at] != "}":
        key_at = at
        key, at = decoder.raw_decode(text, at)
        at = _skip(text, _skip(text, at) + 1)
        value, end = decoder.raw_decode(text, at)
        if key == "cases" and isinstance(value, list):
            before = text[:key_at].rpartition("\n")[2]
            return at, end, before if not before.strip() else ""
        at = _skip(text, end)
        at = _skip(text, at + 1) if text[at] == "," else at
    msg = "no cases"
    raise ValueError(msg)


def _skip(text: str, at: int) -> int:
    return cast("re.Match[str]", _BLANK.match(text, at)).end()


def _with_yaml_case(text: str, case: Fields, comments: Sequence[str]) -> str:
    cases = _yaml_cases(text)
    column = cases.start_mark.column
    at = _end_of_line(text, max(_ends(cases)))
    at = _behind_comments(text, at, column)
    line_end = "\r\n" if "\r\n" in text else "\n"
    before = text[:at] if not at or text[:at].endswith("\n") else f"{text[:at]}{line_end}"
    lines = _item_lines(case, comments, " " * column)
    return before + "".join(f"{line}{line_end}" for line in lines) + text[at:]


def _item_lines(case: Fields, comments: Sequence[str], indent: str) -> list[str]:
    made = [f"{indent}{line}" for line in yaml_lines([case])]
    return made + [f"{indent}    # {line}" for line in comments]


def _yaml_cases(text: str) -> yaml.SequenceNode:
    """Return the list of cases, each on lines of its own.

    Raises:
        ValueError: There is none, or it is written in another way.

    """
    root: Any = yaml.compose(text, Loader=yaml.SafeLoader)
    for key, value in root.value:
        if key.value == "cases" and isinstance(value, yaml.SequenceNode) and value.value:
            if value.flow_style:
                break
            return value
    msg = "no list of cases in lines"
    raise ValueError(msg)


def _ends(node: Any) -> list[int]:
    """Return where the scalars of a node are over: a block goes on to whatever follows it."""
    if isinstance(node, yaml.ScalarNode) or node.flow_style:
        return [node.end_mark.index]
    children: list[Any] = node.value  # of an object, its keys with their values
    parts: list[Any] = []
    for child in children:
        parts += child if isinstance(child, tuple) else (child,)
    return [end for part in parts for end in _ends(part)]


def _end_of_line(text: str, at: int) -> int:
    if at and text[at - 1] == "\n":  # a text in lines is over where the next line begins
        return at
    found = text.find("\n", at)
    return len(text) if found < 0 else found + 1


def _behind_comments(text: str, at: int, column: int) -> int:
    """Return the place behind the comments that stand in the last case."""
    behind = at
    for line in text[at:].splitlines(keepends=True):
        bare = line.strip()
        at += len(line)
        if bare.startswith("#") and len(line) - len(line.lstrip()) > column:
            behind = at
        elif bare:
            break
    return behind
