"""`audition validate`: what is wrong or doubtful in dataset files, before any team starts."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from audition.cli.printing import tell, tell_warnings
from audition.experiment.exit_codes import ExitCode

if TYPE_CHECKING:
    from audition.datasets.loading import LoadedDataset


def validate(
    datasets: Annotated[list[Path], typer.Argument(help="Dataset files.")],
    strict: Annotated[bool, typer.Option(help="Take warnings for errors.")] = False,
    self_test: Annotated[
        bool,
        typer.Option(
            "--self-test",
            help="Also prove on recordings of the cases that the evaluators tell good from bad.",
        ),
    ] = False,
) -> None:
    """Say everything that is wrong with dataset files. Starts no team and needs no key."""
    from audition.application import open_dataset
    from audition.errors import AuditionError

    failed = False
    for path in datasets:
        try:
            _, loaded = open_dataset(path)
        except AuditionError as error:
            tell(str(error))
            failed = True
            continue
        tell_warnings(path, loaded.warnings)
        failed |= strict and bool(loaded.warnings)
        doubts = f", {len(loaded.warnings)} warning(s)" if loaded.warnings else ""
        print(f"{path}: {loaded.task}, {len(loaded.dataset.cases)} case(s){doubts}")
        if self_test:
            failed |= not _is_proved(path, loaded, strict=strict)
    if failed:
        raise typer.Exit(ExitCode.USAGE)


def _is_proved(path: Path, loaded: "LoadedDataset", *, strict: bool) -> bool:
    """Say what the recordings of a file show, and return whether nothing speaks against it."""
    from audition.datasets.self_test import self_test
    from audition.errors import DatasetError
    from audition.reports.terminal import one_line

    result = self_test(loaded)
    if result.problems:
        tell(str(DatasetError(str(path), result.problems)))
    tell_warnings(path, result.warnings)
    for case, failing in result.told_apart.items():
        told = f"{case}: the bad recording fails {', '.join(failing)}"
        print(f"  {one_line(told, 400)}")
    doubts = f", {len(result.warnings)} warning(s)" if result.warnings else ""
    told_apart, cases = len(result.told_apart), len(loaded.dataset.cases)
    print(f"{path}: self-test, {told_apart} of {cases} case(s) told apart{doubts}")
    return not result.problems and not (strict and result.warnings)
