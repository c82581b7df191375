"""First phases of a tick: set up the body row, or go back to the last safe place; and the note of a safe place."""

from __future__ import annotations

from ....core.vectors import MAX_WALKER_SPEED, Floats, Indices
from ...numerics.jit import inner
from ..body_frame import set_body_frame, set_body_shape, world_to_body_frame
from ..rows import body, counter, setting, state_flag, state_row, tick_event
from ..scratch import Scratch

RISE_TOLERANCE = 1e-9  # of a carried velocity: its component along up below this is the rounding of a horizontal one


@inner
def limit_speeds(f: Floats) -> None:
    """Limit each component of the velocities of state row f to MAX_WALKER_SPEED, so that every tick is bounded.

    A tick can add up more (a current and a slide), and a row from elsewhere can hold any number.
    """
    fastest = abs(f[state_row.FALL_VELOCITY])
    for k in range(3):
        fastest = max(fastest, abs(f[state_row.VELOCITY + k]), abs(f[state_row.CARRIED_VELOCITY + k]))
    if fastest > MAX_WALKER_SPEED:
        f[state_row.FALL_VELOCITY] = min(max(f[state_row.FALL_VELOCITY], -MAX_WALKER_SPEED), MAX_WALKER_SPEED)
        for column in (state_row.VELOCITY, state_row.CARRIED_VELOCITY):
            for k in range(column, column + 3):
                f[k] = min(max(f[k], -MAX_WALKER_SPEED), MAX_WALKER_SPEED)


@inner
def set_frame(w: Scratch, f: Floats) -> None:
    """Set the body frame (east, up, south) of state row f."""
    ux, uy, uz = f[state_row.UP], f[state_row.UP + 1], f[state_row.UP + 2]
    set_body_frame(w.body, ux, uy, uz, f[state_row.NORTH], f[state_row.NORTH + 1], f[state_row.NORTH + 2])


@inner
def set_up_body(w: Scratch, settings: Floats, i: Indices) -> None:
    """Reset the counters of a tick, and set limits and shape of the body from the settings and state row i.

    The caller then calls `invalidate_candidates`, once the candidates are complete.
    """
    w.counters[counter.RECORDS] = 0
    w.counters[counter.EVENTS] = 0
    w.counters[counter.STOPS] = 0
    b = w.body
    b[body.COS_MAX_SLOPE] = settings[setting.COS_MAX_SLOPE]
    # with step height 0 the body slides over edges (see `move_on_ground`), so that none is too high
    b[body.STEP_HEIGHT] = (
        settings[setting.STEP_HEIGHT] if settings[setting.STEP_HEIGHT] > 0.0 else settings[setting.RADIUS_UP]
    )
    b[body.SKIN], b[body.SNAP_DOWN] = settings[setting.SKIN], settings[setting.SNAP_DOWN]
    b[body.SUPPORT_HEIGHT] = body.NO_SUPPORT
    b[body.STEP_UP_LIMIT], b[body.STEP_UP_FROM] = body.NO_LIMIT, body.NO_LIMIT
    crouched = i[state_row.FLAGS] & state_flag.CROUCHED != 0
    set_body_shape(
        w,
        i[state_row.HEADING],
        settings[setting.RADIUS_RIGHT],
        settings[setting.CROUCH_RADIUS_UP] if crouched else settings[setting.RADIUS_UP],
        settings[setting.RADIUS_AHEAD],
    )


@inner
def body_velocity(b: Floats, f: Floats) -> tuple[float, float, float]:
    """Velocity of state row f in the body frame, m/s."""
    x, y, z = f[state_row.VELOCITY], f[state_row.VELOCITY + 1], f[state_row.VELOCITY + 2]
    if b[body.FRAME_IS_ROTATED] != 0.0:
        x, y, z = world_to_body_frame(b, x, y, z)
    return x, y, z


@inner
def body_carried_velocity(b: Floats, f: Floats) -> tuple[float, float, float]:
    """Carried velocity of state row f in the body frame, m/s."""
    x, y, z = f[state_row.CARRIED_VELOCITY], f[state_row.CARRIED_VELOCITY + 1], f[state_row.CARRIED_VELOCITY + 2]
    if b[body.FRAME_IS_ROTATED] != 0.0:
        x, y, z = world_to_body_frame(b, x, y, z)
        if abs(y) <= RISE_TOLERANCE * (abs(x) + abs(z)):
            y = 0.0
    return x, y, z


@inner
def note_safe_place(f: Floats, i: Indices, heading: int, crouched: bool) -> None:
    """Write the safe place: position and `up` of state row f, with the heading and stance of the body."""
    for k in range(3):
        f[state_row.SAFE_POSITION + k] = f[state_row.POSITION + k]
        f[state_row.SAFE_UP + k] = f[state_row.UP + k]
        f[state_row.SAFE_NORTH + k] = f[state_row.NORTH + k]
    i[state_row.SAFE_HEADING] = heading
    i[state_row.SAFE_CROUCHED] = 1 if crouched else 0


@inner
def keep_safe_place(before: Indices, i: Indices) -> None:
    """Copy the safe place of the integer row `before` to the integer row i."""
    for k in range(state_row.SAFE_POSITION, state_row.SAFE_POSITION + 3):
        i[k] = before[k]
    for k in range(state_row.SAFE_UP, state_row.SAFE_CROUCHED + 1):
        i[k] = before[k]


@inner
def return_to_safe_place(w: Scratch, settings: Floats, f: Floats, i: Indices) -> None:
    """Put the body at rest at its last safe place, with the stance, heading and up that it had there.

    A body that has no room although the tick began there is put there crouched, its centre in place: the crouched body
    lies inside the upright one. The next tick tries again.
    """
    w.counters[counter.EVENTS] |= tick_event.LOST
    is_there = (
        f[state_row.POSITION] == f[state_row.SAFE_POSITION]
        and f[state_row.POSITION + 1] == f[state_row.SAFE_POSITION + 1]
        and f[state_row.POSITION + 2] == f[state_row.SAFE_POSITION + 2]
    )
    crouched = is_there or i[state_row.SAFE_CROUCHED] != 0
    for k in range(3):
        f[state_row.POSITION + k] = f[state_row.SAFE_POSITION + k]
        f[state_row.UP + k] = f[state_row.SAFE_UP + k]
        f[state_row.NORTH + k] = f[state_row.SAFE_NORTH + k]
        f[state_row.VELOCITY + k] = 0.0
        f[state_row.GROUND_NORMAL + k] = 0.0
        f[state_row.CARRIED_VELOCITY + k] = 0.0
    f[state_row.FALL_VELOCITY] = 0.0
    f[state_row.RADII + 1] = settings[setting.CROUCH_RADIUS_UP if crouched else setting.RADIUS_UP]
    i[state_row.HEADING] = i[state_row.SAFE_HEADING]
    i[state_row.TICK] += 1
    i[state_row.FLAGS] = state_flag.CROUCHED if crouched else 0
