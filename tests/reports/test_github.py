import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audition.experiment.status import Status
from audition.reports.github import SUMMARY_BYTES, annotations, summary
from audition.reports.markdown import markdown
from audition.reports.told_run import ToldRun
from tests.journals import line
from tests.told_runs import failed, six, told_run

COMMAND = re.compile(
    r"::(error|warning|notice) ((?:file=[^:,\r\n]*,)?title=[^:,\r\n]*)::([^\r\n]*)\n"
)


def commands(told: ToldRun) -> list[tuple[str, str, str]]:
    """Return level, title and message of each annotation, as the runner reads them."""
    read = list[tuple[str, str, str]]()
    for text in annotations(told):
        found = COMMAND.fullmatch(text)
        assert found is not None, text
        level, properties, message = found.groups()
        assert properties.startswith("file=datasets/small.yaml,")
        read.append((level, unescaped(properties.partition("title=")[2]), unescaped(message)))
    return read


def unescaped(text: str) -> str:
    for character, escape in (
        (":", "%3A"),
        (",", "%2C"),
        ("\r", "%0D"),
        ("\n", "%0A"),
        ("%", "%25"),
    ):
        text = text.replace(escape, character)
    return text


def test_what_did_not_pass_is_annotated_by_level() -> None:
    assert commands(six()) == [
        ("error", "broken: error, run: timeout", "timeout"),
        ("error", "bad: failed, answer: omitted",
         'FAIL says yes: the final answer lacks "yes"'),
        ("warning", "unmeasured: not evaluated", "NOT EVALUATED grounded: measured nan"),
        ("notice", "known: known failure, answer: omitted",
         'KNOWN until 2999-01-01: slow\nFAIL says yes: the final answer lacks "yes"'),
        ("warning", "never", "not run"),
    ]  # fmt: skip


def test_a_report_without_a_dataset_file_is_annotated_without_a_file() -> None:
    (text,) = annotations(told_run([failed("bad")], dataset=None))
    assert text.startswith("::error title=bad%3A failed")


@pytest.mark.parametrize(
    ("count", "last"), [(10, "case 9: failed, answer: omitted"), (11, "2 more")]
)
def test_no_level_has_more_than_are_shown_and_the_last_says_how_many_more(
    count: int, last: str
) -> None:
    told = told_run(
        [failed(f"case {number}") for number in range(count)],
        not_run=[f"never {number}" for number in range(50)],
    )
    read = commands(told)
    assert Counter(level for level, _, _ in read) == {"error": 10, "warning": 10}
    titles = {level: title for level, title, _ in read}
    assert titles == {"error": last, "warning": "41 more"}


@given(st.text(st.characters(exclude_categories=[])), st.text())
def test_any_text_stays_in_its_place(case: str, reason: str) -> None:
    told = told_run([failed(case, reason), line("b", status=Status.NOT_EVALUATED, cut=reason)])
    assert [level for level, _, _ in commands(told)] == ["error", "warning"]


def test_escapes_are_those_of_the_runner() -> None:
    ((_, title, message),) = commands(told_run([failed("50 %, a: b%0A", "100 %25")]))
    assert title == "50 %, a: b%0A: failed, answer: omitted"
    assert message == "FAIL says yes: 100 %25"


def test_a_path_is_a_property_too() -> None:
    (text,) = annotations(told_run([failed("bad")], dataset=Path("a,b:c%d\ne.yaml")))
    assert text.startswith("::error file=a%2Cb%3Ac%25d e.yaml,title=")


def test_a_summary_that_fits_is_the_markdown() -> None:
    assert list(summary(six())) == list(markdown(six()))


@pytest.mark.parametrize("most", [SUMMARY_BYTES, 3000, 200, 0, -5])
def test_a_summary_is_never_longer_than_github_takes_and_says_so(most: int) -> None:
    told = told_run([failed(f"\u00e9 {number}", "\u00e9" * 300) for number in range(2000)])
    text = "".join(summary(told, most))
    assert len(text.encode()) <= max(most, 0)
    assert "The rest is left out" in text or most < 200
    assert text.count("<details>") == text.count("</details>")
