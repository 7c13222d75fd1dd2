"""The JSON Schema of dataset files, for editors; generated from the models that read them."""

from typing import Annotated, Any, Union

from pydantic import Field, TypeAdapter

from audition.datasets.authoring import Authoring
from audition.datasets.entries import entry_union
from audition.datasets.formats import TASKS, file_type


def dataset_schema(authoring: Authoring) -> dict[str, Any]:
    """Return the schema of the files of an application, all formats in one.

    What only the loader can see (names against names, the bounds of a count against each other)
    is not in it: `audition validate` says that.
    """
    entries = entry_union(authoring)
    types = [
        file_type(task, fixture_type=authoring.fixture_type, entry_type=entries) for task in TASKS
    ]
    union: Any = Annotated[Union[tuple(types)], Field(discriminator="task")]  # noqa: UP007  # made of a tuple
    made = TypeAdapter(union).json_schema(by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **made}
