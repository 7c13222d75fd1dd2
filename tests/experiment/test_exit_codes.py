import subprocess
import sys


def test_exit_codes_are_known_before_pydantic_evals_is_imported() -> None:
    script = "import sys, audition.experiment.exit_codes; print('pydantic_evals' in sys.modules)"
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603  # our own script
    assert done.stdout == "False\n"
