"""Runs on a real Dask scheduler: workers that die, join late or have other versions, and a scheduler that is gone."""

from __future__ import annotations

import contextlib
import errno
import faulthandler
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

dask = pytest.importorskip("dask", reason="the package distributed is not installed (extra [cluster])")
distributed = pytest.importorskip("distributed", reason="the package distributed is not installed (extra [cluster])")

from game.cluster import dask_executor, worker_plugin  # noqa: E402
from game.cluster.dask_executor import DaskExecutor  # noqa: E402
from game.cluster.errors import ClusterError  # noqa: E402
from game.cluster.shards import worker_conditions  # noqa: E402
from game.cluster.worker_plugin import LevelFilesPlugin, Refusal  # noqa: E402
from tests.cluster.conftest import NOOK, ROOM, TOWER  # noqa: E402
from tests.cluster.sweeps import make_sweep, run_sweep, serial  # noqa: E402
from tests.support.until import SECONDS, wait_until  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
OTHER_RULES = "import ellipsoid_walker.sim.replay.fingerprint as one\none.RULES_VERSION = 99\n"
WALK = "400 forward 1\n"
TESTS = """\
tests:
  - {name: reaches the goal, walk: ["120 forward 1"], expect: {goal: {within: 5}}}
  - {name: too slow, walk: ["120 forward 1"], expect: {goal: {within: 0.5}}}
"""
pytestmark = pytest.mark.jit


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

    def add_worker(self, preload: str = "") -> subprocess.Popen[bytes]:
        """Start a worker; it is there when the scheduler knows it. preload: Python that it runs first."""
        words = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(self.folder)]
        if preload:
            (self.folder / "preload.py").write_text(preload)
            words += ["--preload", str(self.folder / "preload.py")]
        self.workers.append(self._start("worker", self.address, *words))
        return self.workers[-1]

    def restart_workers(self, count: int) -> list[subprocess.Popen[bytes]]:
        """Kill all workers, and start others, which the scheduler then knows."""
        for worker in self.workers:
            kill(worker)
        self.wait(0)
        self.workers.clear()
        for _ in range(count):
            self.add_worker()
        self.wait(count)
        return list(self.workers)

    def wait(self, count: int) -> None:
        """Wait until the scheduler has some workers, no more and no fewer."""
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


@pytest.fixture(autouse=True)
def no_endless_wait() -> Iterator[None]:
    """End the process with the stacks of its threads where a test waits for workers without end."""
    faulthandler.dump_traceback_later(2 * SECONDS, exit=True, file=sys.__stderr__)
    yield
    faulthandler.cancel_dump_traceback_later()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory) -> Iterator[Cluster]:
    made = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        yield made
    finally:
        made.close()


def executor(cluster: Cluster, files, warnings: list[str] | None = None) -> DaskExecutor:
    warn = warnings.append if warnings is not None else pytest.fail
    return DaskExecutor(cluster.address, [files], worker_conditions(), warn)


def test_workers_that_die_and_join_late_change_no_byte(cluster, room, tmp_path):
    files, shards = make_sweep(room, 16, WALK)
    expected = run_sweep(tmp_path / "serial", shards, serial(files))
    first, second = cluster.restart_workers(2)
    seen = []

    def progress(done: int, total: int, found: int) -> None:
        seen.append(done)
        if done == 1:
            kill(first)
        elif done == 2:
            cluster.add_worker()
            cluster.wait(2)
            kill(second)  # from here on the late worker is alone

    with executor(cluster, files) as dask:
        assert run_sweep(tmp_path / "dask", shards, dask, progress) == expected
    assert first.returncode == second.returncode == -signal.SIGKILL
    assert seen == list(range(17))


