"""Picking: ray casts against the collision mesh and against faces that are only drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...core.vectors import Floats, Ints, Vector, to_point
from ...level.geometry.faces import unit_normals
from ...level.geometry.quads import split_into_triangles
from ...physics import TriangleMesh
from .selection import Handle, Selection, level_handles, select_quad

if TYPE_CHECKING:
    from ...level import Level
    from ...level.build.entities.zones import LevelZone


MIN_DISTANCE = 1e-9  # m
HANDLE_RADIUS = 0.25  # m: how near the ray has to pass a handle
EDGE_RADIUS = 0.06  # m: how near it has to pass an edge of a zone
RADIUS_TANGENT = 0.012  # part of the distance that is added to both
HANDLE_DEPTH = 0.3  # m that a handle may lie behind a face


@dataclass(frozen=True, slots=True)
class PickHit:
    """Nearest hit of a ray from the eye.

    quad            index into the level's faces; -1 for an entity, which has no face
    normal          unit vector, on the side of the eye
    distance        from the eye (m)
    solid, drawn    whether the face collides, and whether it is drawn; at least one of them holds
    handle          of the entity where quad is -1
    """

    quad: int
    point: Vector
    normal: Vector
    distance: float
    solid: bool
    drawn: bool
    handle: Handle | None = None


def select_picked(level: Level, picked: PickHit) -> Selection:
    return select_quad(level, picked.quad) if picked.handle is None else picked.handle.selection


def source_location(level: Level, picked: PickHit) -> tuple[str, str, int, int]:
    """Label of the picked piece, and file, line and column where it is written."""
    if picked.handle is None:
        return level.quad_origin(picked.quad)
    place = picked.handle.selection.source_place
    return picked.handle.label, place.file or str(level.path), place.line, place.column


class RayPicker:
    """Ray queries against one level, with its movers at home. The picker of another level reuses the unchanged parts of
    the previous one."""

    def __init__(self, level: Level, previous: RayPicker | None = None) -> None:
        self.level = level
        moving = np.flatnonzero(level.faces.mover_numbers > 0).astype(np.int32)
        triangles, quads = split_into_triangles(level.faces.corners[moving], level.faces.is_triangle[moving])
        mover_quads: Ints = moving[quads]
        origins = [level.origins[origin] for origin in level.faces.origin[moving].tolist()]
        self._solid = {*np.unique(level.quad_index).tolist(), *_with_flag(moving, [one.collide for one in origins])}
        self._drawn = {*np.unique(level.drawn_quad).tolist(), *_with_flag(moving, [one.visible for one in origins])}
        drawn_only = ~np.isin(level.drawn_quad, level.quad_index)
        self._drawn_only_triangles: Floats = np.concatenate([level.drawn[drawn_only], triangles])
        unchanged = previous is not None and np.array_equal(previous._drawn_only_triangles, self._drawn_only_triangles)
        self._drawn_only_mesh: TriangleMesh
        if previous is not None and unchanged:
            self._drawn_only_mesh = previous._drawn_only_mesh
        else:
            self._drawn_only_mesh = TriangleMesh(self._drawn_only_triangles)
        self._drawn_only_quads = np.concatenate([level.drawn_quad[drawn_only], mover_quads])
        self._handles = level_handles(level)
        self._handle_positions: Floats = np.array([handle.at for handle in self._handles]).reshape(-1, 3)
        self._zone_handles = [handle for handle in self._handles if handle.zone is not None]

    def pick(self, eye: Vector, direction: Vector, selected: tuple[Selection, ...] = ()) -> PickHit | None:
        """Nearest face on the ray, from either side; None for the sky. Of two at one place, the colliding one.

        A handle, or an edge of a zone, comes before the face behind it; so does a side of a selected zone. direction: a
        unit vector.
        """
        quad = -1
        distance = np.inf
        hit = self.level.mesh.raycast(eye, direction)
        if hit is not None:
            quad = int(self.level.quad_index[hit.triangle])
            distance = hit.distance
        drawn_hit = self._drawn_only_mesh.raycast(eye, direction, distance)
        if drawn_hit is not None and drawn_hit.distance < distance:
            quad = int(self._drawn_only_quads[drawn_hit.triangle])
            distance = drawn_hit.distance
        ray = np.asarray(eye, dtype=np.float64), np.asarray(direction, dtype=np.float64)
        hits = (
            self._pick_handle(*ray, float(distance)),
            self._pick_zone_side(*ray, float(distance), selected),
            self._pick_zone_edge(*ray, float(distance)),
        )
        for found in hits:
            if found is not None:
                return found
        return None if quad < 0 else self.point_on_face(quad, eye, direction, distance)

    def _pick_handle(self, eye: Floats, direction: Floats, max_distance: float) -> PickHit | None:
        """Nearest handle close to the ray and in front of the face."""
        if not self._handles:
            return None
        offset = self._handle_positions - eye
        along = offset @ direction
        distance_to_ray = np.linalg.norm(offset - along[:, None] * direction, axis=1)
        is_hit = (along > MIN_DISTANCE) & (along < max_distance + HANDLE_DEPTH)
        is_hit &= distance_to_ray <= HANDLE_RADIUS + RADIUS_TANGENT * along
        if not is_hit.any():
            return None
        nearest = int(np.argmin(np.where(is_hit, along, np.inf)))
        return _handle_hit(self._handles[nearest], self._handle_positions[nearest], -direction, float(along[nearest]))

    def _pick_zone_side(
        self, eye: Floats, direction: Floats, max_distance: float, selected: tuple[Selection, ...]
    ) -> PickHit | None:
        """Side of a selected zone that the ray enters, or leaves where the eye is inside."""
        places = {picked.source_place for picked in selected if picked.part is None}
        best: PickHit | None = None
        for handle in self._zone_handles if places else ():
            if handle.selection.source_place not in places or handle.zone is None:
                continue
            hit = ray_box(handle.zone, eye, direction)
            if hit is not None and hit[0] < min(max_distance, best.distance if best is not None else np.inf):
                best = _handle_hit(handle, eye + hit[0] * direction, hit[1], hit[0])
        return best

    def _pick_zone_edge(self, eye: Floats, direction: Floats, max_distance: float) -> PickHit | None:
        """Nearest zone with an edge close to the ray."""
        best: PickHit | None = None
        for handle in self._zone_handles:
            assert handle.zone is not None
            along, apart = _nearest_on_edges(handle.zone.edges, eye, direction)
            is_hit = (along > MIN_DISTANCE) & (along < max_distance + EDGE_RADIUS)
            is_hit &= apart <= EDGE_RADIUS + RADIUS_TANGENT * along
            if is_hit.any():
                distance = float(np.min(along[is_hit]))
                if best is None or distance < best.distance:
                    best = _handle_hit(handle, eye + distance * direction, -direction, distance)
        return best

    def point_on_face(self, quad: int, eye: Vector, direction: Vector, distance: float) -> PickHit:
        """Hit on a face at a distance (m) along the ray."""
        normal = unit_normals(self.level.faces.corners[quad : quad + 1])[0]
        if float(normal @ np.asarray(direction)) > 0.0:
            normal = -normal
        at = to_point(np.asarray(eye) + distance * np.asarray(direction))
        return PickHit(quad, at, to_point(normal + 0.0), float(distance), quad in self._solid, quad in self._drawn)


def _with_flag(quads: Ints, flags: Sequence[bool]) -> list[int]:
    """The quads whose flag is set."""
    found: list[int] = quads[np.array(flags, np.bool_)].tolist() if len(quads) else []
    return found


def _handle_hit(handle: Handle, point: Floats, normal: Floats, distance: float) -> PickHit:
    return PickHit(-1, to_point(point), to_point(normal + 0.0), distance, False, True, handle)


def _nearest_on_edges(edges: Floats, eye: Floats, direction: Floats) -> tuple[Floats, Floats]:
    """Distances (n,) along a ray to where it passes nearest to segments (n, 2, 3), and how far they are there."""
    start = edges[:, 0] - eye
    line = edges[:, 1] - edges[:, 0]
    across = line - (line @ direction)[:, None] * direction
    flat = start - (start @ direction)[:, None] * direction
    size = np.maximum(np.einsum("ij,ij->i", across, across), 1e-12)
    part = np.clip(-np.einsum("ij,ij->i", flat, across) / size, 0.0, 1.0)
    nearest = start + part[:, None] * line
    along: Floats = nearest @ direction
    apart: Floats = np.linalg.norm(nearest - along[:, None] * direction, axis=1)
    return along, apart


def ray_box(zone: LevelZone, eye: Floats, direction: Floats) -> tuple[float, Floats] | None:
    """(distance in m, unit normal towards the eye) of the side that a ray enters, or leaves from inside; None without
    one (slab test)."""
    axes = zone.axes
    half = np.asarray(zone.half)
    start = axes @ (eye - np.asarray(zone.centre))
    along = axes @ direction
    with np.errstate(divide="ignore", invalid="ignore"):
        first, last = (-half - start) / along, (half - start) / along
    first, last = np.minimum(first, last), np.maximum(first, last)
    if (np.isnan(first) & (np.abs(start) > half)).any() or np.nanmax(first) > np.nanmin(last) or np.nanmin(last) < 0.0:
        return None
    is_inside = bool((np.abs(start) < half).all())
    axis = int(np.nanargmin(last)) if is_inside else int(np.nanargmax(first))
    distance = float(last[axis] if is_inside else first[axis])
    return distance, axes[axis] * -np.sign(along[axis])


def side_corners(zone: LevelZone, point: Floats) -> Floats:
    """Corners (4, 3) of the side of a box that a point (m) is on."""
    axes = zone.axes
    half = np.asarray(zone.half)
    own = axes @ (point - np.asarray(zone.centre))
    axis = int(np.argmin(np.abs(np.abs(own) - half)))
    first, second = (axis + 1) % 3, (axis + 2) % 3
    corners = np.zeros((4, 3))
    corners[:, axis] = np.copysign(half[axis], own[axis])
    corners[:, first] = half[first] * np.array((-1.0, 1.0, 1.0, -1.0))
    corners[:, second] = half[second] * np.array((-1.0, -1.0, 1.0, 1.0))
    placed: Floats = corners @ axes + np.asarray(zone.centre)
    return placed
