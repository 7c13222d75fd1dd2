"""`audition schema`: the JSON Schema of dataset files."""

from pathlib import Path
from typing import Annotated

import typer


def schema(
    output: Annotated[Path | None, typer.Option(help="Write it here instead of printing.")] = None,
    application: Annotated[
        str | None, typer.Option(metavar="NAME", help="Of this application, not of the default.")
    ] = None,
) -> None:
    """Print the JSON Schema of the dataset files of an application, for editors."""
    import json

    from audition.application import load_application
    from audition.datasets.schema import dataset_schema
    from audition.project import find_project

    found = load_application(find_project(Path.cwd()), application)
    text = json.dumps(dataset_schema(found.authoring), indent=2, ensure_ascii=False)
    if output is None:
        print(text)
    else:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text(f"{text}\n", encoding="utf-8")
