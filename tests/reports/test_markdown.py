from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from audition.reports.markdown import markdown, plain
from audition.reports.row_text import MOST_PASSED
from audition.reports.told_run import ToldRun
from tests.journals import line
from tests.told_runs import failed, six, told_run

OURS = {
    *("h2", "h3", "p", "strong", "code", "table", "thead", "tbody", "tr", "th", "td"),
    *("details", "summary", "ul", "li"),
}
RENDERED = MarkdownIt("commonmark", {"html": True}).enable("table")


class Page(HTMLParser):
    """What a page shows: its elements, the texts of its code, its rows and its open elements."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: set[str] = set()
        self.codes: list[str] = []
        self.cells: list[list[str]] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(html)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        self._open.append(tag)
        if tag == "tr":
            self.cells.append([])
        elif tag in {"td", "th"}:
            self.cells[-1].append("")
        elif tag == "code":
            self.codes.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data
        if {"td", "th"} & {*self._open}:
            self.cells[-1][-1] += data
        if "code" in self._open:
            self.codes[-1] += data


def page(told: ToldRun) -> Page:
    return Page(RENDERED.render("".join(markdown(told))))


def test_the_counts_come_first_and_failures_before_the_rows() -> None:
    text = "".join(markdown(six()))
    parts = ("## Audition", "**failed", "| error | 1 |", "| all | 6 |", "first failing layer")
    places = [text.index(part) for part in (*parts, "| tag |", "### Reasons", "### Cases")]
    assert places == sorted(places)


def test_counts_layers_and_tags_are_tables() -> None:
    cells = page(six()).cells
    for row in (["not evaluated", "1"], ["not run", "1"], ["all", "6"], ["answer", "2"]):
        assert row in cells
    assert ["both", "0", "1", "0", "0", "1", "2"] in cells


def test_each_that_did_not_pass_is_folded_with_its_reasons() -> None:
    text = "".join(markdown(six()))
    assert text.count("<details>") == text.count("</details>") == 4
    codes = page(six()).codes
    assert codes[codes.index("bad") : codes.index("bad") + 3] == [
        "bad", "answer: omitted", 'FAIL says yes: the final answer lacks "yes"'
    ]  # fmt: skip


def test_each_unit_has_a_row() -> None:
    rows = [row for row in page(six()).cells if len(row) == 8][1:]
    assert [row[:2] for row in rows] == [
        ["error", "broken"], ["failed", "bad"], ["not evaluated", "unmeasured"],
        ["known failure", "known"], ["passed", "good"], ["not run", "never"],
    ]  # fmt: skip
    assert rows[4] == ["passed", "good", "1/1", "0.50 s", "7", "0.25", "", "short, both"]


def test_those_that_passed_are_listed_up_to_a_number() -> None:
    told = told_run([line(f"case {number}") for number in range(MOST_PASSED + 3)])
    text = "".join(markdown(told))
    assert text.count("| passed | <code>") == MOST_PASSED
    assert text.endswith("\n3 more passed: `audition show RUN --format csv` lists all.\n")


@pytest.mark.parametrize(
    "evil",
    [
        "a | b | c", "`code` **bold** _it_ ~~no~~",
        "<script>alert(1)</script>", "</details></code>",
        "[a](http://x.example) ![i](http://x.example/i)", "http://x.example www.x.example",
        "@everybody #12 someone@x.example", "# head", "---", "&amp; &#124; \\| \\",
        "<!-- -->", "$x$",
        "::error::x ##[error]x", "\x1b[2J \u202e", "]]>", "a\n\n## head",
    ],
)  # fmt: skip
def test_nothing_that_was_said_is_markup(evil: str) -> None:
    told = told_run([failed(evil, evil)], tags={evil: (evil,)}, not_run=[evil], name=evil)
    shown = page(told)
    assert shown.elements <= OURS
    assert "a" not in shown.elements
    text = "".join(markdown(told))
    for mark in ("@everybody", "http://", "www.x", "##[", "::error", "\x1b", "x.example"):
        assert mark not in text


@given(st.text(st.characters(exclude_categories=[])))
def test_any_text_keeps_the_form_of_the_page(said: str) -> None:
    told = told_run([failed(said, said)], tags={said: (said,)}, not_run=[said], name=said)
    shown = page(told)
    assert shown.elements <= OURS
    assert [len(row) for row in shown.cells if row[0] in {"failed", "not run"}] == [2, 2, 8, 8]


@given(st.text(st.characters(min_codepoint=33, max_codepoint=126)))
def test_what_was_said_can_be_read(said: str) -> None:
    assert Page(RENDERED.renderInline(plain(f"x{said}"))).text == f"x{said}"


def test_what_is_not_known_is_said() -> None:
    text = "".join(markdown(told_run([line("a", model_ids=("m",))])))
    assert "0.50 s in all cases together, tokens not known, cost not known" in text
