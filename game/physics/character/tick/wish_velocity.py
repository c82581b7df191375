"""Wish phase: from the input to the horizontal velocity and horizontal displacement of the tick."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from ....core.vectors import Floats, Indices
from ...environment.environment import MeshArrays
from ...mesh.rows import material_row
from ...numerics.acceleration import integrate_acceleration, integrate_slip
from ...numerics.jit import inner
from ...numerics.trigonometry import heading_sin_cos
from ..command import TickCommand, move_input, upright_speed
from ..rows import body, plane, setting, state_flag, state_row
from ..scratch import Scratch
from .effects import apply_wall_friction, ground_material, is_slipping, surface_velocity
from .jump import Jump
from .swimming import SWIM_START_DEPTH, WADE_SLOWDOWN

CURRENT_ACCELERATION = 10.0  # m/s2 by which a current accelerates a body that does not swim


class WishMotion(NamedTuple):
    """Horizontal motion of a tick in the body frame (x right, z back at heading 0), m/s and m."""

    vx: float  # own velocity, relative to the reference
    vz: float
    ux: float  # displacement, that of the reference included
    uz: float
    wish_x: float  # velocity that the input asks for, relative to the reference
    wish_z: float
    reference_x: float  # reference: velocity of the ground's surface and of the current, or of the ground that was left
    reference_z: float
    has_reference: bool
    carried_x: float  # the same without the ground's surface
    carried_z: float
    slips: bool  # the ground is too steep for its friction


@inner
def _wish_speed(b: Floats, settings: Floats, command: TickCommand, crouched: bool) -> float:
    """Speed (m/s) by stance, sprint button and depth of the water."""
    speed = settings[setting.CROUCH_SPEED] if crouched else upright_speed(settings, command)
    if b[body.SUBMERGED_FRACTION] > 0.0:
        speed = speed * (1.0 - WADE_SLOWDOWN * min(b[body.SUBMERGED_FRACTION] / SWIM_START_DEPTH, 1.0))
    return float(speed)


@inner
def _carried_motion(
    b: Floats, cx: float, cz: float, jump: Jump, grounded: bool, dt: float
) -> tuple[float, float, float, float, float, float]:
    """(walker's own velocity, carried velocity, carried displacement that is left), horizontal, m/s and m.

    c: carried velocity at the start of the tick. A body in the air keeps the velocity of the ground that it left. In a
    current it approaches the current's at 10 m/s2; on the ground the zone's `hold` of it.
    """
    vx, vz = jump.vx, jump.vz
    if cx != 0.0 or cz != 0.0:
        vx, vz = vx - cx, vz - cz
    if jump.is_launched:
        cx, cz = jump.launch_x, jump.launch_z
    ux, uz = cx * dt, cz * dt
    if b[body.CURRENT_ZONE] >= 0.0 and not jump.is_launched:
        hold = b[body.HOLD] if grounded else 1.0
        target_x, target_z = hold * b[body.CURRENT], hold * b[body.CURRENT + 2]
        gap_x, gap_z = target_x - cx, target_z - cz
        gap = sqrt(gap_x * gap_x + gap_z * gap_z)
        cx, ux = integrate_acceleration(cx, target_x, CURRENT_ACCELERATION, gap, dt)
        cz, uz = integrate_acceleration(cz, target_z, CURRENT_ACCELERATION, gap, dt)
    return vx, vz, cx, cz, ux - b[body.CARRIED_MADE], uz - b[body.CARRIED_MADE + 2]


@inner
def _wish_acceleration(settings: Floats, grounded: bool, has_wish: bool, friction: float) -> float:
    """Acceleration (m/s2) towards the wish velocity: on ground times its friction, in the air times the air control."""
    rate = settings[setting.ACCELERATION] if has_wish else settings[setting.DECELERATION]
    if not grounded:
        rate = rate * settings[setting.AIR_CONTROL] if settings[setting.AIR_CONTROL] > 0.0 else 0.0
    elif friction < 1.0:
        rate = rate * friction if friction > 0.0 else 0.0
    return float(rate)


@inner
def wish_motion(
    w: Scratch,
    settings: Floats,
    mesh: MeshArrays,
    i: Indices,
    command: TickCommand,
    jump: Jump,
    carried_x: float,
    carried_z: float,
    crouched: bool,
    gravity: float,
) -> WishMotion:
    """Horizontal velocity and displacement of the tick; carried: horizontal carried velocity at its start, m/s.

    The own velocity v approaches the wish velocity at a constant rate a, exactly within the tick (v t + a t^2 / 2).
    On a slope too steep for its friction, gravity and grip act instead (`integrate_slip`).
    """
    b = w.body
    dt = settings[setting.DT]
    grounded = i[state_row.FLAGS] & state_flag.GROUNDED != 0
    forward, strafe = move_input(command)
    speed = _wish_speed(b, settings, command, crouched)
    vx, vz, carried_x, carried_z, carried_ux, carried_uz = _carried_motion(b, carried_x, carried_z, jump, grounded, dt)
    has_materials = len(mesh.materials) > 0
    ground, slips, friction = -1, False, 1.0
    reference_x, reference_z = 0.0, 0.0
    if grounded and has_materials:
        ground, m = ground_material(w, mesh.mates)
        if ground >= 0:
            speed = speed * mesh.materials[m, material_row.SPEED_FACTOR]
            friction = mesh.materials[m, material_row.FRICTION]
            reference_x, reference_z = surface_velocity(w, mesh.materials, ground, m)
            slips = is_slipping(w, ground, friction)
    s, c = heading_sin_cos(command.heading)
    wx, wz = speed * (strafe * c - forward * s), speed * (-strafe * s - forward * c)
    has_wish = forward != 0.0 or strafe != 0.0
    rate = _wish_acceleration(settings, grounded, has_wish, friction)
    if has_materials and has_wish:
        wx, wz = apply_wall_friction(w, mesh.mates, mesh.materials, wx, wz)
    gx, gz = wx - vx, wz - vz
    gap = sqrt(gx * gx + gz * gz)
    if slips:
        normal = w.planes[ground, plane.NX], w.planes[ground, plane.MAX_FACE_NY], w.planes[ground, plane.NZ]
        vx, vz, ux, uz = integrate_slip((vx, vz), (wx, wz), normal, friction, gravity, dt)
    elif gap == 0.0 or rate == 0.0:
        ux, uz = vx * dt, vz * dt
    else:
        vx, ux = integrate_acceleration(vx, wx, rate, gap, dt)
        vz, uz = integrate_acceleration(vz, wz, rate, gap, dt)
    reference_x, reference_z = reference_x + carried_x, reference_z + carried_z
    has_reference = reference_x != 0.0 or reference_z != 0.0 or carried_ux != 0.0 or carried_uz != 0.0
    if has_reference:
        ux = ux + reference_x * dt + (carried_ux - carried_x * dt)
        uz = uz + reference_z * dt + (carried_uz - carried_z * dt)
    return WishMotion(vx, vz, ux, uz, wx, wz, reference_x, reference_z, has_reference, carried_x, carried_z, slips)
