"""Runs of sweeps for tests: shards of a small level in a folder of results."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from game.cluster.executors import Executor, SerialExecutor
from game.cluster.level_files import LevelFiles, LocalLevels, collect_level_files
from game.cluster.results_folder import ResultsFolder
from game.cluster.sharded_run import Progress, run_shards
from game.cluster.shards import Shard, run_conditions
from game.cluster.sweep_plan import sweep_shards
from game.level import load


def make_sweep(
    level: Path, count: int = 6, commands: str = "60 forward 1\n", seed: int = 1
) -> tuple[LevelFiles, list[Shard]]:
    """The files of a level, and a shard for each of some walking speeds. seed: changes all keys."""
    loaded = load(level)
    files = collect_level_files(loaded)
    points = [{"walk_speed": seed + 0.125 * number} for number in range(count)]
    return files, sweep_shards([(files, loaded.player)], points, commands, None, run_conditions())


def run_sweep(
    folder: Path, shards: Sequence[Shard], executor: Executor, progress: Progress = lambda *_: None
) -> dict[str, bytes]:
    """Run shards into a folder; the bytes of its files."""
    results = ResultsFolder(folder, {"command": "test"}, shards, "npz")
    results.open()
    list(run_shards(shards, executor, results, progress))
    return folder_bytes(folder)


def serial(files: LevelFiles) -> SerialExecutor:
    """An executor in this process."""
    return SerialExecutor(LocalLevels.of([files]))


def folder_bytes(folder: Path) -> dict[str, bytes]:
    """All files of a folder, by path."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
