"""Snapping to corners and edges of the level, in the plane of a movement or along a line.

Of all candidates within the tolerance a corner is taken before an edge, and the nearest before the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ....core.vectors import Flags, Floats, Vector, to_point
from ..views import wireframe

if TYPE_CHECKING:
    from ....level import Level
    from ..picking import PickHit

SNAP_TANGENT = 0.022  # tolerance over the distance from the eye: 1.3 degrees
MIN_TOLERANCE, MAX_TOLERANCE = 0.03, 0.4  # m
MAX_HEIGHT_DIFFERENCE = 4.0  # m across the plane of a movement, up to which corners count
MAX_REACH = 10.0  # m from a pulled face, up to which corners count
MAX_POINTS = 64  # corners of the moved pieces; of more, those of the box around them
SEAM_PROBE = 0.01  # m beside an edge, and above the plane, from which a face that continues the surface is looked for
CORNER = "corner"
EDGE = "edge"


@dataclass(frozen=True, slots=True)
class Snap:
    """Where a point snaps to. kind: "corner" or "edge". displacement: of a movement that ends there (m)."""

    point: Vector
    kind: str
    displacement: Vector = (0.0, 0.0, 0.0)


def snap_tolerance(distance: float) -> float:
    """Tolerance (m) at a distance from the eye."""
    return min(max(SNAP_TANGENT * distance, MIN_TOLERANCE), MAX_TOLERANCE)


def snap_point(level: Level, aimed: PickHit, eye: Vector, grid: float = 0.0) -> Snap | None:
    """Corner or edge of the aimed face that is near the aimed point; None without one.

    Seams within an even surface do not count. grid: of places along an edge that runs along an axis (m); 0 for none.
    """
    if aimed.quad < 0:
        return None
    corners = level.faces.corners[aimed.quad]
    point = np.asarray(aimed.point)
    tolerance = snap_tolerance(float(np.linalg.norm(np.asarray(aimed.point) - eye)))
    distances = np.linalg.norm(corners - point, axis=1)
    corner = int(np.argmin(distances))
    if distances[corner] <= tolerance and _is_visible_corner(level, aimed, corner):
        return Snap(to_point(corners[corner]), CORNER)
    lines, _ = wireframe.face_edges(corners[None])
    nearest = _nearest_on_lines(lines, point)
    distances = np.linalg.norm(nearest - point, axis=1)
    for index in np.argsort(distances, kind="stable").tolist():
        if distances[index] > tolerance:
            break
        outwards = nearest[index] - corners.mean(axis=0)
        along = lines[index, 1] - lines[index, 0]
        outwards -= along * float(outwards @ along) / max(float(along @ along), 1e-12)
        if not _continues(level, aimed, nearest[index] + SEAM_PROBE * _unit(outwards)):
            return Snap(to_point(_on_grid(nearest[index], lines[index], grid)), EDGE)
    return None


def _on_grid(point: Floats, line: Floats, grid: float) -> Floats:
    """A point of an edge (2, 3), on the grid along the edge where that runs along an axis."""
    along = np.abs(line[1] - line[0])
    axis = int(np.argmax(along))
    if grid <= 0.0 or float(np.delete(along, axis).max()) > 1e-6:
        return point
    low, high = sorted(line[:, axis].tolist())
    rounded = point.copy()
    rounded[axis] = min(max(round(round(float(point[axis]) / grid) * grid, 6), low), high)
    return rounded


def _is_visible_corner(level: Level, aimed: PickHit, corner: int) -> bool:
    """Whether a corner of the aimed face is one of the surface too: a seam may end there on a straight edge, or lie
    within the surface."""
    corners = level.faces.corners[aimed.quad]
    at = corners[corner]
    before, after = _unit(corners[corner - 1] - at), _unit(corners[(corner + 1) % 4] - at)
    if not before.any() or not after.any():
        return True
    covered = [
        _continues(level, aimed, at + SEAM_PROBE * (a * before + b * after))
        for a, b in ((1, -1), (-1, -1), (-1, 1))  # the face itself is at (1, 1)
    ]
    return covered not in ([True, True, True], [True, False, False], [False, False, True])


def _continues(level: Level, aimed: PickHit, point: Floats) -> bool:
    """Whether another face continues the surface of the aimed face at a point of its plane."""
    normal = np.asarray(aimed.normal)
    hit = level.mesh.raycast(to_point(point + SEAM_PROBE * normal), to_point(-normal), 2.0 * SEAM_PROBE)
    if hit is None or abs(hit.distance - SEAM_PROBE) > SEAM_PROBE / 10.0:
        return False
    quad = int(level.quad_index[hit.triangle])
    return quad != aimed.quad and bool(level.faces.surface[quad] == level.faces.surface[aimed.quad])


def _unit(vector: Floats) -> Floats:
    """A vector of length 1; zero stays zero."""
    unit: Floats = vector / max(float(np.linalg.norm(vector)), 1e-12)
    return unit


class SnapTargets:
    """Corners and edges that a movement snaps to: those of all faces but the moved ones. Made once for a movement."""

    def __init__(self, level: Level, moved: Flags, handles: Floats) -> None:
        """moved: mask of the faces that move. handles: points (n, 3) that move and have no faces, m."""
        faces = level.faces.corners
        own = np.concatenate([faces[moved].reshape(-1, 3), handles])
        self.points: Floats = _reference_points(own)
        rest = faces[~moved]
        self.corners: Floats = np.unique(np.round(rest.reshape(-1, 3), 6), axis=0) if len(rest) else np.zeros((0, 3))
        near = _near_box(rest, own) if len(own) else np.zeros(len(rest), np.bool_)
        self._edge_faces = rest[near]

    @cached_property
    def lines(self) -> Floats:
        """Edges (n, 2, 3) near the moved pieces."""
        return wireframe.unique_edges(self._edge_faces)

    def in_plane(self, displacement: Floats, normal: Floats, tolerance: float) -> Snap | None:
        """Displacement in a plane that brings a corner of the moved pieces onto a corner or an edge, seen along the
        plane's unit normal."""
        if not len(self.points) or not len(self.corners):
            return None
        moved = self.points + displacement
        low, high = moved.min(axis=0), moved.max(axis=0)
        reach = tolerance + MAX_HEIGHT_DIFFERENCE * np.abs(normal)
        near = self.corners[np.all((self.corners >= low - reach) & (self.corners <= high + reach), axis=1)]
        found = _best_pair(moved, near, normal, tolerance)
        kind = CORNER
        if found is None:
            kind = EDGE
            found = _best_on_lines(moved, self.lines, normal, tolerance)
        if found is None:
            return None
        by, target = found
        by = by - normal * float(by @ normal)
        return Snap(to_point(target), kind, to_point(displacement + by))

    def along(self, start: Floats, direction: Floats, distance: float, tolerance: float) -> Snap | None:
        """Distance along a unit vector at which a plane through `start` meets a corner."""
        offsets = (self.corners - start) @ direction if len(self.corners) else np.zeros(0)
        near = np.abs(offsets - distance) <= tolerance
        if near.any():
            aside = np.linalg.norm(self.corners - (start + distance * direction), axis=1)
            near &= aside <= MAX_REACH
        if not near.any():
            return None
        index = int(np.argmin(np.where(near, aside, np.inf)))
        return Snap(to_point(self.corners[index]), CORNER, to_point(direction * float(offsets[index])))


