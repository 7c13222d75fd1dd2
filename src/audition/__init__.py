"""Evaluate agent teams: run cases, keep the evidence, name the layer that lost the answer.

Import from the modules (`from audition.run_case import run_case`): nothing is re-exported here,
so that `import audition` costs nothing and never loads Pydantic Evals.
"""

__version__ = "0.1.0"
