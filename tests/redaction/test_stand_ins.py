"""What stands in the place of a secret, and is none."""

import pytest

from audition.redaction.stand_ins import is_stand_in


@pytest.mark.parametrize(
    "value",
    [
        *(
            "",
            "***",
            "...",
            "xxxx",
            "|",
            "null",
            "REDACTED",
            "[redacted:key]",
            "Bearer [redacted:key]",
        ),
        *(
            "$API_KEY",
            "${API_KEY}",
            "{{ key }}",
            "{password}",
            "<yours>",
            "%TOKEN%",
            "Bearer $TOKEN",
        ),
        *("PASSWORD", "token", "api_key", "private-key", "Bearer TOKEN"),
        *("environ.get('X')", "self._place.password", "SecretKind.TOKEN", "[str(one", "8", "42"),
    ],
)
def test_a_stand_in(value: str) -> None:
    assert is_stand_in(value)


@pytest.mark.parametrize(
    "value",
    [
        *("hunter", "hunter2", "5521", "pw-GORSE-1188", "g/1 1", "Bearer abc", "mira.kestrel"),
        *("correct horse battery staple", "a-very-long-name-of-a-secret", "Mira.Kestrel"),
    ],
)
def test_what_may_be_a_secret(value: str) -> None:
    assert not is_stand_in(value)
