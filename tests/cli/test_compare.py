import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.cli.datasets import write
from tests.cli.doors import Done, Door

CASES = Path(__file__).parents[1] / "cases"

GANNET_TEAM = """\
from audition.runtimes.function import FunctionFactory

async def answer(message: str) -> str:
    return "7, at the Gannet Pier"

EVALUATION = PRODUCTION = FunctionFactory(answer)
"""


def ran(audition: Door, desk: Path, team: str = "evaluation") -> Path:
    """Run the dataset of a project, and return the new folder."""
    before = {*desk.glob("eval-reports/*/*")}
    audition("run", "desk.json", "--team", team, cwd=desk)
    (folder,) = {*desk.glob("eval-reports/*/*")} - before
    return folder


def as_json(done: Done) -> dict[str, Any]:
    assert done.out, done.err
    return json.loads(done.out)


def test_what_broke_is_told_and_is_the_exit_code(audition: Door, desk: Path) -> None:
    write(desk, "good day", "bad day")
    base, candidate = ran(audition, desk, "production"), ran(audition, desk)
    done = audition("compare", base, candidate, cwd=desk)
    assert done.code == 1
    assert "Broken (1)\n  bad day: 1 of 1 -> 0 of 1\n    now: says yes: " in done.out
    assert "  team: production -> evaluation" in done.out
    back = audition("compare", candidate, base, cwd=desk)
    assert (back.code, "Fixed (1)\n  bad day: 0 of 1 -> 1 of 1" in back.out) == (0, True)


def test_a_run_may_be_named_by_its_experiment(audition: Door, desk: Path) -> None:
    write(desk, "good day")
    folder = ran(audition, desk)
    done = audition("compare", "latest", "desk", "--format", "json", cwd=desk)
    assert done.code == 0
    assert str(as_json(done)["base"]).count(folder.name) == 1
    moved = folder.parent.parent.rename(desk / "kept")
    elsewhere = audition("compare", "latest", "desk", "--reports", moved, cwd=desk)
    assert elsewhere.code == 0


def test_a_native_report_is_a_run_too(audition: Door, desk: Path) -> None:
    write(desk, "good day", "bad day")
    base = ran(audition, desk, "production")
    shutil.copy(ran(audition, desk) / "report.json", desk / "kept.json")
    done = audition("compare", base, "kept.json", cwd=desk)
    assert (done.code, "Broken (1)\n  bad day" in done.out) == (1, True)
    assert "paired by name alone, and may have changed: known from: plan -> report" in done.out


def test_markdown_is_for_a_summary_of_ci(audition: Door, desk: Path) -> None:
    write(desk, "good day")
    folder = ran(audition, desk)
    done = audition("compare", folder, folder, "--format", "markdown", cwd=desk)
    assert (done.code, done.out.startswith("## Summary\n\n- base: desk ")) == (0, True)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("gone", "gone"), "run: found 'gone'; wanted a run, a native report, latest"),
        (("desk.json", "desk.json"), "no native report"),
        (("desk", "desk", "--confidence", "95"), "--confidence: found 95.0; wanted a share"),
    ],
)
def test_what_is_wrong_ends_with_2(
    audition: Door, desk: Path, arguments: tuple[str, ...], told: str
) -> None:
    write(desk, "good day")
    ran(audition, desk)
    done = audition("compare", *arguments, cwd=desk)
    assert (done.code, done.out, told in done.err) == (2, "", True), done.err


def test_secrets_of_a_run_that_kept_them_are_not_printed(audition: Door, desk: Path) -> None:
    secret = "sk-proj-" + "a1B2c3D4" * 5
    write(desk, f"bad {secret}")
    audition("run", "desk.json", "--no-redact", cwd=desk)
    for format in ("table", "json", "markdown"):  # noqa: A001  # the name of the option
        done = audition("compare", "desk", "desk", "--format", format, cwd=desk)
        assert (done.code, secret in done.out) == (0, False)


def test_a_case_that_asks_for_something_else_under_its_name_is_not_broken(
    audition: Door, desk: Path
) -> None:
    (desk / "desk_team.py").write_text(GANNET_TEAM, "utf-8")
    for name in ("before", "after"):
        asked = json.loads((CASES / f"42-same-name-{name}.json").read_text("utf-8"))
        del asked["knowledge"]  # a team is started here
        (desk / f"{name}.json").write_text(json.dumps(asked), "utf-8")
        ran = audition("run", f"{name}.json", "--reports", name, cwd=desk)
        assert ran.code in {0, 1}, ran.err
    done = audition("compare", "before/berths", "after/berths", "--format", "json", cwd=desk)
    told = as_json(done)
    found = {one["case"]: (one["verdict"], one["why"]) for one in told["cases"]}
    assert found == {
        "berth-count": ("changed", ["evaluators: human_response_contains_terms changed"]),
        "pier": ("unchanged", []),
    }
    assert done.code == 0
    text = audition("compare", "before/berths", "after/berths", cwd=desk).out
    assert "berth-count: evaluators: human_response_contains_terms changed" in text
