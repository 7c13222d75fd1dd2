import pytest

from knowledge_team.scripted.ingestion.requests import addresses, focus, is_forced, takes_in

URL = "https://eval.invalid/vela"


@pytest.mark.parametrize(
    "request_text",
    [
        f"Ingest {URL}",
        f"Please read {URL} and store what it says.",
        f"Can you take in {URL}?",
        f"Force re-ingest {URL}, even if it is unchanged.",
        f"Don't answer from memory but ingest {URL}",
        f"Ingest {URL} and tell me what Vela does.",
        f"Learn from this page: {URL}",
        f"{URL} - ingest this",
        "Please ingest the page",
    ],
)
def test_a_request_to_take_in_a_page_is_one(request_text: str) -> None:
    assert takes_in(request_text)


@pytest.mark.parametrize(
    "request_text",
    [
        f"Using only the stored knowledge, what does Vela do? Do not ingest this source URL: {URL}",
        f"What does {URL} say about Vela?",
        f"Without fetching anything, who founded Vela ({URL})?",
        f"What did you ingest from {URL}?",
        f"You already ingested {URL}. What does Vela do?",
        f"Where is Vela, according to {URL}? Never fetch it again.",
        "Which ports import fish?",
        "What is Vela?",
    ],
)
def test_a_question_is_not(request_text: str) -> None:
    assert not takes_in(request_text)


@pytest.mark.parametrize(
    ("request_text", "forced"),
    [
        (f"Force re-ingest {URL}", True),
        (f"Ingest {URL} even if nothing changed", True),
        (f"Ingest {URL} although it has not changed", True),
        (f"Ingest {URL} regardless", True),
        (f"Ingest {URL} again.", False),
        ("Ingest https://eval.invalid/force", False),
        (f"Ingest {URL}, but without force", False),
    ],
)
def test_force_is_only_what_is_asked_for(request_text: str, *, forced: bool) -> None:
    assert is_forced(request_text) == forced


def test_addresses_are_found_once_without_what_ends_the_sentence() -> None:
    assert addresses(f"Ingest {URL}, ({URL}) and http://a.invalid/x?y=1.") == [
        URL,
        "http://a.invalid/x?y=1",
    ]


def test_the_focus_is_what_is_asked_to_be_looked_at() -> None:
    assert focus(f"Ingest {URL} and focus on what Vela does.") == ["vela"]
    assert focus(f"Ingest {URL}") == []
