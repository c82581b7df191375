"""Walker: spawn, step and run. Pure functions of their arguments; what is kept between calls changes no result.

A call works in a `Workspace` of its own, which it takes from the end of a list and puts back. Both are atomic, so a
walker serves any number of threads, and a single thread always gets the workspace of its last call, whose kept list is
that of its mesh.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from typing import Literal, SupportsIndex, overload

import numpy as np

from ..core.angles import HEADING_UNITS_PER_TURN
from ..core.arguments import as_flag, as_instance, as_integer, as_optional, describe_value
from ..core.vectors import UNIT_TOLERANCE, Floats, VectorLike, as_unit_vector, as_vector
from .character.command import Column, Command, Rows, checked_command_columns, command_rows
from .character.layout import body, candidate, command_row, counter, state_row
from .character.scratch import Workspace
from .character.settings import WalkerSettings, settings_row
from .character.state import STATE_ROW, States, WalkerState
from .character.tick.run import MAX_SPAWN_PUSH, SPAWN_BLOCKED, SPAWN_TICK
from .character.tick.staged_run import run_ticks_in_stages, run_whole_tick, whole_tick
from .character.trace import Trace
from .environment.environment import Environment, as_clock, pack_environment, warn_of_environment
from .triangle_mesh import MAX_MESH_COORDINATE, TriangleMesh

_pack_command = struct.Struct(f"{command_row.LATER}d").pack_into  # in the order of layout.command_row
UNROTATED_FRAME = np.append(np.eye(3).ravel(), 0.0)  # of a Trace whose body frame has the axes of the world
UNROTATED_FRAME.flags.writeable = False


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
        self._free_workspaces = [Workspace(self._settings_row)]  # those that no call works in
        self._run_ticks = run_whole_tick if whole_tick.is_compiled() else run_ticks_in_stages

    def __reduce__(self) -> tuple[object, ...]:
        return (Walker, (self.settings,), {} if self.warns else {"warns": False})

    def _take_workspace(self) -> Workspace:
        """A workspace that no other call has."""
        try:
            return self._free_workspaces.pop()
        except IndexError:
            return Workspace(self._settings_row)

    def spawn(
        self,
        mesh: TriangleMesh,
        feet: VectorLike,
        heading: SupportsIndex = 0,
        up: VectorLike = (0.0, 1.0, 0.0),
        north: VectorLike = (0.0, 0.0, -1.0),
        around: Environment | None = None,
        clock: int = 0,
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
        workspace = self._take_workspace()
        place = mesh, around, clock
        done = self._advance(workspace, place, row, row, workspace.command_row, SPAWN_TICK, 1, traced=False)
        self._free_workspaces.append(workspace)
        if done == SPAWN_BLOCKED:
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
        """One tick: (the state after it, its trace).

        around: zones and movers. clock: tick of the world when this one begins, within +-2**40; it determines the poses
        of the movers. ValueError for arguments of other types.
        """
        if type(command) is not Command or type(state) is not WalkerState:
            as_state(state)
            as_instance(command, Command, "command")
        try:
            workspace = self._free_workspaces.pop()
        except IndexError:
            workspace = Workspace(self._settings_row)
        after, row = np.empty((1, state_row.WIDTH)), workspace.command_row
        if command is not workspace.command:
            heading = int(command.heading) % HEADING_UNITS_PER_TURN
            _pack_command(row.data, 0, command.forward, command.strafe, heading, command.buttons, int(command.pitch))
            workspace.command = command if type(command) is Command else None
        self._advance(workspace, (mesh, around, clock), state._floats, after, row, 0, 1, traced=True)
        trace = _make_trace(workspace, mesh, state._floats, around)
        self._free_workspaces.append(workspace)
        return WalkerState._from_floats(after), trace

    def candidates(
        self,
        state: WalkerState,
        command: Command,
        mesh: TriangleMesh,
        around: Environment | None = None,
        clock: int = 0,
    ) -> Floats:
        """Corners (N, 3, 3) (m) of the triangles that the broad phase of a tick collects; movers at its end."""
        before, rows = as_state(state)._floats, command_rows([as_instance(command, Command, "command")])
        columns, after = checked_command_columns(rows), np.empty((1, state_row.WIDTH))
        workspace = self._take_workspace()
        self._advance(workspace, (mesh, around, clock), before, after, columns, 0, 1, traced=True)
        scratch = workspace.traced.scratch
        corners: Floats = scratch.candidates[
            : int(scratch.counters[counter.CANDIDATES]), candidate.CORNERS : candidate.CORNERS + 9
        ].reshape(-1, 3, 3)
        if scratch.body[body.FRAME + 9] != 0.0:
            corners = corners @ scratch.body[body.FRAME : body.FRAME + 9].reshape(3, 3)
        moved: Floats = corners + np.array(state.position)
        self._free_workspaces.append(workspace)
        return moved

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
        clock: int = 0,
    ) -> States: ...
    @overload
    def run(
        self,
        state: WalkerState,
        rows: Rows | Iterable[Command],
        mesh: TriangleMesh,
        trace: Literal[True],
        around: Environment | None = None,
        clock: int = 0,
    ) -> tuple[States, list[Trace]]: ...
    def run(
        self,
        state: WalkerState,
        rows: Rows | Iterable[Command],
        mesh: TriangleMesh,
        trace: bool = False,
        around: Environment | None = None,
        clock: int = 0,
    ) -> States | tuple[States, list[Trace]]:
        """Many ticks: a structured array with the state after each command, bit for bit as `step` gives them.

        clock: tick of the world when the first one begins. With trace=True also the list of traces, which is slower.
        ValueError as for `step` and `commands`.
        """
        as_state(state)
        trace, clock = as_flag(trace, "trace"), as_clock(clock)
        columns = checked_command_columns(rows if isinstance(rows, np.ndarray) else command_rows(rows))
        count = len(columns)
        floats = np.empty((count + 1, state_row.WIDTH))
        floats[0] = state._floats[0]
        traces: list[Trace] = []
        workspace = self._take_workspace()
        if trace:
            for k in range(count):
                before, after = floats[k : k + 1], floats[k + 1 : k + 2]
                place = mesh, around, clock + k
                self._advance(workspace, place, before, after, columns[k : k + 1], 0, 1, traced=True)
                traces.append(_make_trace(workspace, mesh, before.copy(), around))  # the caller may change the states
        else:
            self._advance(workspace, (mesh, around, clock), floats[:-1], floats[1:], columns, 0, count, traced=False)
        self._free_workspaces.append(workspace)
        states: States = np.ndarray(count, STATE_ROW, floats, STATE_ROW.itemsize)  # rows 1 to count
        return (states, traces) if trace else states

    def state(self, row: States | np.void) -> WalkerState:
        """WalkerState of one row of `run`."""
        return WalkerState(row)

    def _advance(
        self,
        workspace: Workspace,
        place: tuple[TriangleMesh, Environment | None, int],
        before: Floats,
        after: Floats,
        commands: Floats,
        first: int,
        end: int,
        traced: bool,
    ) -> int:
        """Run ticks at a place (mesh, around, clock); where the workspace is too small, enlarge it and continue from
        that tick."""
        mesh, around, clock = place[0], place[1], as_clock(place[2])
        if self._run_ticks is run_ticks_in_stages and whole_tick.is_loaded:
            self._run_ticks = run_whole_tick
        packed = pack_environment(mesh, around, self.settings.ticks_per_second)
        if workspace.kept_mesh() is not packed.mesh[2]:
            workspace.change_mesh(packed.mesh[2])
            if around is None and mesh.level_parts and self.warns:
                self.warns = False
                warn_of_environment(mesh, stacklevel=3)
        while True:
            memory = workspace.traced if traced else workspace.plain
            zones = memory.take_zones(packed, around)
            first = self._run_ticks(packed, zones, memory, before, after, commands, clock, 1, first, end)
            if first in (end, SPAWN_BLOCKED):
                return first
            workspace.enlarge(traced)


def _make_trace(workspace: Workspace, mesh: TriangleMesh, before: Floats, around: Environment | None) -> Trace:
    """Trace of the last tick in the workspace, whose state row at the start was `before`."""
    scratch = workspace.traced.scratch
    number = scratch.counters.item
    frame = UNROTATED_FRAME
    if scratch.body.item(body.FRAME_IS_ROTATED) != 0.0:
        frame = scratch.body[body.FRAME : body.FRAME_IS_ROTATED + 1].copy()
    records = scratch.records[: number(counter.RECORDS)].tobytes()
    movers = None if around is None else around.movers
    return Trace(mesh, number(counter.EVENTS), number(counter.CANDIDATES), before, records, frame, movers)
