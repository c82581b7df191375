"""Connecting to a Dask scheduler: addresses where nothing, or something else, answers, versions and certificates."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
from collections.abc import Iterator

import pytest

from game.cluster.dask_executor import connect
from game.cluster.errors import ClusterError
from tests.cluster.dask_cluster import workers_here

pytestmark = pytest.mark.usefixtures("distributed")


@pytest.fixture
def cluster(tmp_path, distributed):
    """A worker."""
    with workers_here(tmp_path / "workers", 1) as made:
        yield made


@pytest.mark.full
def test_a_scheduler_of_another_version(cluster, distributed, monkeypatch):
    theirs = {"scheduler": {"packages": {"distributed": "2001.1.0"}}}
    monkeypatch.setattr(distributed.Client, "get_versions", lambda self: theirs)
    with pytest.raises(ClusterError, match=r"the scheduler has Dask distributed 2001.1.0, this computer 20"):
        connect(cluster.scheduler_address)


@pytest.mark.full
def test_connecting_without_a_scheduler_says_how_to_start_one():
    for words in (
        r"^tcp://127.0.0.1:9: no scheduler answers there; start one with",
        r"\(such as tcp://10.*; tls://10.0.0.5:8786 if it runs with TLS\)$",
    ):
        with pytest.raises(ClusterError, match=words):
            connect("tcp://127.0.0.1:9", 0.3)


TLS = "distributed.comm.tls."
CA = {TLS + "ca-file": "ca.pem"}
UNUSABLE = "distributed.comm.tls in Dask's own configuration cannot be used ("
ENCRYPTION = {"distributed.comm.require-encryption": True}


@pytest.mark.full
@pytest.mark.parametrize(
    ("address", "settings", "message"),
    [
        ("tls://h:1", {}, "TLS needs certificates; name them in Dask's own configuration"),
        ("tls://h:1", {**CA, TLS + "client.cert": "own.pem"}, "there is no file {folder}/own.pem; correct " + TLS),
        (
            "tls://h:1",
            {**CA, TLS + "client.cert": "ca.pem", TLS + "client.key": "/none/key.pem"},
            f"there is no file /none/key.pem; correct {TLS}client.key in Dask's own configuration, with an absolute",
        ),
        ("tls://h:1", {TLS + "ca-file": 5, TLS + "client.cert": "ca.pem"}, "there is no file {folder}/5; correct"),
        ("tls://h:1", {**CA, TLS + "client.cert": "ca.pem"}, UNUSABLE),
        ("tls://h:1", {TLS + "min-version": 9}, f"{UNUSABLE}{TLS}min-version=9"),
        ("tcp://h:1", ENCRYPTION, "Dask's own configuration requires TLS ("),
        ("h:1", ENCRYPTION, "Dask's own configuration requires TLS ("),
    ],
)
def test_certificates_that_cannot_be_used(address, settings, message, tmp_path, monkeypatch):
    import dask

    monkeypatch.chdir(tmp_path)
    (tmp_path / "ca.pem").write_text("no certificate\n")
    with dask.config.set(settings), pytest.raises(ClusterError) as raised:
        connect(address)
    assert str(raised.value).startswith(f"{address}: " + message.format(folder=os.path.realpath(tmp_path)))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "no scheduler answers there; start one with"),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "what answers there is no scheduler of Dask 20"),
        (b"SSH-2.0-OpenSSH_9.9\r\n", "what answers there is no scheduler of Dask 20"),
        (b"\xff" * 64, "what answers there is no scheduler of Dask 20"),
        (
            bytes(64),
            r"what answers there is no scheduler of Dask .*; tls://10.0.0.5:8786 if it runs with TLS\), and ",
        ),
    ],
)
def test_servers_that_are_no_schedulers(data, message, capfd):
    with answering(data) as address, pytest.raises(ClusterError, match=f"^{address}: {message}"):
        connect(address, 10.0 if data else 0.2)
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


def test_a_command_says_who_answers_and_stops(room, walker):
    with answering(b"HTTP/1.1 400 Bad Request\r\n\r\n") as address:
        status, out, err = walker("fuzz", "room.yaml", "--scheduler", address)
    assert (status, out) == (4, "")
    first, second = err.splitlines()
    assert first == f"connecting to the scheduler at {address}"
    assert second.startswith(f"{address}: what answers there is no scheduler of Dask 20")


def test_a_worker_is_no_scheduler(cluster):
    (worker,) = cluster.workers.values()
    with pytest.raises(ClusterError, match=f"^{worker.address}: what answers there is no scheduler of Dask"):
        connect(worker.address)
