"""What `audition run` and `audition show` keep and print holds no secret. Every one is made up."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from audition.experiment.journal import JOURNAL
from audition.experiment.kept_lines import read_journal
from audition.experiment.native_report import REPORT, load_report
from tests.cli.datasets import write
from tests.cli.doors import Done, Door

KEY = "ck-THISTLE-99aa88bb77cc"
PASSWORD = "pw-GORSE-1188"  # noqa: S105  # made up
ISSUED = "ghp_" + "Fiction0" * 5
SECRETS = (KEY, PASSWORD, ISSUED)

TEAM = f"""\
from audition.runtimes.scripted import Break
from audition.testing import ScriptedFactory, answer, tool_use

def script(inputs):
    if inputs.message.startswith("break"):
        return [[Break(error=RuntimeError("401 for api_key={KEY}, of {{}}".format("{ISSUED}")))]]
    said = "Signed in with {KEY}; the harbour says {PASSWORD}."
    arguments = {{"api_key": "{KEY}", "db": {{"password": "{PASSWORD}"}}}}
    searched = tool_use("@Manager", "search", '{{"seen": "{KEY}"}}', arguments=arguments)
    return [[*searched, answer(said)]]

EVALUATION = PRODUCTION = ScriptedFactory(script)
"""


def terms(*required: str) -> dict[str, Any]:
    return {"type": "human_response_contains_terms", "required_terms": list(required)}


ARGUMENTS = {"api_key": KEY, "db": {"password": PASSWORD}}
CASES = [
    {
        "name": f"signs in with {ISSUED}",
        "message": f"Sign in, here is my token: {ISSUED}",
        "metadata": {"db_password": PASSWORD},
        "evaluators": [
            terms(KEY, PASSWORD),
            {"type": "tool_arguments_match", "tool_name": "search", "arguments": ARGUMENTS},
        ],
    },
    {"name": "misses", "message": "go on", "evaluators": [{**terms(f"{KEY}-and-more")}]},
    {
        "name": "named like secrets",
        "message": "go on",
        "evaluators": [{**terms("no such word"), "id": "tells no password"}],
    },
    {"name": "broken", "message": "break", "evaluators": [terms("yes")]},
]


@pytest.fixture
def harbour(desk: Path) -> Path:
    (desk / "desk_team.py").write_text(TEAM, "utf-8")
    return desk


def run(audition: Door, folder: Path, *options: str) -> Done:
    path = write(folder, cases=CASES, name=f"desk of {ISSUED}")
    return audition("run", path, "--report", "copy.json", *options, cwd=folder)


def texts(folder: Path) -> Iterator[str]:
    """Yield the path and the content of everything that a run has written."""
    for file in (folder / "copy.json", *(folder / "eval-reports").rglob("*")):
        if file.is_file():
            yield f"{file.relative_to(folder)}\n{file.read_text('utf-8')}"


def leaked(texts: Iterator[str]) -> set[str]:
    return {secret for text in texts for secret in SECRETS if secret in text}


@pytest.mark.parametrize("printed", ["table", "json"])
def test_nothing_that_a_run_writes_or_prints_holds_a_secret(
    audition: Door, harbour: Path, printed: str
) -> None:
    done = run(audition, harbour, "--format", printed)
    assert leaked(iter([done.out, done.err, *texts(harbour)])) == set()
    assert "[redacted:key]" in done.out
    assert "signs in with [redacted:token]" in done.err
    assert audition("doctor", "eval-reports", "copy.json", cwd=harbour).code == 0


def test_what_is_judged_has_its_secrets(audition: Door, harbour: Path) -> None:
    done = run(audition, harbour)
    assert done.out.split("\n")[-2].startswith("1 error, 2 failed, 1 passed of 4")
    (journal,) = harbour.glob(f"eval-reports/*/*/{JOURNAL}")
    assert {line.case: str(line.status) for line in read_journal(journal.parent)} == {
        "signs in with [redacted:token]": "passed",
        "misses": "failed",
        "named like secrets": "failed",
        "broken": "error",
    }


def test_the_report_without_secrets_is_read_and_shown(audition: Door, harbour: Path) -> None:
    ran = run(audition, harbour)
    (folder,) = (harbour / "eval-reports").glob("*/*")
    assert audition("show", folder, cwd=harbour).out == ran.out
    report = load_report(folder / REPORT)
    (call,) = report.cases[0].output.tool_calls
    redacted = {"api_key": "[redacted:key]", "db": {"password": "[redacted:password]"}}
    assert (call.arguments, json.loads(call.arguments_raw or "")) == (redacted, redacted)
    told = audition("show", "copy.json", "misses", cwd=harbour).out
    assert "FAIL human_response_contains_terms(" in told
    assert leaked(iter([told])) == set()


def test_an_assertion_that_is_named_like_a_secret_keeps_its_reason(
    audition: Door, harbour: Path
) -> None:
    run(audition, harbour)
    told = audition("show", "copy.json", "named like secrets", cwd=harbour).out
    assert "FAIL tells no password (must) [answer: omitted]" in told
    assert 'lacks "no such word"' in told


def test_no_redact_keeps_and_prints_everything(audition: Door, harbour: Path) -> None:
    done = run(audition, harbour, "--no-redact")
    assert leaked(iter([done.out])) == {KEY, ISSUED}
    assert leaked(texts(harbour)) == set(SECRETS)


def test_show_redacts_a_run_that_kept_its_secrets(audition: Door, harbour: Path) -> None:
    run(audition, harbour, "--no-redact")
    (folder,) = (harbour / "eval-reports").glob("*/*")
    for kept in (folder, harbour / "copy.json"):
        table = audition("show", kept, cwd=harbour)
        case = audition("show", kept, "misses", cwd=harbour)
        assert leaked(iter([table.out, case.out])) == set()
        assert "[redacted:key]" in case.out
        assert KEY in audition("show", kept, "misses", "--no-redact", cwd=harbour).out


def test_an_error_is_printed_without_secrets(audition: Door, harbour: Path) -> None:
    path = write(harbour, cases=[{**CASES[1], "colour": {"api_key": KEY}}])
    done = audition("run", path, cwd=harbour)
    assert (done.code, leaked(iter([done.err]))) == (2, set())
    named = audition("run", write(harbour, "good"), "--case", f"api_key={KEY}", cwd=harbour)
    assert (named.code, "api_key=[redacted:key]" in named.err) == (2, True)


def test_an_application_that_cannot_be_loaded_is_told_without_secrets(
    audition: Door, harbour: Path
) -> None:
    broken = f"raise RuntimeError('no login with password=' + '{PASSWORD}')"
    (harbour / "desk_application.py").write_text(broken, "utf-8")
    done = audition("run", write(harbour, "good"), cwd=harbour)
    assert (done.code, PASSWORD in done.err) == (2, False)
    assert "no login with password=[redacted:password]" in done.err
