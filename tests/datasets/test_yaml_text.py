from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from audition.datasets.reading import read_source
from audition.datasets.yaml_text import yaml_lines

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
NUMBERS = st.integers(-(10**9), 10**9) | st.sampled_from([0.5, -2.25, 10.0])
SCALARS = st.none() | st.booleans() | NUMBERS | TEXTS
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


def read_back(folder: Path, value: JsonValue) -> JsonValue:
    path = folder / "value.yaml"
    path.write_text("\n".join(yaml_lines({"value": value})), encoding="utf-8", newline="")
    source = read_source(path)
    assert source.problems == ()
    return source.data["value"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("yaml")


@given(value=VALUES)
def test_what_is_written_is_read_back_with_its_types(folder: Path, value: JsonValue) -> None:
    back = read_back(folder, value)
    assert (back, repr(back)) == (value, repr(value))


@pytest.mark.parametrize(
    "text",
    ["no", "on", "0123", "1.10", "12e3", "22:30", "~", "", "- a", "a: b", "a #b", "#a", "@a", "'",
     '"', "<<", "a\nb", "\u2028", "\u0085", "\x7f", "\U0001f6a2", "null", "true ", "0x1F", "..."],
)  # fmt: skip
def test_a_text_stays_one(folder: Path, text: str) -> None:
    assert read_back(folder, text) == text
    assert read_back(folder, {text: [text, {text: text}]}) == {text: [text, {text: text}]}


def test_short_lists_stand_in_a_line_and_the_rest_in_blocks() -> None:
    value: JsonValue = {"name": "one", "tags": ["a", "b"], "none": [], "calls": [{"tool": "x"}]}
    assert list(yaml_lines(value)) == [
        "name: one",
        "tags: [a, b]",
        "none: []",
        "calls:",
        "  - tool: x",
    ]
