import json

from audition.gates.gate import gate
from audition.reports.gate_text import gate_json, gate_markdown, gate_table
from tests.gates.runs import case, cases, policy, run

DECISION = gate(run(*cases(28, 3)), policy(bars=[{"at_least": 0.5}, {"at_least": 0.85}]))


def test_a_table_has_the_worst_first_and_the_sentence_last() -> None:
    lines = gate_table(DECISION).splitlines()
    assert lines[0] == "small: run"
    assert lines[1].startswith("NOT ENOUGH  all cases: 28 of 31 cases passed (90.3 %), ")
    assert lines[2].startswith("passed      all cases: ")
    assert lines[-1].startswith("not enough evidence (exit 4): all cases: 28 of 31 cases passed")


def test_json_says_the_same_with_numbers() -> None:
    told = json.loads(json.dumps(gate_json(DECISION), allow_nan=False))
    assert (told["verdict"], told["exit_code"]) == ("not enough evidence", 4)
    assert told["sentence"] == DECISION.sentence
    assert [rule["rule"] for rule in told["rules"]][:2] == ["/bars/0", "/bars/1"]
    assert told["rules"][1]["numbers"]["passed"] == 28


def test_no_text_of_an_agent_is_markup_or_reaches_a_terminal() -> None:
    bad = case("a|b [x](y) \x1b[31m", "f", must_pass=True)
    decision = gate(run(bad), policy(must_pass={}))
    told = gate_markdown(decision)
    assert "a\\|b \\[x](y) " in told
    assert "\x1b" not in told + gate_table(decision)
    assert told.startswith("### Gate: failed\n\nfailed (exit 1): must pass: ")
