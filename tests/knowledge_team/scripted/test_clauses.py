import pytest

from knowledge_team.scripted.clauses import clauses


@pytest.mark.parametrize(
    ("request_text", "expected"),
    [
        ("What does Vela do?", ["What does Vela do"]),
        ("Who is Mira, and what does Vela do?", ["Who is Mira", "what does Vela do"]),
        ("Who is Mira? Where is Vela?", ["Who is Mira", "Where is Vela"]),
        ("Who founded St. Ives Ltd. and when?", ["Who founded St. Ives Ltd", "when"]),
        ("Hello! Please list the ports.", ["Please list the ports"]),
        ("What does Vela do? Do not fetch https://a.invalid/b", ["What does Vela do"]),
        ("According to the graph, who is Mira?", ["who is Mira"]),
        (
            "What are Mira's job and home town?",
            ["What are Mira's job", "What are Mira's home town"],
        ),
        (
            "What is Mira's job and Vela's purpose?",
            ["What is Mira's job", "What is Vela's purpose"],
        ),
        (
            "What are the job and the age of Mira?",
            ["What are the job of Mira", "What are the age of Mira"],
        ),
        ("Vela", ["Vela"]),
        ("", []),
    ],
)
def test_a_request_falls_into_questions(request_text: str, expected: list[str]) -> None:
    assert list(clauses(request_text)) == expected
