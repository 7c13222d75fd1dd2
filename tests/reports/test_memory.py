"""However many cases a run has, no format holds their results: they are read one at a time."""

import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from audition.experiment.kept import KeptFolder
from audition.reports.comma_separated import comma_separated
from audition.reports.github import annotations, summary
from audition.reports.junit import junit
from audition.reports.markdown import markdown
from audition.reports.results_json import results_json
from audition.reports.table import table
from audition.reports.told_run import ToldRun
from tests.told_runs import kept_run

FEW, MANY, CHARACTERS = 200, 2000, 10_000
BYTES_A_UNIT = 1000
"""A key and a place for each, and a name where they are made unique; an answer has ten times it."""

Format = Callable[[ToldRun], Iterator[str]]


def with_messages(told: ToldRun) -> Iterator[str]:
    return table(replace(told, show_trajectory=True))


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[ToldRun, ToldRun]:
    folder = tmp_path_factory.mktemp("runs")
    few, many = (kept_run(folder, count, characters=CHARACTERS) for count in (FEW, MANY))
    return few, many


def peak(form: Format, told: ToldRun) -> int:
    """Return the most bytes that are held while a run is told, and each piece thrown away."""
    assert isinstance(told.run.kept, KeptFolder)
    fresh = replace(told, run=replace(told.run, kept=replace(told.run.kept)))
    tracemalloc.start()
    try:
        for _ in form(fresh):
            pass
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "form",
    [table, with_messages, results_json, junit, comma_separated, markdown, annotations, summary],
)
def test_what_is_held_does_not_grow_with_the_results(
    runs: tuple[ToldRun, ToldRun], form: Format
) -> None:
    few, many = runs
    peak(form, few)  # what is made once: adapters, patterns
    grown = peak(form, many) - peak(form, few)
    assert grown < (MANY - FEW) * BYTES_A_UNIT
