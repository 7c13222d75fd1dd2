"""A team of actors that answers questions from a knowledge graph.

Import what you need from its module: `knowledge_team.team` runs a team, `knowledge_team.catalog`
says which teams there are, `knowledge_team.store` holds the facts.
"""
