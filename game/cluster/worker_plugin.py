"""Plugin of Dask workers: it brings the files of levels to each worker once, also to one that joins late.

This module needs the package `distributed`. Workers import it by name, so they need this package too.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from distributed import WorkerPlugin, get_worker

from ..core.errors import error_reason
from ..physics import prepare
from .errors import ClusterError, ShardError
from .level_files import LevelFiles, LevelStore, UnpackedLevels
from .shards import ANY_MACHINE, first_difference, worker_conditions


@dataclass(frozen=True, slots=True)
class Refusal:
    """A worker that may not take part. worker: its address. reason: part of a sentence."""

    worker: str
    reason: str


class LevelFilesPlugin(WorkerPlugin):  # type: ignore[misc]
    """The levels of one run on a worker. conditions: that the worker must have."""

    def __init__(self, name: str, levels: Sequence[LevelFiles], conditions: Mapping[str, str]) -> None:
        self.name = name
        self.conditions = dict(conditions)
        self._files: tuple[LevelFiles, ...] = tuple(levels)
        self.levels: UnpackedLevels | None = None
        self.refusal = ""  # why this worker may not take part
        self._folder = Path()

    def setup(self, worker: Any) -> None:
        """Unpack the levels into the worker's own folder, and compare its versions."""
        is_any = self.conditions.get("machine") == ANY_MACHINE
        difference = first_difference(self.conditions, worker_conditions(is_any))
        if difference:
            self.refusal = f"has {difference}"
            return
        self._folder = Path(os.path.realpath(worker.local_directory)) / self.name
        self.levels = UnpackedLevels(self._files, self._folder)
        try:
            self.levels.unpack()
        except OSError as error:
            self.refusal = f"cannot store the levels ({error_reason(error)})"
        self._files = ()

    def teardown(self, worker: Any) -> None:
        """Remove the unpacked levels."""
        if self.levels is not None:
            with contextlib.suppress(OSError):
                shutil.rmtree(self._folder, ignore_errors=True)


def run_on_worker(function: Callable[[Any, LevelStore], Any], task: Any, plugin: str) -> Any:
    """Run function(task, levels) on a worker; a Refusal where the worker may not, or cannot, do that."""
    worker = get_worker()
    found = worker.plugins.get(plugin)
    if found is None:
        return Refusal(worker.address, "does not have the levels")
    if found.refusal or found.levels is None:
        return Refusal(worker.address, found.refusal or "does not have the levels")
    prepare.compile_whole()
    try:
        return function(task, found.levels)
    except ShardError:
        raise
    except ClusterError as error:
        return Refusal(worker.address, f"cannot do its work: {error}")
    except OSError as error:  # such as a full disk; the client must not take it for a lost connection
        return Refusal(worker.address, f"cannot do its work: {error_reason(error)}")
