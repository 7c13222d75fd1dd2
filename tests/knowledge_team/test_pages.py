import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge_team.errors import FetchFailedError
from knowledge_team.pages import (
    READABLE_TYPES,
    Page,
    check_readable,
    html_text,
    normalised,
    page_text,
)

URL = "https://eval.invalid/vela"

HTML = """<html><head><title>Vela Union | About us</title></head><body>
<nav><a href="/">Home</a><a href="/contact">Contact</a></nav>
<main><h1>Vela Union</h1>
<p>Vela Union was formed by three companies.</p>
<h2>Founders</h2><ul><li>Harbourline</li><li>Brightmoor Systems</li></ul>
<table><tr><th>Name</th><th>Role</th></tr><tr><td>Ada Quill</td><td>director</td></tr></table>
</main><script>alert(1)</script><footer>Copyright 2026</footer></body></html>"""


def test_a_hash_is_that_of_the_text() -> None:
    one, same = Page(url=URL, text="A  quiet\tpier.\r\n\r\n\r\n\r\nEnd. "), "A quiet pier.\n\nEnd."
    assert (one.text, one.content_hash) == (same, Page(url="https://x", text=same).content_hash)
    assert one.content_hash != Page(url=URL, text="A quiet pier.").content_hash


def test_composed_letters_are_one_text() -> None:
    assert normalised("Cafe\u0301") == normalised("Caf\u00e9")


@given(st.text(alphabet=st.characters()))
def test_any_text_has_a_hash_and_normalising_twice_changes_nothing(text: str) -> None:
    page = Page(url=URL, text=text)
    assert len(page.content_hash) == 64
    assert normalised(page.text) == page.text


def test_html_becomes_its_text_without_menus() -> None:
    text = html_text(HTML)
    assert text.startswith("# Vela Union")
    assert "Vela Union was formed by three companies." in text
    assert "- Harbourline\n- Brightmoor Systems" in text
    assert "| Ada Quill | director |" in text
    assert not any(word in text for word in ("Contact", "alert", "Copyright"))


def test_a_page_whose_heading_is_left_out_has_its_title() -> None:
    page = "<html><head><title>Pier 4</title></head><body><p>It is a quiet place.</p></body></html>"
    assert html_text(page) == "# Pier 4\n\nIt is a quiet place."


@pytest.mark.parametrize("html", ["", "<html></html>", b"\x00\x01", "<html><body></body>"])
def test_a_page_without_text_is_empty(html: str | bytes) -> None:
    assert html_text(html) == ""


def test_a_declared_encoding_is_used() -> None:
    page = "<html><body><p>Jürgen Weißmüller ist Ingenieur.</p></body></html>".encode("latin-1")
    assert "Jürgen Weißmüller" in page_text("text/html", page, charset="latin-1")


def test_an_encoding_in_the_page_is_found() -> None:
    head = "<html><head><meta charset='iso-8859-1'></head>"
    page = f"{head}<body><p>Jürgen Weißmüller ist Ingenieur.</p></body></html>".encode("latin-1")
    assert "Jürgen Weißmüller" in page_text("text/html", page)


@pytest.mark.parametrize("charset", [None, "utf-8", "no-such-encoding"])
def test_plain_text_stays_as_it_is(charset: str | None) -> None:
    body = "Ærø <b>\xff".encode()
    assert page_text("text/plain", body, charset=charset) == "Ærø <b>\xff"


@pytest.mark.parametrize(("found", "said"), [("image/png", "image/png"), ("", "not said")])
def test_of_other_types_no_text_is_made(found: str, said: str) -> None:
    with pytest.raises(FetchFailedError, match=f"its type is {said}, not HTML or plain text"):
        check_readable(URL, found)


def test_all_readable_types_are_let_through() -> None:
    for media_type in READABLE_TYPES:
        check_readable(URL, media_type)
