import subprocess
import sys
from pathlib import Path
from typing import Any

from audition.recording import Recording, write_recording
from audition.testing import answer, turn
from tests.cli.datasets import SAYS_YES, write
from tests.cli.doors import Door

CASES = Path(__file__).parents[1] / "cases"


def test_a_good_file_is_valid(audition: Door, desk: Path) -> None:
    done = audition("validate", write(desk, "good day"), cwd=desk)
    assert (done.code, done.err) == (0, "")
    assert done.out == f"{desk / 'desk.json'}: retrieval, 1 case(s)\n"


def test_all_that_is_wrong_with_all_files_is_told_at_once(audition: Door, desk: Path) -> None:
    wrong = [{"name": "one", "message": "?", "evaluators": [{"type": "complted"}]}]
    path = write(desk, cases=wrong, application="dekc")
    done = audition(
        "validate", "desk.json", "gone.json", CASES / "31-duplicate-case-names.json", cwd=desk
    )
    assert (done.code, path.name) == (2, "desk.json")
    lines = done.err.split("\n")
    assert lines[0].startswith("desk.json#/application: found 'dekc'; unknown application 'dekc'")
    assert lines[1].startswith("gone.json#/: No such file or directory")
    assert "harbour-hours is already the name of /cases/0" in done.err


def test_roster_errors_and_typos_are_told_together(audition: Door, desk: Path) -> None:
    wrong = [
        {
            "name": "one",
            "message": "?",
            "evaluators": [
                {"type": "called_required_tools", "required_tools": ["serch"]},
                {"type": "complted"},
            ],
        }
    ]
    done = audition("validate", write(desk, cases=wrong), cwd=desk)
    assert done.code == 2
    assert "unknown tool 'serch'; did you mean 'search'? wanted one of search" in done.err
    assert "/cases/0/evaluators/1/type: found 'complted'; did you mean 'completed'?" in done.err


def test_warnings_fail_a_strict_validation_alone(audition: Door, desk: Path) -> None:
    path = write(desk, cases=[{"name": "a", "message": "say yes", "evaluators": [SAYS_YES]}])
    lenient = audition("validate", path, cwd=desk)
    assert (lenient.code, "1 case(s), 1 warning(s)" in lenient.out) == (0, True)
    assert "/cases/0/evaluators/0/required_terms/0" in lenient.err
    assert audition("validate", "--strict", path, cwd=desk).code == 2


def test_an_application_that_cannot_be_imported_does_not_hide_other_files(
    audition: Door, desk: Path
) -> None:
    (desk / "desk_application.py").write_text("import no_such_module_at_all", "utf-8")
    done = audition("validate", write(desk, "good day"), "gone.json", cwd=desk)
    assert (done.code, done.err.count("\n")) == (2, 2)


def test_nothing_of_a_file_reaches_the_terminal_raw(audition: Door, desk: Path) -> None:
    cases = [{"name": "a\u001b[31m", "message": "?"}, {"name": "a\u001b[31m", "message": "?"}]
    done = audition("validate", write(desk, cases=cases), cwd=desk)
    assert (done.code, "\x1b" in done.err, "a\\x1b[31m is already" in done.err) == (2, False, True)


SCRIPT = """\
import sys
from importlib import import_module
from pathlib import Path
import_module("audition.cli.validate").validate([Path("desk.json")])
print(sorted({"desk_application", "desk_team", "knowledge_team", "pykka"} & set(sys.modules)))
"""


def test_validating_imports_no_team_and_no_framework(desk: Path) -> None:
    write(desk, "good day")
    done = subprocess.run(  # noqa: S603  # our own script
        [sys.executable, "-c", SCRIPT], cwd=desk, capture_output=True, text=True, check=True
    )
    assert done.stdout.split("\n")[1] == "['desk_application']"


def recorded(folder: Path, name: str, said: str) -> str:
    """Write a recording of a team that says this, and return the name of its file."""
    events = turn("good day?", [answer(said)])
    write_recording(folder / f"{name}.jsonl", Recording(events=tuple(events)))
    return f"{name}.jsonl"


def self_tested(folder: Path, good: str, bad: str) -> dict[str, Any]:
    named = {
        "good": recorded(folder, "good", good),
        "bad": recorded(folder, "bad", bad),
    }
    return {"name": "day", "message": "good day?", "evaluators": [SAYS_YES], "self_test": named}


def test_a_self_test_says_what_fails_on_the_bad_recording(audition: Door, desk: Path) -> None:
    path = write(desk, cases=[self_tested(desk, "yes, it is", "who knows")])
    done = audition("validate", path, "--self-test", cwd=desk)
    assert (done.code, done.err) == (0, "")
    assert done.out.split("\n")[1:] == [
        "  day: the bad recording fails says yes",
        f"{path}: self-test, 1 of 1 case(s) told apart",
        "",
    ]


def test_evaluators_that_do_not_tell_apart_fail_a_self_test(audition: Door, desk: Path) -> None:
    path = write(desk, cases=[self_tested(desk, "who knows", "yes")])
    assert audition("validate", path, cwd=desk).code == 0
    done = audition("validate", path, "--self-test", cwd=desk)
    assert done.code == 2
    good, bad = done.err.rstrip("\n").split("\n")
    assert good.startswith(f"{path}#/cases/0/evaluators/0: says yes fails on the good recording")
    assert bad.startswith(f"{path}#/cases/0/self_test/bad: all 2 assertion(s) that must hold do on")
    assert done.out.endswith("self-test, 0 of 1 case(s) told apart\n")


def test_a_case_without_recordings_is_a_warning_of_a_self_test(audition: Door, desk: Path) -> None:
    bare = {"name": "night", "message": "good night?", "evaluators": [SAYS_YES]}
    path = write(desk, cases=[self_tested(desk, "yes, it is", "who knows"), bare])
    done = audition("validate", path, "--self-test", cwd=desk)
    assert (done.code, "1 case(s) have no self_test: night" in done.err) == (0, True)
    assert done.out.endswith("self-test, 1 of 2 case(s) told apart, 1 warning(s)\n")
    assert audition("validate", path, "--self-test", "--strict", cwd=desk).code == 2


def test_a_recording_that_is_gone_is_an_error_without_a_self_test(
    audition: Door, desk: Path
) -> None:
    path = write(desk, cases=[self_tested(desk, "yes, it is", "who knows")])
    (desk / "bad.jsonl").unlink()
    done = audition("validate", path, cwd=desk)
    assert (done.code, "/cases/0/self_test/bad: no file 'bad.jsonl'" in done.err) == (2, True)
