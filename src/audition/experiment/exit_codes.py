"""The exit codes of the process. Light: the command line reads them before anything is imported."""

from enum import IntEnum


class ExitCode(IntEnum):
    """What the process says; the first that applies."""

    OK = 0
    FAILED = 1
    USAGE = 2
    INFRASTRUCTURE = 3
    NOT_ENOUGH_EVIDENCE = 4
    INTERRUPTED = 130
