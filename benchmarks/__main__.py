"""Run every measurement and print it beside its bar: `make bench`."""

import argparse
import sys
from pathlib import Path

from benchmarks import (
    experiments,
    huge_texts,
    keeping,
    overhead,
    samples,
    scale,
    sessions,
    trajectories,
)


def main() -> int:
    """Print the lines, and return 1 where one is beyond its bar."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--peers", type=Path, help="where agentevals is installed")
    parser.add_argument("--inspect", type=Path, help="where Inspect AI is installed")
    given = parser.parse_args()
    # The peer last: what it loads would slow the others down.
    lines = [
        *overhead.measure(),
        *keeping.measure(),
        *scale.measure(),
        *huge_texts.measure(),
        *experiments.measure(),
        *sessions.measure(),
        *samples.measure(given.inspect),
        *trajectories.measure(given.peers),
    ]
    width = max(len(line.name) for line in lines)
    for line in lines:
        verdict = {None: "", True: "ok", False: "BEYOND THE BAR"}[line.ok]
        print(f"{line.name.ljust(width)}  {line.value:>16}  {line.bar or '':<20} {verdict}")
    return 0 if all(line.ok is not False for line in lines) else 1


if __name__ == "__main__":
    sys.exit(main())
