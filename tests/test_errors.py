"""The text of every exception, and whose fault it is."""

import pytest

from audition.errors import (
    AuditionError,
    BoundOverrun,
    CallError,
    DatasetError,
    IncompleteRuntime,
    LoopBlocked,
    NewerFormat,
    Problem,
    RecordError,
    RunError,
    SetupError,
    UnrecordedCall,
    WorkerLost,
    tell_error,
)

PROBLEMS = [
    Problem(pointer="/cases/0/name", found="found 7", wanted="a text is wanted"),
    Problem(pointer="", found="the file is empty", wanted="a dataset is wanted"),
]

TEXTS = [
    (
        CallError("wether", what="case", wanted="wanted one of weather"),
        "case: found 'wether'; wanted one of weather",
    ),
    (
        DatasetError("a.json", PROBLEMS),
        (
            "a.json#/cases/0/name: found 7; a text is wanted\n"
            "a.json#/: the file is empty; a dataset is wanted"
        ),
    ),
    (SetupError("no application"), "no application"),
    (RecordError("a.jsonl", "no such file"), "a.jsonl: no such file"),
    (RecordError("a.jsonl", "no JSON", 3), "a.jsonl:3: no JSON"),
    (
        NewerFormat("a.jsonl", found=9, readable=1),
        "a.jsonl: format version 9; this version reads up to 1",
    ),
    (
        UnrecordedCall("a.jsonl", "found no answer to agent 'desk'"),
        "a.jsonl: found no answer to agent 'desk'; wanted a recorded request, or a new recording",
    ),
    (RunError("the team broke"), "the team broke"),
    (BoundOverrun("start", 2.5), "start did not end within 2.5 s; it was abandoned"),
    (LoopBlocked("held"), "held"),
    (WorkerLost("killed"), "killed"),
    (
        IncompleteRuntime("Echo", ["send", "shutdown"]),
        "the runtime, Echo, has no `send`, `shutdown`; see audition.runtime.TeamRuntime",
    ),
]


@pytest.mark.parametrize(("error", "text"), TEXTS, ids=[type(e).__name__ + t[:9] for e, t in TEXTS])
def test_the_text_says_where_what_and_what_was_wanted(error: AuditionError, text: str) -> None:
    assert str(error) == text


def test_the_facts_are_kept() -> None:
    assert (BoundOverrun("start", 2).what, BoundOverrun("start", 2).seconds) == ("start", 2)
    error = CallError(1, what="c", wanted="two")
    assert (error.found, error.wanted) == (1, "two")
    assert DatasetError("a.json", PROBLEMS).problems == tuple(PROBLEMS)


def test_a_newer_format_is_a_record_that_cannot_be_read() -> None:
    error = NewerFormat("a.jsonl", found="x", readable=1)
    assert isinstance(error, RecordError)
    assert (error.path, error.line, error.found, error.readable) == ("a.jsonl", None, "x", 1)


def test_every_error_has_a_text_here() -> None:
    def below(error: type[AuditionError]) -> set[type[AuditionError]]:
        return {error}.union(*(below(sub) for sub in error.__subclasses__()))

    ours = {error for error in below(AuditionError) if error.__module__ == "audition.errors"}
    assert ours - {AuditionError} == {type(error) for error, _ in TEXTS}


def test_an_error_of_somebodys_code_is_told_with_its_last_line_of_theirs() -> None:
    with pytest.raises(ValueError, match="seven") as caught:
        int("seven")
    text = "ValueError: invalid literal for int() with base 10: 'seven'"
    assert tell_error(caught.value) == f"{text} (test_errors.py:{caught.tb.tb_lineno})"


def test_an_error_that_cannot_be_told_is_one_all_the_same() -> None:
    class Mute(Exception):
        def __str__(self) -> str:
            raise KeyError(self)

    assert tell_error(Mute()) == "Mute: its text cannot be had: KeyError"
