"""The kernel that runs many ticks: broad phase, platforms and the phases of a tick, repeated where one falls short.

At first it is interpreted, and compiled as soon as the whole tick is in the kernel cache.
"""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import Any

import numba
import numpy as np

from ....core.angles import HEADING_UNITS_PER_HALF_TURN
from ....core.vectors import Floats, Indices
from ...environment.carried_zones import write_carried_zones
from ...environment.motion import write_starts
from ...environment.rows import motion_row
from ...numerics.background_compile import WHOLE
from ...numerics.jit import inner, is_interpreted, kernel
from ...numerics.staged_kernel import StagedKernel
from ..broad_phase import find_candidates, invalidate_candidates
from ..command import TickCommand
from ..ground_move import snap_to_ground
from ..rows import body, button, command_row, counter, setting, state_flag, state_row, tick_event
from ..scratch import Scratch, TickArrays, TickMemory
from ..support import find_ground_plane
from .begin import limit_speeds, note_safe_place, return_to_safe_place, set_frame, set_up_body
from .effects import read_zones, turn_to_gravity
from .penetration import recover_penetration
from .platform_riding import (
    add_mover_candidates,
    attach_to_mover,
    finish_platform_tick,
    has_movers_near,
    mover_ridden,
    ride_platforms,
)
from .step import step_walker
from .write_state import write_ground_normal, write_position

MIN_TICKS_TO_COMPILE = 200_000  # ticks of one run for which compiling first is faster than interpreting them
PORTION = 128  # ticks (about 15 ms) of an interpreted run between two looks at the clock
ROTATION_REACH = 1.6  # radii around the body in which a rotation looks for triangles
CANDIDATE_MARGIN = 0.03  # m around what a tick needs, so that small pushes seldom need a second query
SPAWN_TICK = -1  # `first` of a call of run_ticks that spawns
SPAWN_BLOCKED = -2  # its result if there is no room
MAX_SPAWN_PUSH = 0.5  # m by which a spawn may be moved out of geometry
MAX_GRAVITY_TURN_PUSH = 0.9  # m by which a body that turns to another gravity may be pushed to find room


@inner
def _read_command(row: Floats) -> TickCommand:
    """The command in a row of `command_columns`."""
    return TickCommand(
        row[command_row.FORWARD],
        row[command_row.STRAFE],
        int(row[command_row.HEADING]),
        int(row[command_row.BUTTONS]),
        int(row[command_row.PITCH]),
    )


@inner
def _begin_row(before: Indices, f: Floats, i: Indices) -> None:
    """Copy the state row `before`, as integers, to f and i, and limit its speeds."""
    for column in range(state_row.WIDTH):
        i[column] = before[column]
    limit_speeds(f)


@inner
def _candidate_reach(settings: Floats, f: Floats, turns: bool, sprints: bool) -> tuple[float, float, float]:
    """(to each side, below, above): distance (m) from the centre that an ordinary tick of state row f can reach.

    A tick that needs more is repeated with more (counter.CANDIDATES_INCOMPLETE), so that this changes no result.
    """
    dt = settings[setting.DT]
    vx, vy, vz = f[state_row.VELOCITY], f[state_row.VELOCITY + 1], f[state_row.VELOCITY + 2]
    wish_speed = settings[setting.SPRINT_SPEED] if sprints else settings[setting.WALK_SPEED]
    speed = sqrt(vx * vx + vz * vz) if f[state_row.UP + 1] == 1.0 else sqrt(vx * vx + vy * vy + vz * vz)
    path_length = max(wish_speed, speed) * dt
    half_width = 1.03 * max(settings[setting.RADIUS_RIGHT], settings[setting.RADIUS_AHEAD])
    half_height = 1.03 * settings[setting.RADIUS_UP]
    side = half_width + path_length
    if turns:
        side = max(side, ROTATION_REACH * max(settings[setting.RADIUS_RIGHT], settings[setting.RADIUS_AHEAD]))
    fall = max(-f[state_row.FALL_VELOCITY], 0.0) * dt + settings[setting.GRAVITY] * dt * dt
    rise = max(settings[setting.JUMP_SPEED], f[state_row.FALL_VELOCITY]) * dt
    return (
        side + CANDIDATE_MARGIN,
        half_height + max(settings[setting.SNAP_DOWN] + path_length, fall) + CANDIDATE_MARGIN,
        half_height + max(path_length, rise) + CANDIDATE_MARGIN,
    )


