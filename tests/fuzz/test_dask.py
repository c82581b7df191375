"""`fuzz --scheduler`: the same bytes from Dask workers, also when one is killed, and one sentence for each refusal."""

from __future__ import annotations

import contextlib
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from game.fuzz import shards
from game.fuzz.shards import FuzzError, copy_level
from game.level import load
from tests.fuzz.dask_cluster import Cluster, kill

pytestmark = pytest.mark.usefixtures("distributed")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory) -> Iterator[Cluster]:
    made = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        yield made
    finally:
        made.close()


@pytest.mark.full
@pytest.mark.jit
def test_the_bytes_are_the_same_when_a_worker_is_killed(cluster, room, walker, monkeypatch):
    monkeypatch.setattr(shards, "SHARD_TICKS", 1000)
    command = "fuzz", "room.yaml", "--ticks", "12000", "--json"
    expected = walker(*command, "-n", "1", "-o", "here")[:2]
    first, _ = cluster.add_worker(), cluster.add_worker()
    cluster.wait(2)
    collect = shards._remote_call

    def kill_first_soon():
        threading.Timer(1.0, kill, [first]).start()
        return collect()

    monkeypatch.setattr(shards, "_remote_call", kill_first_soon)
    assert walker(*command, "--scheduler", cluster.address, "-o", "there")[:2] == expected
    assert first.wait() == -signal.SIGKILL
    assert Path("there/fuzz.json").read_bytes() == Path("here/fuzz.json").read_bytes()


@pytest.mark.full
def test_a_scheduler_without_workers(cluster, room, walker, monkeypatch):
    for worker in cluster.workers:
        kill(worker)
    cluster.workers.clear()
    cluster.wait(0)
    monkeypatch.setattr(shards, "WAIT_SECONDS", 1.0)
    status, _, err = walker("fuzz", "room.yaml", "--scheduler", cluster.address)
    cure = f"start one on each machine with `dask worker {cluster.address}`"
    assert (status, err.splitlines()[-1]) == (4, f"{cluster.address}: the scheduler has no workers; {cure}")


@pytest.mark.parametrize("data", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\xff" * 64, bytes(64)])
def test_servers_that_are_no_schedulers(data, room, capfd, monkeypatch):
    level = load("room.yaml")
    work = shards.make_shards({copy_level(level, "room.yaml"): level}, ["level"], 1, 10)
    monkeypatch.setattr(shards, "WAIT_SECONDS", 10.0 if data else 0.5)
    with answering(data) as address, pytest.raises(FuzzError, match=f"^{address}: no Dask scheduler answers there"):
        shards.run_on_scheduler(work, address, lambda done: None)
    assert capfd.readouterr() == ("", "")


@contextlib.contextmanager
def answering(data: bytes) -> Iterator[str]:
    """The address of a server that sends some bytes to each client, and keeps the connection."""
    accepted: list[socket.socket] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            with contextlib.suppress(OSError):
                while True:
                    accepted.append(server.accept()[0])
                    accepted[-1].sendall(data)

        thread = threading.Thread(target=answer)
        thread.start()
        try:
            yield f"tcp://127.0.0.1:{server.getsockname()[1]}"
        finally:
            server.shutdown(socket.SHUT_RDWR)
            thread.join()
    for one in accepted:
        one.close()


def test_without_dask_the_package_to_install_is_named(room, walker, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    status, _, err = walker("fuzz", "room.yaml", "--scheduler", "tcp://127.0.0.1:9")
    message = "--scheduler needs the package distributed; install it: pip install 'ellipsoid-walker[fuzz]'"
    assert (status, err.splitlines()[-1]) == (4, message)
