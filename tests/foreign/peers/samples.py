"""Runs Inspect AI on samples whose answer is set without a model, once for each line it is given.

A script of its own, since it runs where Inspect AI is installed: `realtime` or `logged` for whether
it keeps what one who looks on is shown, how many samples, how many at a time, the folder of logs.
"""

import importlib
import sys
from typing import Any

from benchmarks.timing import tell_cpu_seconds


def main() -> None:
    """Print the CPU time of each run."""
    realtime, folder = sys.argv[1] == "realtime", sys.argv[4]
    samples, at_a_time = int(sys.argv[2]), int(sys.argv[3])
    inspect: Any = importlib.import_module("inspect_ai")
    dataset: Any = importlib.import_module("inspect_ai.dataset")
    includes: Any = importlib.import_module("inspect_ai.scorer").includes
    solver: Any = answering()
    berths = dataset.MemoryDataset(
        [dataset.Sample(input=f"Berth {number}", target="Ropewalk") for number in range(samples)]
    )

    def whole() -> None:
        (log,) = inspect.eval(
            inspect.Task(dataset=berths, solver=solver(), scorer=includes()),
            model="mockllm/model",
            display="none",
            log_dir=folder,
            log_realtime=realtime,
            max_samples=at_a_time,
        )
        right = log.results.scores[0].metrics["accuracy"].value
        assert (log.results.completed_samples, right) == (samples, 1)

    tell_cpu_seconds(whole)


def answering() -> Any:
    """Return the solver that asks no model."""
    output: Any = importlib.import_module("inspect_ai.model").ModelOutput

    def answered() -> Any:
        async def solve(state: Any, generate: Any) -> Any:
            told = f"{state.input_text} is leased to the Ropewalk."
            state.output = output.from_content("scripted", told)
            return state

        return solve

    return importlib.import_module("inspect_ai.solver").solver(answered)


if __name__ == "__main__":
    main()
