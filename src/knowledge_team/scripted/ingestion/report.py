"""What is said at the end of an ingestion. Only stored sentences are repeated, never the page."""

from collections.abc import Sequence

from knowledge_team.facts import Entity, Fact, Relation
from knowledge_team.scripted.conversation import ToolResult
from knowledge_team.scripted.evidence import Statement, statements
from knowledge_team.scripted.ingestion.pages import FetchedPage, removed_names
from knowledge_team.scripted.ingestion.requests import focus
from knowledge_team.scripted.language import asked, stems

_MOST_NAMES = 30
_MOST_SENTENCES = 6


def stored_text(
    page: FetchedPage, facts: Sequence[Fact], *, commit: ToolResult, request: str
) -> str:
    """Return what was stored of a page, what the request looks at first, and what was removed."""
    entities = [fact.name for fact in facts if isinstance(fact, Entity)]
    relations = sum(isinstance(fact, Relation) for fact in facts)
    counts = f"{_counted(len(entities), 'entity')} and {_counted(relations, 'relation')}"
    told = [f"{_opening(page)} Stored {counts}: {_listed(entities)}.", *_sentences(facts, request)]
    if page.unread_characters:
        told.append(f"Its last {page.unread_characters} characters were not read: it is too long.")
    if removed := removed_names(commit):
        told.append(f"Removed, since the page no longer states it: {_listed(removed)}.")
    return " ".join(told)


def unchanged_text(url: str) -> str:
    """Return that there was nothing to do."""
    return f"The page {url} is unchanged since it was last taken in. Nothing needed updating."


def nothing_text(url: str) -> str:
    """Return that the page says nothing."""
    return f"The page {url} holds nothing useful to store, so nothing was stored."


def unstored_text(url: str, problem: str) -> str:
    """Return that the page could not be stored."""
    why = f": {problem}" if problem else "."
    return f"The page {url} was fetched, but could not be stored{why}"


def failed_text(url: str, error: str) -> str:
    """Return that the page could not be fetched."""
    return f"The page {url} could not be fetched: {error.rstrip('.')}. Nothing was stored."


def _opening(page: FetchedPage) -> str:
    match page.content_status:
        case "changed":
            return f"The page {page.url} has changed; its facts were updated."
        case "forced":
            return f"Ingested {page.url} again, although it is unchanged."
        case _:
            return f"Ingested {page.url}."


def _sentences(facts: Sequence[Fact], request: str) -> list[str]:
    """Return the sentences that say most of what the request looks at, in their order."""
    told = [one for one in statements(facts) if one.relation is None]
    wanted = [asked(word) for word in focus(request)]

    def misses(one: Statement) -> int:
        return -sum(bool(key & (one.meanings | stems(one.subject))) for key in wanted)

    # sorted() is stable: where nothing is asked for, the first sentences of the page are told.
    best = sorted(told, key=misses)[:_MOST_SENTENCES]
    return list(dict.fromkeys(one.sentence() for one in told if one in best))


def _counted(number: int, noun: str) -> str:
    plural = f"{noun.removesuffix('y')}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number} {noun if number == 1 else plural}"


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_MOST_NAMES])
    return f"{shown} and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else shown
