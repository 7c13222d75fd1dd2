"""A team of actors that takes in pages of the web and answers questions from what they say.

Import what you need from its module: `knowledge_team.team` runs a team, `knowledge_team.catalog`
says which teams there are, `knowledge_team.store` holds the facts, and
`knowledge_team.ingestion` knows the pages that they come from.
"""
