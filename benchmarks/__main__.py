"""Run every measurement and print it beside its bar: `make bench`."""

import argparse
import sys
from pathlib import Path

from benchmarks import experiments, huge_texts, keeping, overhead, scale, sessions, trajectories


def main() -> int:
    """Print the lines, and return 1 where one is beyond its bar."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--peers", type=Path, help="where tests/foreign/peers is installed")
    peers: Path | None = parser.parse_args().peers
    # The peer last: what it loads would slow the others down.
    lines = [
        *overhead.measure(),
        *keeping.measure(),
        *scale.measure(),
        *huge_texts.measure(),
        *experiments.measure(),
        *sessions.measure(),
        *trajectories.measure(peers),
    ]
    width = max(len(line.name) for line in lines)
    for line in lines:
        verdict = {None: "", True: "ok", False: "BEYOND THE BAR"}[line.ok]
        print(f"{line.name.ljust(width)}  {line.value:>16}  {line.bar or '':<20} {verdict}")
    return 0 if all(line.ok is not False for line in lines) else 1


if __name__ == "__main__":
    sys.exit(main())
