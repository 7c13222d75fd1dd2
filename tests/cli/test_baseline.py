from pathlib import Path

from tests.cli.datasets import run_folder, write
from tests.cli.doors import Door


def test_a_run_is_promoted_shown_and_compared_with_by_its_name(audition: Door, desk: Path) -> None:
    audition("run", write(desk, "good day", "good night"), cwd=desk)
    done = audition("baseline", "promote", "latest", cwd=desk)
    assert (done.code, "2 cases, 100 % passed" in done.out) == (0, True), done.err
    assert "reasons of failures are" in done.err
    assert audition("baseline", "show", cwd=desk).out == done.out
    assert audition("baseline", "show", "desk", cwd=desk).out == done.out
    (desk / "policy.yaml").write_text("version: 1\nbaseline: {margin: 0.9}\n")
    gated = audition("gate", "latest", "--policy", "policy.yaml", "--baseline", "desk", cwd=desk)
    assert (gated.code, "2 cases in common" in gated.out) == (0, True), gated.out + gated.err


def test_a_second_promotion_says_what_it_changes(audition: Door, desk: Path) -> None:
    audition("run", write(desk, "good day"), cwd=desk)
    run = run_folder(desk)
    audition("baseline", "promote", run, "--as", "mine", cwd=desk)
    done = audition("baseline", "promote", run, "--as", "mine", cwd=desk)
    assert "+0.0 points against the one before (1 case in common" in done.out


def test_what_cannot_be_promoted_or_shown_ends_with_2(audition: Door, desk: Path) -> None:
    audition("run", write(desk, "good day", "good night"), "--case", "good day", cwd=desk)
    done = audition("baseline", "promote", "latest", cwd=desk)
    assert (done.code, "it is of a part of its dataset alone, --case 'good day'" in done.err) == (
        2,
        True,
    )
    done = audition("baseline", "show", "desk", cwd=desk)
    assert (done.code, "there is none" in done.err) == (2, True)
