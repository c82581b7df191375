"""Motion of a mover: a path with stops, a rotation along the path, a constant spin; and the pose at a tick.

A pose is a function of the mover's clock alone: of the world's tick, or of the ticks since a mover that waits was set
off. It uses + - * / and floor of floats, with sine and cosine by the polynomial of physics.numerics.trigonometry, so it
has the same bits on every machine. A pose maps the mover's own frame, whose origin is the centre of rotation, to the
world: x_world = rotation x_own + position.
"""

from __future__ import annotations

import math
from math import floor

from ...core.angles import HEADING_UNITS_PER_QUARTER_TURN, HEADING_UNITS_PER_TURN, RADIANS_PER_HEADING_UNIT
from ...core.motion import Motion
from ...core.vectors import MAX_MOVER_SPEED, Floats, Indices, Vector, sum_in_order
from ..numerics.jit import inner, kernel
from ..numerics.trigonometry import sin_cos_small
from .rows import keyframe, motion_row, pose

MAX_CLOCK = 2**40  # ticks (580 years at 60 a second): angles in heading units then fit into int64
AT_HOME = 4 * MAX_CLOCK  # start of a mover that waits and was not set off: a tick that no world reaches
START_NUMBERS = {"always": motion_row.ALWAYS, "near": motion_row.NEAR, "ridden": motion_row.RIDDEN}
TURN_UNITS = float(HEADING_UNITS_PER_TURN)
QUARTER_TURN_UNITS = float(HEADING_UNITS_PER_QUARTER_TURN)
MIN_UPRIGHT_COSINE = 0.999  # |axis . up| above which a rotation turns the heading of a rider


def motion_columns(
    motion: Motion, home: Vector, bounds: tuple[Vector, Vector] | None, radius: float, rate: float
) -> list[float]:
    """Motion row (rows.motion_row) of a mover. ValueError if it is too fast.

    home: of its origin, m; bounds: least and greatest corner of its mesh; radius: distance of its furthest corner
    from the origin; rate: ticks per second.
    """
    keys = motion.keys()
    length = math.sqrt(sum_in_order(a * a for a in motion.axis))
    axis = [a / length for a in motion.axis]
    speed, angular_speed = 0.0, abs(motion.spin) * math.pi / 180.0
    swing_speed = 0.0
    for key in keys:
        peak = (1.5 if key[keyframe.EASE] else 1.0) / key[keyframe.DURATION]
        speed = max(speed, peak * math.dist(key[keyframe.FROM : keyframe.FROM + 3], key[keyframe.TO : keyframe.TO + 3]))
        swing_speed = max(
            swing_speed, peak * abs(key[keyframe.ANGLE_TO] - key[keyframe.ANGLE_FROM]) * RADIANS_PER_HEADING_UNIT
        )
    angular_speed += swing_speed
    if speed + angular_speed * radius > MAX_MOVER_SPEED:
        raise ValueError(
            f"moves at up to {speed + angular_speed * radius:.4g} m/s at its rim; the limit is {MAX_MOVER_SPEED:g}: "
            "increase seconds or reduce spin"
        )
    low, high = bounds if bounds is not None else ((0.0,) * 3, (0.0,) * 3)
    if motion.turns:
        low, high = (-radius,) * 3, (radius,) * 3
    stops = [key[keyframe.FROM : keyframe.FROM + 3] for key in keys] + [
        key[keyframe.TO : keyframe.TO + 3] for key in keys
    ] or [[0.0, 0.0, 0.0]]
    world_bounds = [home[k] + low[k] + min(stop[k] for stop in stops) for k in range(3)]
    world_bounds += [home[k] + high[k] + max(stop[k] for stop in stops) for k in range(3)]
    period = keys[-1][keyframe.START] + keys[-1][keyframe.DURATION] if keys else 0.0
    spin = motion.spin * TURN_UNITS / 360.0
    row = [0.0] * motion_row.WIDTH  # the caller writes FIRST_KEYFRAME, and the ranges in joined arrays
    row[motion_row.KEYFRAME_COUNT], row[motion_row.PERIOD], row[motion_row.PHASE] = len(keys), period, motion.phase
    row[motion_row.TICKS_PER_SECOND], row[motion_row.SPIN] = rate, spin
    row[motion_row.AXIS : motion_row.AXIS + 3], row[motion_row.HOME : motion_row.HOME + 3] = axis, home
    row[motion_row.BOUNDS : motion_row.BOUNDS + 6] = world_bounds
    row[motion_row.MAX_SPEED], row[motion_row.MAX_ANGULAR_SPEED], row[motion_row.RADIUS] = speed, angular_speed, radius
    if motion.waits:
        row[motion_row.WAITS_FOR], row[motion_row.START] = START_NUMBERS[motion.starts], AT_HOME
        first, (least, greatest) = stops[0], bounds or ((0.0,) * 3, (0.0,) * 3)
        row[motion_row.NEAR_BOX : motion_row.NEAR_BOX + 6] = [
            *(home[k] + first[k] + least[k] - motion.near for k in range(3)),
            *(home[k] + first[k] + greatest[k] + motion.near for k in range(3)),
        ]
    return row


@inner
def sin_cos_heading_units(units: float) -> tuple[float, float]:
    """(sin, cos) of an angle in heading units, which need not be whole; exact at quarter turns."""
    units = units - floor(units / TURN_UNITS) * TURN_UNITS
    quarter = floor(units / QUARTER_TURN_UNITS)
    r = units - quarter * QUARTER_TURN_UNITS
    if r <= 0.5 * QUARTER_TURN_UNITS:
        s, c = sin_cos_small(r * RADIANS_PER_HEADING_UNIT)
    else:
        c, s = sin_cos_small((QUARTER_TURN_UNITS - r) * RADIANS_PER_HEADING_UNIT)
    if quarter == 0 or quarter == 4:
        return s, c
    if quarter == 1:
        return c, -s
    if quarter == 2:
        return -s, -c
    return -c, s


