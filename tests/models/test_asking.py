from pathlib import Path

from pydantic_ai.messages import ModelMessage, ModelRequest, ToolReturnPart
from pydantic_ai.models import ModelRequestParameters

from audition.models.asking import Asking, Question
from audition.models.calls import Asked
from audition.redaction.records import Redactor
from audition.running_case import running

PATH = Path("calls.jsonl")
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2


def ask(asking: Asking, text: str = "Hello") -> Question:
    messages: list[ModelMessage] = [ModelRequest(parts=[ToolReturnPart("tool", text, "1")])]
    return asking.question(messages, None, ModelRequestParameters())


def who(question: Question) -> Asked:
    return question.told(Redactor())[0]


def times(asking: Asking, *texts: str) -> list[int]:
    questions = [ask(asking, text) for text in texts]
    return [asking.occurrence(question, who(question)) for question in questions]


def test_a_question_belongs_to_the_case_that_runs() -> None:
    asking = Asking(PATH, None)
    with running("berths", 2):
        asked = who(ask(asking))
    assert (asked.case, asked.repeat, asked.agent) == ("berths", 2, None)
    assert who(ask(asking)).case is None


def test_a_question_is_counted_in_its_case() -> None:
    with running("berths"):
        assert times(Asking(PATH, None), "Hello", "Hello", "Bye") == [1, 2, 1]
        assert times(Asking(PATH, None), "Hello") == [3]
    with running("berths"):
        assert times(Asking(PATH, None), "Hello") == [1]


def test_outside_of_a_case_a_question_is_counted_for_each_model() -> None:
    one, other = Asking(PATH, None), Asking(PATH, None)
    assert [*times(one, "Hello", "Hello"), *times(other, "Hello")] == [1, 2, 1]


def test_two_recordings_count_apart() -> None:
    with running("berths"):
        assert times(Asking(PATH, None), "Hello") == [1]
        assert times(Asking(Path("b.jsonl"), None), "Hello") == [1]


def test_a_question_is_told_without_secrets() -> None:
    with running(f"log in with {TOKEN}"):
        asked, request = ask(Asking(PATH, None), f"the token is {TOKEN}").told(Redactor())
    assert TOKEN not in f"{asked} {request}"
    assert asked.case == "log in with [redacted:token]"


def test_json_in_a_text_is_written_one_way() -> None:
    asking = Asking(PATH, None)
    spaced, tight = ask(asking, '{"b": 1, "a": [2]}'), ask(asking, '{"a":[2],"b":1}')
    assert who(spaced) == who(tight)