def test_a_run_without_workers_says_so_and_goes_on(cluster, room, tmp_path, monkeypatch):
    files, shards = make_sweep(room, 6, WALK)
    expected = run_sweep(tmp_path / "serial", shards, serial(files))
    (only,) = cluster.restart_workers(1)
    monkeypatch.setattr(dask_executor, "WAIT_SECONDS", 10 * SECONDS)  # the event of the scheduler counts
    monkeypatch.setattr(dask_executor, "LEFT_SECONDS", 0.1)
    warnings: list[str] = []

    def warn(text: str) -> None:
        warnings.append(text)
        cluster.add_worker()

    def progress(done: int, total: int, found: int) -> None:
        if done == 1:
            kill(only)

    with DaskExecutor(cluster.address, [files], worker_conditions(), warn) as dask:
        assert run_sweep(tmp_path / "dask", shards, dask, progress) == expected
    assert warnings == [f"{cluster.address}: no workers are left; the run goes on when one joins"]


def test_a_worker_that_dies_after_its_result_was_fetched(cluster, room, tmp_path, monkeypatch):
    files, shards = make_sweep(room, 2)
    expected = run_sweep(tmp_path / "serial", shards, serial(files))
    (only,) = cluster.restart_workers(1)
    fetch, fetched = distributed.as_completed._get_and_raise, []

    def fetch_and_kill(finished):
        future, result = fetch(finished)
        if not fetched:
            kill(only)
            wait_until(lambda: future.status != "finished")
        fetched.append(future.key)
        return future, result

    monkeypatch.setattr(distributed.as_completed, "_get_and_raise", fetch_and_kill)
    monkeypatch.setattr(dask_executor, "WAIT_SECONDS", 0.3)
    with DaskExecutor(cluster.address, [files], worker_conditions(), lambda text: cluster.add_worker()) as dask:
        assert run_sweep(tmp_path / "dask", shards, dask) == expected
    assert len(fetched) == 2


def test_a_worker_that_dies_while_the_levels_are_sent_stops_nothing(cluster, room, tmp_path, monkeypatch):
    files, shards = make_sweep(room, 2)
    expected = run_sweep(tmp_path / "serial", shards, serial(files))
    cluster.restart_workers(1)
    register, calls = distributed.Client.register_plugin, []

    def fail_at_first(client, plugin, **options):
        calls.append(plugin)
        if len(calls) <= 3:
            raise distributed.comm.CommClosedError("Stream is closed")
        return register(client, plugin, **options)

    monkeypatch.setattr(distributed.Client, "register_plugin", fail_at_first)
    monkeypatch.setattr(dask_executor, "RETRY_SECONDS", 0.01)
    with executor(cluster, files) as dask:
        assert run_sweep(tmp_path / "dask", shards, dask) == expected
    assert len(calls) == 4


def addresses(cluster: Cluster) -> list[str]:
    """Of the workers."""
    with distributed.Client(cluster.address, set_as_default=False) as client:
        return list(client.scheduler_info()["workers"])


def test_a_worker_with_other_rules_gets_no_work_and_one_sentence(cluster, room, tmp_path, monkeypatch):
    files, shards = make_sweep(room, 3)
    expected = run_sweep(tmp_path / "serial", shards, serial(files))
    (good,) = cluster.restart_workers(1)
    cluster.add_worker(OTHER_RULES)
    cluster.wait(2)
    warnings: list[str] = []
    with executor(cluster, files, warnings) as dask:
        assert run_sweep(tmp_path / "dask", shards, dask) == expected
    assert len(warnings) <= 1  # none where the other worker was faster
    kill(good)
    cluster.wait(1)
    other_address = next(iter(addresses(cluster)))
    monkeypatch.setattr(dask_executor, "WAIT_SECONDS", 0.3)
    third = cluster.add_worker()
    cluster.wait(2)

    def replace_good_worker(done: int, total: int, found: int) -> None:
        if done == 1:
            kill(third)
            cluster.wait(1)
            cluster.add_worker()

    files, shards = make_sweep(room, 6, WALK)
    expected = run_sweep(tmp_path / "more", shards, serial(files))
    with executor(cluster, files, warnings) as dask:
        dask._refused[other_address] = "worker: refused"
        assert run_sweep(tmp_path / "replaced", shards, dask, replace_good_worker) == expected
    kill(cluster.workers[-1])
    cluster.wait(1)
    with pytest.raises(ClusterError) as error, executor(cluster, files, warnings) as dask:
        run_sweep(tmp_path / "refused", shards, dask)
    assert " has rules 99, not 2; install the same versions on it, or stop it" in str(error.value)
    assert str(error.value).startswith("worker tcp://127.0.0.1:")


