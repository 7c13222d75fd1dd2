"""A Postgres server of its own in a temporary folder, on a free port, ended by its own process."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

PASSWORD = "hunter2"  # noqa: S105  # of a server that lives for seconds
_DEBIAN = "/usr/lib/postgresql"


@dataclass(frozen=True, slots=True)
class Server:
    """Where the server is, and its folder, in which its socket is too."""

    port: int
    folder: Path

    def dsn(self, database: str, *, password: str = PASSWORD) -> str:
        """Return the DSN of a database."""
        return f"postgres://kagent:{password}@127.0.0.1:{self.port}/{database}"


@contextmanager
def postgres_server() -> Generator[Server]:
    """Yield a running server whose role kagent has a password by TCP, and none by the socket."""
    # Not in a folder of pytest: those are root's alone, and the path of a socket is short.
    with tempfile.TemporaryDirectory(prefix="audition-pg-", dir="/tmp") as name:
        folder = Path(name)
        (folder / "password").write_text(PASSWORD)
        for path in (folder, folder / "password"):
            _hand_over(path)
        data = folder / "data"
        _run("initdb", "-D", data, "-U", "kagent", "--pwfile", folder / "password",
             "--auth-local", "trust", "--auth-host", "scram-sha-256", "-N", "-E", "UTF8",
             "--no-locale")  # fmt: skip
        server = Server(_free_port(), folder)
        with (folder / "log").open("wb") as log:
            process = subprocess.Popen(  # noqa: S603  # Debian's server
                [_program("postgres"), "-D", data, "-k", folder, "-h", "127.0.0.1",
                 "-p", str(server.port), "-F"],
                stdout=log,
                stderr=log,
                user=_owner(),
                group=_owner(),
                extra_groups=None if _owner() is None else (),
            )  # fmt: skip
        try:
            _wait(server, process)
            yield server
        finally:
            process.send_signal(signal.SIGINT)  # "fast": it does not wait for who is connected
            process.wait(timeout=30)


def _program(name: str) -> str:
    """Return a program of the server: on PATH, or where Debian puts it."""
    versions = sorted(Path(_DEBIAN).glob(f"*/bin/{name}"), key=lambda path: int(path.parts[4]))
    found = str(versions[-1]) if versions else shutil.which(name)
    assert found, f"there is no {name} of Postgres on this machine: make postgres"
    return found


def _owner() -> str | None:
    """Return who the server runs as: it refuses to be root. None for whoever runs the tests."""
    return "postgres" if os.geteuid() == 0 else None


def _hand_over(path: Path) -> None:
    owner = _owner()
    if owner is not None:
        shutil.chown(path, owner, owner)


def _run(name: str, *arguments: object) -> None:
    done = subprocess.run(  # noqa: S603  # Debian's programs
        [_program(name), *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        cwd="/",
        user=_owner(),
        group=_owner(),
        extra_groups=None if _owner() is None else (),
    )
    assert done.returncode == 0, done.stderr


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _wait(server: Server, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + 30
    while time.monotonic() < until and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", server.port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise AssertionError((server.folder / "log").read_text())
