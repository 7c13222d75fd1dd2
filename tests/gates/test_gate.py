from audition.gates.findings import Verdict
from audition.gates.gate import gate
from tests.gates.runs import case, cases, policy, run


def test_every_kind_of_rule_is_asked() -> None:
    asked = policy(
        must_pass={"cases": ["case-01"]},
        bars=[{"at_least": 0.5}],
        scores=[{"score": "grounded", "at_least": 0.5}],
        baseline={"margin": 0.5},
        budgets={"tool_calls_per_case": 3},
        tolerate={"flaky": 0.5},
    )
    subject = run(*cases(20, repeats=2))
    decision = gate(subject, asked, base=subject)
    rules = [finding.rule for finding in decision.findings]
    assert rules == [
        "/must_pass",
        "/bars/0",
        "/scores/0",
        "/baseline/margin",
        "/budgets/tool_calls_per_case",
        "/tolerate/errors",
        "/tolerate/unmeasured",
        "",
        "/tolerate/flaky",
    ]
    assert decision.verdict is Verdict.FAILED  # there is no such score


def test_broken_runs_hide_no_failed_case() -> None:
    subject = run(case("good", "p"), case("bad", "f"), case("lost", "e"))
    decision = gate(subject, policy(bars=[{"at_least": 0.1}]))
    assert int(decision.code) == 3
    assert decision.sentence.startswith("broken (exit 3): broken runs: 1 of 3 runs broke")
    assert decision.sentence.endswith("; 1 failed beside that: bad (0 of 1)")
