"""What the library is told about the knowledge team. Imports no framework: validating is free."""

import os

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
from evals.knowledge.fault_table import FAULTS
from evals.knowledge.fixtures import KnowledgeCaseInput, KnowledgeFixture

application = Application(
    name="knowledge",
    version="0.1.0",
    configuration={"model": os.environ.get("KNOWLEDGE_MODEL") or "scripted"},
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
        **{fault.team: fault.factory for fault in FAULTS},
    },
)
