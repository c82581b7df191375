"""Many walkers in one level: a tick of all of them at a time, on all processors."""

from __future__ import annotations

import contextlib
import math
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import ArrayLike

from ..core.angles import HEADING_UNITS_PER_TURN
from ..core.arguments import as_instance, as_instances, as_integer, describe_value
from ..core.vectors import Floats, Indices
from .character.command import Command, Rows, command_columns, command_rows
from .character.rows import command_row, state_row
from .character.scratch import TickMemory, allocate_kept_lists
from .character.state import (
    STATE_ROW,
    STATE_UNIT_TOLERANCE,
    States,
    WalkerState,
    as_floats,
)
from .character.tick.run import run_ticks_in_stages, run_whole_tick, whole_tick
from .crowd_queries import Colliders, View, WalkerHits, by_clock, raycast_walkers, sweep_walkers
from .environment.environment import Environment, as_clocks, pack_environment, warn_of_environment
from .numerics.jit import inner, kernel
from .query.mesh_parts import SurfaceFilter
from .triangle_mesh import TriangleMesh
from .walker import Walker

MAX_THREADS = 4096
MAX_KEPT_LISTS = 4096  # walkers with a kept list, of 4 KiB each; the others search the BVH in each tick
CROWD_KEPT_CAPACITY = 64  # triangles of such a list
BATCH_SIZE = 64  # walkers that a thread takes at a time; fewer cost less than starting a thread


