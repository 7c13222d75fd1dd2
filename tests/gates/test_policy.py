from typing import Any

import pytest
from pydantic import ValidationError

from audition.gates.policy import Baseline, Policy, Target, policy_schema


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        ({}, "nothing is asked for"),
        ({"baseline": {}}, "write `margin`, or a rule in `also`"),
        ({"bars": [{"at_least": 1}]}, "less than 1"),
        ({"bars": [{"at_least": 0.9, "tag": "a", "layer": "b"}]}, "write one of tag and layer"),
        ({"must_pass": {"repeats": 0}}, "greater than or equal to 1"),
    ],
)
def test_what_asks_for_nothing_or_for_the_impossible_is_refused(
    rules: dict[str, Any], told: str
) -> None:
    with pytest.raises(ValidationError, match=told):
        Policy.model_validate({"version": 1, **rules})


def test_each_end_of_an_interval_of_95_percent_is_a_bound_of_97_5() -> None:
    asked = Policy.model_validate({"version": 1, "must_pass": {}})
    assert (asked.confidence, asked.one_sided) == (0.95, 0.975)


def test_a_target_is_told_by_what_it_names() -> None:
    assert [str(Target()), str(Target(tag="smoke"))] == ["all cases", "tag smoke"]


def test_margins_have_their_places() -> None:
    rules: dict[str, Any] = {"margin": 0.03, "also": [{"tag": "smoke", "margin": 0.1}]}
    margins = Baseline.model_validate(rules).margins
    assert [(at, str(one), one.margin) for at, one in margins] == [
        ("/margin", "all cases", 0.03),
        ("/also/0", "tag smoke", 0.1),
    ]


def test_the_schema_has_every_rule() -> None:
    schema = policy_schema()
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert {*schema["properties"]} == {*Policy.model_fields}