def test_check_and_test_find_the_same_on_workers(cluster, room, walker, tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "tower.yaml").write_text(TOWER)
    (tmp_path / "nook.yaml").write_text(NOOK)
    (tmp_path / "broken.yaml").write_text("format: 1\n")
    room.write_text(f"{ROOM}{TESTS}")
    names = "nook.yaml", "broken.yaml"
    cluster.restart_workers(1)
    here = walker("check", "--walk", *names)[:2]
    assert here[0] == 2
    assert "parts/tower.yaml:5:5: floor: a player can fall" in here[1].partition("nook.yaml: ")[0]
    assert walker("check", "--walk", *names, "--scheduler", cluster.address)[:2] == here

    def tested(*options: str) -> tuple[int, list[str], list[str]]:
        status, out, _ = walker("test", "room.yaml", "--json", *options)
        lines = [line for line in out.splitlines() if '"wall_seconds"' not in line]
        return status, lines, sorted(path.name for path in Path("walker-tests").iterdir())

    assert tested("--scheduler", cluster.address) == tested()


def test_a_plugin_refuses_other_machines_unless_told_otherwise(room, tmp_path):
    files, _ = make_sweep(room)
    here = SimpleNamespace(local_directory=str(tmp_path / "worker"))
    mine = worker_conditions()
    for conditions, refusal in (
        (mine, ""),
        (worker_conditions(any_machine=True), ""),
        ({**mine, "machine": "Linux riscv64"}, f"has machine {mine['machine']}, not Linux riscv64"),
        ({**mine, "numpy": "1.0"}, f"has NumPy {mine['numpy']}, not 1.0"),
    ):
        plugin = LevelFilesPlugin("levels", [files], conditions)
        plugin.setup(here)
        assert plugin.refusal == refusal
        assert (tmp_path / "worker" / "levels").exists() == (not refusal)
        plugin.teardown(here)
    plugin = LevelFilesPlugin("levels", [files], mine)
    plugin.setup(SimpleNamespace(local_directory=str(room)))  # no folder
    assert plugin.refusal == "cannot store the levels (not a directory)"


