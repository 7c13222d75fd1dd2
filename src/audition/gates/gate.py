"""All rules of a policy on a run, and what they mean together."""

from audition.experiment.status import Status
from audition.gates.bars import bar_findings
from audition.gates.budgets import budget_findings
from audition.gates.completeness import completeness_findings
from audition.gates.findings import Decision
from audition.gates.margins import margin_findings
from audition.gates.must_pass import must_pass_findings
from audition.gates.policy import Policy
from audition.gates.subjects import Subject


def gate(subject: Subject, policy: Policy, *, base: Subject | None = None) -> Decision:
    """Return what a policy says of a run.

    Args:
        subject: The run.
        policy: What it must be.
        base: What it is compared with, None where the policy has no margins.

    """
    return Decision(
        name=subject.name,
        run=str(subject.path),
        baseline=None if base is None else str(base.path),
        findings=(
            *must_pass_findings(subject, policy),
            *bar_findings(subject, policy),
            *margin_findings(subject, base, policy),
            *budget_findings(subject, policy),
            *completeness_findings(subject, policy),
        ),
        failing=[
            f"{case.case} ({case.count.passed} of {case.count.runs})"
            for case in subject.cases.values()
            if case.statuses[Status.FAILED]
        ],
    )
