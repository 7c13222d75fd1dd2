import pytest

from knowledge_team.errors import (
    BodyRefusedError,
    CatalogError,
    FetchFailedError,
    IngestionError,
    KnowledgeTeamError,
    ModelSettingError,
    TeamStateError,
    UnknownNameError,
)


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (CatalogError("dock.json", "empty"), "dock.json: empty"),
        (
            UnknownNameError("dock.json", "reference", "x", ["b", "a"]),
            "dock.json: unknown reference 'x'; known: a, b",
        ),
        (
            UnknownNameError("catalog", "team", "x", []),
            "catalog: unknown team 'x'; known: none",
        ),
        (ModelSettingError("calm", "no such model"), "model 'calm': no such model"),
        (TeamStateError("send", "stopped"), "cannot send: the team is stopped"),
        (FetchFailedError("https://eval.invalid", "timed out"), "https://eval.invalid: timed out"),
        (BodyRefusedError("it breaks off"), "it breaks off"),
        (
            IngestionError("https://eval.invalid", "not fetched"),
            "https://eval.invalid: not fetched",
        ),
    ],
)
def test_an_error_says_where_and_what(error: KnowledgeTeamError, text: str) -> None:
    assert str(error) == text
