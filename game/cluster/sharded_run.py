"""Run of many shards by an executor, with or without a folder of results, and the work of one shard, which is the same
in each process and on each machine."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ..sim.replay.fingerprint import settings_from_values
from .errors import ShardError
from .executors import Executor
from .level_files import LevelStore
from .results_folder import ResultsFolder
from .shards import Shard
from .sweep_walks import sweep_shard

Result = dict[str, "np.ndarray[Any, Any]"]
Progress = Callable[[int, int, int], None]  # shards done, shards in all, shards that were there already


def run_shards(
    shards: Sequence[Shard], executor: Executor, folder: ResultsFolder | None, progress: Progress
) -> Iterable[Mapping[str, np.ndarray[Any, Any]]]:
    """Run all shards whose results are not in the folder; the results of all, in order.

    The folder must be open. ClusterError where the run must stop; the folder then keeps all that is done.
    """
    numbers = list(range(len(shards))) if folder is None else folder.missing()
    found = len(shards) - len(numbers)
    done = found
    kept: dict[int, Result] = {}
    progress(done, len(shards), found)
    with contextlib.closing(executor.run(run_shard, [shards[number] for number in numbers])) as ended:
        for index, arrays in ended:
            if folder is None:
                kept[numbers[index]] = arrays
            else:
                folder.save(numbers[index], arrays)
            done += 1
            progress(done, len(shards), found)
    return folder.results() if folder is not None else [kept[number] for number in range(len(shards))]


def run_shard(shard: Shard, levels: LevelStore) -> Result:
    """The result of a shard: arrays by name. ClusterError where its level is not there."""
    level = levels.load(shard.level)
    fields = shard.fields
    settings = settings_from_values(fields["settings"])
    if shard.kind == "sweep":
        return sweep_shard(level, settings, fields["commands"], fields["ticks"])
    from .fuzzing.fuzz_shard import fuzz_shard

    try:
        return fuzz_shard(level, fields["body"], settings, fields["seed"], fields["index"], fields["ticks"])
    except ValueError as error:
        cure = "choose another --body, or leave this level out"
        raise ShardError(f"{level.path.name}: the body '{fields['body']}': {error}; {cure}") from None
