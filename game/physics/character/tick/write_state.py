"""Last phases of a tick: clip the velocity, and write the state row."""

from __future__ import annotations

from ....core.vectors import Floats, Indices, Vector
from ...environment.environment import MeshArrays
from ...numerics.jit import inner
from ..body_frame import body_frame_to_world
from ..command import TickCommand
from ..ground_move import snap_to_ground
from ..rows import body, button, counter, plane, setting, state_flag, state_row, tick_event
from ..scratch import Scratch
from ..slide import clip_velocity, record_contacts
from ..support import find_ground_plane
from .begin import note_safe_place
from .effects import ground_surface_velocity
from .jump import Jump
from .move import Fall
from .wish_velocity import WishMotion


@inner
def clip_horizontal_velocity(
    w: Scratch, mesh: MeshArrays, f: Floats, motion: WishMotion, grounded: bool, end: Fall
) -> tuple[float, float]:
    """Horizontal velocity (m/s) without what walls took from it, relative to the ground if supported.

    Also writes the carried velocity: that of the ground if the body leaves it; after a landing none but that of
    a current.
    """
    b = w.body
    vx, vz = motion.vx, motion.vz
    wish_x, wish_z = motion.wish_x, motion.wish_z
    if motion.has_reference:
        vx, vz = vx + motion.reference_x, vz + motion.reference_z
        wish_x, wish_z = wish_x + motion.reference_x, wish_z + motion.reference_z
    unclipped_x, unclipped_z = vx, vz
    x, z = motion.carried_x, motion.carried_z
    if grounded and not end.supported:
        x, z = motion.reference_x, motion.reference_z
    vx, vz, x, z = clip_velocity(w, vx, vz, wish_x, wish_z, x, z)
    is_clipped = vx != unclipped_x or vz != unclipped_z
    if (end.supported and b[body.CURRENT_ZONE] < 0.0) or (is_clipped and x == 0.0 and z == 0.0):
        x, z = 0.0, 0.0  # no -0.0 either
    _write_vector(b, f, state_row.CARRIED_VELOCITY, x, end.carried_rise, z)
    if len(mesh.materials) > 0 and end.supported:
        x, z = ground_surface_velocity(w, mesh.mates, mesh.materials)
        vx, vz = vx - x, vz - z
    return vx, vz


@inner
def write_motion(
    w: Scratch, f: Floats, i: Indices, end: Fall, heading: int, crouched: bool, vx: float, vz: float
) -> None:
    """Write position, shape, velocity, ground and safe place of the next tick's state row, and the trace's contacts."""
    b = w.body
    write_position(b, f)
    for k in range(3):
        f[state_row.GROUND_NORMAL + k] = 0.0
        f[state_row.RADII + k] = b[body.RADII + k]
    _write_vector(b, f, state_row.VELOCITY, vx, end.vy, vz)
    f[state_row.FALL_VELOCITY] = end.fall_velocity
    if end.supported:
        p = find_ground_plane(w)
        if p >= 0:
            write_ground_normal(w, f, p)
            note_safe_place(f, i, heading, crouched)
        else:  # wedged
            for k in range(3):
                f[state_row.GROUND_NORMAL + k] = f[state_row.UP + k]
    record_contacts(w)


@inner
def write_counters_and_flags(
    settings: Floats,
    i: Indices,
    command: TickCommand,
    jump: Jump,
    supported: bool,
    slides: bool,
    heading: int,
    crouched: bool,
) -> None:
    """Write the integers of the next tick's state row; coyote time and jump buffer are counted down here."""
    if jump.leaves_ground:
        i[state_row.COYOTE_TICKS] = 0
    elif supported or i[state_row.FLAGS] & state_flag.GROUNDED != 0:
        i[state_row.COYOTE_TICKS] = int(settings[setting.COYOTE_TICKS])
    else:
        i[state_row.COYOTE_TICKS] = max(i[state_row.COYOTE_TICKS] - 1, 0)
    i[state_row.JUMP_BUFFER_TICKS] = max(jump.buffer - 1, 0)
    flags = state_flag.GROUNDED if supported else 0
    if slides:
        flags |= state_flag.SLIDING
    _write_ints(i, command, heading, crouched, flags)


