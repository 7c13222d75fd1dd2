"""Every exception of Audition, as one tree; the class says whose fault it is.

* `AuditionError`
  * `CallError`: the call is wrong (an option, a name that is not there)
  * `DatasetError`: a dataset file, or a policy, is wrong; all its problems at once
  * `SetupError`: the application or its configuration is wrong
  * `RecordError`: a file of recorded events or results cannot be read
    * `NewerFormat`: it was written by a newer version
  * `UnrecordedCall`: a model is replayed, and its recording does not hold what it is asked
  * `RunError`: the team under test broke; becomes evidence, never leaves `run_case`
    * `BoundOverrun`: a call into the runtime passed its bound
    * `WorkerLost`: a process on another machine died, with what it ran
    * `LoopBlocked`: a coroutine of the runtime held the event loop past its bound
    * `IncompleteRuntime`: the runtime lacks what every runtime has
"""

import traceback
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from reprlib import repr as short_repr

_MOST_CHARACTERS = 2000
_NOT_THE_USERS = (str(Path(__file__).parent), str(Path(traceback.__file__).parent), "<")
_LIBRARIES = {"site-packages", "dist-packages"}


class AuditionError(Exception):
    """What any exception of this library is."""


class CallError(AuditionError):
    """The call is wrong.

    Attributes:
        found: What was given.
        wanted: What would be accepted, as a phrase: "wanted …", "did you mean …?".

    """

    def __init__(self, found: object, *, what: str, wanted: str) -> None:
        super().__init__(f"{what}: found {found!r}; {wanted}")
        self.found = found
        self.wanted = wanted


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing wrong, or doubtful, in a file.

    Attributes:
        pointer: JSON pointer of the place; the empty text is the whole file.
        found: What stands there.
        wanted: What would be accepted.

    """

    pointer: str
    found: str
    wanted: str

    def __str__(self) -> str:
        return f"{self.pointer or '/'}: {self.found}; {self.wanted}"


class DatasetError(AuditionError):
    """A dataset file, or the policy of a gate, is wrong.

    Attributes:
        path: The file.
        problems: Everything wrong with it, in the order of the file; at least one.

    """

    def __init__(self, path: str, problems: Iterable[Problem]) -> None:
        self.path = path
        self.problems = tuple(problems)
        super().__init__("\n".join(f"{path}#{problem}" for problem in self.problems))


class SetupError(AuditionError):
    """The application or its configuration is wrong."""


class RecordError(AuditionError):
    """A file of recorded events or results cannot be read.

    Attributes:
        path: The file.
        line: Number of the line from 1, None where it is the whole file.

    """

    def __init__(self, path: str, problem: str, line: int | None = None) -> None:
        where = path if line is None else f"{path}:{line}"
        super().__init__(f"{where}: {problem}")
        self.path = path
        self.line = line


class NewerFormat(RecordError):
    """A file was written in a format newer than this version reads.

    Attributes:
        found: The version of the file.
        readable: The newest version that can be read.

    """

    def __init__(self, path: str, *, found: object, readable: int) -> None:
        super().__init__(path, f"format version {found!r}; this version reads up to {readable}")
        self.found = found
        self.readable = readable


class UnrecordedCall(AuditionError):
    """A model is replayed, and its recording does not hold what it is asked.

    Attributes:
        path: The recording.
        found: Who asked what, and how it differs from what was recorded.

    """

    def __init__(self, path: str, found: str) -> None:
        super().__init__(f"{path}: {found}; wanted a recorded request, or a new recording")
        self.path = path
        self.found = found


class RunError(AuditionError):
    """The team under test broke."""


class BoundOverrun(RunError):
    """A call into the runtime passed its bound.

    Attributes:
        what: The call.
        seconds: Its bound.

    """

    def __init__(self, what: str, seconds: float) -> None:
        super().__init__(f"{what} did not end within {seconds:g} s; it was abandoned")
        self.what = what
        self.seconds = seconds


class WorkerLost(RunError):
    """A process on another machine died, with what it ran."""


class LoopBlocked(RunError):
    """A coroutine of the runtime held the event loop past its bound."""


class IncompleteRuntime(RunError):
    """The runtime lacks what every runtime has.

    Attributes:
        missing: What it lacks, by name.

    """

    def __init__(self, runtime: str, missing: Iterable[str]) -> None:
        self.missing = tuple(missing)
        names = ", ".join(f"`{name}`" for name in self.missing)
        super().__init__(
            f"the runtime, {runtime}, has no {names}; see audition.runtime.TeamRuntime"
        )


def tell_value(value: object) -> str:
    """Return a short text of any object; one that cannot be shown is told by its type."""
    try:
        return short_repr(value)
    except Exception:  # noqa: BLE001  # an object's own code, or a number of too many digits
        return f"<{type(value).__name__}>"


def tell_error(error: BaseException) -> str:
    """Return an error of somebody's code as one line, with the last line of theirs it came from."""
    try:
        text = " ".join(str(error).split())[:_MOST_CHARACTERS]
    except Exception as failure:  # noqa: BLE001  # an error that cannot be told is one all the same
        text = f"its text cannot be had: {type(failure).__name__}"
    places = [
        f" ({Path(frame.f_code.co_filename).name}:{line})"
        for frame, line in traceback.walk_tb(error.__traceback__)
        if _is_of_the_user(frame.f_code.co_filename)
    ]
    return f"{type(error).__name__}: {text}{places[-1] if places else ''}"


def _is_of_the_user(file_name: str) -> bool:
    return not file_name.startswith(_NOT_THE_USERS) and not _LIBRARIES & {*Path(file_name).parts}
