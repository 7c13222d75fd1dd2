from pathlib import Path

import pytest

from audition.errors import SetupError
from audition.imports import import_object


def test_an_object_is_imported_by_its_reference() -> None:
    assert import_object("pathlib:Path", named_at="here") is Path


@pytest.mark.parametrize(
    ("reference", "told"),
    [
        ("pathlib", "here: found .pathlib.; wanted .module:object."),
        ("no_such_module:Path", "importing no_such_module raised ModuleNotFoundError"),
        ("pathlib:Poth", "the module pathlib has no Poth"),
    ],
)
def test_a_reference_that_leads_nowhere_says_where_it_ended(reference: str, told: str) -> None:
    with pytest.raises(SetupError, match=told):
        import_object(reference, named_at="here")
