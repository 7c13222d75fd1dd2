from audition.evaluators.case_evaluator import Finding, Layer
from audition.evaluators.evidence import ToolEvidenceContainsTerms
from audition.evaluators.view import EvidenceView, Scope
from audition.events import ToolOutcome
from audition.output import CaseOutput
from audition.testing import answer, output, tool_call, tool_use
from audition.tool_rules import ToolRule


def examine(out: CaseOutput, *terms: str, scope: Scope | None = None) -> Finding:
    evaluator = ToolEvidenceContainsTerms("search", terms, scope=scope or Scope())
    return evaluator.examine(EvidenceView(out, evaluator.scope))


def test_the_contents_of_all_calls_count_together() -> None:
    out = output(*tool_use("@K", "search", "Mara"), *tool_use("@K", "search", "Oren"))
    told = 'the evidence of search (2 call(s)) contains "mara", "oren"'
    assert examine(out, "mara", "oren") == Finding(True, told)


def test_a_missing_term_is_told_with_its_nearest_miss() -> None:
    found = examine(output(*tool_use("@K", "search", "Mara Ilves, modeller")), "Mira Ilves")
    assert (found.ok, found.cause) == (False, "absent")
    assert found.reason.startswith(
        'the evidence of search (1 call(s)) lacks "Mira Ilves" (nearest, 90%'
    )


def test_evidence_that_is_empty_is_called_empty() -> None:
    found = examine(output(*tool_use("@K", "search", "")), "Mara")
    assert found.cause == "empty"
    assert found.reason == 'the evidence of search (1 call(s)) lacks "Mara"; it is empty'


def test_what_was_asked_is_no_evidence() -> None:
    out = output(*tool_use("@K", "search", "nothing", arguments={"query": "Mara"}), answer("Mara"))
    assert not examine(out, "Mara").ok


def test_a_failed_call_gives_no_evidence() -> None:
    out = output(*tool_use("@K", "search", "Mara", outcome=ToolOutcome.TOOL_ERROR))
    found = examine(out, "Mara")
    assert found.cause == "no evidence"
    assert found.reason.startswith("no evidence of search: search (call")
    assert "ended with tool_error: Mara" in found.reason


def test_a_declared_failure_gives_no_evidence() -> None:
    rule = ToolRule(tool_name="search", contains="denied")
    out = output(*tool_use("@K", "search", "denied: Mara"), tool_rules=[rule])
    assert examine(out, "Mara").cause == "no evidence"


def test_a_call_that_was_not_made_or_not_answered_gives_no_evidence() -> None:
    told = 'no evidence of search: it was not called; called: find; looked for "Mara"'
    out = output(*tool_use("@K", "find", "x"), answer("Mara"))
    assert examine(out, "Mara").reason == told
    assert "unanswered" in examine(output(tool_call("@K", "search")), "Mara").reason


def test_a_scope_looks_at_the_evidence_of_one_agent() -> None:
    out = output(*tool_use("@K", "search", "Mara"))
    assert examine(out, "Mara", scope=Scope(agent="@K")).ok
    assert not examine(out, "Mara", scope=Scope(agent="@M")).ok


def test_the_layer_is_evidence() -> None:
    assert ToolEvidenceContainsTerms.layer is Layer.EVIDENCE
