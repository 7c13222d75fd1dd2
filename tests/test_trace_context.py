"""A message carries its sender's context into another thread, and shows nothing of it."""

import gc
import json
import pickle
import threading
from contextvars import ContextVar, copy_context
from dataclasses import asdict, dataclass

import pytest

from audition.trace_context import attach_context, run_in_context

SPAN = ContextVar("span", default="none")


@dataclass(eq=True)
class Message:
    """Equal to others of its kind, and not hashable."""

    text: str


def send(message: Message, *, within: str) -> None:
    """Attach the context of a span to a message."""

    def attach() -> None:
        SPAN.set(within)
        attach_context(message)

    copy_context().run(attach)


def in_thread(message: object) -> str:
    seen: list[str] = []
    thread = threading.Thread(target=lambda: seen.append(run_in_context(message, SPAN.get)))
    thread.start()
    thread.join()
    return seen[0]


def test_a_handler_runs_in_the_context_of_its_message() -> None:
    message = Message("a")
    send(message, within="case-1")
    assert in_thread(message) == "case-1"


def test_equal_messages_keep_their_own_contexts() -> None:
    one, two = Message("a"), Message("a")
    for span, message in (("1", one), ("2", two)):
        send(message, within=span)
    assert (in_thread(one), in_thread(two)) == ("1", "2")


def test_a_message_without_a_context_is_handled_plainly() -> None:
    assert run_in_context(Message("a"), SPAN.get) == "none"


def test_a_forwarded_message_keeps_the_context_of_its_origin() -> None:
    message = Message("a")
    for span in ("origin", "forwarder"):
        send(message, within=span)
    assert in_thread(message) == "origin"


def test_what_a_handler_sets_is_seen_by_no_other() -> None:
    message = Message("a")
    send(message, within="case")
    run_in_context(message, lambda: SPAN.set("changed"))
    assert run_in_context(message, SPAN.get) == "case"


def test_a_context_is_forgotten_with_its_message() -> None:
    send(Message("gone at once"), within="old")
    gc.collect()
    assert all(run_in_context(Message("b"), SPAN.get) == "none" for _ in range(100))


def test_no_form_of_a_message_shows_its_context() -> None:
    message = Message("a")
    send(message, within="a secret span")
    forms = [repr(message), json.dumps(asdict(message)), repr(vars(message))]
    forms.append(repr(pickle.dumps(message)))
    assert not any("ontext" in form.replace("test_trace_context", "") for form in forms)
    assert not any("secret" in form for form in forms)


def test_what_cannot_be_remembered_is_refused() -> None:
    with pytest.raises(TypeError):
        attach_context({"a": 1})