@inner
def _collect_candidates(
    arrays: TickArrays, slot: int, w: Scratch, f: Floats, i: Indices, command: TickCommand, extent: float, spawns: bool
) -> bool:
    """Broad phase: collect the triangles that a tick of state row f can reach; True if movers can be among them.

    slot: kept list of the row; extent: factor on the size of the box. The movers' triangles follow later.
    """
    mesh, settings, motions = arrays.mesh, arrays.settings, arrays.environment.motions
    level_nodes = int(motions[0, motion_row.FIRST_NODE]) if len(motions) > 0 else len(mesh.nodes)
    turns = spawns or (
        settings[setting.RADIUS_RIGHT] != settings[setting.RADIUS_AHEAD]
        and (command.heading - i[state_row.HEADING]) % HEADING_UNITS_PER_HALF_TURN != 0
    )
    side, below, above = _candidate_reach(settings, f, turns, spawns or command.buttons & button.SPRINT != 0)
    centre = f[state_row.POSITION], f[state_row.POSITION + 1], f[state_row.POSITION + 2]
    set_frame(w, f)
    reach = extent * side, extent * below, extent * above
    find_candidates(mesh, level_nodes, arrays.triangle_indices, arrays.lists, slot, w, centre, reach)
    return len(motions) > 0 and has_movers_near(motions, w)


@inner
def _step_among_movers(
    arrays: TickArrays,
    w: Scratch,
    row_before: Indices,
    f: Floats,
    i: Indices,
    command: TickCommand,
    now: float,
    has_movers: bool,
    may_lift: bool,
) -> bool:
    """Move the platforms and the body with them, read the zones, then make the body's own tick.

    A crushed body returns to its last safe place instead. row_before: the state row before the tick, as integers.
    may_lift and the result: see `step_walker`.
    """
    mesh, settings = arrays.mesh, arrays.settings
    zones, motions, keys = arrays.environment.zones, arrays.environment.motions, arrays.environment.keys
    ridden_mover, events = -1, 0
    for k in range(body.PLATFORM_VELOCITY, body.CARRIED_MADE + 3):
        w.body[k] = 0.0
    w.body[body.PUSHED_STEP_UP] = body.NO_LIMIT
    if has_movers:
        ridden_mover = mover_ridden(motions, i)
        set_up_body(w, settings, i)
        events = ride_platforms(mesh, motions, keys, arrays.triangle_indices, w, settings, f, i, now)
    read_zones(w, zones, f)
    if events & tick_event.CRUSHED != 0:
        return_to_safe_place(w, settings, f, i)
    elif not step_walker(w, settings, mesh, zones, f, i, command, may_lift):
        return False
    elif has_movers and w.counters[counter.EVENTS] & tick_event.LOST == 0:
        finish_platform_tick(motions, keys, w, row_before, f, i, now, ridden_mover)
    w.counters[counter.EVENTS] |= events
    return True


@inner
def _find_room(w: Scratch, settings: Floats, i: Indices, max_push: float) -> bool:
    """Set up the body of state row i and push it clear by at most `max_push` (m); False if there is no room."""
    set_up_body(w, settings, i)
    invalidate_candidates(w)
    is_clear, distance = recover_penetration(w, False)
    return is_clear and distance <= max_push


@inner
def _spawn_body(w: Scratch, settings: Floats, f: Floats, i: Indices, max_push: float) -> bool:
    """Complete a state row that has a position and a heading: pushed clear, and settled on ground within a step.

    Returns False if there is no room within `max_push` (m).
    """
    if not _find_room(w, settings, i, max_push):
        return False
    supported = snap_to_ground(w, max(settings[setting.SNAP_DOWN], settings[setting.STEP_HEIGHT]))
    write_position(w.body, f)
    note_safe_place(f, i, i[state_row.HEADING], False)
    for k in range(3):
        f[state_row.RADII + k] = w.body[body.RADII + k]
    if supported:
        i[state_row.FLAGS] = state_flag.GROUNDED
        write_ground_normal(w, f, find_ground_plane(w))
    return True


