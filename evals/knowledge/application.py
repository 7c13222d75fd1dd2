"""What the library is told about the knowledge team. Imports no framework: validating is free."""

from audition.application import Application
from audition.datasets.authoring import Authoring
from evals.knowledge.contract import (
    AGENTS,
    CONVERSATION,
    FACT_STAGES,
    RETRIEVAL,
    TOOL_RULES,
    TOOLS,
)
from evals.knowledge.fixtures import KnowledgeCaseInput, KnowledgeFixture

FAULT_TEAMS = {
    "search-is-empty": "search_is_empty_team",
    "names-are-dropped": "names_are_dropped_team",
    "nothing-is-searched": "nothing_is_searched_team",
    "four-of-six-are-stored": "four_of_six_team",
    "commit-before-update": "commit_first_team",
    "success-is-claimed": "claiming_team",
    "questions-write": "writing_team",
    "searches-repeat": "repeating_team",
    "recommendation-is-dropped": "silent_relay_team",
    "specialist-dies": "dying_team",
    "specialist-is-silent": "waiting_team",
}
"""The good team with one part made bad, by the name of the fault: `--team fault-…`."""

application = Application(
    name="knowledge",
    version="0.1.0",
    authoring=Authoring(
        input_type=KnowledgeCaseInput,
        fixture_type=KnowledgeFixture,
        contracts={"retrieval": RETRIEVAL, "conversation": CONVERSATION},
        evaluator_defaults={"tool_evidence_contains_terms": {"tool_name": "search_graph"}},
        agents=AGENTS,
        tools=TOOLS,
        tool_rules=TOOL_RULES,
        fact_stages=FACT_STAGES,
    ),
    runtimes={
        "evaluation": "evals.knowledge.runtime:evaluation",
        "production": "evals.knowledge.runtime:production",
        "persistent": "evals.knowledge.runtime:persistent",
        **{f"fault-{name}": f"evals.knowledge.faults:{team}" for name, team in FAULT_TEAMS.items()},
    },
)
