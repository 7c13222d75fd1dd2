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
    assert [hasattr(runtime, "settled") for runtime in runtimes] == [True] * 3 + [False] * 2
    settling: list[Settling] = [ScriptedRuntime([]), ReplayRuntime([]), FunctionRuntime(str)]
    assert all(settling)


def test_only_a_replay_chooses_when_its_turns_are_over() -> None:
    chooses: ChoosesCompletion = ReplayRuntime([])
    assert chooses.completion_policy().reason() is None
    assert not hasattr(ScriptedRuntime([]), "completion_policy")