@kernel
def run_ticks(
    arrays: TickArrays,
    before: Floats,
    after: Floats,
    commands: Floats,
    clock: int,
    clock_step: int,
    first: int,
    end: int,
) -> int:
    """Run ticks `first` to before `end`: row k of `after` is row k of `before` after the command in row k.

    arrays          of `arrays.lists`, row k has list k if clock_step is 0, else all rows are of one walker and have
                    list 0; no result depends on them
    before, after   state rows (n, state_row.WIDTH) f8; they overlap where each state is the one before the next
    commands        rows of `command_columns`
    clock           tick of the world when row 0 begins; row k begins clock_step k later (0: many walkers), and as much
                    later as its command says (command_row.LATER)

    Returns the number of ticks done; less than `end` if a tick needs more candidates than there is room for
    (counter.CANDIDATES_NEEDED). With first = SPAWN_TICK and end = 1 row 0 is spawned instead; the result is then 1,
    SPAWN_BLOCKED, or SPAWN_TICK if the room for candidates is too small.
    """
    w, mesh, triangle_indices, settings = arrays.scratch, arrays.mesh, arrays.triangle_indices, arrays.settings
    place = arrays.environment
    zones, motions, keys, carried = place.zones, place.motions, place.keys, place.carried
    ints_before, ints_after = before.view(np.int64), after.view(np.int64)
    spawns = first == SPAWN_TICK
    # may_turn: False for a tick whose turn to another gravity found no room; may_lift: False for a tick that lost its
    # ground after a rotation had lifted the body
    extent, may_turn, may_lift = 1.0, True, True
    k = max(first, 0)
    while k < end:
        command = _read_command(commands[k])
        if len(arrays.own_motions) > 0 and (k == max(first, 0) or len(arrays.starts) > 1):
            write_starts(arrays.own_motions, arrays.starts[k if len(arrays.starts) > 1 else 0])
        now, slot = float(clock + clock_step * k) + commands[k, command_row.LATER], k if clock_step == 0 else 0
        if len(arrays.own_zones) > 0:
            write_carried_zones(arrays.own_zones, carried, motions, keys, now)
        f, i = after[k], ints_after[k]
        _begin_row(ints_before[k], f, i)
        turned = not spawns and may_turn and len(zones) > 0 and turn_to_gravity(zones, f, i, command.heading)
        has_movers = _collect_candidates(arrays, slot, w, f, i, command, extent, spawns)
        if has_movers and (spawns or turned):
            add_mover_candidates(mesh, motions, keys, triangle_indices, w, now, now, 0, len(motions), -1)
        if w.counters[counter.CANDIDATES_NEEDED] > len(triangle_indices):
            return first if spawns else k
        w.counters[counter.CANDIDATES_INCOMPLETE] = 0
        has_room = True
        if spawns:
            has_room = _spawn_body(w, settings, f, i, MAX_SPAWN_PUSH)
            if has_movers and has_room:
                attach_to_mover(motions, w, i)
        elif (
            turned
            and not _find_room(w, settings, i, MAX_GRAVITY_TURN_PUSH)
            and w.counters[counter.CANDIDATES_INCOMPLETE] == 0
        ):
            may_turn = False
            continue
        else:
            is_done = _step_among_movers(arrays, w, ints_before[k], f, i, command, now, has_movers, may_lift)
            if turned:
                w.counters[counter.EVENTS] |= tick_event.GRAVITY_TURNED
            if has_movers and w.counters[counter.CANDIDATES_NEEDED] > len(triangle_indices):
                return k
            if not is_done and w.counters[counter.CANDIDATES_INCOMPLETE] == 0:
                may_lift = False
                continue
        if w.counters[counter.CANDIDATES_INCOMPLETE] != 0 and extent < 1e6:
            extent = extent * 2.0
            continue
        if not has_room:
            return SPAWN_BLOCKED
        extent, may_turn, may_lift = 1.0, True, True
        commands[k, command_row.EVENTS] = w.counters[counter.EVENTS]
        k += 1
    return k


def run_whole_tick(
    memory: TickMemory,
    before: Floats,
    after: Floats,
    commands: Floats,
    clock: int,
    clock_step: int,
    first: int,
    end: int,
) -> int:
    """`run_ticks`, compiled. Its arguments by name: a call with `*rows` takes 0.1 us more."""
    return _machine_code(memory.arrays, before, after, commands, clock, clock_step, first, end)


def _load_and_run(*arguments: Any) -> int:
    """The first compiled call. Later ones go to the machine code: the look-up of their types would take 0.2 us."""
    global _machine_code
    kernel: Any = run_ticks
    done: int = kernel(*arguments)
    if not is_interpreted(kernel):
        _machine_code = kernel.overloads[tuple(map(kernel.typeof_pyval, arguments))].entry_point
    return done


_machine_code: Callable[..., int] = run_ticks if numba.config.DISABLE_JIT else _load_and_run
whole_tick = StagedKernel(run_ticks, WHOLE)


def run_ticks_in_stages(memory: TickMemory, *rows: Any) -> int:
    """`run_ticks` in the present stage: the switch can come between two ticks of a run."""
    *fixed, first, end = rows
    arguments = memory.arrays, *rows
    while not whole_tick.is_due(arguments, is_long=end > 1, at_once=end - first >= MIN_TICKS_TO_COMPILE):
        last = min(end, first + PORTION)
        result: int = whole_tick.interpret(memory.arrays, *fixed, first, last)
        if result != last or last == end:  # no room for candidates or for a spawn, or done
            return result
        first = last
    return run_whole_tick(memory, *fixed, first, end)  # type: ignore[call-arg]
