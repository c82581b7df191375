"""Crouching, standing up, and recovery from penetration (docs/physics.md)."""

from __future__ import annotations

from math import sqrt
from typing import Any

from ..numerics.jit import inner
from ..numerics.projection import project_onto_halfplanes
from .broad_phase import require_candidates, set_body_shape, transform_candidates
from .contacts import find_contacts
from .ground_move import MIN_RISE
from .layout import body, counter, plane, setting, tick_event
from .scratch import Scratch
from .slide import (
    MAX_SLIDE_ITERATIONS,
    MIN_MOVE_LENGTH,
    MIN_PLAN_NORMAL,
    SWEEP_SKIN_PART,
    displace,
    project_displacement,
    sweep_and_move,
    sweep_body,
)

MAX_RECOVERY_ITERATIONS = 8  # pushes in a tick
MAX_RECOVERY_STEP = 0.25  # m of one push
PENETRATION_TOLERANCE = 1e-6  # ellipsoid space: a gap below half the skin by more than this is a penetration


@inner
def crouch_or_stand(
    w: Scratch, settings: Any, heading: int, crouched: bool, wants_crouch: bool, grounded: bool
) -> bool:
    """Crouch at once, or stand up as soon as there is room; returns True if the body is crouched afterwards."""
    if wants_crouch and not crouched:
        crouch_down(w, heading, settings[setting.CROUCH_RADIUS_UP], grounded)
        crouched = True
    elif crouched and not wants_crouch and stand_up(w, heading, settings[setting.RADIUS_UP]):
        crouched = False
    return crouched


@inner
def crouch_down(w: Scratch, heading: int, low: float, grounded: bool) -> None:
    """Take the crouched shape (radius up `low`, m), with the feet in place.

    The low body starts in the middle of the tall one, where it is always clear, and is swept down to the feet. In the
    air it also moves aside past what is in the way, no further than it is broader there than the tall body was.
    """
    b = w.body
    rx, tall, rz = b[body.RADII], b[body.RADII + 1], b[body.RADII + 2]
    set_body_shape(w, heading, rx, low, rz)
    height = (tall - low) * (1.0 + b[body.SKIN])
    drop = height
    require_candidates(w, 0.0, -drop, 0.0)
    transform_candidates(w)
    find_contacts(w)
    for p in range(w.counters[counter.PLANES]):
        if w.planes[p, plane.NY] > MIN_RISE:
            drop = min(drop, max(-w.planes[p, plane.BOUND], 0.0) / w.planes[p, plane.NY])
    t = sweep_body(w, 0.0, -drop, 0.0, SWEEP_SKIN_PART)
    displace(w, 0.0, -t * drop, 0.0)
    left = height - t * drop
    aside = (1.0 - low / tall) * max(rx, rz)
    iterations = 0 if grounded else MAX_SLIDE_ITERATIONS
    while iterations > 0 and left > MIN_MOVE_LENGTH:
        iterations -= 1
        require_candidates(w, 0.0, -left, 0.0)
        find_contacts(w)
        x, z, done = _find_bypass(w, left)
        far = sqrt(x * x + z * z)
        if not done or far > aside:
            break
        t = sweep_and_move(w, x, -left, z)
        left -= t * left
        aside -= t * far


@inner
def _find_bypass(w: Scratch, drop: float) -> tuple[float, float, bool]:
    """Shortest plan displacement with which a body that moves down by `drop` (m) passes its contacts; False: none."""
    n = 0
    for p in range(w.counters[counter.PLANES]):
        nx, ny, nz = w.planes[p, plane.NX], w.planes[p, plane.NY], w.planes[p, plane.NZ]
        flat = sqrt(nx * nx + nz * nz)
        bound = min(w.planes[p, plane.BOUND], 0.0) + ny * drop
        if flat > MIN_PLAN_NORMAL:
            w.half_spaces[n, 0], w.half_spaces[n, 1], w.half_spaces[n, 2] = nx / flat, nz / flat, bound / flat
            n += 1
        elif bound > MIN_MOVE_LENGTH:
            return 0.0, 0.0, False
    return project_onto_halfplanes(w.half_spaces, n, 0.0, 0.0)


@inner
def stand_up(w: Scratch, heading: int, tall: float) -> bool:
    """Take the upright shape (radius up `tall`, m), with the feet in place; False and no change without room."""
    b = w.body
    rx, low, rz = b[body.RADII], b[body.RADII + 1], b[body.RADII + 2]
    rise = (tall - low) * (1.0 + b[body.SKIN])
    displace(w, 0.0, rise, 0.0)
    set_body_shape(w, heading, rx, tall, rz)
    require_candidates(w, 0.0, 0.0, 0.0)
    transform_candidates(w)
    if find_contacts(w) >= 0.5 * b[body.SKIN] - PENETRATION_TOLERANCE:
        return True
    displace(w, 0.0, -rise, 0.0)
    set_body_shape(w, heading, rx, low, rz)
    transform_candidates(w)
    w.counters[counter.EVENTS] |= tick_event.STAND_BLOCKED
    return False


@inner
def recover_penetration(w: Scratch) -> tuple[bool, float]:
    """Push the body out of what it overlaps, by at most 8 times 0.25 m; (is clear at the end, distance moved in m).

    Each push is the smallest displacement that restores all gaps.
    """
    b = w.body
    x, y, z = b[body.OFFSET], b[body.OFFSET + 1], b[body.OFFSET + 2]
    clear = False
    for push in range(MAX_RECOVERY_ITERATIONS + 1):
        require_candidates(w, 0.0, 0.0, 0.0)
        if find_contacts(w) >= 0.5 * b[body.SKIN] - PENETRATION_TOLERANCE:
            clear = True
            break
        if push == MAX_RECOVERY_ITERATIONS:
            break
        w.counters[counter.EVENTS] |= tick_event.RECOVERED_PENETRATION
        dx, dy, dz = project_displacement(w, 0.0, 0.0, 0.0)
        length = sqrt(dx * dx + dy * dy + dz * dz)
        if length > MAX_RECOVERY_STEP:
            dx, dy, dz = (
                dx / length * MAX_RECOVERY_STEP,
                dy / length * MAX_RECOVERY_STEP,
                dz / length * MAX_RECOVERY_STEP,
            )
        displace(w, dx, dy, dz)
    dx, dy, dz = b[body.OFFSET] - x, b[body.OFFSET + 1] - y, b[body.OFFSET + 2] - z
    return clear, sqrt(dx * dx + dy * dy + dz * dz)
