from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from audition.datasets.formats import KnownFailure, Name, SessionFile, file_type

NAMES: TypeAdapter[str] = TypeAdapter(Name)


@pytest.mark.parametrize("name", ["", " ", " a", "a ", "a\nb", "x" * 201])
def test_a_name_is_one_line_without_blanks_at_its_ends(name: str) -> None:
    with pytest.raises(ValidationError):
        NAMES.validate_python(name)


@pytest.mark.parametrize("name", ["a", "a b", "über / 7", "x" * 200])
def test_a_name_may_hold_anything_else(name: str) -> None:
    assert NAMES.validate_python(name) == name


def test_the_task_selects_the_model_of_a_file() -> None:
    assert issubclass(file_type("session", fixture_type=None, entry_type=Any), SessionFile)
    assert "Retrieval" in file_type("retrieval", fixture_type=None, entry_type=Any).__name__


@pytest.mark.parametrize("until", ["2031-13-01", "soon", 20310501])
def test_an_excuse_needs_a_day(until: Any) -> None:
    with pytest.raises(ValidationError):
        KnownFailure.model_validate_json(f'{{"reason": "x", "until": "{until}"}}', strict=True)
