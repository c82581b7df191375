"""Runs on workers of a Dask scheduler in this process: workers that leave, join, fail or are refused."""

from __future__ import annotations

import errno
import importlib
import os
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from game.cluster.dask_executor import DaskExecutor, Waits
from game.cluster.errors import ClusterError
from game.cluster.shards import worker_conditions
from game.sim.replay.fingerprint import RULES_VERSION
from tests.cluster.conftest import NOOK, ROOM, TOWER
from tests.cluster.dask_cluster import close_worker, workers_here
from tests.cluster.sweeps import make_sweep, run_sweep, serial
from tests.support.until import SECONDS

TESTS = """\
tests:
  - {name: reaches the goal, walk: ["120 forward 1"], expect: {goal: {within: 5}}}
  - {name: too slow, walk: ["120 forward 1"], expect: {goal: {within: 0.5}}}
"""
LEVELS = "walker-levels-"  # how the name of the plugin with the levels begins
USUAL = Waits()
pytestmark = [pytest.mark.jit, pytest.mark.usefixtures("distributed")]


@pytest.fixture
def cluster(tmp_path, distributed):
    """Two workers."""
    with workers_here(tmp_path / "workers", 2) as made:
        yield made


@pytest.fixture
def sweep(room, tmp_path):
    """(level files, shards, their files as a run in this process writes them)."""
    files, shards = make_sweep(room, 10)
    return files, shards, run_sweep(tmp_path / "serial", shards, serial(files))


def executor(cluster, files, warn=pytest.fail, tell=lambda text: None, waits=USUAL, **conditions: str):
    """conditions: that differ from those of this computer."""
    levels = [files] if files else []
    return DaskExecutor(cluster.scheduler_address, levels, {**worker_conditions(), **conditions}, warn, tell, waits)


def without_levels(worker) -> None:
    """Remove the plugin with the levels from a worker, as if it had joined before they were sent."""
    worker.plugins.pop(next(name for name in worker.plugins if name.startswith(LEVELS)))


@pytest.mark.full
def test_workers_that_leave_and_join_late_change_no_byte(cluster, sweep, tmp_path):
    files, shards, expected = sweep
    first, second = cluster.workers.values()
    seen = []

    def progress(done: int, total: int, found: int) -> None:
        seen.append(done)
        if done == 1:
            close_worker(cluster, first)
        elif done == 2:
            cluster.scale(3)
            cluster.wait_for_workers(2)
            close_worker(cluster, second)  # from here on the late worker is alone

    with executor(cluster, files) as dask:
        assert run_sweep(tmp_path / "dask", shards, dask, progress) == expected
    assert seen == list(range(11))


@pytest.mark.full
def test_a_run_without_workers_says_so_and_goes_on(cluster, sweep, tmp_path):
    files, shards, expected = sweep
    leaving, warnings = list(cluster.workers.values()), []

    def warn(text: str) -> None:
        warnings.append(text)
        cluster.scale(3)

    def progress(done: int, total: int, found: int) -> None:
        if done == 1:
            for worker in leaving:
                close_worker(cluster, worker)

    with executor(cluster, files, warn, waits=Waits(result=10 * SECONDS, left=0.1)) as dask:  # the event counts
        assert run_sweep(tmp_path / "dask", shards, dask, progress) == expected
    assert warnings == [f"{cluster.scheduler_address}: no workers are left; the run goes on when one joins"]


@pytest.mark.full
def test_a_worker_that_dies_while_the_levels_are_sent_stops_nothing(cluster, distributed, sweep, tmp_path, monkeypatch):
    files, shards, expected = sweep
    register, calls = distributed.Client.register_plugin, []

    def fail_at_first(client, plugin, **options):
        calls.append(plugin)
        if len(calls) <= 3:
            raise distributed.comm.CommClosedError("Stream is closed")
        return register(client, plugin, **options)

    monkeypatch.setattr(distributed.Client, "register_plugin", fail_at_first)
    with executor(cluster, files, waits=Waits(retry=0.01)) as dask:
        assert run_sweep(tmp_path / "dask", shards, dask) == expected
    assert len(calls) == 4


@pytest.mark.full
def test_a_refused_worker_gets_no_work_and_one_sentence(cluster, sweep, tmp_path):
    files, shards, expected = sweep
    refused, _ = cluster.workers.values()
    warnings: list[str] = []
    with executor(cluster, files, warnings.append) as dask:
        without_levels(refused)
        assert run_sweep(tmp_path / "dask", shards, dask) == expected
    assert warnings == [f"worker {refused.address} does not have the levels; restart it (it gets no work)"]


WARNED, GONE = threading.Event(), threading.Event()
CALLS: list[int] = []


def hold(task: int, levels: object) -> int:
    """The first call waits until a worker was refused, the others until the worker that was not has left."""
    CALLS.append(task)
    assert (WARNED if len(CALLS) == 1 else GONE).wait(SECONDS)
    return task


