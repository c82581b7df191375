"""Room for a body: free positions, points inside solids, and places near a point where the walker can be put."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ...core.vectors import Point
from ...physics import Ellipsoid, WalkerState
from ..level_rules import up_and_north_at

if TYPE_CHECKING:
    from ...physics import TriangleMesh, Walker
    from ..world import World


VERTICAL_STEPS = (0.0, 0.3, -0.3, 0.6, -0.6, 1.0, -1.0, 1.5, -1.5, 2.2)  # m, tried in this order
HORIZONTAL_STEPS = (0.5, 1.0, 1.8)  # m; each in eight directions, level and lifted
SEARCH_DIRECTIONS = 8
SIDE_STEP_LIFT = 0.6  # m
MAX_STANDING_SHIFT = 0.3  # m from a place to the feet of a walker that stands there
CLEARANCE_FACTOR = 1.0 + 2e-3  # of the body's radii that a place must have free
PROBE_RADIUS = 0.03  # m, of the sphere that looks for surfaces around a point
PROBE_DISTANCE = 1000.0  # m that it is swept
MIN_BACK_FACING = 1e-6  # cosine between direction and normal from which on a triangle shows its back
UP: Point = (0.0, 1.0, 0.0)
HORIZONTAL_DIRECTIONS: tuple[Point, ...] = ((1.0, 0.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, -1.0))


def place_walker_near(world: World, eye: Point, heading: int, sideways: bool = True) -> WalkerState | None:
    """The walker with its eye at `eye`, facing `heading` (65536 to the turn), or at the first offset that has room.

    Offsets go up and down, and with `sideways` to the sides. The walker stands along the gravity of the place, touches
    nothing and is in no solid. None where no offset has room.
    """
    settings = world.settings
    now = world.walker_state
    half_height = settings.radii[1]
    zones = None if world.environment is None else world.environment.zones
    up, north = up_and_north_at(zones, eye, 0.0)
    eye_height = (2.0 * settings.eye - 1.0) * half_height  # m of the eye above the body's centre
    for rise, east, south in _search_offsets(sideways):
        step = (rise * u + east * e - south * n for u, e, n in zip(up, _cross_product(north, up), north, strict=True))
        centre = tuple(
            coordinate - eye_height * u + offset for coordinate, u, offset in zip(eye, up, step, strict=True)
        )
        frame = up_and_north_at(zones, centre, 0.0)
        feet = tuple(coordinate - half_height * u for coordinate, u in zip(centre, frame[0], strict=True))
        try:
            state = world.walker.spawn(world.mesh, feet, heading, *frame, around=world.environment, clock=world.clock)
        except ValueError:
            continue
        if up_and_north_at(zones, state.position, 0.0) != frame:
            continue
        if not is_inside_solid(world.mesh, state.position):
            row = state.row()
            row["tick"] = now.tick
            return WalkerState(row)
    return None


def is_inside_solid(mesh: TriangleMesh, point: Point, directions: Sequence[Point] = HORIZONTAL_DIRECTIONS) -> bool:
    """Whether the first triangle in each of some directions shows its back to a point.

    A small sphere is swept instead of a ray, so that no seam between triangles lets it through. With `UP` alone, a
    point under the ground counts as inside too.
    """
    probe = Ellipsoid((PROBE_RADIUS,) * 3)
    for direction in directions:
        dx, dy, dz = (PROBE_DISTANCE * component for component in direction)
        hit = mesh.sweep(probe, point, 0.0, (dx, dy, dz))
        if hit is None:
            return False
        row = int(np.flatnonzero(mesh.source == hit.triangle)[0])
        if float(mesh.triangles12[row, 9:12] @ np.asarray(direction)) <= MIN_BACK_FACING:
            return False
    return True


def free_positions(mesh: TriangleMesh, positions: Sequence[Point], state: WalkerState) -> list[Point]:
    """Those of some positions of the body's centre at which the body of `state` touches nothing."""
    hits = mesh.sweep_many(clearance_ellipsoid(state), np.array(positions), state.yaw, (0.0, 0.0, 0.0))
    return [position for position, triangle in zip(positions, hits.triangle, strict=True) if triangle < 0]


def clearance_ellipsoid(state: WalkerState) -> Ellipsoid:
    """The walker's ellipsoid, a little larger: what a place must have free."""
    rx, ry, rz = state.radii
    return Ellipsoid((rx * CLEARANCE_FACTOR, ry * CLEARANCE_FACTOR, rz * CLEARANCE_FACTOR))


def can_stand(mesh: TriangleMesh, walker: Walker, feet: Sequence[float]) -> bool:
    """Whether a walker that is spawned there stands on ground and is hardly pushed aside."""
    try:
        state = walker.spawn(mesh, feet)
    except ValueError:
        return False
    return state.grounded and math.dist(state.feet, feet) < MAX_STANDING_SHIFT


def _search_offsets(sideways: bool) -> list[tuple[float, float, float]]:
    """Offsets (up, east, south) in m, in the order in which they are tried."""
    offsets = [(rise, 0.0, 0.0) for rise in VERTICAL_STEPS]
    for reach in HORIZONTAL_STEPS if sideways else ():
        for k in range(SEARCH_DIRECTIONS):
            angle = k * math.tau / SEARCH_DIRECTIONS
            offsets += [(rise, reach * math.cos(angle), reach * math.sin(angle)) for rise in (0.0, SIDE_STEP_LIFT)]
    return offsets


def _cross_product(a: Point, b: Point) -> Point:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