@inner
def write_starts(motions: Floats, starts: Indices) -> None:
    """Write the starts (M or more,) of movers into their motion rows (M, motion_row.WIDTH)."""
    for k in range(len(motions)):
        motions[k, motion_row.START] = float(starts[k])


@inner
def mover_position(motions: Floats, keys: Floats, k: int, tick: float) -> tuple[float, float, float, float]:
    """(x, y, z, angle) of mover k at a tick: m from home, heading units about its axis.

    Position on a piece: from + (to - from) s, with s = s s (3 - 2 s) (smoothstep) where it eases.
    """
    t = (tick - motions[k, motion_row.START]) / motions[k, motion_row.TICKS_PER_SECOND] + motions[k, motion_row.PHASE]
    if motions[k, motion_row.WAITS_FOR] != 0.0 and not 0.0 <= t < motions[k, motion_row.PERIOD]:
        t = 0.0  # before it is set off, and after its period: at its first stop
    x, y, z, angle = 0.0, 0.0, 0.0, motions[k, motion_row.SPIN] * t
    count = int(motions[k, motion_row.KEYFRAME_COUNT])
    if count > 0:
        u = t - floor(t / motions[k, motion_row.PERIOD]) * motions[k, motion_row.PERIOD]
        at = int(motions[k, motion_row.FIRST_KEYFRAME])
        last = at + count - 1
        while at < last and u >= keys[at + 1, keyframe.START]:
            at += 1
        s = min(max((u - keys[at, keyframe.START]) / keys[at, keyframe.DURATION], 0.0), 1.0)
        if keys[at, keyframe.EASE] != 0.0:
            s = s * s * (3.0 - 2.0 * s)
        x = keys[at, keyframe.FROM] + (keys[at, keyframe.TO] - keys[at, keyframe.FROM]) * s
        y = keys[at, keyframe.FROM + 1] + (keys[at, keyframe.TO + 1] - keys[at, keyframe.FROM + 1]) * s
        z = keys[at, keyframe.FROM + 2] + (keys[at, keyframe.TO + 2] - keys[at, keyframe.FROM + 2]) * s
        angle += keys[at, keyframe.ANGLE_FROM] + (keys[at, keyframe.ANGLE_TO] - keys[at, keyframe.ANGLE_FROM]) * s
    return x, y, z, angle


@inner
def mover_pose(
    motions: Floats, keys: Floats, k: int, tick: float
) -> tuple[float, float, float, float, float, float, float, float, float, float, float, float]:
    """Pose of mover k at a tick, which may be fractional: rotation (9, row major, own to world) and position (3).

    Rodrigues' formula: R = I + sin a K + (1 - cos a) K K, K the cross-product matrix of the axis.
    """
    x, y, z, angle = mover_position(motions, keys, k, tick)
    x, y, z = motions[k, motion_row.HOME] + x, motions[k, motion_row.HOME + 1] + y, motions[k, motion_row.HOME + 2] + z
    if angle == 0.0:
        return 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, x, y, z
    s, c = sin_cos_heading_units(angle)
    a, b, d = motions[k, motion_row.AXIS], motions[k, motion_row.AXIS + 1], motions[k, motion_row.AXIS + 2]
    v = 1.0 - c
    return (
        1.0 - v * (b * b + d * d),
        v * a * b - s * d,
        v * a * d + s * b,
        v * a * b + s * d,
        1.0 - v * (a * a + d * d),
        v * b * d - s * a,
        v * a * d - s * b,
        v * b * d + s * a,
        1.0 - v * (a * a + b * b),
        x,
        y,
        z,
    )


@kernel
def write_mover_pose(motions: Floats, keys: Floats, k: int, tick: float, out: Floats, row: int, at: int) -> None:
    """Write `mover_pose` into out[row, at : at + pose.WIDTH] (rows.pose)."""
    r0, r1, r2, r3, r4, r5, r6, r7, r8, x, y, z = mover_pose(motions, keys, k, tick)
    out[row, at + pose.R00], out[row, at + pose.R01], out[row, at + pose.R02] = r0, r1, r2
    out[row, at + pose.R10], out[row, at + pose.R11], out[row, at + pose.R12] = r3, r4, r5
    out[row, at + pose.R20], out[row, at + pose.R21], out[row, at + pose.R22] = r6, r7, r8
    at += pose.POSITION
    out[row, at], out[row, at + 1], out[row, at + 2] = x, y, z


@kernel
def mover_rotation(
    motions: Floats, keys: Floats, k: int, before: float, after: float, ux: float, uy: float, uz: float
) -> int:
    """Heading units by which mover k rotates about the up u from tick `before` to `after`; 0 for other axes.

    The difference of floored angles: whole units, of which none are lost in the long run.
    """
    along = (
        motions[k, motion_row.AXIS] * ux + motions[k, motion_row.AXIS + 1] * uy + motions[k, motion_row.AXIS + 2] * uz
    )
    if abs(along) < MIN_UPRIGHT_COSINE:
        return 0
    _, _, _, first = mover_position(motions, keys, k, before)
    _, _, _, last = mover_position(motions, keys, k, after)
    units = int(last // 1.0) - int(first // 1.0)
    return units if along > 0.0 else -units