def test_work_for_a_worker_that_left_goes_to_one_that_joined(cluster, room):
    """Its tasks are meant for that worker alone, since the other one was refused."""
    for left_over in (WARNED, GONE, CALLS):
        left_over.clear()
    files, _ = make_sweep(room, 1)
    refused, good = cluster.workers.values()
    done = {}
    with executor(cluster, files, lambda text: WARNED.set(), waits=Waits(result=0.1)) as dask:
        without_levels(refused)
        for number, task in dask.run(hold, list(range(10))):
            done[number] = task
            if not GONE.is_set():
                close_worker(cluster, good)
                cluster.scale(3)
                cluster.wait_for_workers(2)
                GONE.set()
    assert done == {number: number for number in range(10)}


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("conditions", "words"),
    [
        ({"rules": "99"}, f"has rules {RULES_VERSION}, not 99; install the same versions on it, or stop it"),
        (
            {"machine": "Linux riscv64"},
            "not Linux riscv64; use --any-processor to accept it; its results may then differ in their last bits",
        ),
    ],
)
def test_workers_of_other_conditions_are_refused_in_words(cluster, sweep, tmp_path, conditions, words):
    """Dask's client knows of no workers while it refreshes what it knows of the scheduler: here all the time."""
    import dask

    files, shards, _ = sweep
    told = []
    with (
        dask.config.set({"distributed.client.scheduler-info-interval": "1ms"}),
        pytest.raises(ClusterError) as error,
        executor(cluster, files, told.append, **conditions) as run,
    ):
        run_sweep(tmp_path / "refused", shards, run)
    for text in (str(error.value), *told):
        assert text.startswith("worker tcp://127.0.0.1:")
        assert words in text
    assert len(told) == len(set(told)) <= 1  # the second one is the last


class Unknown:
    """A task of a module that no worker has."""

    def __reduce__(self):
        return importlib.import_module, ("nowhere_to_find",)


def fill_disk(task: object, levels: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize(
    ("task", "words"),
    [
        (Unknown(), "has no usable ellipsoid-walker (No module named 'nowhere_to_find')"),
        ("", "cannot do its work: no space left on device; restart it"),
    ],
)
def test_a_worker_that_cannot_work_is_named(tmp_path, task, words):
    with (
        workers_here(tmp_path / "workers", 1) as cluster,
        pytest.raises(ClusterError) as error,
        executor(cluster, None) as dask,
    ):
        list(dask.run(fill_disk, [task]))
    assert str(error.value).startswith("worker tcp://127.0.0.1:")
    assert words in str(error.value)


@pytest.mark.full
def test_check_finds_the_same_on_workers(cluster, room, walker, tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "tower.yaml").write_text(TOWER)
    (tmp_path / "nook.yaml").write_text(NOOK)
    (tmp_path / "broken.yaml").write_text("format: 1\n")
    names = "nook.yaml", "broken.yaml"
    here = walker("check", "--walk", *names)[:2]
    assert here[0] == 2
    assert "parts/tower.yaml:5:5: floor: a player can fall" in here[1].partition("nook.yaml: ")[0]
    assert walker("check", "--walk", *names, "--scheduler", cluster.scheduler_address)[:2] == here


@pytest.mark.full
def test_tests_have_the_same_results_on_workers(cluster, room, walker):
    room.write_text(f"{ROOM}{TESTS}")

    def tested(*options: str) -> tuple[int, list[str], list[str]]:
        status, out, _ = walker("test", "room.yaml", "--json", *options)
        lines = [line for line in out.splitlines() if '"wall_seconds"' not in line]
        return status, lines, sorted(path.name for path in Path("walker-tests").iterdir())

    assert tested("--scheduler", cluster.scheduler_address) == tested()


def test_a_plugin_refuses_other_machines_unless_told_otherwise(room, tmp_path):
    from game.cluster.worker_plugin import LevelFilesPlugin

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


def test_a_scheduler_without_workers_says_how_to_start_one(tmp_path):
    told: list[str] = []
    with (
        workers_here(tmp_path / "workers", 0) as cluster,
        pytest.raises(ClusterError, match=r"no workers; start one on each machine with `dask worker tcp://"),
        executor(cluster, None, tell=told.append, waits=Waits(worker=0.1)),
    ):
        pytest.fail("it opens")
    at = cluster.scheduler_address
    assert told == [f"connecting to the scheduler at {at}", f"waiting 0.1 s for a worker at {at}"]


@pytest.mark.full
def test_a_scheduler_that_ends_leaves_a_folder_that_resumes(cluster, sweep, tmp_path):
    files, shards, expected = sweep

    def progress(done: int, total: int, found: int) -> None:
        if done == 2:
            cluster.close()

    with (
        pytest.raises(ClusterError, match=r"the connection to the scheduler was lost; start again with the same"),
        executor(cluster, files, waits=Waits(scheduler=0.5)) as dask,
    ):
        run_sweep(tmp_path / "dask", shards, dask, progress)
    ran: list[int] = []
    assert run_sweep(tmp_path / "dask", shards, serial(files), lambda done, *_: ran.append(done)) == expected
    assert 2 <= ran[0] < 10  # those that were there are not run again
