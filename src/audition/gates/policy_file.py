"""A policy file, read strictly: everything that is wrong with it, at once."""

import json
from pathlib import Path

from pydantic import ValidationError

from audition.datasets.problems import in_order, problems_of
from audition.datasets.reading import read_source
from audition.errors import DatasetError
from audition.gates.policy import Policy


def read_policy(path: Path) -> Policy:
    """Return what a policy file asks for.

    Args:
        path: `.json`, or `.yaml` or `.yml`.

    Raises:
        DatasetError: It cannot be read, or something in it is wrong.

    """
    source = read_source(path, fields="version and rules, such as bars")
    problems = list(source.problems)
    try:
        policy = Policy.model_validate_json(json.dumps(source.data), strict=True)
    except ValidationError as error:
        told = {problem.pointer for problem in problems}
        found = problems_of(error, source.data, schema=Policy.model_json_schema())
        problems += (problem for problem in found if problem.pointer not in told)
        policy = None
    if problems or policy is None:
        raise DatasetError(str(path), in_order(problems))
    return policy
