"""`audition schema`: the JSON Schema of dataset files, of results, or of policies."""

from pathlib import Path
from typing import Annotated, Any

import typer


def schema(
    output: Annotated[Path | None, typer.Option(help="Write it here instead of printing.")] = None,
    application: Annotated[
        str | None, typer.Option(metavar="NAME", help="Of this application, not of the default.")
    ] = None,
    results: Annotated[
        bool, typer.Option("--results", help="Of what `--format json` prints, in place of files.")
    ] = False,
    policy: Annotated[
        bool, typer.Option("--policy", help="Of the policy files of `gate`, not of dataset files.")
    ] = False,
) -> None:
    """Print the JSON Schema of the dataset files of an application, of results, or of policies."""
    import json

    made = _of_results() if results else _of_policies() if policy else _of_datasets(application)
    text = json.dumps(made, indent=2, ensure_ascii=False)
    if output is None:
        print(text)
    else:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text(f"{text}\n", encoding="utf-8")


def _of_datasets(application: str | None) -> dict[str, Any]:
    from audition.application import load_application
    from audition.datasets.schema import dataset_schema
    from audition.project import find_project

    return dataset_schema(load_application(find_project(Path.cwd()), application).authoring)


def _of_results() -> dict[str, Any]:
    from audition.reports.results_json import results_schema

    return results_schema()


def _of_policies() -> dict[str, Any]:
    from audition.gates.policy import policy_schema

    return policy_schema()
