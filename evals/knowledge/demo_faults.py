"""Shows what the evaluation says of each planted fault: `make demo-faults`."""

import sys

from evals.knowledge.fault_runs import row
from evals.knowledge.fault_table import FAULTS


def main() -> None:
    """Print the table."""
    rows = [("fault", "case", "first failing layer: cause", "a lost fact"), *map(row, FAULTS)]
    widths = [max(len(one[column]) for one in rows) for column in range(4)]
    for one in rows:
        cells = (cell.ljust(width) for cell, width in zip(one, widths, strict=True))
        sys.stdout.write("  ".join(cells).rstrip() + "\n")


if __name__ == "__main__":
    main()
