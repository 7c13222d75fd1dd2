"""What the library is told of the berth desk."""

from berth_desk import NOBODY_KNOWS, BerthInput, Harbour

from audition.application import Application
from audition.datasets.authoring import Authoring
from audition.evaluators.completion import Completed
from audition.evaluators.tools import CalledOnlyAllowedTools
from audition.evaluators.usage import UsageWithin
from audition.fact_stages import final_answer, tool_evidence
from audition.runtimes.function import FunctionFactory
from audition.tool_rules import ToolRule


def _knows_nothing(message: str) -> str:
    """Return the answer of a desk that has no tool: what a case must not pass with."""
    del message
    return NOBODY_KNOWS


COMPLETED = Completed(id="completed")

application = Application(
    name="berths",
    version="1.0.0",
    runtimes={
        "desk": "berth_desk:desk",
        "knows-nothing": FunctionFactory(_knows_nothing, agent="@Desk"),
    },
    authoring=Authoring(
        input_type=BerthInput,
        fixture_type=Harbour,
        agents=frozenset({"@Human", "@Desk"}),
        tools=frozenset({"find_ship"}),
        contracts={
            "retrieval": (
                COMPLETED,
                CalledOnlyAllowedTools(id="only_looks", allowed_tools=("find_ship",)),
                UsageWithin(id="cheap", requests=2, total_tokens=500),
            ),
            "conversation": (COMPLETED,),
        },
        evaluator_defaults={"tool_evidence_contains_terms": {"tool_name": "find_ship"}},
        tool_rules=(
            ToolRule(tool_name="find_ship", path="$.error", exists=True, says="no such berth"),
        ),
        fact_stages=(tool_evidence("found", "find_ship"), final_answer("answered")),
    ),
)
