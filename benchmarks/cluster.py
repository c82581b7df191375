"""Throughput of `fuzz` for 1 and 2 processes, and for 2 workers of Dask on this machine.

    python -m benchmarks.cluster [--level demo] [--shards 8] [--shard-ticks 100000] [--rounds 3]

The ways take turns. Each process walks one shard before its time counts, so no compilation is measured. Prints a
Markdown table: walker ticks a second (median round), the same per process, the overhead of a shard, and what 10^9 ticks
take on 100 machines with 2 processes each. The overhead of a shard is its time on Dask minus that in plain processes.
"""

from __future__ import annotations

import argparse
import os
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
from game.cluster.shard_work import run_shard
from game.cluster.shards import Shard, run_conditions, worker_conditions
from game.level import load
from game.physics import prepare

ROOT = Path(__file__).resolve().parents[1]
BILLION, MACHINES, PROCESSES = 10**9, 100, 2
START_SECONDS = 60.0  # s of waiting for the scheduler and its workers


class LocalCluster:
    """A Dask scheduler and two workers in processes of their own."""

    def __init__(self, folder: Path) -> None:
        self._environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        self._folder, self._processes = folder, list[subprocess.Popen[bytes]]()
        file = folder / "scheduler.json"
        self._start("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file), "--no-dashboard")
        end = time.monotonic() + START_SECONDS
        while not file.is_file() and time.monotonic() < end:
            time.sleep(0.05)
        for _ in range(PROCESSES):
            self._start("worker", "--scheduler-file", str(file), "--nthreads", "1", "--no-nanny", "--no-dashboard")
        import distributed

        with distributed.Client(scheduler_file=str(file), set_as_default=False) as client:
            client.wait_for_workers(PROCESSES, timeout=START_SECONDS)
            self.address = str(client.scheduler.address)

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


def measure(files: LevelFiles, shards: list[Shard], rounds: int) -> np.ndarray:
    """Seconds (rounds, 3): one process, two processes, two workers of Dask."""
    levels = LocalLevels.of([files])
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        cluster = LocalCluster(folder)
        stack.callback(cluster.close)
        one, two = WarmProcesses(levels, 1), WarmProcesses(levels, PROCESSES)
        stack.callback(one.close)
        stack.callback(two.close)
        dask = stack.enter_context(
            DaskExecutor(cluster.address, [files], worker_conditions(), lambda text: print(text, file=sys.stderr))
        )
        ways: list[Callable[[], object]] = [
            lambda: one.run(shards),
            lambda: two.run(shards),
            lambda: list(dask.run(run_shard, shards)),
        ]
        for way in ways:
            way()  # loads the level and the kernels in every process
        return alternating_seconds(ways, rounds)


def table(seconds: np.ndarray, shards: int, shard_ticks: int) -> str:
    """The result as Markdown."""
    one, two, dask = np.median(seconds, axis=0)
    total = shards * shard_ticks
    overhead = max(0.0, (dask - two) * PROCESSES / shards)
    lines = ["| way | ticks a second | of two plain processes |", "|---|---|---|"]
    for name, value in (("1 process", one), ("2 processes", two), ("Dask, 2 workers", dask)):
        lines.append(f"| {name} | {total / value:,.0f} | {two / value:.2f} |")
    ratios = seconds[:, 1] / seconds[:, 2]
    hours = BILLION / (MACHINES * total / dask) / 3600.0
    lines += [
        "",
        f"{shards} shards of {shard_ticks} ticks, {two * PROCESSES / shards:.2f} s each; rounds: {len(seconds)}.",
        f"Dask to two plain processes, by round: {', '.join(f'{ratio:.2f}' for ratio in ratios)}.",
        f"Overhead of a shard on Dask: {overhead * 1e3:.0f} ms.",
        f"10^9 ticks on {MACHINES} machines like this one, {PROCESSES} processes each: {hours * 60:.1f} minutes.",
    ]
    return "\n".join(lines)


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cluster", description=__doc__.partition("\n")[0])
    parser.add_argument("--level", default="demo")
    parser.add_argument("--shards", type=int, default=8)
    parser.add_argument("--shard-ticks", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    prepare.compile_whole()
    level = load(options.level)
    files = collect_level_files(level)
    shards = fuzz_shards(
        [(files, level.player)],
        ["level"],
        1,
        options.shards * options.shard_ticks,
        options.shard_ticks,
        run_conditions(),
    )
    print(table(measure(files, shards, options.rounds), options.shards, options.shard_ticks))


if __name__ == "__main__":
    main()
