from pathlib import Path

import pytest

from tests.cli.datasets import write
from tests.cli.doors import Door


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--address", "head:6379"], "--address: found 'head:6379'; wanted it beside --engine ray"),
        (["--pass-env", "KEY=pw-GORSE-1188"], "--pass-env: found 'KEY'; wanted it beside --engine"),
        (["--engine", "ray", "--pass-env", "KEY=pw-GORSE-1188"], "found 'KEY'; wanted the name of"),
        (["--engine", "ray", "--address", "127.0.0.1:1"], "127.0.0.1:1, where nothing answers"),
        (["--engine", "ray"], "Ray is not installed: pip install 'audition[ray]'"),
        (["--engine", "spark"], "'spark' is not one of"),
    ],
)
def test_what_cannot_be_meant_ends_with_2_before_anything_is_run(
    audition: Door, desk: Path, arguments: list[str], told: str
) -> None:
    done = audition("run", write(desk, "good day"), *arguments, cwd=desk)
    assert (done.code, done.out, list(desk.glob("eval-reports/*/*"))) == (2, "", [])
    assert told in done.err
    assert "pw-GORSE-1188" not in done.err


def test_a_source_with_a_password_is_not_sent_to_machines(audition: Door, desk: Path) -> None:
    (desk / "suite.yaml").write_text(
        "version: 2\ntask: session\nname: s\ncases:\n"
        "  - {name: a, session_id: s, evaluators: [{type: completed}]}\n",
        "utf-8",
    )
    source = "postgres://kagent:pw-GORSE-1188@127.0.0.1:1/kagent"
    done = audition("run", "suite.yaml", "--source", source, "--engine", "ray", cwd=desk)
    assert (done.code, "pw-GORSE-1188" in done.err) == (2, False)
    assert "wanted postgres: or kagent: alone" in done.err
