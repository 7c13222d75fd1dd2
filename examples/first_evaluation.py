"""One question, put to the knowledge team and checked: the smallest whole evaluation.

    python examples/first_evaluation.py

Run it in the root of the repository. It needs no key: the team's model is scripted unless
KNOWLEDGE_MODEL names another.
"""

from functools import partial

from audition.application import load_dataset
from audition.datasets.selection import select_case
from audition.evaluators.evidence import ToolEvidenceContainsTerms
from audition.experiment.native_report import save_report
from audition.run_case import run_case_with_factory
from evals.knowledge.runtime import KnowledgeRuntimeFactory

dataset = load_dataset("datasets/retrieval.json").dataset
select_case(dataset, "profession")
dataset.add_evaluator(
    ToolEvidenceContainsTerms(
        tool_name="search_graph", required_terms=("chart enthusiast",), id="evidence_of_hobby"
    )
)

task = partial(run_case_with_factory, runtime_factory=KnowledgeRuntimeFactory("evaluation"))
report = dataset.evaluate_sync(task, max_concurrency=1, progress=False)

report.print(include_reasons=True)
save_report(report, "eval-reports/first-evaluation.json")
