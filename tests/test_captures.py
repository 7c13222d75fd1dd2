"""Where a value stands, and the places that it is put into."""

from typing import Any

import pytest
from pydantic import ValidationError

from audition.captures import MAX_VALUE, Capture, filled, places_in


@pytest.mark.parametrize(
    ("capture", "text", "value"),
    [
        ({"regex": "BK-[0-9]{4}"}, "Your booking is **BK-1234**.", "BK-1234"),
        ({"regex": "BK-[0-9]+"}, "BK-1, BK-22 and BK-333", "BK-1"),
        ({"regex": "[0-9]+"}, "berth 4711 is free", "4711"),
        ({"regex": "[A-Z]{2}[0-9]+", "after": "Reference:"}, "XX1. reference: QX81", "QX81"),
        ({"regex": "Berth [0-9]+", "after": "to"}, "From Berth 1 to Berth 12.", "Berth 12"),
        ({"regex": "Mara .*lves"}, "It is Mara K. Ilves, here.", "Mara K. Ilves"),
        ({"regex": "(?m)^Ticket.*$"}, "Done.\nTicket 7", "Ticket 7"),
        ({"regex": "ü[0-9]+"}, "no ü here, ü77 there", "ü77"),
        ({"regex": "BK-[0-9]{4}"}, "There is no booking.", None),
        ({"regex": "BK", "after": "Reference"}, "BK without it", None),
        ({"path": "$.ticket"}, '{"ticket": "T-1"}', "T-1"),
        ({"path": "$.tickets[*].id"}, '{"tickets": [{}, {"id": 42}]}', "42"),
        ({"path": "$.ok"}, '{"ok": true}', "true"),
        ({"path": "$.note", "regex": "T-[0-9]"}, '{"note": "it is T-9!"}', "T-9"),
        ({"path": "$.ticket"}, "no JSON", None),
        ({"path": "$.ticket"}, '{"ticket": "  "}', None),
    ],
)
def test_a_value_is_taken_out_of_a_text(
    capture: dict[str, Any], text: str, value: str | None
) -> None:
    assert Capture(**capture).first_in([text]) == value


def test_the_first_text_that_has_it_counts() -> None:
    assert Capture(regex="T-[0-9]").first_in(["none", "T-2", "T-1"]) == "T-2"


def test_a_value_is_of_bounded_length_and_can_be_written() -> None:
    value = Capture(regex="(?s)x.*").first_in(["x" * 10_000])
    assert value is not None
    assert len(value) == MAX_VALUE
    assert Capture(path="$.a").first_in(['{"a": "\\ud800"}']) == "\ufffd"


@pytest.mark.parametrize(
    ("capture", "wrong"),
    [
        ({}, "give a `regex`"),
        ({"after": "x"}, "give a `regex`"),
        ({"regex": "("}, "is not valid"),
        ({"regex": "x*"}, "matches the empty text"),
        ({"path": "ticket"}, "cannot be read"),
        ({"regexp": "x"}, "Extra inputs"),
    ],
)
def test_what_takes_nothing_is_refused(capture: dict[str, Any], wrong: str) -> None:
    with pytest.raises(ValidationError, match=wrong):
        Capture(**capture)


def test_a_capture_says_what_it_looks_for() -> None:
    capture = Capture(tool_name="book", path="$.id", regex="T-[0-9]", after="no. ")
    told = "a match of /T-[0-9]/ in what book gave back at $.id behind 'no. '"
    assert str(capture) == told
    assert str(Capture(path="$.id")) == "a value in the answer at $.id"


def test_values_are_put_into_their_places() -> None:
    message = "Cancel {{ticket}} for {{ who }}, {{ticket}}; {not} {{0}} {{other}}"
    assert places_in(message) == ["ticket", "who", "other"]
    values = {"ticket": "{{who}}", "who": "Mara \\1"}
    assert filled(message, values) == "Cancel {{who}} for Mara \\1, {{who}}; {not} {{0}} {{other}}"
