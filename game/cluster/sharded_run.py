"""Run of many shards by an executor, with or without a folder of results."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from .executors import Executor
from .results_folder import ResultsFolder
from .shard_work import run_shard
from .shards import Shard

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
    kept = dict[int, Mapping[str, "np.ndarray[Any, Any]"]]()
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
