"""Ray as far as it is not installed here; with it, `tests/foreign/ray`."""

import socket
import sys

import pytest

from audition.errors import CallError, SetupError
from audition.experiment.ray_cluster import INSTALL, Machines, RayCluster


def test_without_ray_it_is_said_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    monkeypatch.setenv("RAY_AUTH_TOKEN", "of the user")
    with pytest.raises(SetupError, match=r"pip install 'audition\[ray\]'") as refused:
        RayCluster.connect(Machines())
    assert str(refused.value) == INSTALL


@pytest.mark.parametrize("address", ["desk", "ray://head:10001", "head:0", ":6379", "head:port"])
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(CallError, match="wanted HOST:PORT of a Ray cluster"):
        RayCluster.connect(Machines(address=address))


def test_an_address_at_which_nothing_listens_is_refused_at_once() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
    with pytest.raises(CallError, match="where nothing answers: Connection refused"):
        RayCluster.connect(Machines(address=f"127.0.0.1:{port}"))