def test_a_worker_without_the_package_names_itself(monkeypatch):
    monkeypatch.setattr(distributed, "get_worker", lambda: SimpleNamespace(address="w1"))
    assert dask_executor._remote_call()(b"cnowhere_to_find\nname\n.") == ("w1", "No module named 'nowhere_to_find'")
    found = SimpleNamespace(refusal="", levels=object())
    monkeypatch.setattr(worker_plugin, "get_worker", lambda: SimpleNamespace(plugins={"levels": found}, address="w2"))

    def fill_disk(task: str, levels: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    refusal = Refusal("w2", "cannot do its work: no space left on device")
    assert worker_plugin.run_on_worker(fill_disk, "", "levels") == refusal


def test_refused_workers_in_words(monkeypatch):
    warnings: list[str] = []
    dask = DaskExecutor("tcp://s", [], worker_conditions(), warnings.append)
    dask._client = SimpleNamespace(scheduler_info=lambda **_: {"workers": {"w1": {}, "w2": {}}})
    dask._refuse(Refusal("w1", "has machine Linux riscv64, not Linux x86_64"))
    dask._refuse(Refusal("w1", "has machine Linux riscv64, not Linux x86_64"))
    assert warnings == [
        "worker w1 has machine Linux riscv64, not Linux x86_64; use --any-processor to accept it; its results may then "
        "differ in their last bits (it gets no work)"
    ]
    monkeypatch.setattr(worker_plugin, "get_worker", lambda: SimpleNamespace(plugins={}, address="w2"))
    refusal = worker_plugin.run_on_worker(len, "", "levels")
    with pytest.raises(ClusterError, match=r"^worker w"):
        dask._refuse(refusal)
    assert refusal == Refusal("w2", "does not have the levels")
    assert dask._refused["w2"] == "worker w2 does not have the levels; restart it"


def test_a_scheduler_without_workers(cluster, room, monkeypatch):
    files, _ = make_sweep(room)
    cluster.restart_workers(0)
    monkeypatch.setattr(dask_executor, "WORKER_SECONDS", 0.1)
    told: list[str] = []
    dask = DaskExecutor(cluster.address, [files], worker_conditions(), pytest.fail, told.append)
    with pytest.raises(ClusterError, match=r"no workers; start one on each machine with `dask worker tcp://"):
        dask.__enter__()
    at = cluster.address
    assert told == [f"connecting to the scheduler at {at}", f"waiting 0.1 s for a worker at {at}"]


def test_a_scheduler_of_another_version(cluster, monkeypatch):
    theirs = {"scheduler": {"packages": {"distributed": "2001.1.0"}}}
    monkeypatch.setattr(distributed.Client, "get_versions", lambda self: theirs)
    with pytest.raises(ClusterError, match=r"the scheduler has Dask distributed 2001.1.0, this computer 20"):
        dask_executor.connect(cluster.address)


def test_a_scheduler_that_dies_leaves_a_folder_that_resumes(cluster, room, tmp_path, monkeypatch):
    monkeypatch.setattr(dask_executor, "CONNECT_SECONDS", 1)
    files, shards = make_sweep(room, 12, WALK)
    expected = run_sweep(tmp_path / "serial", shards, serial(files))
    cluster.restart_workers(1)

    def progress(done: int, total: int, found: int) -> None:
        if done == 2:
            kill(cluster.scheduler)

    with (
        pytest.raises(ClusterError, match=r"the connection to the scheduler was lost; start again with the same"),
        executor(cluster, files) as dask,
    ):
        run_sweep(tmp_path / "dask", shards, dask, progress)
    ran: list[int] = []
    assert run_sweep(tmp_path / "dask", shards, serial(files), lambda done, *_: ran.append(done)) == expected
    assert 2 <= ran[0] < 12  # those that were there are not run again


def test_no_scheduler(monkeypatch):
    monkeypatch.setattr(dask_executor, "CONNECT_SECONDS", 0.3)
    with pytest.raises(ClusterError, match=r"^tcp://127.0.0.1:9: no scheduler answers there; start one with"):
        dask_executor.connect("tcp://127.0.0.1:9")
    with pytest.raises(ClusterError, match=r"\(such as tcp://10.*; tls://10.0.0.5:8786 if it runs with TLS\)$"):
        dask_executor.connect("tcp://127.0.0.1:9")


TLS = "distributed.comm.tls."
CA = {TLS + "ca-file": "ca.pem"}
UNUSABLE = "distributed.comm.tls in Dask's own configuration cannot be used ("
ENCRYPTION = {"distributed.comm.require-encryption": True}


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
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ca.pem").write_text("no certificate\n")
    with dask.config.set(settings), pytest.raises(ClusterError) as raised:
        dask_executor.connect(address)
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
def test_servers_that_are_no_schedulers(data, message, monkeypatch, capfd):
    monkeypatch.setattr(dask_executor, "CONNECT_SECONDS", 0.2)
    monkeypatch.setattr(distributed, "Client", lambda *_, **__: pytest.fail("a client waits without end"))
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        accepted: list[socket.socket] = []

        def answer() -> None:
            with contextlib.suppress(OSError):
                while True:
                    accepted.append(server.accept()[0])
                    accepted[-1].sendall(data)

        threading.Thread(target=answer, daemon=True).start()
        with pytest.raises(ClusterError, match=f"^{address}: {message}"):
            dask_executor.connect(address)
        server.shutdown(socket.SHUT_RDWR)
    for one in accepted:
        one.close()
    assert capfd.readouterr() == ("", "")


def test_a_worker_is_no_scheduler(monkeypatch):
    async def connect(*_: object, **__: object) -> SimpleNamespace:
        async def write(message: object) -> None:
            assert message == {"op": "identity", "reply": True}

        async def read() -> dict[str, str]:
            return {"type": "Worker"}

        return SimpleNamespace(write=write, read=read, abort=lambda: None)

    monkeypatch.setattr(distributed.comm, "connect", connect)
    with pytest.raises(ClusterError, match=r"^tcp://127.0.0.1:9: what answers there is no scheduler of Dask"):
        dask_executor.connect("tcp://127.0.0.1:9")
