import pytest

from knowledge_team.scripted.ingestion.blocks import Block, read_blocks


def kinds(text: str) -> list[tuple[str, ...]]:
    return [(block.kind, *block.parts) for block in read_blocks(text)]


def test_a_page_is_headings_paragraphs_lists_and_tables() -> None:
    page = (
        "# Vela Union\n\nVela runs ferries.\nIt sells maps.\n\n## Founders\n- Orca\n* Pelikan\n"
        "1. Sable\n\n| Name | Role |\n|---|---|\n| Ada | pilot |"
    )
    assert kinds(page) == [
        ("heading", "Vela Union"),
        ("prose", "Vela runs ferries."),
        ("prose", "It sells maps."),
        ("heading", "Founders"),
        ("list", "Orca", "Pelikan", "Sable"),
        ("table", "Name | Role", "---|---", "Ada | pilot"),
    ]


def test_lines_that_were_broken_are_one_paragraph() -> None:
    page = (
        "Vela Union was formed by Orca Data,\nPelikan, Sable Rail and others in the spring of the"
        "\n2015th year."
    )
    assert kinds(page) == [("prose", page.replace("\n", " "))]


def test_a_comma_inside_a_name_is_left_out() -> None:
    assert kinds("- Vela, Inc.\n- Orca, sable") == [("list", "Vela Inc.", "Orca, sable")]


def test_a_short_line_that_is_no_sentence_is_a_heading() -> None:
    assert kinds("About Vela\nVela runs ferries.")[0] == ("heading", "About Vela")


@pytest.mark.parametrize("line", ["Vela runs ferries.", "Founders:", "(c) Vela", "and so on"])
def test_other_lines_are_not(line: str) -> None:
    assert kinds(f"{line}\nmore")[0][0] == "prose"


def test_blank_lines_do_not_end_a_list() -> None:
    assert kinds("- Orca\n\n- Sable\n\nEnd of it.") == [
        ("list", "Orca", "Sable"),
        ("prose", "End of it."),
    ]


def test_marks_of_emphasis_and_links_are_left_out() -> None:
    (block,) = read_blocks("**Vela** has `two` [ferries](https://eval.invalid/f)[1] and *maps*.")
    assert block == Block(kind="prose", parts=("Vela has two ferries and maps.",))


def test_rules_and_blanks_are_nothing() -> None:
    assert kinds("\n---\n\n===\n") == []
