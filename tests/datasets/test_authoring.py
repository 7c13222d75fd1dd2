from audition.datasets.authoring import Authoring
from audition.evaluators.builtin import BUILTIN
from audition.inputs import CaseInput


def test_without_an_application_a_file_may_use_what_the_library_has() -> None:
    bare = Authoring()
    assert (bare.input_type, bare.fixture_type) == (CaseInput, None)
    assert tuple(bare.evaluator_types) == BUILTIN
    assert (bare.contracts, bare.agents, bare.tools) == ({}, None, None)
