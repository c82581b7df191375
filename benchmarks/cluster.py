"""Throughput of `fuzz` for 1 and 2 processes, and for 2 workers of Dask on this machine.

    python -m benchmarks.cluster [--level demo] [--shards 8] [--shard-ticks 100000] [--rounds 3]

The ways take turns. Each of them runs once before its time counts, so no compilation is measured. Prints a Markdown
table: walker ticks a second (median round), the ratio to two plain processes, and what 10^9 ticks take on 100 machines
with 2 processes each. That is the longer of two times: the time of the walks, and that of the client, which hands out
each shard and writes its file. The client's rate is measured with shards of one tick on the same processors.
"""

from __future__ import annotations

import argparse
import functools
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import numpy as np

from benchmarks.common import alternating_seconds
from game.cluster.dask_executor import DaskExecutor
from game.cluster.fuzz_plan import fuzz_shards
from game.cluster.level_files import LevelFiles, LocalLevels, collect_level_files
from game.cluster.results_folder import ResultsFolder
from game.cluster.sharded_run import run_shard, run_shards
from game.cluster.shards import Shard, run_conditions, worker_conditions
from game.level import Level, load
from game.physics import prepare

ROOT = Path(__file__).resolve().parents[1]
BILLION, MACHINES, PROCESSES = 10**9, 100, 2
START_SECONDS = 60.0  # s of waiting for the scheduler and its workers
SHORT_LEVEL, SHORT_SHARDS = "museum/flat", 2000  # level and number of the shards of one tick
USUAL_SHARD_TICKS = (20_000, 100_000)  # of the estimates; the first one is the default of `fuzz`


class LocalCluster:
    """A Dask scheduler and two workers in processes of their own."""

    def __init__(self, folder: Path) -> None:
        self._environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        self._folder, self._processes = folder, list[subprocess.Popen[bytes]]()
        try:
            self.address = self._start_all(folder / "scheduler.json")
        except BaseException:
            self.close()
            raise

    def _start_all(self, file: Path) -> str:
        """Start the scheduler, which writes the file, and the workers; the address."""
        self._start("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file), "--no-dashboard")
        end = time.monotonic() + START_SECONDS
        while not file.is_file() and time.monotonic() < end:
            time.sleep(0.05)
        for _ in range(PROCESSES):
            self._start("worker", "--scheduler-file", str(file), "--nthreads", "1", "--no-nanny", "--no-dashboard")
        import distributed

        with distributed.Client(scheduler_file=str(file), set_as_default=False) as client:
            client.wait_for_workers(PROCESSES, timeout=START_SECONDS)
            return str(client.scheduler.address)

    def _start(self, *words: str) -> None:
        with open(self._folder / "log", "ab") as log:
            self._processes.append(
                subprocess.Popen(
                    [sys.executable, "-m", "dask", *words],
                    env=self._environment, cwd=self._folder, stdout=log, stderr=log,
                )
            )  # fmt: skip

    def close(self) -> None:
        """Stop all processes."""
        for process in self._processes[::-1]:
            process.kill()
            process.wait()


class WarmProcesses:
    """Plain processes that stay between runs, as the workers of Dask do, so that both are measured warm."""

    def __init__(self, levels: LocalLevels, processes: int) -> None:
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        self._levels, self._pool = levels, ProcessPoolExecutor(processes, get_context("spawn"))

    def run(self, shards: list[Shard]) -> None:
        """Run the shards."""
        for future in [self._pool.submit(run_shard, shard, self._levels) for shard in shards]:
            future.result()

    def close(self) -> None:
        """Stop the processes."""
        self._pool.shutdown()


def make_shards(level: Level, count: int, ticks: int) -> tuple[LevelFiles, list[Shard]]:
    """Some shards of a level, and its files."""
    files = collect_level_files(level)
    return files, fuzz_shards([(files, level.player)], ["level"], 1, count * ticks, ticks, run_conditions())


def measure(files: LevelFiles, shards: list[Shard], rounds: int) -> tuple[np.ndarray, float]:
    """Seconds (rounds, 3) of one process, two processes and two workers of Dask; shards of one tick a second."""
    tell = functools.partial(print, file=sys.stderr, flush=True)
    levels = LocalLevels.of([files])
    short_files, short_shards = make_shards(load(SHORT_LEVEL), SHORT_SHARDS, 1)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        tell(f"starting a scheduler and {PROCESSES} workers")
        cluster = LocalCluster(folder)
        stack.callback(cluster.close)
        one, two = WarmProcesses(levels, 1), WarmProcesses(levels, PROCESSES)
        stack.callback(one.close)
        stack.callback(two.close)
        every = [files, short_files]
        dask = stack.enter_context(DaskExecutor(cluster.address, every, worker_conditions(), tell))
        ways: list[Callable[[], object]] = [
            lambda: one.run(shards),
            lambda: two.run(shards),
            lambda: list(dask.run(run_shard, shards)),
        ]
        tell("each way runs once before its time counts")
        for way in ways:
            way()  # loads the level and the kernels in every process
        tell(f"{rounds} rounds")
        seconds = alternating_seconds(ways, rounds)
        tell(f"{SHORT_SHARDS} shards of one tick")
        results = ResultsFolder(folder / "results", {}, short_shards, "npz")
        results.open()
        start = time.perf_counter()
        run_shards(short_shards, dask, results, lambda *_: None)
        return seconds, SHORT_SHARDS / (time.perf_counter() - start)


def table(seconds: np.ndarray, shard_rate: float, shards: int, shard_ticks: int) -> str:
    """The result as Markdown."""
    one, two, dask = np.median(seconds, axis=0)
    total = shards * shard_ticks
    lines = ["| way | ticks a second | of two plain processes |", "|---|---|---|"]
    for name, value in (("1 process", one), ("2 processes", two), ("Dask, 2 workers", dask)):
        lines.append(f"| {name} | {total / value:,.0f} | {two / value:.2f} |")
    ratios = seconds[:, 1] / seconds[:, 2]
    walking = BILLION / (MACHINES * total / dask)
    lines += [
        "",
        f"{shards} shards of {shard_ticks} ticks, {two * PROCESSES / shards:.2f} s each; rounds: {len(seconds)}.",
        f"Dask to two plain processes, by round: {', '.join(f'{ratio:.2f}' for ratio in ratios)}.",
        f"Shards of one tick through the client and into a folder: {shard_rate:.0f} a second.",
        f"10^9 ticks on {MACHINES} machines like this one, {PROCESSES} processes each: "
        f"{walking / 60.0:.1f} minutes of walking.",
    ]
    for ticks in USUAL_SHARD_TICKS:
        client = BILLION / ticks / shard_rate
        longest = max(walking, client) / 60.0
        lines.append(f"With shards of {ticks} ticks: {client / 60.0:.1f} minutes of the client; {longest:.1f} in all.")
    return "\n".join(lines)


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cluster", description=__doc__.partition("\n")[0])
    parser.add_argument("--level", default="demo")
    parser.add_argument("--shards", type=int, default=8)
    parser.add_argument("--shard-ticks", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # stops the workers
    prepare.compile_whole()
    files, shards = make_shards(load(options.level), options.shards, options.shard_ticks)
    print(table(*measure(files, shards, options.rounds), options.shards, options.shard_ticks))


if __name__ == "__main__":
    main()
