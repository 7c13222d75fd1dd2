"""Workers on the machines of a Ray cluster; the one module that loads Ray, and only when asked.

A cluster on this machine alone lives in a process of its own, its keeper, which ends it when the
run closes the pipe to it. So nothing is left running however the run ends, and a signal from the
terminal reaches the run and not the workers.
"""

import asyncio
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Self

from audition.daemon_threads import run_plain
from audition.errors import CallError, SetupError, WorkerLost
from audition.experiment.evaluation import FinishedUnit
from audition.experiment.remote_worker import Recipe, Worker
from audition.experiment.units import Unit

INSTALL = "Ray is not installed: pip install 'audition[ray]', here and on every machine"
CONNECT_SECONDS = 30.0
START_SECONDS = 60.0
_PROBE_SECONDS = 5.0
_CANCEL_SECONDS = 15.0
"""How long a unit that is cancelled may take to end its team, before its process is ended."""

_END_SECONDS = 20.0
_OBJECT_BYTES = 256 * 1024 * 1024
_KEEPER = f"from {__name__} import keep; keep()"


@dataclass(frozen=True, slots=True, kw_only=True)
class Machines:
    """Which machines run the workers.

    Attributes:
        address: HOST:PORT of a cluster that this machine belongs to, `auto` for the one that runs
            here, None to start one here.
        count: How many cases run at a time.
        cpus: The share of a CPU that each of them takes.

    """

    address: str | None = None
    count: int = 1
    cpus: float = 1.0


class RayCluster:
    """Workers of Ray; made by `connect`."""

    def __init__(self, ray: Any, machines: Machines, keeper: "_Keeper | None") -> None:
        self._ray = ray
        self._keeper = keeper
        self._actor = ray.remote(num_cpus=machines.cpus, max_restarts=0, max_task_retries=0)(
            _WorkerProcess
        )

    @classmethod
    def connect(cls, machines: Machines, *, within: float = CONNECT_SECONDS) -> Self:
        """Return the cluster, connected, started first where no address says which.

        Args:
            machines: Which machines.
            within: Seconds to connect in.

        Raises:
            CallError: There is no cluster at the address, or none that takes this process.
            SetupError: Ray is not installed, or no cluster could be started.

        """
        if machines.address is not None:
            _probe(machines.address)
            ray = _ray()
            _connect(ray, machines.address, within)
            return cls(ray, machines, None)
        # Whoever may speak to a cluster can run any code on it, and Ray listens on all interfaces.
        os.environ.update(RAY_AUTH_MODE="token", RAY_AUTH_TOKEN=secrets.token_hex(32))
        ray = _ray()
        keeper = _Keeper(cpus=_cpus_here(machines))
        try:
            _connect(ray, keeper.address, within)
        except BaseException:
            keeper.end()
            raise
        return cls(ray, machines, keeper)

    def worker(self, recipe: Recipe) -> "RayWorker":
        """Ask for a worker."""
        return RayWorker(self._ray, self._actor.remote(recipe))

    async def close(self) -> None:
        """Leave the cluster; end it where it was started for this run."""
        with suppress(TimeoutError):
            await asyncio.wait_for(run_plain(self._ray.shutdown), _END_SECONDS)
        if self._keeper is not None:
            await run_plain(self._keeper.end)


class RayWorker:
    """One worker, as the run sees it."""

    def __init__(self, ray: Any, actor: Any) -> None:
        self._ray = ray
        self._actor = actor

    async def placed(self) -> None:
        """Wait until a machine has started it."""
        await self._answer(self._actor.placed.remote())

    async def prepare(self) -> str | None:
        """Let it load what its recipe names."""
        return await self._answer(self._actor.prepare.remote())

    async def finish(self, unit: Unit, seconds_left: float | None) -> FinishedUnit | str:
        """Run a unit there; cancelled, let it end its team, for a while."""
        running = self._actor.finish.remote(unit, seconds_left)
        try:
            return await self._answer(running)
        except asyncio.CancelledError:
            self._ray.cancel(running)
            with suppress(Exception):
                await asyncio.wait_for(self._answer(running), _CANCEL_SECONDS)
            raise

    def end(self) -> None:
        """End its process."""
        with suppress(Exception):  # the cluster is gone, and so is it
            self._ray.kill(self._actor, no_restart=True)

    async def _answer(self, asked: Any) -> Any:
        errors = self._ray.exceptions
        try:
            return await asyncio.wrap_future(asked.future())
        except errors.RayTaskError:  # our own fault
            raise
        except errors.RayError as error:
            raise WorkerLost(_told(error)) from None


