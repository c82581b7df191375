"""Rotation of the body as far as there is room, by conservative advancement (docs/physics.md, "Rotation").

In ellipsoid space a rotation moves every point by at most k/2 of its distance from the centre per radian, with
k = |rx/rz - rz/rx|. From a smallest distance m the body may therefore turn by (2/k) ln(m/r) before anything is nearer
than r.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np

from ...core.angles import (
    HEADING_UNITS_PER_HALF_TURN,
    HEADING_UNITS_PER_QUARTER_TURN,
    HEADING_UNITS_PER_TURN,
    RADIANS_PER_HEADING_UNIT,
)
from ..mesh.geometry import closest_point_on_triangle
from ..numerics.jit import inner, kernel
from .body_frame import set_body_shape, to_ellipsoid_space
from .broad_phase import (
    invalidate_candidates,
    require_candidate_box,
    require_candidates,
    transform_corners,
    transform_normal,
)
from .contacts import find_contacts
from .ground_move import limit_rise, snap_to_ground
from .ledges import STEP_HEIGHT_TOLERANCE, set_step_up_limit
from .rows import body, box_row, candidate, counter, plane, record_kind, surface_class, tick_event
from .scratch import Scratch
from .slide import SWEEP_SKIN_FRACTION, add_trace_record, displace, sweep_body
from .support import carrying_height, find_ground_plane

CLEARANCE_LIMIT = 1.6  # ellipsoid space: what lies beyond this many radii waits for the next step
ROTATION_LIFT = 0.10  # m by which the body is lifted on a slope, where the ground blocks every rotation
MAX_STEP_HALVINGS = 4  # before a rotation that is blocked stops
CLEARANCE_ROUNDING = 1e-12  # ellipsoid space: rounding of a distance
SUFFICIENT_CLEARANCE_MARGIN = 1e-9  # factor above 1 on a clearance that leaves a rotation free


@kernel
def find_rotation_distances(w: Scratch) -> int:
    """Number of triangles whose box, at the heading that brings it nearest, comes within CLEARANCE_LIMIT.

    Ellipsoid space. Writes the squared distance of each box to column ROTATION_DISTANCE, infinite where it does not
    count.
    """
    b, boxes, candidates = w.body, w.boxes, w.candidates
    half_height = b[body.RADII + 1] * (1.0 + b[body.SKIN]) - 1e-9
    x, y, z = b[body.OFFSET], b[body.OFFSET + 1], b[body.OFFSET + 2]
    inverse_max_radius = min(b[body.INVERSE_RADII], b[body.INVERSE_RADII + 2])
    reachable = 0
    for i in range(w.counters[counter.CANDIDATES]):
        candidates[i, candidate.ROTATION_DISTANCE] = np.inf
        above, below = boxes[box_row.MIN + 1, i] - y, boxes[box_row.MAX + 1, i] - y
        if above >= half_height or below <= -half_height:
            continue
        gx = inverse_max_radius * max(boxes[box_row.MIN, i] - x, x - boxes[box_row.MAX, i], 0.0)
        gy = b[body.INVERSE_RADII + 1] * max(above, -below, 0.0)
        gz = inverse_max_radius * max(boxes[box_row.MIN + 2, i] - z, z - boxes[box_row.MAX + 2, i], 0.0)
        distance_squared = gx * gx + gy * gy + gz * gz
        if distance_squared < CLEARANCE_LIMIT * CLEARANCE_LIMIT:
            candidates[i, candidate.ROTATION_DISTANCE] = distance_squared
            reachable += 1
    return reachable


@kernel
def rotation_clearance(w: Scratch, limit: float, required: float) -> float:
    """Smallest distance of what a rotation could bring nearer, at most `limit`; ellipsoid space, present heading.

    Any value below `required` is as good as the smallest. Column ROTATION_DISTANCE is up to date. Changes corners
    and normals of the candidates; the caller transforms all of them in the end.
    """
    b, candidates = w.body, w.candidates
    px, py, pz = to_ellipsoid_space(b, b[body.OFFSET], b[body.OFFSET + 1], b[body.OFFSET + 2])
    best = limit
    for i in range(w.counters[counter.CANDIDATES]):
        if candidates[i, candidate.ROTATION_DISTANCE] >= best * best:
            continue
        transform_corners(w, i)
        transform_normal(w, i)
        h = (
            candidates[i, candidate.NX] * (px - candidates[i, candidate.AX])
            + candidates[i, candidate.NY] * (py - candidates[i, candidate.AY])
            + candidates[i, candidate.NZ] * (pz - candidates[i, candidate.AZ])
        )
        if abs(h) >= best:
            continue
        cx, cy, cz, _ = closest_point_on_triangle(candidates, i, px, py, pz)
        dx, dy, dz = px - cx, py - cy, pz - cz
        best = min(best, sqrt(dx * dx + dy * dy + dz * dz))
        if best < required:
            break
    return best


@inner
def _sufficient_clearance(required: float, k: float, units: int) -> float:
    """Clearance m from which a rotation by `units` stays free: (2/k) (1 - required/m) >= angle; at most the limit."""
    free = 1.0 - 0.5 * k * units * RADIANS_PER_HEADING_UNIT
    if free * CLEARANCE_LIMIT <= required:
        return CLEARANCE_LIMIT
    return min(required / free * (1.0 + SUFFICIENT_CLEARANCE_MARGIN), CLEARANCE_LIMIT)


@inner
def _rotate_in_place(w: Scratch, heading: int, delta: int) -> tuple[int, int]:
    """Rotate from `heading` by up to `delta` units; returns (units turned, number of triangles in reach)."""
    b = w.body
    rx, ry, rz, skin = b[body.RADII], b[body.RADII + 1], b[body.RADII + 2], b[body.SKIN]
    side, half_height = max(rx, rz) * CLEARANCE_LIMIT, ry * (1.0 + 2.0 * skin)
    x, y, z = b[body.OFFSET], b[body.OFFSET + 1], b[body.OFFSET + 2]
    require_candidate_box(w, x - side, y - half_height, z - side, x + side, y + half_height, z + side)
    set_body_shape(w, heading, rx, ry, rz)
    reachable = find_rotation_distances(w)
    if reachable == 0:
        return delta, 0
    k = abs(rx / rz - rz / rx)
    total_units = abs(delta)
    m = rotation_clearance(w, _sufficient_clearance(1.0 + skin, k, total_units), 0.0)
    required_clearance = min(m, 1.0 + skin)
    # a step of this size may come nearer than that between two samples, but not as near as the body itself
    min_step = (4.0 / k) * (0.5 * skin / (1.0 + skin))
    sign = 1 if delta > 0 else -1
    turned_units = 0
    halvings = 0
    step = 0.0
    while turned_units < total_units and halvings <= MAX_STEP_HALVINGS:
        if halvings == 0:
            step = max((2.0 / k) * (1.0 - required_clearance / m), min_step) / RADIANS_PER_HEADING_UNIT
        if (
            halvings == 0
            and (2.0 / k) * (1.0 - required_clearance / m) >= (total_units - turned_units) * RADIANS_PER_HEADING_UNIT
        ):
            turned_units = total_units  # nothing can come too near on the rest
            break
        step_units = min(max(int(step), 1), total_units - turned_units)
        set_body_shape(w, heading + sign * (turned_units + step_units), rx, ry, rz)
        remaining_units = total_units - turned_units - step_units if halvings == 0 else 0
        limit = _sufficient_clearance(required_clearance, k, remaining_units)
        clearance = rotation_clearance(w, limit, required_clearance - CLEARANCE_ROUNDING)
        if clearance >= required_clearance - CLEARANCE_ROUNDING:
            turned_units += step_units
            m = clearance
            if halvings > 0:
                halvings += 1
                step = step * 0.5
        else:
            if step_units == 1:
                break
            halvings += 1
            step = step * 0.5
    return sign * turned_units, reachable


@inner
def _highest_support_point(w: Scratch) -> float:
    """Height (relative, m) of the highest contact that supports the body."""
    highest = body.NO_SUPPORT
    for p in range(w.counters[counter.PLANES]):
        if w.planes[p, plane.CLASS] == surface_class.WALKABLE:
            highest = max(highest, w.planes[p, plane.POINT_Y])
    return float(highest)


class Rotation(NamedTuple):
    """Result of a rotation."""

    heading: int  # reached, heading units
    lift: float  # height by which the body was lifted, m
    support: float  # relative height of what carried the body before it was lifted, m
    rested: bool  # whether it rested there


@inner
def rotate_body(w: Scratch, heading: int, target: int, grounded: bool, snap_down: float, may_lift: bool) -> Rotation:
    """Rotate the body from `heading` towards `target` (heading units), the short way.

    Half a turn gives the same shape, so no rotation is longer than a quarter. The centre stays, except for settling on
    ground. On a slope that blocks the rotation the body is lifted, rotated and put down, if it `may_lift`.
    """
    b = w.body
    rx, ry, rz = b[body.RADII], b[body.RADII + 1], b[body.RADII + 2]
    delta = (target - heading + HEADING_UNITS_PER_HALF_TURN) % HEADING_UNITS_PER_TURN - HEADING_UNITS_PER_HALF_TURN
    if delta > HEADING_UNITS_PER_QUARTER_TURN:
        heading, delta = heading + HEADING_UNITS_PER_HALF_TURN, delta - HEADING_UNITS_PER_HALF_TURN
    elif delta < -HEADING_UNITS_PER_QUARTER_TURN:
        heading, delta = heading + HEADING_UNITS_PER_HALF_TURN, delta + HEADING_UNITS_PER_HALF_TURN
    if delta == 0 or rx == rz:
        set_body_shape(w, target, rx, ry, rz)
        if rx != rz:  # half a turn: the same shape, but sine and cosine change sign
            invalidate_candidates(w)
        return Rotation(target % HEADING_UNITS_PER_TURN, 0.0, 0.0, False)
    x, y, z = b[body.OFFSET], b[body.OFFSET + 1], b[body.OFFSET + 2]
    support, rested = carrying_height(w, find_ground_plane(w))
    turned_units, reachable = _rotate_in_place(w, heading, delta)
    if turned_units != delta and grounded and may_lift:
        set_body_shape(w, heading, rx, ry, rz)
        require_candidates(w, 0.0, ROTATION_LIFT, 0.0)
        invalidate_candidates(w)
        find_contacts(w)
        limit = support + b[body.STEP_HEIGHT] + STEP_HEIGHT_TOLERANCE  # from where it stands, not where it is lifted to
        rise = limit_rise(w, ROTATION_LIFT)
        if rise > 0.0:
            t = sweep_body(w, 0.0, rise, 0.0, SWEEP_SKIN_FRACTION)
            rise = t * rise
            displace(w, 0.0, rise, 0.0)
            lifted_units, _ = _rotate_in_place(w, heading, delta)
            if abs(lifted_units) > abs(turned_units):
                set_body_shape(w, heading + lifted_units, rx, ry, rz)
                invalidate_candidates(w)
                if (
                    snap_to_ground(w, rise + snap_down)
                    and find_contacts(w) >= 0.5 * b[body.SKIN] - CLEARANCE_ROUNDING
                    and _highest_support_point(w) <= limit
                ):
                    if lifted_units != delta:
                        w.counters[counter.EVENTS] |= tick_event.TURN_CUT
                    add_trace_record(
                        w, record_kind.ROTATE, float(lifted_units), b[body.OFFSET + 1] - y, float(delta), 1.0
                    )
                    reached = (heading + lifted_units) % HEADING_UNITS_PER_TURN
                    return Rotation(reached, max(b[body.OFFSET + 1] - y, 0.0), support, rested)
            b[body.OFFSET], b[body.OFFSET + 1], b[body.OFFSET + 2] = x, y, z
    set_body_shape(w, heading + turned_units, rx, ry, rz)
    invalidate_candidates(w)
    is_held = True
    if grounded and reachable > 0:
        if rested:  # else the snap would climb an edge that the step height allows from another edge
            set_step_up_limit(w, support + b[body.STEP_HEIGHT])
        is_held = snap_to_ground(w, snap_down)
        b[body.STEP_UP_LIMIT], w.counters[counter.CONTACTS_VALID] = body.NO_LIMIT, 0
    if not is_held:
        b[body.OFFSET], b[body.OFFSET + 1], b[body.OFFSET + 2] = x, y, z
        set_body_shape(w, heading, rx, ry, rz)
        invalidate_candidates(w)
        turned_units = 0
    if turned_units != delta:
        w.counters[counter.EVENTS] |= tick_event.TURN_CUT
    add_trace_record(w, record_kind.ROTATE, float(turned_units), b[body.OFFSET + 1] - y, float(delta), 0.0)
    return Rotation((heading + turned_units) % HEADING_UNITS_PER_TURN, 0.0, 0.0, False)
