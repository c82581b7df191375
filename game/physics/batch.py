"""Many walkers in one level: a tick of all of them at a time, on all processors."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from .character.command import check_rows, command_columns, command_rows
from .character.layout import counter, state_row
from .character.scratch import allocate_kept_lists, allocate_scratch
from .character.state import STATE_ROW, States, WalkerState, as_floats, current_rows
from .character.tick.run import run_ticks
from .environment.environment import Environment, pack_environment
from .triangle_mesh import TriangleMesh
from .walker import Walker

MAX_KEPT_LISTS = 4096  # walkers with a kept list, of 4 KiB each; the others search the BVH in each tick
KEPT_CAPACITY = 64  # triangles of such a list
BATCH_SIZE = 64  # walkers that a thread takes at a time; fewer cost less than starting a thread


class Crowd:
    """Steps N walkers of one kind on one mesh, with the bits of each stepped alone, on any number of processors.

    The first step compiles the whole tick if that has not been done (about 20 s, kept on disk).
    """

    def __init__(
        self,
        walker: Walker,
        mesh: TriangleMesh,
        threads: int | None = None,
        around: Environment | None = None,
    ) -> None:
        """around: zones and movers. threads: at most so many; default: one per processor. ValueError if under 1."""
        available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        self.walker = walker
        self.mesh = mesh
        self.around = around
        self.threads = available if threads is None else threads
        if self.threads < 1:
            raise ValueError(f"threads must be at least 1, not {threads}")
        self._arrays = pack_environment(mesh, around, walker.settings.ticks_per_second)
        self._scratch = [allocate_scratch(256) for _ in range(self.threads)]
        self._kept_lists = allocate_kept_lists(0)
        self._executor = ThreadPoolExecutor(self.threads - 1) if self.threads > 1 else None

    def step(self, states: Any, rows: Any, clock: int = 0) -> States:
        """One tick of N walkers, which begins at tick `clock` of the world.

        states: structured array or WalkerStates; rows: command rows or Commands. ValueError if their numbers differ.
        """
        if not isinstance(states, np.ndarray):
            objects = list(states)
            state_bytes = b"".join(s.to_bytes() for s in objects if isinstance(s, WalkerState))
            if len(state_bytes) != len(objects) * STATE_ROW.itemsize:
                raise ValueError("states must be WalkerStates or a structured array of them")
            states = np.frombuffer(state_bytes, STATE_ROW)
        table = check_rows(rows) if isinstance(rows, np.ndarray) else command_rows(rows)
        count = len(states)
        if count != len(table):
            raise ValueError(f"{count} states need as many commands, not {len(table)}")
        columns = command_columns(table)
        if len(self._kept_lists) < min(count, MAX_KEPT_LISTS):
            self._kept_lists = allocate_kept_lists(min(count, MAX_KEPT_LISTS), KEPT_CAPACITY)
        before = as_floats(np.array(current_rows(states), STATE_ROW))
        after = np.empty((count, state_row.WIDTH))
        batches = iter(range(0, count, BATCH_SIZE))
        arrays = before, after, columns, int(clock)
        helper_threads = range(1, min(self.threads, -(-count // BATCH_SIZE)))
        futures = [
            self._executor.submit(self._step_batches, k, batches, *arrays)
            for k in helper_threads
            if self._executor is not None
        ]
        self._step_batches(0, batches, *arrays)
        for future in futures:
            future.result()
        result: States = after.view(STATE_ROW).reshape(count)
        return result

    def _step_batches(
        self, thread: int, batches: Iterator[int], before: Any, after: Any, columns: Any, clock: int
    ) -> None:
        """Step batches until none is left, with the scratch memory of this thread."""
        settings = self.walker._settings_row
        mesh_arrays, environment = self._arrays
        for first in batches:
            end = min(first + BATCH_SIZE, len(after))
            while first < end:
                scratch, arrays, triangle_indices = self._scratch[thread]
                first = run_ticks(
                    *mesh_arrays,
                    triangle_indices,
                    self._kept_lists,
                    arrays,
                    settings,
                    environment,
                    before,
                    after,
                    columns,
                    clock,
                    0,
                    first,
                    end,
                )
                if first < end:
                    self._scratch[thread] = allocate_scratch(2 * int(scratch.counters[counter.CANDIDATES_NEEDED]))