def _reference_points(own: Floats) -> Floats:
    """Corners of the moved pieces that may snap."""
    if not len(own):
        return own
    unique: Floats = np.unique(np.round(own, 6), axis=0)
    if len(unique) <= MAX_POINTS:
        return unique
    box: Floats = wireframe.box_edges(own.min(axis=0), own.max(axis=0)).reshape(-1, 3)
    return np.unique(box, axis=0)


def _near_box(faces: Floats, own: Floats) -> Flags:
    """Faces within reach of the box around some points: the moved pieces may be brought there."""
    low, high = own.min(axis=0) - 3 * MAX_REACH, own.max(axis=0) + 3 * MAX_REACH
    near: Flags = np.all((faces.max(axis=1) >= low) & (faces.min(axis=1) <= high), axis=1)
    return near


def _best_pair(moved: Floats, corners: Floats, normal: Floats, tolerance: float) -> tuple[Floats, Floats] | None:
    """Shortest way in the plane from a moved point to a corner, and that corner."""
    if not len(corners):
        return None
    ways = corners[None] - moved[:, None]
    across = np.abs(ways @ normal)
    flat = np.linalg.norm(ways - (ways @ normal)[..., None] * normal, axis=2)
    flat = np.where(across <= MAX_HEIGHT_DIFFERENCE, flat + 1e-3 * across, np.inf)
    index = int(np.argmin(flat))
    if flat.flat[index] > tolerance:
        return None
    point, corner = np.unravel_index(index, flat.shape)
    return ways[point, corner], corners[corner]


def _best_on_lines(moved: Floats, lines: Floats, normal: Floats, tolerance: float) -> tuple[Floats, Floats] | None:
    """Shortest way in the plane from a moved point to an edge, and the point there."""
    best = tolerance
    found = None
    if not len(lines):
        return None
    flat_lines = lines - (lines @ normal)[..., None] * normal
    for point in moved:
        flat = point - float(point @ normal) * normal
        nearest = _nearest_on_lines(flat_lines, flat)
        distances = np.linalg.norm(nearest - flat, axis=1)
        index = int(np.argmin(distances))
        height = float(lines[index].mean(axis=0) @ normal) - float(point @ normal)
        if distances[index] <= best and abs(height) <= MAX_HEIGHT_DIFFERENCE:
            best = float(distances[index])
            found = nearest[index] - flat, nearest[index] + normal * float(point @ normal)
    return found


def _nearest_on_lines(lines: Floats, point: Floats) -> Floats:
    """Nearest points (n, 3) of line segments (n, 2, 3) to a point."""
    along = lines[:, 1] - lines[:, 0]
    size = np.maximum(np.einsum("ij,ij->i", along, along), 1e-12)
    part = np.clip(np.einsum("ij,ij->i", point - lines[:, 0], along) / size, 0.0, 1.0)
    nearest: Floats = lines[:, 0] + part[:, None] * along
    return nearest
