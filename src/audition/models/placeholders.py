"""Requests whose secrets were taken out, and what they stand for.

A replay gives a team placeholders where the live model gave it secrets, so in later requests some
stand where a secret was, or the other way round. In a recorded request a placeholder stands for
any text.
"""

from typing import cast

from audition.redaction.stand_ins import PLACEHOLDERS


def covers(recorded: object, asked: object) -> bool:
    """Return whether two JSON values are the same, a recorded placeholder standing for any text."""
    if type(recorded) is not type(asked):
        return False
    if isinstance(recorded, str) and isinstance(asked, str):
        return recorded == asked or _covers_text(recorded, asked)
    if isinstance(recorded, list) and isinstance(asked, list):
        one, other = cast("list[object]", recorded), cast("list[object]", asked)
        return len(one) == len(other) and all(map(covers, one, other))
    if isinstance(recorded, dict) and isinstance(asked, dict):
        here, there = cast("dict[str, object]", recorded), cast("dict[str, object]", asked)
        return here.keys() == there.keys() and all(covers(here[key], there[key]) for key in here)
    return bool(recorded == asked)


def _covers_text(recorded: str, asked: str) -> bool:
    first, *others = PLACEHOLDERS.split(recorded)
    if not others or not asked.startswith(first):
        return False
    *between, last = others
    at = len(first)
    for piece in between:
        at = asked.find(piece, at)
        if at < 0:
            return False
        at += len(piece)
    return len(asked) - len(last) >= at and asked.endswith(last)
