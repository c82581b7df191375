"""Carriers of a body: the surface or edge that it rests on, belts, currents, zones and movers near it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ..core.angles import RADIANS_PER_HEADING_UNIT
from ..physics import Environment, TriangleMesh, WalkerSettings
from ..physics.environment.rows import motion_row, zone_row
from ..physics.mesh.rows import material_row

TOUCHING_SKINS = 1.5  # a body touches what lies within so many skins
MIN_TREAD = 0.01  # m: of two edges nearer than this in the horizontal one is above the other
TREAD_TOLERANCE = 0.001  # m by which a tread may exceed the reach
RISE_TOLERANCE = 0.001  # m by which a rise may exceed the step height
NEARBY = 0.5  # m around a body in which movers, belts and zones count as near


def touching_reach(radii: Any, settings: WalkerSettings) -> float:
    """Largest distance (m) from the centre of a body with these radii (3,) to what it touches."""
    return float(radii.max()) * (1.0 + TOUCHING_SKINS * settings.skin)


def feet_height(states: Any) -> Any:
    """Height of the feet of a state row, or of each row, m."""
    return states["position"][..., 1] - states["radii"][..., 1]


class TouchedPoint(NamedTuple):
    """Point at which a body touches a triangle (frame of the body, m), and the unit direction from it to the body."""

    x: float
    height: float
    z: float
    towards: Any  # (3,)


def carrying_contact(state: Any, triangles: Any, settings: WalkerSettings, after: bool) -> TouchedPoint | None:
    """What carries a body: the highest walkable feature that it rests on, or the ridge of steep faces.

    Without one it rides on edges: on the highest within the step height of its feet before a tick, on the lowest
    after one, or where all are higher. None if it touches nothing of these.
    """
    steepest = _least_upward(settings)
    walkable = list(_contacts(state, triangles, settings, True))
    resting = [contact for contact in walkable if contact.towards[1] >= steepest]
    if not resting:
        resting = [c for c in _contacts(state, triangles, settings, False) if c.towards[1] >= steepest]
    if resting:
        return max(resting, key=lambda contact: contact.height)
    riding = [contact for contact in walkable if contact.towards[1] > 0.0]
    highest = float(feet_height(state)) + settings.step_height + 0.03
    low = [contact for contact in riding if not after and contact.height <= highest]
    if low:
        return max(low, key=lambda contact: contact.height)
    return min(riding, key=lambda contact: contact.height, default=None)


def carrying_height(state: Any, triangles: Any, settings: WalkerSettings, after: bool) -> float:
    """Height (m, frame of the body) of what carries a body; that of its feet if nothing does."""
    contact = carrying_contact(state, triangles, settings, after)
    return float(feet_height(state)) if contact is None else contact.height


def climbs_treads(
    low: float, contact: TouchedPoint, triangles: Any, settings: WalkerSettings, reach: float, back: Any = (0.0, 0.0)
) -> bool:
    """Whether steps lead from the height `low` (m) up to a contact, each of a tread within the reach (m) of the tick.

    The edges that a body climbs slow it down, so its displacement may be shorter than the treads that it has climbed.

    triangles: (n, 3, 3) in the frame of the body. A tread is measured straight out from the edge that the body touches.
    Where it touches a level face, it is measured against the way of the tick, back (x, z), from the edge of that face.
    """
    step = settings.step_height + RISE_TOLERANCE
    is_edge = math.hypot(contact.towards[0], contact.towards[2]) > 0.0
    nx, nz = (contact.towards[0], contact.towards[2]) if is_edge else back
    length = math.hypot(nx, nz)
    if length == 0.0:
        return contact.height <= low + step
    nx, nz = nx / length, nz / length
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    walkable = np.abs(normals[:, 1]) >= _least_upward(settings) * np.linalg.norm(normals, axis=1)
    ends = []  # (distance from the contact, height) of the edges that the line crosses
    for triangle in triangles[walkable]:
        along = (triangle[:, 0] - contact.x) * nx + (triangle[:, 2] - contact.z) * nz
        across = (triangle[:, 2] - contact.z) * nx - (triangle[:, 0] - contact.x) * nz
        for j in range(3):
            k = (j + 1) % 3
            if (across[j] <= 0.0) != (across[k] <= 0.0):
                t = across[j] / (across[j] - across[k])
                height = float(triangle[j, 1] + t * (triangle[k, 1] - triangle[j, 1]))
                ends.append((float(along[j] + t * (along[k] - along[j])), height))
    level = [far for far, height in ends if abs(height - contact.height) <= RISE_TOLERANCE]
    edge = 0.0 if is_edge else max(level, default=0.0)
    reached = low
    for far, height in sorted(ends, key=lambda end: end[1]):
        is_tread = MIN_TREAD <= far - edge <= reach + TREAD_TOLERANCE
        if is_tread and reached < height <= reached + step:
            reached = height
    return contact.height <= reached + step


def _least_upward(settings: WalkerSettings) -> float:
    """Upward component of the normal of the steepest walkable face."""
    return math.cos(math.radians(settings.max_slope)) - 1e-6


def _contacts(state: Any, triangles: Any, settings: WalkerSettings, is_walkable: bool) -> Iterator[TouchedPoint]:
    """Contacts of a body with the walkable ones of the triangles (n, 3, 3), or with the others."""
    radii, position = state["radii"], state["position"]
    angle = state["heading"] * RADIANS_PER_HEADING_UNIT
    s, c = math.sin(angle), math.cos(angle)
    local = triangles - position
    reach = touching_reach(radii, settings)
    local = local[((local.min(axis=1) <= reach) & (local.max(axis=1) >= -reach)).all(axis=1)]
    normals = np.cross(local[:, 1] - local[:, 0], local[:, 2] - local[:, 0])
    upward = np.abs(normals[:, 1]) / np.linalg.norm(normals, axis=1)
    local = local[(upward >= _least_upward(settings)) == is_walkable]
    scaled = np.stack((c * local[..., 0] - s * local[..., 2], local[..., 1], s * local[..., 0] + c * local[..., 2]), -1)
    for triangle in scaled / radii:
        point = _closest_point(triangle)
        if np.linalg.norm(point) <= 1.0 + TOUCHING_SKINS * settings.skin:
            gradient = -point / radii
            x, y, z = gradient / np.linalg.norm(gradient)
            towards = np.array((c * x + s * z, y, c * z - s * x))
            px, py, pz = point * radii
            x, y, z = np.add(position, (c * px + s * pz, py, c * pz - s * px)).tolist()
            yield TouchedPoint(x, y, z, towards)


def _closest_point(triangle: Any) -> Any:
    """Point of a triangle (3, 3) nearest to the origin."""
    edges = triangle[[1, 2, 0]] - triangle
    normal = np.cross(edges[0], edges[1])
    normal = normal / np.linalg.norm(normal)
    foot = normal * (triangle[0] @ normal)
    if (_dot_product(np.cross(edges, foot - triangle), normal) >= 0.0).all():
        return foot
    u = np.clip(-_dot_product(triangle, edges) / _dot_product(edges, edges), 0.0, 1.0)
    points = triangle + u[:, None] * edges
    return points[np.argmin(_dot_product(points, points))]


def _dot_product(a: Any, b: Any) -> Any:
    return np.einsum("...k,...k->...", a, b)


class CarryingSpeeds:
    """Largest speeds and factors of a mesh and its environment, and which of them are near a path.

    faster   largest speed factor of a surface, at least 1
    heavier  largest factor of gravity, at least 1
    belt     m/s: fastest moving surface
    grip     least friction of a surface, at most 1
    """

    def __init__(self, mesh: TriangleMesh, environment: Environment | None) -> None:
        environment = environment or Environment()
        movers, zones = environment.movers or (), environment.zones or ()
        materials = [each.materials for each in (mesh, *(mover.mesh for mover in movers)) if len(each.materials)]
        belts = [each[:, material_row.SURFACE_VELOCITY_X : material_row.SURFACE_VELOCITY_Z + 1] for each in materials]
        self.faster = max([1.0, *(float(each[:, material_row.SPEED_FACTOR].max()) for each in materials)])
        self.grip = min([1.0, *(float(each[:, material_row.FRICTION].min()) for each in materials)])
        self.heavier = max([1.0, *(zone.strength for zone in zones if zone.down is not None)])
        self.belt = max((float(np.linalg.norm(each, axis=1).max()) for each in belts), default=0.0)
        # Boxes (K, 6) that the movers, and the zones that they carry, never leave.
        m = environment.movers.motions if environment.movers else np.zeros((0, motion_row.WIDTH))
        self._movers = m[:, motion_row.BOUNDS : motion_row.BOUNDS + 6]
        self._belts = np.concatenate(
            [_moving_boxes(mesh)]
            + [self._movers[k : k + 1] for k, mover in enumerate(movers) if len(_moving_boxes(mover.mesh))]
        )
        rows = environment.zones.rows if environment.zones else np.zeros((0, zone_row.WIDTH))
        rows = rows if environment.carried_zones is None else environment.carried_zones.rows_at(0)
        bounds = rows[:, zone_row.BOUNDS : zone_row.BOUNDS + 6]
        effects = rows[:, zone_row.EFFECTS].astype(np.int64)
        is_weightless = ((effects & zone_row.HAS_GRAVITY) != 0) & (rows[:, zone_row.STRENGTH] == 0.0)
        self._pushing_zones = bounds[((effects & ~zone_row.HAS_GRAVITY) != 0) | is_weightless]
        currents = np.linalg.norm(rows[:, zone_row.CURRENT : zone_row.CURRENT + 3], axis=1)
        flows = currents > 0.0
        speeds = m[:, motion_row.MAX_SPEED] + m[:, motion_row.MAX_ANGULAR_SPEED] * m[:, motion_row.RADIUS]
        self._sources = (self._movers, speeds), (bounds[flows], currents[flows])  # of each the fastest one near counts

    def near(self, states: Any) -> Any:
        """Upper bound of the speed (n - 1,), m/s, that a body is given in each tick of n states of the world."""
        positions = states["position"]
        reach = NEARBY + states["radii"].max(axis=1)[:, None]
        low, high = positions - reach, positions + reach
        speed = np.full(len(states), self.belt)
        for boxes, speeds in self._sources:
            is_near = (boxes[None, :, :3] <= high[:, None]) & (boxes[None, :, 3:] >= low[:, None])
            speed += np.where(is_near.all(axis=2), speeds, 0.0).max(axis=1, initial=0.0)
        return np.maximum(speed[1:], speed[:-1])

    def has_push_near(self, states: Any) -> bool:
        """Whether a belt, or a zone that moves a body by itself or leaves it no weight, is near a path of states."""
        far = NEARBY + float(states["radii"].max())
        low, high = states["position"].min(axis=0) - far, states["position"].max(axis=0) + far
        return _meet(self._belts, low, high) or _meet(self._pushing_zones, low, high)

    def has_mover_near(self, states: Any) -> bool:
        """Whether a mover ever comes into a cube around a path of states."""
        low, high = states["position"].min(axis=0), states["position"].max(axis=0)
        middle, far = (low + high) / 2.0, float(((high - low) / 2.0).max()) + float(states["radii"].max()) + NEARBY
        return _meet(self._movers, middle - far, middle + far)


def _meet(boxes: Any, low: Any, high: Any) -> bool:
    """Whether one of the boxes (K, 6) meets another box."""
    return bool(((boxes[:, :3] <= high) & (boxes[:, 3:] >= low)).all(axis=1).any())


def _moving_boxes(mesh: TriangleMesh) -> Any:
    """Boxes (N, 6) of the triangles of a mesh whose surface moves."""
    if not len(mesh.materials):
        return np.zeros((0, 6))
    velocities = mesh.materials[:, material_row.SURFACE_VELOCITY_X : material_row.SURFACE_VELOCITY_Z + 1]
    moves: Any = (velocities != 0.0).any(axis=1)
    corners = mesh.triangles12[moves[mesh.surface], :9].reshape(-1, 3, 3)
    return np.concatenate((corners.min(axis=1), corners.max(axis=1)), axis=1)
