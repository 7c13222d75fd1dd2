"""Reads pairs of trajectories as JSON, and prints what agentevals and openevals say of each.

A script of its own, since it runs where they are installed. A verdict is true or false, or the
name of the error that they raise; `mutated` says whether they changed what they were given.
"""

import copy
import importlib
import json
import sys
from typing import Any

PACKAGES = ("agentevals", "openevals")


def verdict(package: str, pair: dict[str, Any]) -> dict[str, Any]:
    """Return what a package says of a pair."""
    match: Any = importlib.import_module(f"{package}.trajectory.match")
    outputs = copy.deepcopy(pair["outputs"])
    said: dict[str, Any]
    try:
        evaluate = match.create_trajectory_match_evaluator(
            trajectory_match_mode=pair["mode"],
            tool_args_match_mode=pair["arguments_mode"],
            tool_args_match_overrides=pair["overrides"],
        )
        said = evaluate(outputs=outputs, reference_outputs=copy.deepcopy(pair["reference"]))
    except Exception as error:  # noqa: BLE001  # which one is what is asked
        said = {"score": type(error).__name__, "comment": None}
    return {
        "score": said["score"],
        "comment": said["comment"],
        "mutated": outputs != pair["outputs"],
    }


def main() -> None:
    """Read the pairs, and print the verdicts in their order."""
    pairs: list[dict[str, Any]] = json.load(sys.stdin)
    print(json.dumps([{name: verdict(name, pair) for name in PACKAGES} for pair in pairs]))  # noqa: T201


if __name__ == "__main__":
    main()
