"""A secret that is split over previews. Every secret here is made up."""

import json

from pydantic import JsonValue

from audition.redaction.deltas import redacted_frames

SECRET = "sk-test-HARBOUR-0123456789abcdef"  # noqa: S105


def preview(text: str) -> JsonValue:
    return {"author": "desk", "partial": True, "content": {"parts": [{"text": text}]}}


def test_no_piece_of_a_secret_stays_in_a_stream() -> None:
    pieces = [f"Use {SECRET[:9]}", SECRET[9:20], f"{SECRET[20:]} now."]
    whole: JsonValue = {"author": "desk", "content": {"parts": [{"text": "".join(pieces)}]}}
    made = redacted_frames([*map(preview, pieces), whole])
    told = json.dumps(made)
    assert not [piece for piece in ("sk-test", SECRET[9:20], SECRET[20:]) if piece in told]
    assert made[0] == preview("Use [redacted:key]")
    assert made[2] == preview(" now.")


def test_arguments_that_come_in_pieces() -> None:
    frames: list[JsonValue] = [
        {"partial": True, "functionCall": {"partialArgs": [{"stringValue": piece}]}}
        for piece in (SECRET[:12], SECRET[12:])
    ]
    assert SECRET[12:] not in json.dumps(redacted_frames(frames))


def test_no_piece_of_a_secret_stays_in_the_parts_of_one_message() -> None:
    parts: list[JsonValue] = [
        {"text": SECRET[:9]},
        {"inlineData": {}},
        {"text": f"{SECRET[9:]} now."},
    ]
    made = redacted_frames([{"role": "user", "content": parts}])
    left: list[JsonValue] = [{"text": "[redacted:key]"}, {"inlineData": {}}, {"text": " now."}]
    assert made == [{"role": "user", "content": left}]


def test_no_piece_of_a_secret_stays_in_chunks() -> None:
    frames: list[JsonValue] = [
        {"index": 0, "delta": {"content": piece}} for piece in (SECRET[:12], SECRET[12:])
    ]
    assert SECRET[12:] not in json.dumps(redacted_frames(frames))


def test_pieces_of_an_argument_whose_path_names_a_secret_are_taken_out() -> None:
    frames: list[JsonValue] = [
        {"partial": True, "partialArgs": [{"jsonPath": "$.login.password", "stringValue": piece}]}
        for piece in ("hunt", "er22")
    ]
    told = json.dumps(redacted_frames(frames))
    assert not [piece for piece in ("hunt", "er22") if piece in told]


def test_a_password_that_a_later_frame_names_is_taken_out_of_the_previews() -> None:
    made = redacted_frames(
        [preview("It is pw-GORSE"), preview("-1188."), {"password": "pw-GORSE-1188"}]
    )
    assert "GORSE" not in json.dumps(made)


def test_frames_without_a_secret_stay_as_they_are() -> None:
    frames: list[JsonValue] = [preview("Where"), preview(" to?"), {"x": [1, None]}, "text"]
    assert redacted_frames(frames) == frames
