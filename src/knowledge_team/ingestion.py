"""Taking in pages: what is new about one, and its facts from their update to their commit.

What an ingestion states is staged beside the graph. The commit puts it in the place of all that
the page said before, in one transaction: until then, and after a failure or a crash, the graph
holds what was committed last.
"""

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from sqlite3 import Connection
from typing import Literal

from knowledge_team.errors import IngestionError
from knowledge_team.facts import Entity, Fact, FactName, fact_key, named
from knowledge_team.pages import Page
from knowledge_team.sources import (
    SOURCES_SCHEMA,
    Source,
    SourceState,
    add_later_columns,
    read_source,
    write_source,
)
from knowledge_team.staging import (
    STAGING_SCHEMA,
    clear_stage,
    stage_facts,
    staged_facts,
    unstage_facts,
)
from knowledge_team.store import GraphStore
from knowledge_team.web_addresses import source_key

type ContentStatus = Literal["first", "unchanged", "changed", "forced"]
"""Never committed, as committed last, different from that or now read further, or the same and
wanted all the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Staged:
    """What an update came to.

    Attributes:
        entities: How many entities the ingestion states by now.
        relations: How many relations.
        withdrawn: The facts to delete that the page had stated, in this ingestion or before.
        unknown: Those that it had not: the facts of other pages are not for it to delete.

    """

    entities: int
    relations: int
    withdrawn: tuple[FactName, ...]
    unknown: tuple[FactName, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Committed:
    """What a commit came to.

    Attributes:
        source: The page, as it stands now.
        removed: Facts that it stated before and no longer does; those of other pages are kept.

    """

    source: Source
    removed: tuple[Fact, ...]


class IngestionLedger:
    """The pages of one store. Two ledgers over one store say the same.

    Args:
        store: The graph; its database keeps the pages too.
        clock: What tells the time, in seconds since the epoch.

    """

    def __init__(self, store: GraphStore, clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._clock = clock
        store.database.create(SOURCES_SCHEMA + STAGING_SCHEMA)
        with store.database.transaction() as db:
            add_later_columns(db)

    def committed_facts(self, url: str) -> tuple[Fact, ...]:
        """Return what the graph holds of the page.

        Raises:
            FetchFailedError: The url is no address of the web.

        """
        return self._store.source_facts(source_key(url))

    def note_page(
        self, page: Page, *, unread_characters: int = 0, force: bool = False
    ) -> ContentStatus:
        """Note that the page was fetched; begin its ingestion anew, unless it is unchanged.

        Args:
            page: What was fetched.
            unread_characters: How much at the end of its text is not read.
            force: Take it in even where it is as it was.

        Raises:
            FetchFailedError: The url is no address of the web.

        """
        with self._store.database.transaction() as db:
            known = self._seen(db, source_key(page.url))
            begun = replace(
                known,
                state="pending",
                pending_hash=page.content_hash,
                pending_unread_characters=unread_characters,
                failure=None,
            )
            status = _status(begun, force=force)
            clear_stage(db, known.url)
            write_source(db, _ended(begun, "committed") if status == "unchanged" else begun)
            return status

    def note_failure(self, url: str, reason: str) -> None:
        """Note that the page could not be fetched; what it stated so far stays in the graph.

        Raises:
            FetchFailedError: The url is no address of the web.

        """
        with self._store.database.transaction() as db:
            known = self._seen(db, source_key(url))
            _write_failure(db, known, reason)

    def stage(self, url: str, facts: Sequence[Fact], deleted: Sequence[FactName] = ()) -> Staged:
        """Add what the page states to its ingestion; a fact of the same key takes its place.

        Args:
            url: The page.
            facts: What it states; who owns it is set here.
            deleted: Which facts it states no longer.

        Raises:
            IngestionError: No ingestion of this page is under way, or a fact is both stated and
                deleted.
            FetchFailedError: The url is no address of the web.

        """
        with self._store.database.transaction() as db:
            source = _pending(db, url)
            _refuse_contradiction(source.url, facts, deleted)
            known = (*self._store.source_facts(source.url), *staged_facts(db, source.url))
            before = {fact_key(fact) for fact in known}
            unstage_facts(db, source.url, deleted)
            stage_facts(db, source.url, (replace(fact, source=source.url) for fact in facts))
            stated = staged_facts(db, source.url)
        entities = sum(isinstance(fact, Entity) for fact in stated)
        return Staged(
            entities=entities,
            relations=len(stated) - entities,
            withdrawn=tuple(fact for fact in deleted if fact_key(fact) in before),
            unknown=tuple(fact for fact in deleted if fact_key(fact) not in before),
        )

    def commit(self, url: str, content_hash: str) -> Committed:
        """Let what the ingestion stated be all that the page states.

        Raises:
            IngestionError: No ingestion is under way, another text is being taken in, or nothing
                was stated.
            FetchFailedError: The url is no address of the web.

        """
        with self._store.database.transaction() as db:
            source = _pending(db, url)
            if source.pending_hash != content_hash:
                problem = f"the pending content_hash is {source.pending_hash}, not {content_hash}"
                raise IngestionError(source.url, problem)
            stated = staged_facts(db, source.url)
            if not stated:
                problem = (
                    "nothing was stored with update_graph since the fetch; "
                    "where the page holds nothing of use, call fail_web_ingestion"
                )
                raise IngestionError(source.url, problem)
            before = self._store.source_facts(source.url)
            self._store.replace_source(source.url, stated)
            clear_stage(db, source.url)
            committed = self._committed(source)
            write_source(db, committed)
        keys = {fact_key(fact) for fact in stated}
        removed = tuple(fact for fact in before if fact_key(fact) not in keys)
        return Committed(source=committed, removed=removed)

    def fail(self, url: str, reason: str) -> Source:
        """Give the ingestion up, for this reason; what was committed before stays.

        Raises:
            IngestionError: The page was never asked for.
            FetchFailedError: The url is no address of the web.

        """
        with self._store.database.transaction() as db:
            known = read_source(db, source_key(url))
            if known is None:
                raise IngestionError(url, "this page was not fetched")
            return _write_failure(db, known, reason)

    def _seen(self, db: Connection, url: str) -> Source:
        now = self._clock()
        new = Source(url=url, state="pending", first_seen_at=now, last_seen_at=now)
        return replace(read_source(db, url) or new, last_seen_at=now)

    def _committed(self, source: Source) -> Source:
        return replace(
            _ended(source, "committed"),
            committed_hash=source.pending_hash,
            committed_unread_characters=source.pending_unread_characters,
            committed_at=self._clock(),
            times_committed=source.times_committed + 1,
        )


def _status(begun: Source, *, force: bool) -> ContentStatus:
    if begun.committed_hash is None:
        return "first"
    is_read_further = begun.pending_unread_characters < begun.committed_unread_characters
    if begun.committed_hash != begun.pending_hash or is_read_further:
        return "changed"
    return "forced" if force else "unchanged"


def _ended(source: Source, state: SourceState) -> Source:
    return replace(source, state=state, pending_hash=None, pending_unread_characters=0)


def _pending(db: Connection, url: str) -> Source:
    source = read_source(db, source_key(url))
    if source is None:
        raise IngestionError(url, "this page was not fetched; call web_fetch_tool first")
    if source.pending_hash is None:
        problem = f"no content is pending, the last ingestion is {source.state}; fetch it first"
        raise IngestionError(source.url, problem)
    return source


def _refuse_contradiction(url: str, facts: Sequence[Fact], deleted: Sequence[FactName]) -> None:
    stated = {fact_key(fact) for fact in facts}
    if both := [fact for fact in deleted if fact_key(fact) in stated]:
        listed = json.dumps(named(both), ensure_ascii=False)
        raise IngestionError(url, f"these are both stated and deleted, do one of the two: {listed}")


def _write_failure(db: Connection, known: Source, reason: str) -> Source:
    failed = replace(_ended(known, "failed"), failure=reason)
    clear_stage(db, known.url)
    write_source(db, failed)
    return failed
