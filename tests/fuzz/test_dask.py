"""`fuzz --scheduler`: the same bytes from Dask workers, also when one is killed, and one sentence for each refusal."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from game.fuzz import shards
from game.fuzz.shards import FuzzError, copy_level
from game.level import load
from tests.support.until import wait_until

ROOT = Path(__file__).resolve().parents[2]


class Cluster:
    """A scheduler and workers in processes of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {**os.environ, "PYTHONPATH": str(ROOT), "DASK_DISTRIBUTED__ADMIN__TICK__LIMIT": "1h"}
        self.workers: list[subprocess.Popen[bytes]] = []
        file = folder / "scheduler.json"
        options = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file)]
        self.scheduler = self._start("scheduler", *options)
        wait_until(file.is_file)
        wait_until(lambda: '"address"' in file.read_text())
        self.address = json.loads(file.read_text())["address"]

    def _start(self, *words: str) -> subprocess.Popen[bytes]:
        with open(self.folder / "log", "ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "dask", *words], env=self.environment, stdout=log, stderr=log, cwd=self.folder
            )

    def add_worker(self) -> subprocess.Popen[bytes]:
        """Start a worker; it is there when the scheduler knows it."""
        words = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(self.folder)]
        self.workers.append(self._start("worker", self.address, *words))
        return self.workers[-1]

    def wait(self, count: int) -> None:
        """Wait until the scheduler has some workers, no more and no fewer."""
        import distributed

        with distributed.Client(self.address, set_as_default=False) as client:
            wait_until(lambda: len(client.scheduler_info()["workers"]) == count)

    def close(self) -> None:
        """Kill every process."""
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


def kill(process: subprocess.Popen[bytes]) -> None:
    """`kill -9`."""
    process.send_signal(signal.SIGKILL)
    process.wait()


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
