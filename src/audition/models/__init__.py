"""Models of pydantic-ai for evaluations: recorded, and replayed.

Nothing is re-exported here: import from the modules.
"""
