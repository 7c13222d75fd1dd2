"""The options of `audition run` that say which machines run its cases."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from audition.errors import AuditionError, CallError
from audition.experiment.exit_codes import ExitCode

if TYPE_CHECKING:
    from audition.cli.run_options import Measured
    from audition.experiment.engine import Engine
    from audition.experiment.evaluation import Evaluation
    from audition.experiment.remote_worker import Named

_END_SECONDS = 2.0


class Kind(StrEnum):
    """What runs the cases."""

    LOCAL = "local"
    RAY = "ray"


Choice = Annotated[Kind, typer.Option("--engine", help="Run the cases here, or as workers of Ray.")]
Address = Annotated[
    str | None,
    typer.Option(
        metavar="HOST:PORT",
        help="With --engine ray: the cluster, or auto for the one here; else one is started.",
    ),
]
PassEnv = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME",
        help="With --engine ray: a variable each worker must find in its own environment; "
        "repeatable.",
    ),
]
CpusPerCase = Annotated[
    float,
    typer.Option(
        min=0.01, max=1024, metavar="COUNT", help="With --engine ray: the CPUs that a case takes."
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineOptions:
    """What a call says of the machines.

    Attributes:
        engine: What runs the cases.
        address: The cluster, None to start one here.
        pass_env: What workers must find in their environment, by name.
        cpus: How many CPUs a case takes.
        count: How many cases run at a time.

    """

    engine: Kind
    address: str | None
    pass_env: tuple[str, ...]
    cpus: float
    count: int

    def check(self) -> None:
        """Refuse what says nothing, or would tell a secret.

        Raises:
            CallError: It does.

        """
        of_ray = (
            ("--address", self.address),
            ("--pass-env", ", ".join(name.partition("=")[0] for name in self.pass_env) or None),
        )
        for option, given in of_ray:
            if self.engine is Kind.LOCAL and given is not None:
                raise CallError(given, what=option, wanted="wanted it beside --engine ray")
        for name in self.pass_env:
            if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
                found, wanted = name.partition("=")[0], "wanted the name of a variable alone"
                raise CallError(found, what="--pass-env", wanted=wanted)

    def engine_of(self, measured: "Measured") -> "Callable[[Evaluation], Engine]":
        """Return what makes the engine, after a cluster was reached.

        Raises:
            CallError: There is none at the address, or a worker could not find what is measured.
            SetupError: Ray is not installed, or cannot be started.

        """
        from functools import partial

        from audition.experiment.engine import LocalEngine

        if self.engine is Kind.LOCAL:
            return LocalEngine
        from audition.experiment.process import end_within
        from audition.experiment.ray_cluster import Machines, RayCluster
        from audition.experiment.remote import RemoteEngine

        named = self._named(measured)
        machines = Machines(address=self.address, count=self.count, cpus=self.cpus)
        try:
            cluster = RayCluster.connect(machines)
        except AuditionError:
            end_within(_END_SECONDS, ExitCode.USAGE)  # Ray may still try to connect, and hold it
            raise
        return partial(RemoteEngine, cluster=cluster, named=named, count=self.count)

    def _named(self, measured: "Measured") -> "Named":
        """Return what workers load; there is no secret in it."""
        from audition.experiment.remote_worker import Named

        if measured.source is not None:
            _check_open(measured.source)
        return Named(
            folder=str(Path.cwd()),
            dataset=str(measured.dataset),
            session=measured.session and str(measured.session),
            source=measured.source,
            team=measured.team,
            environment=self.pass_env,
        )


def _check_open(source: str) -> None:
    """Refuse an address with a password: it would travel to the machines."""
    from audition.redaction.records import Redactor

    shown = Redactor().text(source)
    if shown != source:
        wanted = "wanted postgres: or kagent: alone: each machine has the rest in its environment"
        raise CallError(shown, what="--source with --engine ray", wanted=wanted)
