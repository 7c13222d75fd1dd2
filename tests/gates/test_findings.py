from audition.experiment.exit_codes import ExitCode
from audition.gates.findings import Decision, Finding, Verdict


def finding(verdict: Verdict, rule: str = "/bars/0", *, warns: bool = False) -> Finding:
    return Finding(rule=rule, subject="all cases", verdict=verdict, told="because", warns=warns)


def decision(*findings: Finding, failing: tuple[str, ...] = ()) -> Decision:
    return Decision(name="small", run="run", baseline=None, findings=findings, failing=failing)


PASSED = finding(Verdict.PASSED)
FAILED = finding(Verdict.FAILED)
BROKEN = finding(Verdict.BROKEN, "/tolerate/errors")
NOT_ENOUGH = finding(Verdict.NOT_ENOUGH)


def test_the_worst_decides_and_has_its_exit_code() -> None:
    decided = [
        decision(PASSED),
        decision(PASSED, NOT_ENOUGH),
        decision(NOT_ENOUGH, BROKEN, PASSED),
        decision(BROKEN, FAILED, NOT_ENOUGH),
    ]
    assert [int(one.code) for one in decided] == [0, 4, 3, 1]
    assert decided[0].code is ExitCode.OK


def test_the_sentence_says_which_rule_decided_and_how_many_say_the_same() -> None:
    told = decision(PASSED, FAILED, FAILED).sentence
    assert told == "failed (exit 1): all cases: because; 1 more rule decided the same"


def test_a_failure_hides_no_errors_and_errors_hide_no_failures() -> None:
    assert decision(FAILED, BROKEN).sentence.count("because") == 2
    told = decision(BROKEN, failing=("bad day (0 of 1)",)).sentence
    assert told.endswith("; 1 failed beside that: bad day (0 of 1)")


def test_what_passed_says_what_was_let_through() -> None:
    allowed = finding(Verdict.PASSED, "/tolerate/selection", warns=True)
    told = decision(PASSED, allowed).sentence
    assert told == "passed (exit 0): all cases: because; all cases: because"
