from knowledge_team.facts import Entity, Fact
from knowledge_team.scripted.conversation import ToolResult
from knowledge_team.scripted.ingestion.pages import FetchedPage
from knowledge_team.scripted.ingestion.report import failed_text, stored_text, unstored_text

URL = "https://eval.invalid/vela"
COMMITTED = ToolResult(
    tool="commit_web_ingestion", arguments={}, text='{"removed":{"entities":["Trains"]}}'
)
NOTHING_REMOVED = ToolResult(tool="commit_web_ingestion", arguments={}, text="{}")


def told(
    *facts: Fact,
    status: str = "first",
    request: str = "",
    commit: ToolResult = NOTHING_REMOVED,
    unread_characters: int = 0,
) -> str:
    page = FetchedPage(
        url=URL, content_hash="h", content_status=status, unread_characters=unread_characters
    )
    return stored_text(page, facts, commit=commit, request=request)


def vela(description: str) -> Entity:
    return Entity(name="Vela", entity_type="company", description=description)


def test_a_change_is_told_with_what_it_removed() -> None:
    text = told(vela("Vela runs ferries."), status="changed", commit=COMMITTED)
    assert text.startswith(f"The page {URL} has changed; its facts were updated. Stored 1 entity")
    assert text.endswith("Removed, since the page no longer states it: Trains.")


def test_what_was_not_read_is_told() -> None:
    text = told(vela("Vela runs ferries."), unread_characters=500)
    assert text.endswith("Its last 500 characters were not read: it is too long.")
    assert "not read" not in told(vela("Vela runs ferries."))


def test_what_was_forced_is_told() -> None:
    assert told(vela(""), status="forced").startswith(f"Ingested {URL} again, although")


def test_what_the_request_looks_at_is_told_before_the_rest_is_left_out() -> None:
    colours = ("red", "blue", "green", "grey", "black", "white")
    sentences = [f"Vela has {colour} boats." for colour in colours]
    text = " ".join([*sentences, "Vela was founded by Ada Quill."])
    assert "Ada Quill" not in told(vela(text))
    assert "Ada Quill" in told(vela(text), request="Ingest it and focus on who created Vela.")


def test_many_names_are_counted() -> None:
    many = [Entity(name=f"Boat {n}", entity_type="boat", description="") for n in range(35)]
    assert "Boat 29 and 5 more." in told(*many)


def test_a_failure_has_one_full_stop() -> None:
    assert failed_text(URL, "timed out.") == (
        f"The page {URL} could not be fetched: timed out. Nothing was stored."
    )
    assert unstored_text(URL, "").endswith("could not be stored.")
