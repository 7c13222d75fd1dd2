"""The protocols, held against what implements them."""

from audition.runtime import ChoosesCompletion, Settling, TeamRuntime
from audition.runtimes.function import FunctionRuntime
from audition.runtimes.replay import ReplayRuntime
from audition.runtimes.scripted import ScriptedRuntime
from tests.teams import CoroutineTeam, PlainTeam, sleep


def test_plain_methods_and_coroutines_both_make_a_runtime() -> None:
    runtimes: list[TeamRuntime] = [
        ScriptedRuntime([]),
        ReplayRuntime([]),
        FunctionRuntime(str),
        PlainTeam(),
        CoroutineTeam("", sleep),
    ]
    assert [isinstance(runtime, Settling) for runtime in runtimes] == [True] * 3 + [False] * 2


def test_only_a_replay_chooses_when_its_turns_are_over() -> None:
    assert isinstance(ReplayRuntime([]), ChoosesCompletion)
    assert not isinstance(ScriptedRuntime([]), ChoosesCompletion)
