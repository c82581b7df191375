"""Walker: spawn, step and run. Pure functions of their arguments; what is kept between calls changes no result.

A call works in a `TickMemory` of its own, which it takes from the end of a list and puts back. Both are atomic, so a
walker serves any number of threads, and a single thread always gets the memory of its last call, whose kept list is
that of its place. What an exception has left half written is never put back, so that no later call sees it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, SupportsIndex, overload

import numpy as np

from ..core.angles import HEADING_UNITS_PER_TURN
from ..core.arguments import as_flag, as_instance, as_integer, as_optional, describe_value
from ..core.vectors import UNIT_TOLERANCE, Floats, Indices, VectorLike, as_unit_vector, as_vector
from .character.command import Column, Command, Rows, command_columns, command_rows
from .character.rows import body, candidate, command_row, counter, state_row
from .character.scratch import MAX_RECORDS_PER_TICK, TickMemory, clear_kept_lists
from .character.settings import WalkerSettings, settings_row
from .character.state import STATE_ROW, States, WalkerState, state_of
from .character.tick.run import (
    MAX_SPAWN_PUSH,
    SPAWN_BLOCKED,
    SPAWN_TICK,
    run_ticks_in_stages,
    run_whole_tick,
    whole_tick,
)
from .character.trace import Trace, TracedTick
from .environment.environment import (
    Clock,
    Environment,
    pack_environment,
    read_clock,
    warn_of_environment,
)
from .triangle_mesh import MAX_MESH_COORDINATE, TriangleMesh


def as_state(value: object, name: str = "state") -> WalkerState:
    """`value` if it is a WalkerState. ValueError names the argument, and says how to make a state of a row."""
    if isinstance(value, WalkerState):
        return value
    cure = "; walker.state(row) makes one of a row" if isinstance(value, (np.ndarray, np.void)) else ""
    cure = "; the result of step is (state, trace)" if isinstance(value, tuple) else cure
    raise ValueError(f"{name} must be a WalkerState, not {describe_value(value)}{cure}")


class Walker:
    """Character controller with fixed settings. One Walker serves many states, meshes and threads at once.

    warns: whether to give an EnvironmentWarning, once, if the mesh is that of a level with movers or zones and `around`
    is not given
    """

    warns = True

    def __init__(self, settings: WalkerSettings | None = None) -> None:
        """ValueError if `settings` is not a WalkerSettings."""
        chosen = as_optional(settings, WalkerSettings, "settings")
        self.settings = chosen if chosen is not None else WalkerSettings()
        self._settings_row = settings_row(self.settings)
        self._free_memory: list[TickMemory] = []  # what no call works in
        self._free_traced: list[TickMemory] = []  # the same, with room for the records of a trace
        self._run_ticks = run_whole_tick if whole_tick.is_compiled() else run_ticks_in_stages

    def __reduce__(self) -> tuple[object, ...]:
        return (Walker, (self.settings,), {} if self.warns else {"warns": False})

    def spawn(
        self,
        mesh: TriangleMesh,
        feet: VectorLike,
        heading: SupportsIndex = 0,
        up: VectorLike = (0.0, 1.0, 0.0),
        north: VectorLike = (0.0, 0.0, -1.0),
        around: Environment | None = None,
        clock: Clock = 0,
    ) -> WalkerState:
        """A state with the feet at (x, y, z) (m), pushed clear by at most 0.5 m and settled on ground within a step.

        up, north      orthogonal unit vectors: against gravity, and the direction of heading 0
        around, clock  see `step`

        ValueError if there is no room, or if the vectors are not orthogonal unit vectors within 1e-6.
        """
        x, y, z = as_vector(feet, "feet", MAX_MESH_COORDINATE)
        ux, uy, uz = as_unit_vector(up, "up")
        nx, ny, nz = as_unit_vector(north, "north")
        if abs(ux * nx + uy * ny + uz * nz) > UNIT_TOLERANCE:
            raise ValueError(f"north must be perpendicular to up {up!r}, not {north!r}")
        row = np.zeros((1, state_row.WIDTH))
        radius_up = self.settings.radii[1]
        row[0, state_row.POSITION : state_row.POSITION + 3] = x + radius_up * ux, y + radius_up * uy, z + radius_up * uz
        row[0, state_row.UP : state_row.UP + 3] = ux, uy, uz
        row[0, state_row.NORTH : state_row.NORTH + 3] = nx, ny, nz
        row.view(np.int64)[0, state_row.HEADING] = as_integer(heading, "heading", None, None) % HEADING_UNITS_PER_TURN
        tick, starts = read_clock(clock, around)
        memory = self._take_memory(mesh, around, starts)
        done = self._run(memory, row, row, memory.command, tick, SPAWN_TICK, 1)
        self._free_memory.append(memory)
        if done == SPAWN_BLOCKED:
            raise ValueError(
                f"no room for the walker at feet ({x:g}, {y:g}, {z:g}): clearing the geometry needs a push over "
                f"{MAX_SPAWN_PUSH:g} m; move the spawn"
            )
        return state_of(row)

    def step(
        self,
        state: WalkerState,
        command: Command,
        mesh: TriangleMesh,
        around: Environment | None = None,
        clock: Clock = 0,
    ) -> tuple[WalkerState, Trace]:
        """One tick: (the state after it, its trace).

        around: zones and movers. clock: tick of the world when this one begins, within +-2**40; it determines the poses
        of the movers, of which those that wait are at home. Or a clock for each mover, the ticks since one that waits
        was set off; or `World.clock`. ValueError for arguments of other types.
        """
        if type(command) is not Command or type(state) is not WalkerState:
            as_state(state)
            as_instance(command, Command, "command")
        tick, starts = read_clock(clock, around)
        memory = self._take_memory(mesh, around, starts)
        before, after = state._floats, np.empty((1, state_row.WIDTH))
        memory.command_bytes[:] = command._row
        while self._run_ticks(memory, before, after, memory.command, tick, 1, 0, 1) != 1:
            memory.enlarge()
        events = memory.scratch.counters.item(counter.EVENTS)
        self._free_memory.append(memory)
        trace = Trace(self._run_again, before, command._row, mesh, around, tick, events, starts)
        return state_of(after), trace

    def _run_again(
        self, before: Floats, command: bytes, mesh: TriangleMesh, around: Environment | None, tick: int,
        starts: Indices | None,
    ) -> TracedTick:  # fmt: skip
        """The tick of a `Trace`, with its records."""
        memory = self._take_memory(mesh, around, starts, is_traced=True)
        memory.command_bytes[:] = command
        self._run(memory, before, np.empty((1, state_row.WIDTH)), memory.command, tick, 0, 1)
        w = memory.scratch
        traced = TracedTick(
            w.records[: w.counters[counter.RECORDS]].copy(),
            w.body[body.FRAME : body.FRAME_IS_ROTATED + 1].copy(),
            w.candidates[: w.counters[counter.CANDIDATES], candidate.CORNERS : candidate.CORNERS + 9].copy(),
        )
        self._free_traced.append(memory)
        return traced

    def commands(self, commands: Iterable[Command] | Rows | None = None, **columns: Column) -> Rows:
        """Command rows from Commands, or from columns: forward, strafe, heading, pitch, jump, crouch, sprint, use.

        A number is repeated to the longest column. ValueError for values that are not finite or of the wrong type.
        """
        return command_rows(commands, **columns)

    @overload
    def run(
        self,
        state: WalkerState,
        rows: Rows | Iterable[Command],
        mesh: TriangleMesh,
        trace: Literal[False] = False,
        around: Environment | None = None,
        clock: Clock = 0,
    ) -> States: ...
    @overload
    def run(
        self,
        state: WalkerState,
        rows: Rows | Iterable[Command],
        mesh: TriangleMesh,
        trace: Literal[True],
        around: Environment | None = None,
        clock: Clock = 0,
    ) -> tuple[States, list[Trace]]: ...
    def run(
        self,
        state: WalkerState,
        rows: Rows | Iterable[Command],
        mesh: TriangleMesh,
        trace: bool = False,
        around: Environment | None = None,
        clock: Clock = 0,
    ) -> States | tuple[States, list[Trace]]:
        """Many ticks: a structured array with the state after each command, bit for bit as `step` gives them.

        clock: tick of the world when the first one begins. With trace=True also the list of traces, which is slower.
        ValueError as for `step` and `commands`.
        """
        as_state(state)
        trace, (tick, starts) = as_flag(trace, "trace"), read_clock(clock, around)
        columns = command_columns(rows if isinstance(rows, np.ndarray) else command_rows(rows))
        count = len(columns)
        floats = np.empty((count + 1, state_row.WIDTH))
        floats[0] = state._floats[0]
        run_rows(self, floats, columns, mesh, around, tick, starts)
        states: States = np.ndarray(count, STATE_ROW, floats, STATE_ROW.itemsize)  # rows 1 to count
        if not trace:
            return states
        before = floats.copy()  # the caller may change the states
        return states, [
            trace_row(self, before[k : k + 1], columns[k], mesh, around, tick + k, starts) for k in range(count)
        ]

    def state(self, row: States | np.void) -> WalkerState:
        """WalkerState of one row of `run`."""
        return WalkerState(row)

    def _take_memory(
        self, mesh: TriangleMesh, around: Environment | None, starts: Indices | None, is_traced: bool = False
    ) -> TickMemory:
        """Memory that no other call has, prepared for a place and starts of its movers."""
        place = pack_environment(mesh, around, self.settings.ticks_per_second)
        try:
            memory = self._free_traced.pop() if is_traced else self._free_memory.pop()
        except IndexError:
            memory = TickMemory(self._settings_row, records=MAX_RECORDS_PER_TICK if is_traced else 0)
        if memory.place is not place:
            memory.enter(place)
            clear_kept_lists(memory.arrays.lists)
            if around is None and mesh.level_parts and self.warns:
                self.warns = False
                warn_of_environment(mesh, stacklevel=3)
        starts = place.starts if starts is None else starts
        if memory.starts is not starts:
            if starts.shape != place.starts.shape:
                count, expected = starts.shape[1], place.starts.shape[1]
                raise ValueError(f"the clock is that of {count} movers; the environment has {expected}")
            memory.take_starts(starts)
        if self._run_ticks is run_ticks_in_stages and whole_tick.is_loaded:
            self._run_ticks = run_whole_tick
        return memory

    def _run(
        self, memory: TickMemory, before: Floats, after: Floats, commands: Floats, tick: int, first: int, end: int
    ) -> int:
        """Run ticks; where the memory is too small, enlarge it and continue from that tick."""
        while True:
            first = self._run_ticks(memory, before, after, commands, tick, 1, first, end)
            if first in (end, SPAWN_BLOCKED):
                return first
            memory.enlarge()


def run_rows(
    walker: Walker, floats: Floats, columns: Floats, mesh: TriangleMesh, around: Environment | None, tick: int,
    starts: Indices | None,
) -> None:  # fmt: skip
    """`Walker.run` without checks, of rows as kernels read them. It writes the states after the ticks into `floats`
    (n + 1, state_row.WIDTH) behind the first, and their events into `columns` (n, command_row.WIDTH).

    tick, starts: of `read_clock`
    """
    memory = walker._take_memory(mesh, around, starts)
    walker._run(memory, floats[:-1], floats[1:], columns, tick, 0, len(columns))
    walker._free_memory.append(memory)


def trace_row(
    walker: Walker, before: Floats, column: Floats, mesh: TriangleMesh, around: Environment | None, tick: int,
    starts: Indices | None,
) -> Trace:  # fmt: skip
    """The trace of a tick that `run_rows` has run. before: state row (1, state_row.WIDTH), which nobody changes;
    column: its row of the commands."""
    command, events = column[: command_row.LATER].tobytes(), int(column[command_row.EVENTS])
    return Trace(walker._run_again, before, command, mesh, around, tick, events, starts)
