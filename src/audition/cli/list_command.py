"""`audition list`: the cases of a dataset file."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO, cast

import typer

from audition.cli.printing import Format, claim_stdout, quiet_end

if TYPE_CHECKING:
    from pydantic_evals import Case


_WIDTH = 2000


def list_cases(
    dataset: Annotated[Path, typer.Argument(help="The dataset file.")],
    tag: Annotated[
        list[str] | None,
        typer.Option(metavar="TAG", help="Only cases with this tag; may be repeated."),
    ] = None,
    format: Annotated[Format, typer.Option(help="How they are printed.")] = Format.TABLE,  # noqa: A002  # the name of the option
) -> None:
    """Print the cases of a dataset file with their evaluators. Starts no team and needs no key."""
    from audition.application import open_dataset
    from audition.datasets.selection import select_cases
    from audition.reports.terminal import one_line

    out = claim_stdout()
    _, loaded = open_dataset(dataset)
    select_cases(loaded.dataset, tags=tag or ())
    shared = [evaluator.get_default_evaluation_name() for evaluator in loaded.dataset.evaluators]
    cases = [_told(case, shared) for case in loaded.dataset.cases]
    with quiet_end(out):
        if format is Format.JSON:
            told = {"dataset": loaded.dataset.name, "cases": cases}
            print(json.dumps(told, indent=2), file=out)
            return
        about = f"{loaded.dataset.name}: {loaded.task}, answered by {loaded.target}"
        print(one_line(about, _WIDTH), file=out)
        if shared:
            print(one_line(f"every case: {', '.join(shared)}", _WIDTH), file=out)
        for case in cases:
            _tell(case, out)


def _tell(case: dict[str, Any], out: TextIO) -> None:
    from audition.reports.terminal import one_line

    tags = f" [{', '.join(case['tags'])}]" if case["tags"] else ""
    print(one_line(f"{case['case']}{tags}: {case['asks']}", _WIDTH), file=out)
    names = ", ".join(case["evaluators"]) or "no evaluator of its own"
    print(f"  {one_line(names, _WIDTH)}", file=out)


def _told(case: "Case[Any, Any, Any]", shared: list[str]) -> dict[str, Any]:
    names = [evaluator.get_default_evaluation_name() for evaluator in case.evaluators]
    return {
        "case": case.name,
        "tags": cast("dict[str, Any]", case.metadata or {}).get("tags", []),
        "asks": _asks(case.inputs),
        "evaluators": [name for name in names if name not in shared],
    }


def _asks(inputs: Any) -> str:
    from audition.inputs import CaseInput
    from audition.reports.terminal import one_line

    if isinstance(inputs, CaseInput):
        return " / ".join(one_line(turn.message) for turn in inputs.ordered_turns())
    named = " ".join(filter(None, (inputs.place, inputs.session_id, inputs.invocation)))
    return f"session {one_line(named, 400)}"
