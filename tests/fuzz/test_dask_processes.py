"""Runs on the processes of a Dask scheduler: workers that are killed, join late or have other rules."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest

from game.cluster.dask_executor import DaskExecutor, Waits
from game.cluster.errors import ClusterError
from game.cluster.shards import worker_conditions
from game.sim.replay.fingerprint import RULES_VERSION
from tests.cluster.dask_cluster import Cluster, kill
from tests.cluster.sweeps import make_sweep, run_sweep, serial
from tests.support.until import SECONDS, wait_until

OTHER_RULES = "import ellipsoid_walker.sim.replay.fingerprint as one\none.RULES_VERSION = 99\n"
WALK = "400 forward 1\n"
USUAL = Waits()
pytestmark = [pytest.mark.jit, pytest.mark.full, pytest.mark.usefixtures("distributed")]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory) -> Iterator[Cluster]:
    made = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        yield made
    finally:
        made.close()


def executor(cluster: Cluster, files, warn=pytest.fail, waits: Waits = USUAL) -> DaskExecutor:
    return DaskExecutor(cluster.address, [files], worker_conditions(), warn, waits=waits)


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


def test_a_run_without_workers_says_so_and_goes_on(cluster, room, tmp_path):
    files, shards = make_sweep(room, 6, WALK)
    expected = run_sweep(tmp_path / "serial", shards, serial(files))
    (only,) = cluster.restart_workers(1)
    warnings: list[str] = []

    def warn(text: str) -> None:
        warnings.append(text)
        cluster.add_worker()

    def progress(done: int, total: int, found: int) -> None:
        if done == 1:
            kill(only)

    with executor(cluster, files, warn, Waits(result=10 * SECONDS, left=0.1)) as dask:  # the scheduler's event counts
        assert run_sweep(tmp_path / "dask", shards, dask, progress) == expected
    assert warnings == [f"{cluster.address}: no workers are left; the run goes on when one joins"]


def test_a_worker_that_dies_after_its_result_was_fetched(cluster, distributed, room, tmp_path, monkeypatch):
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
    with executor(cluster, files, lambda text: cluster.add_worker(), Waits(result=0.3)) as dask:
        assert run_sweep(tmp_path / "dask", shards, dask) == expected
    assert len(fetched) == 2


def test_a_worker_with_other_rules_gets_no_work_and_one_sentence(cluster, room, tmp_path):
    files, shards = make_sweep(room, 3)
    expected = run_sweep(tmp_path / "serial", shards, serial(files))
    (good,) = cluster.restart_workers(1)
    cluster.add_worker(OTHER_RULES)
    cluster.wait(2)
    warnings: list[str] = []
    with executor(cluster, files, warnings.append) as dask:
        assert run_sweep(tmp_path / "dask", shards, dask) == expected
    assert len(warnings) <= 1  # none where the other worker was faster
    kill(good)
    cluster.wait(1)
    with pytest.raises(ClusterError) as error, executor(cluster, files, warnings.append) as dask:
        run_sweep(tmp_path / "refused", shards, dask)
    assert f" has rules 99, not {RULES_VERSION}; install the same versions on it, or stop it" in str(error.value)
    assert str(error.value).startswith("worker tcp://127.0.0.1:")


def test_a_scheduler_that_dies_leaves_a_folder_that_resumes(room, tmp_path):
    files, shards = make_sweep(room, 12, WALK)
    expected = run_sweep(tmp_path / "serial", shards, serial(files))
    (tmp_path / "processes").mkdir()
    cluster = Cluster(tmp_path / "processes")

    def progress(done: int, total: int, found: int) -> None:
        if done == 2:
            kill(cluster.scheduler)

    try:
        cluster.restart_workers(1)
        with (
            pytest.raises(ClusterError, match=r"the connection to the scheduler was lost; start again with the same"),
            executor(cluster, files, waits=Waits(scheduler=1.0)) as dask,
        ):
            run_sweep(tmp_path / "dask", shards, dask, progress)
    finally:
        cluster.close()
    ran: list[int] = []
    assert run_sweep(tmp_path / "dask", shards, serial(files), lambda done, *_: ran.append(done)) == expected
    assert 2 <= ran[0] < 12  # those that were there are not run again
