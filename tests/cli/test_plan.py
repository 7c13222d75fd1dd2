import json
from pathlib import Path

from tests.cli.datasets import write
from tests.cli.doors import Door

SMALL = ("--cases", "10", "--repeats", "1", "--simulations", "100")


def test_a_plan_by_a_rate_says_what_a_margin_of_3_points_would_find(
    audition: Door, tmp_path: Path
) -> None:
    done = audition("plan", *SMALL, "--rate", "0.9", "--baseline-repeats", "5", cwd=tmp_path)
    assert done.code == 0, done.err
    assert done.out.startswith("10 cases, 1 repeat(s) each, 5 in the baseline; a case passes in 90")
    assert "all cases less than 3 points worse: passed " in done.out


def test_a_plan_like_a_run_tries_its_policy_and_says_what_it_takes(
    audition: Door, desk: Path
) -> None:
    audition("run", write(desk, "good day", "good night", "bad day"), cwd=desk)
    (desk / "policy.yaml").write_text("version: 1\nbars: [{tag: good, at_least: 0.5}]\n")
    call = ("plan", *SMALL, "--from", "latest", "--policy", "policy.yaml")
    told = json.loads(audition(*call, "--format", "json", cwd=desk).out)
    assert [rule["rule"] for rule in told["rules"]] == ["tag good at least 50 %"]
    assert told["takes"]["seconds"]["known"] == 3
    assert audition(*call, cwd=desk).out == audition(*call, cwd=desk).out


def test_a_wrong_call_ends_with_2(audition: Door, desk: Path) -> None:
    audition("run", write(desk, "break it"), cwd=desk)
    calls = {
        "wanted a run to be like, or --rate": (),
        "found 'both'": ("--rate", "0.9", "--from", "latest"),
        "wanted a spread below 0.3": ("--rate", "0.9", "--spread", "0.4"),
        "wanted a run with results": ("--from", "latest"),
    }
    for told, options in calls.items():
        done = audition("plan", *SMALL, *options, cwd=desk)
        assert (done.code, told in done.err) == (2, True), done.err
