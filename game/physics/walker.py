"""The walker from the outside: spawn, step, run. Pure: nothing is remembered between calls but scratch memory."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, overload

import numpy as np

from ..core.vectors import as_vector
from .character.command import COMMAND_WIDTH, Command, Rows, check_rows, command_columns, command_rows
from .character.layout import body, candidate, counter, state_row
from .character.scratch import allocate_scratch
from .character.settings import WalkerSettings
from .character.state import STATE_ROW, States, WalkerState
from .character.tick.run import MAX_SPAWN_PUSH, SPAWN_BLOCKED, SPAWN_TICK, run_ticks
from .character.trace import Trace
from .environment.environment import Environment, pack_environment
from .numerics.jit import complete
from .triangle_mesh import TriangleMesh

run_ticks_interpreted = getattr(run_ticks, "py_func", run_ticks)
MIN_TICKS_TO_COMPILE = 20_000  # ticks in one run: fewer are done in Python before the whole tick is compiled
MAX_RECORDS_PER_TICK = 96  # what a trace can hold; later records of a wilder tick are dropped


class Walker:
    """The rules of one kind of walker. One Walker may serve many states and meshes, from one thread at a time."""

    def __init__(self, settings: WalkerSettings | None = None) -> None:
        """ValueError comes from WalkerSettings."""
        self.settings = settings if settings is not None else WalkerSettings()
        self._numbers = self.settings.row()
        self._plain = allocate_scratch(256)
        self._traced = allocate_scratch(256, MAX_RECORDS_PER_TICK)
        self._wish = np.zeros((1, COMMAND_WIDTH))
        self._compiled = complete()  # for good: no tick of a running game is the one that loads the kernel

    def __reduce__(self) -> tuple[Any, ...]:
        return (Walker, (self.settings,))

    def spawn(
        self,
        mesh: TriangleMesh,
        feet: Any,
        heading: int = 0,
        up: Any = (0.0, 1.0, 0.0),
        north: Any = (0.0, 0.0, -1.0),
        around: Environment | None = None,
        clock: int = 0,
    ) -> WalkerState:
        """A state at `feet` (x, y, z; m), pushed clear by at most 0.5 m and settled on ground if there is some
        within the step height. `up` and `north` (units, across each other): against gravity, and where heading 0
        looks; `around` and `clock`: see `step`. ValueError in words where there is no room."""
        x, y, z = as_vector(feet, "feet")
        ux, uy, uz = as_vector(up, "up")
        row = np.zeros((1, state_row.WIDTH))
        high = self.settings.radii[1]
        row[0, state_row.POSITION : state_row.POSITION + 3] = x + high * ux, y + high * uy, z + high * uz
        row[0, state_row.UP : state_row.UP + 3], row[0, state_row.NORTH : state_row.NORTH + 3] = (
            (ux, uy, uz),
            as_vector(north, "north"),
        )
        row.view(np.int64)[0, state_row.HEADING] = int(heading) % 65536
        if self._advance((mesh, around, clock), row, row, self._wish, SPAWN_TICK, 1, traced=False) == SPAWN_BLOCKED:
            raise ValueError(
                f"no room for the walker at feet ({x:g}, {y:g}, {z:g}): clearing the geometry needs a push over "
                f"{MAX_SPAWN_PUSH:g} m; move the spawn"
            )
        return WalkerState._from_floats(row)

    def step(
        self,
        state: WalkerState,
        command: Command,
        mesh: TriangleMesh,
        around: Environment | None = None,
        clock: int = 0,
    ) -> tuple[WalkerState, Trace]:
        """One tick: (the state after it, what happened in it). `around`: the zones and movers there are; `clock`: the
        world's tick when this one begins, by which movers stand where they do. ValueError for what is no Command."""
        if not isinstance(command, Command):
            raise ValueError(f"command must be a Command, not {type(command).__name__}")
        after, wish = np.empty((1, state_row.WIDTH)), self._wish
        wish[0, 0], wish[0, 1] = command.forward, command.strafe
        wish[0, 2], wish[0, 3] = int(command.heading) % 65536, command.buttons
        wish[0, 4] = int(command.pitch)
        self._advance((mesh, around, clock), state._floats, after, wish, 0, 1, traced=True)
        return WalkerState._from_floats(after), self._trace(mesh, state._floats, around)

    def candidates(
        self,
        state: WalkerState,
        command: Command,
        mesh: TriangleMesh,
        around: Environment | None = None,
        clock: int = 0,
    ) -> Any:
        """(N, 3, 3): corners (m) of the triangles that `step` looks at for this tick, those of movers as they stand at
        its end."""
        self.step(state, command, mesh, around, clock)
        work = self._traced[0]
        corners = work.candidates[
            : int(work.counters[counter.CANDIDATES]), candidate.WORLD_CORNERS : candidate.WORLD_CORNERS + 9
        ].reshape(-1, 3, 3)
        if work.body[body.FRAME + 9] != 0.0:
            corners = corners @ work.body[body.FRAME : body.FRAME + 9].reshape(3, 3)
        return corners + np.array(state.position)

    def commands(self, commands: Iterable[Command] | Rows | None = None, **columns: Any) -> Rows:
        """Command rows from Commands, or by columns: forward, strafe, heading, pitch, jump, crouch, sprint (a number
        repeats to the longest column). ValueError for what is not finite or of the wrong type."""
        return command_rows(commands, **columns)

    @overload
    def run(
        self,
        state: WalkerState,
        rows: Any,
        mesh: TriangleMesh,
        trace: Literal[False] = False,
        around: Environment | None = None,
        clock: int = 0,
    ) -> States: ...
    @overload
    def run(
        self,
        state: WalkerState,
        rows: Any,
        mesh: TriangleMesh,
        trace: Literal[True],
        around: Environment | None = None,
        clock: int = 0,
    ) -> tuple[States, list[Trace]]: ...
    def run(
        self,
        state: WalkerState,
        rows: Any,
        mesh: TriangleMesh,
        trace: bool = False,
        around: Environment | None = None,
        clock: int = 0,
    ) -> States | tuple[States, list[Trace]]:
        """Many ticks at once: a structured array with the state after each command, the same bits as step after
        step, `clock` being the world's tick when the first one begins. With trace=True also the list of traces
        (slower)."""
        table = command_rows(rows) if not isinstance(rows, np.ndarray) else check_rows(rows)
        count, columns = len(table), command_columns(table)
        floats = np.empty((count + 1, state_row.WIDTH))
        floats[0] = state._floats[0]
        traces: list[Trace] = []
        if trace:
            for k in range(count):
                before, after = floats[k : k + 1], floats[k + 1 : k + 2]
                self._advance((mesh, around, clock + k), before, after, columns[k : k + 1], 0, 1, traced=True)
                traces.append(self._trace(mesh, before, around))
        else:
            self._advance((mesh, around, clock), floats[:-1], floats[1:], columns, 0, count, traced=False)
        states = floats[1:].view(STATE_ROW).reshape(count)
        return (states, traces) if trace else states

    def state(self, row: Any) -> WalkerState:
        """The WalkerState of one row of `run`."""
        return WalkerState(row)

    def _advance(
        self,
        place: tuple[TriangleMesh, Environment | None, int],
        before: Any,
        after: Any,
        wish: Any,
        first: int,
        end: int,
        traced: bool,
    ) -> int:
        """Run ticks, growing the scratch memory and going on from the same tick where it is too small."""
        self._compiled = self._compiled or end >= MIN_TICKS_TO_COMPILE
        run = run_ticks if self._compiled else run_ticks_interpreted
        mesh, around, clock = place
        triangles, others = pack_environment(mesh, around, self.settings.ticks_per_second)
        while True:
            work, arrays, ids = self._traced if traced else self._plain
            first = run(*triangles, ids, arrays, self._numbers, others, before, after, wish, int(clock), 1, first, end)
            if first in (end, SPAWN_BLOCKED):
                return first
            wanted = 2 * int(work.counters[counter.CANDIDATES_NEEDED])
            self._plain, self._traced = allocate_scratch(wanted), allocate_scratch(wanted, MAX_RECORDS_PER_TICK)

    def _trace(self, mesh: TriangleMesh, before: Any, around: Environment | None) -> Trace:
        """The trace of the tick just done, which began at the position in the row `before`."""
        work = self._traced[0]
        count = work.counters.tolist()
        records, frame = work.records[: count[counter.RECORDS]].copy(), work.body[body.FRAME : body.FRAME + 10].copy()
        movers = None if around is None else around.movers
        return Trace(mesh, count[counter.EVENTS], count[counter.CANDIDATES], before, records, frame, movers)