class Crowd:
    """N walkers with the same settings on one mesh, stepped together on several processors.

    Each walker gets the same bits as from `Walker.step`, with any number of processors. Until the whole tick is
    compiled, steps are interpreted, on one processor. Any number of threads may use a crowd at once. Picklable; a
    forked process starts threads of its own.
    """

    def __init__(
        self,
        walker: Walker,
        mesh: TriangleMesh,
        threads: int | None = None,
        around: Environment | None = None,
    ) -> None:
        """around: zones and movers. threads: the most that a step uses; default: one for each processor. ValueError if
        it is under 1, and for arguments of other types."""
        available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        self.walker = as_instance(walker, Walker, "walker")
        self.mesh = mesh
        self.around = around
        self.threads = available if threads is None else as_integer(threads, "threads", 1, MAX_THREADS)
        self._packed = pack_environment(mesh, around, walker.settings.ticks_per_second)
        if around is None and mesh.level_parts and walker.warns:
            walker.warns = False
            warn_of_environment(mesh, stacklevel=2)
        # What no call works in. A call takes kept lists for its walkers, and each of its threads scratch memory.
        self._free_memory: list[TickMemory] = []
        self._free_kept_lists: list[Floats] = []
        self._helpers: tuple[int, ThreadPoolExecutor] | None = None  # threads beside the caller, of a process id

    def __reduce__(self) -> tuple[object, ...]:
        return (Crowd, (self.walker, self.mesh, self.threads, self.around))

    def step(
        self, states: States | Iterable[WalkerState], rows: Rows | Iterable[Command], clock: ArrayLike = 0
    ) -> States:
        """One tick of N walkers, which begins at tick `clock` of the world: one for all, or (N,); or the clocks (N, M)
        of M movers (see `Walker.step`).

        states: structured array or WalkerStates; rows: command rows or Commands. ValueError if their numbers differ,
        for other arrays, and for rows that are no state of a walker.
        """
        columns = command_columns(rows if isinstance(rows, np.ndarray) else command_rows(rows))
        is_compiled = self._is_compiled  # else more threads would only take turns
        before = _as_state_floats(_as_rows(states), is_compiled)
        count = len(before)
        if count != len(columns):
            raise ValueError(f"{count} states need as many commands, not {len(columns)}")
        columns[:, command_row.LATER], starts = as_clocks(clock, count, self.around)
        after = np.empty((count, state_row.WIDTH))
        self._step_arrays(before, columns, after, starts)
        result: States = after.view(STATE_ROW).reshape(count)
        return result

    def _step_arrays(
        self, before: Floats, columns: Floats, after: Floats, starts: Indices | None,
        then: Callable[[int, int], None] | None = None,
    ) -> None:  # fmt: skip
        """`step` without checks, of arrays as the kernels read them: state rows (N, state_row.WIDTH) before and after,
        and rows of `command_columns` with the clock in command_row.LATER, whose command_row.EVENTS it writes.

        starts: (N, M or more) of the movers; None: those that wait are at home
        then: called for the rows `first` to before `end` of each batch, in the thread that has stepped it.
        """
        count, starts = len(before), self._packed.starts if starts is None else starts
        kept_lists = self._take_kept_lists(min(count, MAX_KEPT_LISTS))
        self._run_in_threads(
            lambda batches: self._step_batches(batches, kept_lists, starts, before, after, columns, then),
            range(0, count, BATCH_SIZE),
            self._is_compiled,
        )
        self._free_kept_lists.append(kept_lists)

    def raycast(
        self,
        states: States | Iterable[WalkerState],
        directions: ArrayLike,
        max_distance: ArrayLike = math.inf,
        *,
        view: View = None,
        clock: ArrayLike = 0,
        surfaces: SurfaceFilter | None = None,
        ignore: SurfaceFilter | None = None,
    ) -> WalkerHits:
        """First hit of K rays from the eye of each of N walkers, among the platforms at `clock` (as in `step`):
        `WalkerHits`.

        directions: (3,) or (K,3), of any length but zero, relative to the body's heading: x right, y up, z back, so
        (0, 0, -1) is ahead. view: N commands, whose heading and pitch count instead. max_distance: metres, one or (K,).
        surfaces, ignore: as in the queries of a mesh; platforms are filtered by the same names.
        ValueError for other arguments.
        """
        rows = self._rows(states)
        settings = self.walker.settings

        def cast(colliders: Colliders, states: States, view: View) -> WalkerHits:
            return raycast_walkers(colliders, states, settings, directions, max_distance, view, self._share)

        colliders = Colliders(self.mesh, self.around, 0, surfaces, ignore)
        return by_clock(cast, colliders, rows, view, as_clocks(clock, len(rows), self.around))

    def sweep(
        self,
        states: States | Iterable[WalkerState],
        displacements: ArrayLike,
        *,
        view: View = None,
        clock: ArrayLike = 0,
        surfaces: SurfaceFilter | None = None,
        ignore: SurfaceFilter | None = None,
    ) -> WalkerHits:
        """First touch of the body of each of N walkers moving by K displacements (m): `WalkerHits`.

        displacements: (3,) or (K,3), relative as in `raycast`. The body is the bare ellipsoid of the present stance,
        without skin, as in `TriangleMesh.sweep`; other arguments as in `raycast`.
        """
        rows = self._rows(states)

        def sweep(colliders: Colliders, states: States, view: View) -> WalkerHits:
            return sweep_walkers(colliders, states, displacements, view)

        colliders = Colliders(self.mesh, self.around, 0, surfaces, ignore)
        return by_clock(sweep, colliders, rows, view, as_clocks(clock, len(rows), self.around))

    @property
    def _is_compiled(self) -> bool:
        """Whether steps are compiled by now."""
        if self.walker._run_ticks is run_ticks_in_stages and whole_tick.is_loaded:
            self.walker._run_ticks = run_whole_tick
        return self.walker._run_ticks is run_whole_tick

    def _rows(self, states: States | Iterable[WalkerState]) -> States:
        """Checked state rows (N,), a copy."""
        floats = _as_state_floats(_as_rows(states), self._is_compiled)
        rows: States = floats.view(STATE_ROW).reshape(len(floats))
        return rows

    def _take_kept_lists(self, count: int) -> Floats:
        """Kept lists that no other call has, for at least `count` walkers."""
        try:
            kept_lists = self._free_kept_lists.pop()
        except IndexError:
            kept_lists = allocate_kept_lists(0)
        return kept_lists if len(kept_lists) >= count else allocate_kept_lists(count, CROWD_KEPT_CAPACITY)

    def _run_in_threads(self, work: Callable[[Iterator[int]], None], items: range, is_compiled: bool = True) -> None:
        """Call `work` in this thread and in helper threads, with one iterator that hands out the items.

        is_compiled: False for work in Python, of which more threads would only take turns.
        """
        shared, futures = iter(items), []
        helpers = min(self.threads, len(items)) - 1 if is_compiled else 0
        with contextlib.suppress(RuntimeError):  # Python starts no more work in threads while the program ends
            for _ in range(helpers):
                futures.append(self._executor().submit(work, shared))
        work(shared)
        for future in futures:
            if not future.cancel():  # nothing is left for one that has not begun
                future.result()

    def compile(self) -> None:
        """Wait until steps are compiled; a line on standard error says so where it takes long."""
        if not self._is_compiled and self.walker._run_ticks is run_ticks_in_stages:
            memory, row = TickMemory(self.walker._settings_row), np.zeros((1, state_row.WIDTH))
            whole_tick.is_due((memory.arrays, row, row, memory.command, 0, 0, 0, 1), is_long=True, at_once=True)

    def _share(self, call: Callable[[int], None], items: range) -> None:
        """Call a function with each item, in several threads."""

        def work(shared: Iterator[int]) -> None:
            for item in shared:
                call(item)

        self._run_in_threads(work, items)

    def _executor(self) -> ThreadPoolExecutor:
        """Helper threads of this process. A forked child has none of those that its parent has started."""
        helpers, process = self._helpers, os.getpid()
        if helpers is None or helpers[0] != process:
            self._helpers = helpers = process, ThreadPoolExecutor(self.threads - 1)
        return helpers[1]

    def _step_batches(
        self, batches: Iterator[int], kept_lists: Floats, starts: Indices, before: Floats, after: Floats,
        columns: Floats, then: Callable[[int, int], None] | None,
    ) -> None:  # fmt: skip
        """Step batches until none is left, with scratch memory of this thread alone."""
        run = self.walker._run_ticks
        try:
            memory = self._free_memory.pop()
            memory.arrays.replace("lists", kept_lists)
        except IndexError:
            memory = TickMemory(self.walker._settings_row, kept_lists)
            memory.enter(self._packed)
        memory.take_starts(starts)
        for begin in batches:
            first, end = begin, min(begin + BATCH_SIZE, len(after))
            while first < end:
                first = run(memory, before, after, columns, 0, 0, first, end)
                if first < end:
                    memory.enlarge()
            if then is not None:
                then(begin, end)
        self._free_memory.append(memory)


