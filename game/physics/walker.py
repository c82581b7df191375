"""The walker from the outside: spawn, step, run. Pure: nothing is remembered between calls but scratch memory."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, overload

import numpy as np

from game.physics.command import Command, Rows, check_rows, command_rows
from game.physics.jit import complete
from game.physics.mesh import TriangleMesh
from game.physics.settings import WalkerSettings
from game.physics.state import HEADING, POSITION, STATE_ROW, WIDTH, States, WalkerState, vector
from game.physics.tick import BLOCKED, SPAWN, SPAWN_PUSH, run_ticks
from game.physics.trace import Trace
from game.physics.work import CANDIDATES, EVENTS, RECORDS, WANTED, allocate

in_python = getattr(run_ticks, "py_func", run_ticks)
WORTH_COMPILING = 20_000  # ticks in one run: fewer are done in Python before the whole tick is compiled
RECORDS_A_TICK = 96  # what a trace can hold; later records of a wilder tick are dropped


class Walker:
    """The rules of one kind of walker. One Walker may serve many states and meshes, from one thread at a time."""

    def __init__(self, settings: WalkerSettings | None = None) -> None:
        """ValueError comes from WalkerSettings."""
        self.settings = settings if settings is not None else WalkerSettings()
        self._numbers, self._ticks = self.settings.rows()
        self._plain = allocate(256)
        self._traced = allocate(256, RECORDS_A_TICK)
        self._wish = np.zeros((1, 2))
        self._compiled = complete()  # for good: no tick of a running game is the one that loads the kernel
        self._order = np.zeros((1, 2), np.int64)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Walker, (self.settings,))

    def spawn(self, mesh: TriangleMesh, feet: Any, heading: int = 0) -> WalkerState:
        """A state at `feet` (x, y, z; m), pushed clear by at most 0.5 m and settled on ground if there is some
        within the step height. ValueError in words where there is no room."""
        x, y, z = vector(feet, "feet")
        floats = np.zeros((1, WIDTH))
        ints = floats.view(np.int64)
        floats[0, POSITION : POSITION + 3] = x, y + self.settings.radii[1], z
        ints[0, HEADING] = int(heading) % 65536
        result = self._advance(mesh, floats, ints, self._wish, self._order, SPAWN, traced=False)
        if result == BLOCKED:
            raise ValueError(
                f"no room for the walker at feet ({x:g}, {y:g}, {z:g}): it would have to be pushed further than "
                f"{SPAWN_PUSH:g} m to be clear of the geometry; move the spawn"
            )
        return WalkerState._own(floats, ints)

    def step(self, state: WalkerState, command: Command, mesh: TriangleMesh) -> tuple[WalkerState, Trace]:
        """One tick: (the state after it, what happened in it). ValueError for what is no Command."""
        if not isinstance(command, Command):
            raise ValueError(f"command must be a Command, not {type(command).__name__}")
        pair = np.empty((2, WIDTH))
        pair[0] = state._floats[0]
        wish, order = self._wish, self._order
        wish[0, 0], wish[0, 1] = command.forward, command.strafe
        order[0, 0], order[0, 1] = int(command.heading) % 65536, command.buttons
        self._advance(mesh, pair, pair.view(np.int64), wish, order, 0, traced=True)
        after = pair[1:].copy()
        return WalkerState._own(after, after.view(np.int64)), self._trace(mesh)

    def commands(self, commands: Iterable[Command] | Rows | None = None, **columns: Any) -> Rows:
        """Command rows from Commands, or by columns: forward, strafe, heading, pitch, jump, crouch, sprint (a number
        repeats to the longest column). ValueError for what is not finite or of the wrong type."""
        return command_rows(commands, **columns)

    @overload
    def run(
        self, state: WalkerState, rows: Any, mesh: TriangleMesh, trace: Literal[False] = False
    ) -> States: ...
    @overload
    def run(
        self, state: WalkerState, rows: Any, mesh: TriangleMesh, trace: Literal[True]
    ) -> tuple[States, list[Trace]]: ...
    def run(
        self, state: WalkerState, rows: Any, mesh: TriangleMesh, trace: bool = False
    ) -> States | tuple[States, list[Trace]]:
        """Many ticks at once: a structured array with the state after each command, the same bits as step after
        step. With trace=True also the list of traces (slower)."""
        table = command_rows(rows) if not isinstance(rows, np.ndarray) else check_rows(rows)
        count = len(table)
        wish = np.empty((count, 2))
        wish[:, 0], wish[:, 1] = table["forward"], table["strafe"]
        order = np.empty((count, 2), np.int64)
        order[:, 0], order[:, 1] = table["heading"], table["buttons"]
        floats = np.empty((count + 1, WIDTH))
        floats[0] = state._floats[0]
        ints = floats.view(np.int64)
        traces: list[Trace] = []
        if trace:
            for k in range(count):
                self._advance(
                    mesh, floats[k : k + 2], ints[k : k + 2], wish[k : k + 1], order[k : k + 1], 0, traced=True
                )
                traces.append(self._trace(mesh))
        else:
            done = 0
            while done < count:
                done = self._advance(mesh, floats, ints, wish, order, done, traced=False)
        states = floats[1:].view(STATE_ROW).reshape(count)
        return (states, traces) if trace else states

    def state(self, row: Any) -> WalkerState:
        """The WalkerState of one row of `run`."""
        return WalkerState(row)

    def _advance(
        self, mesh: TriangleMesh, floats: Any, ints: Any, wish: Any, order: Any, first: int, traced: bool
    ) -> int:
        """Run ticks, growing the scratch memory and going on from the same tick where it is too small."""
        while True:
            work = self._traced if traced else self._plain
            self._compiled = self._compiled or len(wish) >= WORTH_COMPILING
            run = run_ticks if self._compiled else in_python
            done: int = run(
                mesh.nodes,
                mesh.links,
                mesh.triangles12,
                work[-1],
                work[:-1],
                self._numbers,
                self._ticks,
                floats,
                ints,
                wish,
                order,
                first,
            )
            if done in (len(wish), BLOCKED) or (first == SPAWN and done == 0):
                return done
            self._grow(int(work[1][WANTED]))
            first = done

    def _grow(self, wanted: int) -> None:
        self._plain = allocate(2 * wanted)
        self._traced = allocate(2 * wanted, RECORDS_A_TICK)

    def _trace(self, mesh: TriangleMesh) -> Trace:
        body, count, records = self._traced[0], self._traced[1], self._traced[6]
        return Trace(
            mesh,
            count.item(EVENTS),
            count.item(CANDIDATES),
            (body.item(0), body.item(1), body.item(2)),
            records[: count.item(RECORDS)].copy(),
        )