@inner
def write_free_state(
    w: Scratch,
    f: Floats,
    i: Indices,
    command: TickCommand,
    heading: int,
    crouched: bool,
    swims: bool,
    climbs: bool,
    velocity: Vector,
    carried: Vector,
) -> None:
    """Write the state row after a tick of swimming or climbing, or of both: climbing out of the water.

    velocity: relative to the `carried` one, of the water or the ladder. A climber stands on ground that it reaches. One
    that leaves the ladder or the bank falls from rest.
    """
    b = w.body
    vx, vy, vz = velocity
    cx, cy, cz = carried
    supported = False
    if climbs and vy <= 0.0:
        supported = snap_to_ground(w, b[body.RADII + 1] * 2.0 * b[body.SKIN])
    write_position(b, f)
    for k in range(3):
        f[state_row.GROUND_NORMAL + k] = 0.0
        f[state_row.RADII + k] = b[body.RADII + k]
    fall_velocity = min(vy, 0.0) if climbs else vy
    if cx != 0.0 or cy != 0.0 or cz != 0.0:
        vx, vy, vz, fall_velocity = vx + cx, vy + cy, vz + cz, fall_velocity + cy
    if supported:
        write_ground_normal(w, f, find_ground_plane(w))
        cx, cy, cz, vy, fall_velocity = 0.0, 0.0, 0.0, 0.0, 0.0
    f[state_row.FALL_VELOCITY] = fall_velocity
    _write_vector(b, f, state_row.CARRIED_VELOCITY, cx, cy, cz)
    _write_vector(b, f, state_row.VELOCITY, vx, vy, vz)
    record_contacts(w)
    i[state_row.COYOTE_TICKS], i[state_row.JUMP_BUFFER_TICKS] = 0, 0
    flags = 0
    if swims:
        w.counters[counter.EVENTS] |= tick_event.SWIMS
        flags |= state_flag.SWIMMING
    if climbs:
        w.counters[counter.EVENTS] |= tick_event.CLIMBS
        flags |= state_flag.CLIMBING
    _write_ints(i, command, heading, crouched, state_flag.GROUNDED if supported else flags)


@inner
def _write_ints(i: Indices, command: TickCommand, heading: int, crouched: bool, flags: int) -> None:
    """Write heading, tick and flags; `flags` without stance and jump button."""
    i[state_row.HEADING] = heading
    i[state_row.TICK] += 1
    if crouched:
        flags |= state_flag.CROUCHED
    if command.buttons & button.JUMP != 0:
        flags |= state_flag.JUMP_HELD
    i[state_row.FLAGS] = flags


@inner
def write_position(b: Floats, f: Floats) -> None:
    """Write the position; it keeps every bit if the body has not moved."""
    x, y, z = b[body.OFFSET], b[body.OFFSET + 1], b[body.OFFSET + 2]
    if x == 0.0 and y == 0.0 and z == 0.0:
        return
    if b[body.FRAME_IS_ROTATED] != 0.0:
        x, y, z = body_frame_to_world(b, x, y, z)
    f[state_row.POSITION] = b[body.ORIGIN] + x
    f[state_row.POSITION + 1] = b[body.ORIGIN + 1] + y
    f[state_row.POSITION + 2] = b[body.ORIGIN + 2] + z


@inner
def write_ground_normal(w: Scratch, f: Floats, p: int) -> None:
    """Write the normal of plane p as that of the ground."""
    planes = w.planes
    _write_vector(w.body, f, state_row.GROUND_NORMAL, planes[p, plane.NX], planes[p, plane.NY], planes[p, plane.NZ])


@inner
def _write_vector(b: Floats, f: Floats, column: int, x: float, y: float, z: float) -> None:
    """Write a vector of the body frame into three columns of the state row, in world directions."""
    if b[body.FRAME_IS_ROTATED] != 0.0:
        x, y, z = body_frame_to_world(b, x, y, z)
    f[column], f[column + 1], f[column + 2] = x, y, z
