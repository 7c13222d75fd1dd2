"""A team with exactly one tool replaced and nothing else, or an error: no other experiment."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from audition.errors import SetupError
from knowledge_team.catalog import AgentCard, TeamCard
from knowledge_team.tools.cards import ToolCard


def replace_tool(
    team: TeamCard,
    *,
    agent_name: str,
    tool_type: str,
    replacement: Callable[[ToolCard], ToolCard],
    require_read_only: bool = False,
) -> TeamCard:
    """Return the team with one tool of one agent replaced; prompt, model and all else are kept.

    Args:
        team: The team, its references resolved.
        agent_name: The agent whose tool it is.
        tool_type: The kind of tool.
        replacement: From the tool to what takes its place.
        require_read_only: Only a tool that never changes the store may be replaced.

    Raises:
        SetupError: The team has no such agent, or not exactly one tool of the kind.

    """
    agents = {agent.name: agent for agent in team.agents}
    if agent_name not in agents:
        msg = f"team {team.namespace}: no agent {agent_name}; there are {', '.join(agents)}"
        raise SetupError(msg)
    agent = agents[agent_name]
    places = _candidates(agent.tools, tool_type, require_read_only=require_read_only)
    if len(places) != 1:
        kind = f"read-only {tool_type}" if require_read_only else tool_type
        has = ", ".join(tool.tool_type for tool in agent.tools) or "no tool"
        msg = f"{agent_name} must have exactly one {kind} to replace, found {len(places)} in: {has}"
        raise SetupError(msg)
    (place,) = places
    return _with_agent(team, _with_tool(agent, place, replacement(agent.tools[place])))


def _candidates(tools: Sequence[ToolCard], tool_type: str, *, require_read_only: bool) -> list[int]:
    return [
        place
        for place, tool in enumerate(tools)
        if tool.tool_type == tool_type and (tool.read_only or not require_read_only)
    ]


def _with_tool(agent: AgentCard, place: int, tool: ToolCard) -> AgentCard:
    return replace(agent, tools=(*agent.tools[:place], tool, *agent.tools[place + 1 :]))


def _with_agent(team: TeamCard, agent: AgentCard) -> TeamCard:
    agents = tuple(agent if known.name == agent.name else known for known in team.agents)
    return replace(team, agents=agents)


def with_model(team: TeamCard, *, agent_name: str, model: str) -> TeamCard:
    """Return the team with the model of one agent replaced; its tools and prompt are kept.

    Args:
        team: The team, its references resolved.
        agent_name: The agent whose model it is.
        model: As `KNOWLEDGE_MODEL` is written: `provider:model` or `module:factory`.

    """
    return _with_agent(team, replace(team.agent(agent_name), model=model))
