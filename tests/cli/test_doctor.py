"""`audition doctor`: where secrets stand, and never what they are."""

from pathlib import Path

from tests.cli.doors import Door

CASE = Path(__file__).parents[1] / "cases" / "52-secrets-in-odd-places.jsonl"
KINDS = (
    *("authorization", "cookie", "token", "key", "authorization", "password", "secret"),
    *("password", "jwt", "key", "private-key", "key"),
)
PARTS = ("ORCHARD", "THISTLE", "QUARRY", "LANTERN", "HARBOUR", "MEADOW", "eyJ", "AKIA", "GORSE")


def test_every_place_is_named_and_no_secret_is_told(audition: Door, tmp_path: Path) -> None:
    done = audition("doctor", str(CASE), cwd=tmp_path)
    *places, end = done.out.splitlines()
    assert (done.code, end) == (1, "12 secret(s) found, 1 file(s) looked at")
    assert tuple(place.rpartition(": ")[2] for place in places) == KINDS
    assert f"{CASE}:3 /content/parts/0/function_call/args/body#/headers/X-Api-Key: key" in places
    assert not [part for part in PARTS if part in done.out + done.err]


def test_a_clean_file_ends_with_0(audition: Door, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("The password reset link was sent.\n")
    done = audition("doctor", "notes.txt", cwd=tmp_path)
    assert (done.code, done.out) == (0, "no secret was found, 1 file(s) looked at\n")


def test_a_folder_is_looked_through(audition: Door, tmp_path: Path) -> None:
    (tmp_path / "runs" / "one").mkdir(parents=True)
    (tmp_path / "runs" / "one" / "a.txt").write_text("password=hunter2")
    (tmp_path / "runs" / ".git").mkdir()
    (tmp_path / "runs" / ".git" / "b.txt").write_text("password=hunter2")
    done = audition("doctor", "runs", cwd=tmp_path)
    assert (done.code, done.out.splitlines()) == (
        1,
        ["runs/one/a.txt:1: password", "1 secret(s) found, 1 file(s) looked at"],
    )


def test_hidden_files_are_looked_at(audition: Door, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("OPENAI_API_KEY=fiction\n")
    (tmp_path / ".config").mkdir()
    (tmp_path / ".config" / "desk.txt").write_text("password=hunter2")
    done = audition("doctor", ".", cwd=tmp_path)
    assert (done.code, done.out.splitlines()) == (
        1,
        [".config/desk.txt:1: password", ".env:1: key", "2 secret(s) found, 2 file(s) looked at"],
    )


def test_an_empty_folder_says_that_nothing_was_looked_at(audition: Door, tmp_path: Path) -> None:
    done = audition("doctor", ".", cwd=tmp_path)
    assert (done.code, done.out) == (0, "no secret was found, 0 file(s) looked at\n")


def test_a_file_that_is_not_there_ends_with_2(audition: Door, tmp_path: Path) -> None:
    done = audition("doctor", "nothing.jsonl", cwd=tmp_path)
    assert (done.code, done.err) == (2, "audition: nothing.jsonl: No such file or directory\n")
