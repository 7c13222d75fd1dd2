"""What every case must keep to, whatever it asks, and what the team is made of."""

from pydantic import JsonValue

from audition.evaluators.case_evaluator import CaseEvaluator
from audition.evaluators.completion import Completed
from audition.evaluators.routes import FollowedRoute
from audition.evaluators.tools import CalledRequiredTools, DidNotCallTools, ToolCallsSucceeded
from audition.fact_stages import KeptBy, final_answer, messages, tool_arguments, tool_evidence
from audition.tool_rules import ToolRule
from knowledge_team.errors import FetchFailedError
from knowledge_team.web_addresses import source_key

AGENTS = frozenset({"@Human", "@Manager", "@Knowledge", "@WebIngest"})
TOOLS = frozenset(
    {
        "search_graph",
        "update_graph",
        "web_fetch_tool",
        "commit_web_ingestion",
        "fail_web_ingestion",
    }
)


def _page(address: JsonValue) -> JsonValue:
    """Return which page an address means, as an ingestion tells pages apart."""
    try:
        return source_key(address) if isinstance(address, str) else address
    except FetchFailedError:
        return address


FACT_STAGES = (
    tool_evidence("fetched", "web_fetch_tool", path="$.results[*].raw_content"),
    tool_arguments(
        "stored",
        "update_graph",
        kept_by=KeptBy("commit_web_ingestion", same={"source_url": "url"}, spelling=_page),
    ),
    tool_evidence("found", "search_graph"),
    messages("handed over", sender="@Knowledge", recipient="@Manager"),
    final_answer("answered"),
)
"""From a page to the answer: what each fact of a case should pass."""

TOOL_RULES = (
    ToolRule(
        tool_name="web_fetch_tool",
        path="$.failed_results",
        non_empty=True,
        says="a page could not be fetched",
    ),
)
"""A fetch that returns has not always fetched."""

CONVERSATION: tuple[CaseEvaluator, ...] = (Completed(id="completed"),)
"""Every turn of a conversation is answered, and nothing breaks."""

RETRIEVAL: tuple[CaseEvaluator, ...] = (
    Completed(id="completed"),
    FollowedRoute(
        id="route_through_knowledge",
        expected_route=(
            ("@Human", "@Manager"),
            ("@Manager", "@Knowledge"),
            ("@Knowledge", "@Manager"),
            ("@Manager", "@Human"),
        ),
    ),
    CalledRequiredTools(id="searched", required_tools=("search_graph",)),
    ToolCallsSucceeded(id="searches_succeeded", tool_names=("search_graph",)),
    DidNotCallTools(id="read_only", forbidden_tools=tuple(sorted(TOOLS - {"search_graph"}))),
)
"""A question goes to the specialist, is answered from a search that worked, changes nothing."""
