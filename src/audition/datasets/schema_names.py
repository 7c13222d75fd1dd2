"""The names that a JSON Schema has at a place: of fields, and of what selects a model."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

type Step = tuple[int | str, bool]
"""A part of a place as Pydantic names it, and whether it is in the data: else it is a branch."""

type _Node = dict[str, Any]


def fields_at(schema: Mapping[str, Any], steps: Iterable[Step]) -> list[str]:
    """Return the names of the fields that exist at a place, as far as the schema tells."""
    definitions = _definitions(schema)
    node = _node_at(schema, steps)
    branches = iter((node,)) if "properties" in node else _branches(node, definitions)
    return list(dict.fromkeys(name for one in branches for name in one.get("properties", {})))


def branches_at(schema: Mapping[str, Any], steps: Iterable[Step]) -> list[str]:
    """Return the words that select a model at a place, as far as the schema tells."""
    branches = _branches(_node_at(schema, steps), _definitions(schema))
    return [word for one in branches for word in _mapping(one)]


def _definitions(schema: Mapping[str, Any]) -> _Node:
    return cast("_Node", schema.get("$defs", {}))


def _node_at(schema: Mapping[str, Any], steps: Iterable[Step]) -> _Node:
    definitions = _definitions(schema)
    node = dict(schema)
    for part, is_in_data in steps:
        branches = list(_branches(node, definitions))
        node = _inside(branches, part) if is_in_data else _selected(branches, str(part)) or node
    return _resolved(node, definitions)


def _branches(node: _Node, definitions: _Node) -> Iterator[_Node]:
    """Yield a node, and those that may stand in its place, unions of unions included."""
    resolved = _resolved(node, definitions)
    yield resolved
    if not _mapping(resolved):  # else its branches are reached by their words
        for branch in (*resolved.get("anyOf", ()), *resolved.get("oneOf", ())):
            yield from _branches(branch, definitions)


def _mapping(node: _Node) -> dict[str, str]:
    """Return the models of a union by the words that select them."""
    return node.get("discriminator", {}).get("mapping", {})


def _resolved(node: _Node, definitions: _Node) -> _Node:
    while "$ref" in node:
        node = definitions.get(str(node["$ref"]).rpartition("/")[2], {})
    return node


def _inside(branches: Iterable[_Node], part: int | str) -> _Node:
    """Return what stands behind a key or a position; nothing where the schema does not tell."""
    for one in branches:
        if isinstance(part, int) and "items" in one:
            return one["items"]
        if isinstance(part, str) and part in one.get("properties", {}):
            return one["properties"][part]
        if isinstance(part, str) and isinstance(one.get("additionalProperties"), dict):
            return one["additionalProperties"]
    return {}


def _selected(branches: Iterable[_Node], word: str) -> _Node | None:
    """Return the branch that a word selects, None where the schema does not tell.

    A union that tells its branches by a key of theirs has that key for the word: `{"regex": …}`.
    """
    for one in branches:
        if word in _mapping(one):
            return {"$ref": _mapping(one)[word]}
        if word in one.get("required", ()):
            return one
    return None
