"""From what was matched to a ranked list of (fact id, score). Pure functions, no SQL."""

from collections.abc import Iterable, Mapping, Sequence

from knowledge_team.embedding import Vector, embed, similarity

type Ranked = list[tuple[int, float]]
"""Ids of facts with scores from 0 to 1, best first."""

MIN_SIMILARITY = 0.15
"""Less than this two texts share by chance: measured on questions about unknown names."""

MIN_NAME_SHARE = 0.5
"""Half the words of a name: `Mira` can mean Mira Solberg."""

_RANK_OFFSET = 60
"""The usual constant of reciprocal rank fusion: how little the first ranks stand out."""


def by_shared_words(query: Sequence[str], candidates: Iterable[tuple[int, str]]) -> Ranked:
    """Rank by the share of the query's words that a fact has; of equals the earlier first."""
    ranked = [(fact_id, _share(query, words)) for fact_id, words in candidates]
    return sorted(ranked, key=lambda pair: -pair[1])


def by_name(query: Sequence[str], names: Iterable[tuple[int, str]]) -> Ranked:
    """Rank by the share of a name's words that the query has; below a half it is not meant.

    Without this, the many short relations of an entity would stand before what it is.
    """
    ranked = [(fact_id, _share(name.split(), " ".join(query))) for fact_id, name in names]
    return sorted((pair for pair in ranked if pair[1] >= MIN_NAME_SHARE), key=lambda pair: -pair[1])


def by_similarity(query: str, vectors: Mapping[int, Vector]) -> Ranked:
    """Rank by the likeness of spelling; what is hardly like the query is left out."""
    wanted = embed(query)
    ranked = [(fact_id, similarity(wanted, vector)) for fact_id, vector in vectors.items()]
    return sorted(
        (pair for pair in ranked if pair[1] >= MIN_SIMILARITY), key=lambda pair: (-pair[1], pair[0])
    )


def fused(*rankings: Ranked) -> Ranked:
    """Return one ranking of several by reciprocal ranks; 1 is first everywhere."""
    best = len(rankings) / (_RANK_OFFSET + 1)
    scores: dict[int, float] = {}
    for ranking in rankings:
        for rank, (fact_id, _) in enumerate(ranking, start=1):
            scores[fact_id] = scores.get(fact_id, 0.0) + 1 / (_RANK_OFFSET + rank)
    ordered = sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))
    return [(fact_id, score / best) for fact_id, score in ordered]


def _share(wanted: Sequence[str], words: str) -> float:
    present = set(words.split())
    return sum(word in present for word in wanted) / max(len(wanted), 1)
