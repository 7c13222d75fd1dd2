"""Fields that another format has at the same place: what to write instead of them."""

import re

_CASE_FIELD = re.compile(r"/cases/\d+/(\w+)")
_FILE_FIELD = re.compile(r"/(\w+)")

_OF_SESSIONS = "it is of task session, which judges recordings: write `task: session`, or remove it"
_RECORDED = (
    "what was asked is in the recording: remove it; to ask a team write `task: {task}` "
    "and no `session`"
)
_IN_CASE = {
    "retrieval": {
        "turns": "write `task: conversation` for several turns, or one `message`",
        "capture": "write `task: conversation`, and give it to a turn",
    },
    "conversation": {
        "message": "give it to a turn: `turns: [{message: ...}]`",
        "target": "give it to a turn: `turns: [{message: ..., target: ...}]`",
        "capture": "give it to the turn that it is taken out of",
    },
    "session": {
        **dict.fromkeys(("message", "target", "fixture"), _RECORDED.format(task="retrieval")),
        **dict.fromkeys(("turns", "capture"), _RECORDED.format(task="conversation")),
    },
}
_OF_A_SESSION = ("session", "source", "session_id", "invocation")


def advice(task: str, pointer: str) -> str | None:
    """Return what to do with a field that the format of a task lacks and another one has.

    Args:
        task: The format of the file.
        pointer: The place of the field.

    Returns:
        None for a field that no format has there.

    """
    in_case = _CASE_FIELD.fullmatch(pointer)
    field = in_case or _FILE_FIELD.fullmatch(pointer)
    if field is None:
        return None
    name = field[1]
    if task != "session" and name in _OF_A_SESSION:
        return _OF_SESSIONS
    if in_case is not None:
        return _IN_CASE[task].get(name)
    return "remove it: nobody is asked" if (task, name) == ("session", "knowledge") else None
