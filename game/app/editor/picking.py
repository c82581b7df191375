"""Picking: ray casts against the collision mesh and against faces that are only drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...core.vectors import Floats, Vector
from ...physics import TriangleMesh

if TYPE_CHECKING:
    from ...level import Level


MIN_DISTANCE = 1e-9  # m
MARKER_RADIUS = 0.25  # m: how near the ray has to pass a light or a target
MARKER_KINDS = frozenset(("light", "target", "exhibit"))


@dataclass(frozen=True, slots=True)
class PickHit:
    """Nearest hit of a ray from the eye.

    quad            index into the level's faces; -1 for a light or a target, which has no face
    normal          unit vector, on the side of the eye
    distance        from the eye (m)
    solid, drawn    whether the face collides, and whether it is drawn; at least one of them holds
    marker          index into the level's marks where quad is -1
    """

    quad: int
    point: Vector
    normal: Vector
    distance: float
    solid: bool
    drawn: bool
    marker: int = -1


class RayPicker:
    """Ray queries against one level. The picker of another level reuses the unchanged parts of the previous one."""

    def __init__(self, level: Level, previous: RayPicker | None = None) -> None:
        self.level = level
        self._solid = set(np.unique(level.quad_index).tolist())
        self._drawn = set(np.unique(level.drawn_quad).tolist())
        drawn_only = ~np.isin(level.drawn_quad, level.quad_index)
        self._drawn_only_triangles: Floats = level.drawn[drawn_only]
        unchanged = previous is not None and np.array_equal(previous._drawn_only_triangles, self._drawn_only_triangles)
        self._drawn_only_mesh: TriangleMesh
        if previous is not None and unchanged:
            self._drawn_only_mesh = previous._drawn_only_mesh
        else:
            self._drawn_only_mesh = TriangleMesh(self._drawn_only_triangles)
        self._drawn_only_quads = level.drawn_quad[drawn_only]
        markers = [(index, marker.at) for index, marker in enumerate(level.faces.marks) if marker.kind in MARKER_KINDS]
        self._markers = [index for index, _ in markers]
        self._marker_positions: Floats = np.array([at for _, at in markers], dtype=np.float64).reshape(-1, 3)

    def pick(self, eye: Vector, direction: Vector) -> PickHit | None:
        """Nearest face on the ray, from either side; None for the sky. Of two at one place, the colliding one.

        `direction` is a unit vector.
        """
        quad, distance = -1, np.inf
        hit = self.level.mesh.raycast(eye, direction)
        if hit is not None:
            quad, distance = int(self.level.quad_index[hit.triangle]), hit.distance
        drawn_hit = self._drawn_only_mesh.raycast(eye, direction, distance)
        if drawn_hit is not None and drawn_hit.distance < distance:
            quad, distance = int(self._drawn_only_quads[drawn_hit.triangle]), drawn_hit.distance
        marker_hit = self._pick_marker(eye, direction, float(distance))
        if marker_hit is not None:
            return marker_hit
        return None if quad < 0 else self.point_on_face(quad, eye, direction, distance)

    def _pick_marker(self, eye: Vector, direction: Vector, max_distance: float) -> PickHit | None:
        """Nearest light or target close to the ray and in front of the face."""
        if not self._markers:
            return None
        unit_direction = np.asarray(direction, dtype=np.float64)
        offset = self._marker_positions - np.asarray(eye)
        along = offset @ unit_direction
        distance_to_ray = np.linalg.norm(offset - along[:, None] * unit_direction, axis=1)
        is_hit = (along > MIN_DISTANCE) & (along < max_distance) & (distance_to_ray <= MARKER_RADIUS)
        if not is_hit.any():
            return None
        nearest = int(np.argmin(np.where(is_hit, along, np.inf)))
        x, y, z = self._marker_positions[nearest].tolist()
        dx, dy, dz = (-unit_direction + 0.0).tolist()
        return PickHit(-1, (x, y, z), (dx, dy, dz), float(along[nearest]), False, True, self._markers[nearest])

    def point_on_face(self, quad: int, eye: Vector, direction: Vector, distance: float) -> PickHit:
        """Hit on a face at a distance (m) along the ray."""
        normal = face_normal(self.level.faces.corners[quad])
        if float(normal @ np.asarray(direction)) > 0.0:
            normal = -normal
        x, y, z = (np.asarray(eye) + distance * np.asarray(direction)).tolist()
        nx, ny, nz = (normal + 0.0).tolist()
        return PickHit(quad, (x, y, z), (nx, ny, nz), float(distance), quad in self._solid, quad in self._drawn)


def face_normal(corners: Floats) -> Floats:
    """Unit normal of a face (4, 3) from its diagonals; zero without area."""
    crossed = np.cross(corners[2] - corners[0], corners[3] - corners[1])
    size = float(np.linalg.norm(crossed))
    return crossed / size if size > 0.0 else crossed