def _as_rows(states: object) -> States:
    """State rows as they are, or those of WalkerStates."""
    if isinstance(states, np.ndarray):
        return states
    objects = as_instances(states, WalkerState, "states")
    return np.frombuffer(b"".join(state.to_bytes() for state in objects), STATE_ROW)


def _as_state_floats(states: States, is_compiled: bool) -> Floats:
    """State rows (n,) as a new (n, state_row.WIDTH) f8. ValueError for other arrays, and for numbers that no state has:
    kernels would divide by a radius of 0, or carry nan into all later states.

    is_compiled: check them by the kernel, which is compiled with the whole tick.
    """
    find_invalid = first_invalid_state if is_compiled else first_invalid_state_interpreted
    if states.dtype != STATE_ROW or states.ndim != 1:
        raise ValueError(f"states must be a 1-D array of state rows (walker.run(...)), not {describe_value(states)}")
    floats = as_floats(np.ascontiguousarray(states)).copy()
    invalid = find_invalid(floats, floats.view(np.int64))
    if invalid >= 0:
        raise ValueError(
            f"row {invalid} of states is no state of a walker: numbers must be finite, radii over 0, up and north "
            f"perpendicular and of length 1, heading within 0..{HEADING_UNITS_PER_TURN - 1}"
        )
    return floats


@kernel
def first_invalid_state(floats: Floats, ints: Indices) -> int:
    """First row that is no state of a walker, -1 if all are. floats, ints: the same rows (n, state_row.WIDTH)."""
    for k in range(len(floats)):
        for column in range(state_row.HEADING):  # from here on the vectors of the safe place alone are floats
            if not abs(floats[k, column]) < np.inf:  # also for nan
                return k
        for column in range(state_row.RADII, state_row.RADII + 3):
            if floats[k, column] <= 0.0:
                return k
        if _has_invalid_frame(floats, ints, k, state_row.UP, state_row.NORTH, state_row.HEADING):
            return k
        if _has_invalid_frame(floats, ints, k, state_row.SAFE_UP, state_row.SAFE_NORTH, state_row.SAFE_HEADING):
            return k
    return -1


first_invalid_state_interpreted: Callable[[Floats, Indices], int] = getattr(
    first_invalid_state, "py_func", first_invalid_state
)


@inner
def _has_invalid_frame(floats: Floats, ints: Indices, k: int, up: int, north: int, heading: int) -> bool:
    """True unless the vectors at columns `up` and `north` are orthogonal and of length 1, and the heading 0..65535."""
    upright, northward, across = -1.0, -1.0, 0.0
    for axis in range(3):
        u, n = floats[k, up + axis], floats[k, north + axis]
        if not (abs(u) <= 2.0 and abs(n) <= 2.0):  # whose squares could overflow, or nan
            return True
        upright, northward, across = upright + u * u, northward + n * n, across + u * n
    if max(abs(upright), abs(northward), abs(across)) > 2.0 * STATE_UNIT_TOLERANCE:
        return True
    return not 0 <= ints[k, heading] < HEADING_UNITS_PER_TURN
