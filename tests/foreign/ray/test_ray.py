"""A run on a real cluster of Ray on this machine, whatever dies."""

import hashlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from pydantic import JsonValue

from audition.experiment.journal import JournalLine
from audition.experiment.kept_lines import read_journal
from audition.experiment.status import Status
from tests.cli.datasets import run_folder
from tests.foreign.ray.desk import project

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
AUDITION = Path(sys.executable).with_name("audition")
RAY = ("--engine", "ray", "--max-concurrency", "2")
KEY = "pw-GORSE-1188-of-nobody"
SECONDS = 90


@dataclass(frozen=True, kw_only=True)
class Desk:
    """A folder with a project, and Ray beside the environment of the tests."""

    folder: Path
    packages: Path
    environ: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def environment(self) -> dict[str, str]:
        for name in ("marks", "tmp"):
            (self.folder / name).mkdir(exist_ok=True)
        return {
            **os.environ,
            "PYTHONPATH": str(self.packages),
            "DESK_MARKS": str(self.folder / "marks"),
            "TMPDIR": str(self.folder / "tmp"),
            **self.environ,
        }

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        return subprocess.Popen(  # noqa: S603  # our own command
            [AUDITION, "run", "desk.json", *arguments],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def run(self, *arguments: str) -> tuple[int, str, str]:
        with self.start(*arguments) as process:
            try:
                out, err = process.communicate(timeout=SECONDS)
            finally:
                process.kill()
        return process.returncode, out, err

    def runs_of(self, case: str) -> int:
        return len([*(self.folder / "marks").glob(f"{case} [0-9]*")])


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that Ray is installed in."""
    folder = tmp_path_factory.mktemp("ray")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "install"]
    pins = ["--require-hashes", "--no-deps", "--target", folder]
    command = [*pip, *pins, "-r", HERE / "requirements.txt"]
    subprocess.run(command, check=True)  # noqa: S603  # our own command
    return folder


@pytest.fixture
def desk(packages: Path) -> Generator[Desk]:
    """A desk in a folder with a short name: Ray's sockets lie in it."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="desk-", dir="/tmp") as name:
        folder = Path(name)
        yield Desk(folder=folder, packages=packages)
        assert wait(lambda: not left_by(folder), seconds=20), left_by(folder)


def left_by(folder: Path) -> list[str]:
    """Return the processes that were started with the environment of a desk."""
    told: list[str] = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if f"DESK_MARKS={folder}/".encode() in (process / "environ").read_bytes():
                told.append((process / "cmdline").read_bytes().replace(b"\0", b" ").decode())
        except OSError:  # it ended meanwhile
            continue
    return told


def wait(condition: Callable[[], Any], *, seconds: float = SECONDS) -> bool:
    until = time.monotonic() + seconds
    while not condition() and time.monotonic() < until:
        time.sleep(0.1)
    return bool(condition())


def journal(desk: Desk) -> list[JournalLine]:
    return [*read_journal(run_folder(desk.folder))]


VOLATILE = {"at", "trace_id", "span_id", "task_duration", "total_duration", "seconds"}


def plain(value: JsonValue) -> JsonValue:
    """Return what does not differ between any two runs."""
    if isinstance(value, dict):
        return {
            name: plain(one)
            for name, one in value.items()
            if name not in VOLATILE and "time" not in name and not name.endswith("_at")
        }
    return [plain(one) for one in value] if isinstance(value, list) else value


def results(folder: Path) -> list[str]:
    """Return the results of the report of a run, and the rest of it, in an order of their own."""
    report: dict[str, JsonValue] = json.loads((folder / "report.json").read_text("utf-8"))
    told: list[JsonValue] = []
    for name in ("cases", "failures"):  # they stand in the order in which they were finished
        of_kind = report.pop(name)
        assert isinstance(of_kind, list)
        told += of_kind
    return sorted(json.dumps(plain(one), sort_keys=True) for one in [*told, report])


def test_a_run_in_workers_says_what_a_run_in_one_process_says(desk: Desk) -> None:
    project(desk.folder, *(f"case {number}" for number in range(11)), "key", says="yes")
    with_key = Desk(folder=desk.folder, packages=desk.packages, environ={"DESK_KEY": KEY})
    code, here, _ = with_key.run("--repeat", "2", "--reports", "here")
    there_code, there, told = with_key.run(
        "--repeat", "2", "--reports", "there", "--pass-env", "DESK_KEY", *RAY
    )
    assert (code, there_code) == (1, 1), told
    assert [line.split()[:3] for line in there.splitlines()] == [
        line.split()[:3] for line in here.splitlines()
    ]
    (local,), (remote,) = (desk.folder.glob(f"{name}/*/*") for name in ("here", "there"))
    assert results(remote) == results(local)
    assert len(results(local)) == 25
    assert len([*read_journal(remote)]) == 24
    for path in filter(Path.is_file, (desk.folder / "there").rglob("*")):
        assert KEY.encode() not in path.read_bytes(), path
    assert hashlib.sha256(KEY.encode()).hexdigest() in (remote / "outputs.jsonl").read_text("utf-8")
    assert KEY not in there + told
    assert not [*(desk.folder / "tmp").iterdir()]  # the logs of the workers are gone


def test_a_worker_that_dies_is_replaced_and_one_that_always_dies_is_given_up(desk: Desk) -> None:
    project(desk.folder, "a", "die once", "b", "die always", "c")
    code, _, told = desk.run(*RAY)
    assert code == 3, told
    lines = {line.case: line for line in journal(desk)}
    assert len(journal(desk)) == 5
    assert {case: line.status for case, line in lines.items()} == {
        **dict.fromkeys(("a", "b", "c", "die once"), Status.PASSED),
        "die always": Status.ERROR,
    }
    assert "4 workers died that ran it" in str(lines["die always"].error)
    assert (desk.runs_of("die once"), desk.runs_of("die always"), desk.runs_of("a")) == (2, 4, 1)


def test_what_is_missing_in_the_environment_of_a_worker_is_named(desk: Desk) -> None:
    project(desk.folder, "a")
    code, out, told = desk.run(*RAY, "--pass-env", "DESK_KEY")
    assert (code, out, desk.runs_of("a")) == (2, "", 0)
    assert "DESK_KEY is not in its environment; wanted it set there" in told


@pytest.mark.parametrize("signals", [1, 2], ids=["the grace is over", "at once"])
def test_an_interruption_keeps_what_is_finished_and_leaves_nothing_running(
    desk: Desk, signals: int
) -> None:
    project(desk.folder, "a", "slow")
    process = desk.start(*RAY, "--grace", "1" if signals == 1 else "60")
    with process:
        assert wait(lambda: desk.runs_of("slow") and [*desk.folder.glob("eval-reports/*/*/j*")])
        assert wait(lambda: [line.case for line in journal(desk)] == ["a"])
        begun = time.monotonic()
        for _ in range(signals):
            os.killpg(process.pid, signal.SIGINT)  # as a terminal does, to all of its processes
            time.sleep(0.5)
        out, told = process.communicate(timeout=SECONDS)
    assert (process.returncode, time.monotonic() - begun < 30) == (130, True), told
    assert [line.case for line in journal(desk)] == ["a"]
    assert "1 passed, 1 not run of 2: interrupted" in out or signals == 2


def test_a_run_that_is_killed_leaves_nothing_running_and_is_gone_on_with(desk: Desk) -> None:
    project(desk.folder, "a", "die once")
    process = desk.start(*RAY)
    with process:
        assert wait(lambda: [*desk.folder.glob("eval-reports/*/*/journal.jsonl")])
        assert wait(lambda: journal(desk))
        process.kill()
    assert wait(lambda: not left_by(desk.folder), seconds=20)
    code, out, told = desk.run(*RAY, "--resume", str(run_folder(desk.folder)))
    assert (code, "2 passed of 2" in out) == (0, True), told
    assert len(journal(desk)) == 2


@contextmanager
def head(desk: Desk) -> Generator[str]:
    """Yield the address of a cluster that somebody else started, without a key of the caller."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
    started = [
        *(sys.executable, "-m", "ray.scripts.scripts", "start", "--head", "--block"),
        *("--port", str(port), "--num-cpus", "2", "--include-dashboard", "false"),
        *("--object-store-memory", str(100 * 1024 * 1024), "--disable-usage-stats"),
        *("--temp-dir", str(desk.folder / "tmp" / "r")),
    ]
    environment = {**desk.environment, "DESK_KEY": KEY}  # which the run itself has not
    with subprocess.Popen(  # noqa: S603  # Ray's own command
        started, cwd="/", env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            yield f"127.0.0.1:{port}"
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(30)


def test_a_cluster_is_named_by_its_address_and_has_an_environment_of_its_own(desk: Desk) -> None:
    says = hashlib.sha256(KEY.encode()).hexdigest()
    project(desk.folder, "key", says=says)
    desk.environ.update(RAY_AUTH_MODE="token", RAY_AUTH_TOKEN="0" * 64)
    with head(desk) as address:
        assert wait(lambda: is_open(address))
        given = (*RAY, "--address", address, "--pass-env", "DESK_KEY")
        code, out, told = desk.run(*given)
    assert (code, "1 passed of 1" in out) == (0, True), told


def is_open(address: str) -> bool:
    host, _, port = address.partition(":")
    try:
        socket.create_connection((host, int(port)), 1).close()
    except OSError:
        return False
    return True


SILENT = """
import sys
from audition.errors import CallError
from audition.experiment.ray_cluster import Machines, RayCluster
try:
    RayCluster.connect(Machines(address=sys.argv[1]), within=3)
except CallError as error:
    print(error, flush=True)
    sys.exit(2)
"""


def test_a_server_that_says_nothing_is_waited_for_only_so_long(desk: Desk) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        done = subprocess.run(  # noqa: S603  # our own text
            [sys.executable, "-c", SILENT, address],
            env=desk.environment,
            capture_output=True,
            text=True,
            timeout=20,
            check=False,
        )
    assert (done.returncode, "which was not connected in 3 s" in done.stdout) == (2, True)
