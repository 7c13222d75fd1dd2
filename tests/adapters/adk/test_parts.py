"""What the parts of an event's content are, by their kind alone."""

import pytest
from pydantic import JsonValue

from audition.adapters.adk.parts import AdkPart, read_part, said


@pytest.mark.parametrize(
    ("raw", "part"),
    [
        ({"text": "Free."}, AdkPart("text", "Free.")),
        ({"text": "hm", "thought": True}, AdkPart("thought", "hm")),
        ({"text": "", "functionCall": {"id": "c", "name": "check", "args": {"pier": 4}}},
         AdkPart("call", "", "check", "c", {"pier": 4})),
        ({"function_response": {"name": "check", "response": {"free": True}}},
         AdkPart("return", "", "check", None, {"free": True})),
        ({"FunctionResponse": {"Name": "check", "Response": {"free": True}}},
         AdkPart("return", "", "check", None, {"free": True})),
        ({"executable_code": {"code": "1", "language": "PYTHON"}},
         AdkPart("call", "", "code_execution", None, {"code": "1", "language": "PYTHON"})),
        ({"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "1\n"}},
         AdkPart("return", "", "code_execution", None, {"output": "1\n"})),
        ({"codeExecutionResult": {"outcome": "OUTCOME_FAILED", "output": "no"}},
         AdkPart("return", "", "code_execution", None, {"output": "no"}, failed=True)),
        ({"codeExecutionResult": {"outcome": "OUTCOME_DEADLINE_EXCEEDED"}},
         AdkPart("return", "", "code_execution", None, {"output": None}, failed=True)),
        ({"toolCall": {"id": "s", "toolType": "GOOGLE_SEARCH_WEB", "args": {"q": "pier"}}},
         AdkPart("call", "", "GOOGLE_SEARCH_WEB", "s", {"q": "pier"})),
        ({"tool_response": {"id": "s", "tool_type": "URL_CONTEXT", "response": {"n": 1}}},
         AdkPart("return", "", "URL_CONTEXT", "s", {"n": 1})),
    ],
)  # fmt: skip
def test_a_part_is_what_it_holds(raw: JsonValue, part: AdkPart) -> None:
    assert read_part(raw) == part


@pytest.mark.parametrize(
    ("raw", "mention"),
    [
        ({"inlineData": {"mimeType": "image/png", "data": "AAAA"}}, "[file: image/png, 3 bytes]"),
        ({"inline_data": {"mime_type": "a/b", "data": "_9j--z8_Pj4="}}, "[file: a/b, 8 bytes]"),
        ({"inline_data": {"data": "", "display_name": "plan.pdf"}},
         "[file: unknown type, 0 bytes, plan.pdf]"),
        ({"fileData": {"fileUri": "gs://depot/plan.pdf?sig=F3RN", "mimeType": "application/pdf"}},
         "[file: application/pdf, gs://depot/plan.pdf]"),
        ({"file_data": {}}, "[file: unknown type]"),
    ],
)  # fmt: skip
def test_a_file_is_mentioned_and_not_carried_along(raw: JsonValue, mention: str) -> None:
    assert read_part(raw) == AdkPart("file", mention)


FILE = AdkPart("file", "[file: a/b]")


@pytest.mark.parametrize(
    ("parts", "content"),
    [
        ([AdkPart("text", "Hello \nwor"), AdkPart("text", "ld")], "Hello \nworld"),
        ([AdkPart("thought", "hm"), AdkPart("text", "Free.")], "Free."),
        ([FILE], "[file: a/b]"),
        ([AdkPart("text", "See"), FILE, FILE, AdkPart("text", "there")],
         "See\n[file: a/b]\n[file: a/b]\nthere"),
        ([AdkPart("call", "", "check")], ""),
    ],
)  # fmt: skip
def test_texts_are_joined_as_they_were_streamed(parts: list[AdkPart], content: str) -> None:
    assert said(parts) == content