class _WorkerProcess:
    """What runs on a machine. All plain: Ray runs coroutines, also unasked, beside the main thread.

    Args:
        recipe: What it loads, and how it evaluates.

    """

    def __init__(self, recipe: Recipe) -> None:
        self._worker = Worker(recipe)

    def placed(self) -> None:
        """Say that the process is there."""

    def prepare(self) -> str | None:
        """Load what the recipe names, or say why that cannot be evaluated here."""
        return self._worker.prepare()

    def finish(self, unit: Unit, seconds_left: float | None) -> FinishedUnit | str:
        """Run a unit until its end, or until nobody waits for it."""
        is_cancelled = _ray().get_runtime_context().is_canceled
        return self._worker.finish(unit, seconds_left, is_cancelled)


def _ray() -> Any:
    """Return Ray, which takes a second to load, and may not be there.

    Raises:
        SetupError: It is not installed.

    """
    try:
        import ray  # noqa: PLC0415  # pyright: ignore[reportMissingImports]  # an extra
    except ImportError:
        raise SetupError(INSTALL) from None
    loaded: Any = ray
    return loaded


class _Keeper:
    """The process that holds a cluster on this machine, until the pipe to it is closed.

    Args:
        cpus: How many CPUs the cluster takes itself to have.

    """

    def __init__(self, *, cpus: float) -> None:
        self._process = subprocess.Popen(  # noqa: S603  # this Python, our own code
            [sys.executable, "-P", "-c", _KEEPER, str(cpus)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "RAY_USAGE_STATS_ENABLED": "0"},
            start_new_session=True,
        )
        told = _within(START_SECONDS, self._read)
        if not told.get("address"):
            self.end()
            problem = told.get("problem", f"nothing was told in {START_SECONDS:g} s")
            msg = f"no Ray could be started on this machine: {problem}"
            raise SetupError(msg)
        self.address: str = told["address"]

    def _read(self) -> dict[str, str]:
        assert self._process.stdout is not None  # noqa: S101  # it is a pipe
        line = self._process.stdout.readline()
        return json.loads(line or '{"problem": "its process ended"}')

    def end(self) -> None:
        """End the cluster, and wait for that as long as it may take."""
        assert self._process.stdin is not None  # noqa: S101  # it is a pipe
        self._process.stdin.close()
        try:
            self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def keep() -> None:
    """Start a cluster, tell its address, and end it when the pipe is closed."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    folder = tempfile.mkdtemp(prefix="audition-ray-")
    ray = _ray()
    try:
        told = _started(ray, folder)
        print(json.dumps(told), file=out, flush=True)
        sys.stdin.read()
    finally:
        ray.shutdown()
        shutil.rmtree(folder, ignore_errors=True)


def _started(ray: Any, folder: str) -> dict[str, str]:
    try:
        ray.init(
            address="local",
            num_cpus=float(sys.argv[1]),
            include_dashboard=False,
            object_store_memory=_OBJECT_BYTES,
            log_to_driver=False,
            logging_level="ERROR",
            _temp_dir=folder,
        )
    except Exception as error:  # noqa: BLE001  # whatever it is, there is no cluster
        return {"problem": _told(error)}
    return {"address": ray.get_runtime_context().gcs_address}


def _cpus_here(machines: Machines) -> float:
    """Return for how many CPUs a cluster of this machine places cases."""
    return max(machines.cpus, min(machines.count * machines.cpus, float(os.cpu_count() or 1)))


def _probe(address: str) -> None:
    """Refuse an address at which nothing listens: Ray itself would try for minutes."""
    if address == "auto":
        return
    host, _, port = address.rpartition(":")
    wanted = "wanted HOST:PORT of a Ray cluster that this machine belongs to, or auto"
    if not host or "/" in host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise CallError(address, what="--address", wanted=wanted)
    try:
        socket.create_connection((host.strip("[]"), int(port)), _PROBE_SECONDS).close()
    except OSError as error:
        found = f"{address}, where nothing answers: {error.strerror or error}"
        raise CallError(found, what="--address", wanted=wanted) from None


def _connect(ray: Any, address: str, within: float) -> None:

    def connect() -> dict[str, str]:
        try:
            ray.init(
                address=address,
                log_to_driver=False,
                logging_level="ERROR",
            )
        except Exception as error:  # noqa: BLE001  # whatever it is, there is no connection
            return {"problem": _told(error)}
        return {"address": address}

    told = _within(within, connect)
    if "address" not in told:
        found = f"{address}, {told.get('problem', f'which was not connected in {within:g} s')}"
        wanted = "wanted a Ray cluster that this machine belongs to"
        raise CallError(found, what="--address", wanted=wanted)


def _within(seconds: float, call: Callable[[], Mapping[str, str]]) -> Mapping[str, str]:
    """Return what a call returns, nothing where it does not in its time."""
    told: dict[str, str] = {}
    thread = threading.Thread(target=lambda: told.update(call()), daemon=True)
    thread.start()
    thread.join(seconds)
    return told if not thread.is_alive() else {}


def _told(error: BaseException) -> str:
    """Return an error of Ray as one line: its first says what, its last why."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    told = " ".join(dict.fromkeys((lines[0], lines[-1]))) if lines else type(error).__name__
    return told.partition(" Some common causes include")[0]
