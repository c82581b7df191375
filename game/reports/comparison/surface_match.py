"""Touched surfaces of one walk in the level of the other: the same plane, the same triangle, its material."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ...core.vectors import Floats, Ints
from ...physics import TriangleMesh
from ...physics.mesh.material import Material
from ...sim.replay.tick_report import TouchedSurface
from ...sim.world import World
from .level_parts import LevelPart, mover_label

SAME_NORMAL = 1e-6  # difference of the unit normals of one plane
SAME_PLANE = 1e-6  # m between the planes of one surface


def is_among(surface: TouchedSurface, others: Sequence[TouchedSurface]) -> bool:
    """Whether one of the others is of the same plane."""
    return any(_is_same(surface, other) for other in others)


def has_triangle(world: World, surface: TouchedSurface) -> bool:
    """Whether the static mesh of a level has the surface's triangle."""
    return bool(len(_find_rows(world.mesh.triangles12[:, :9], surface)))


def find_materials(world: World, surface: TouchedSurface) -> list[Material]:
    """The materials of the triangles of a level, also of its movers, that have the corners of a surface now."""
    return [_material(mesh, int(row)) for mesh, rows in _find_triangles(world, surface) for row in rows]


def find_pose(world: World, part: LevelPart) -> Floats | None:
    """Pose (3, 4) of a mover of the level now; None where there is none like it."""
    movers = None if world.around is None else world.around.movers
    for number, mover in enumerate(world.level.movers):
        is_part = mover_label(mover) == part.label and mover.place.line == part.line and mover.at == part.values["at"]
        if is_part and movers is not None:
            pose: Floats = movers.poses(world.tick)[number]
            return pose
    return None


def _find_triangles(world: World, surface: TouchedSurface) -> Iterator[tuple[TriangleMesh, Ints]]:
    """Each mesh of a level with its rows that have the surface's corners."""
    yield world.mesh, _find_rows(world.mesh.triangles12[:, :9], surface)
    movers = None if world.around is None else world.around.movers
    if movers is None:
        return
    for number, pose in enumerate(movers.poses(world.tick)):
        mesh = movers[number].mesh
        corners = mesh.triangles12[:, :9].reshape(-1, 3, 3) @ pose[:, :3].T + pose[:, 3]
        yield mesh, _find_rows(corners.reshape(-1, 9), surface)


def _material(mesh: TriangleMesh, row: int) -> Material:
    """Material of a triangle; row: in the cooked mesh, whose order is not that of the level's triangles."""
    if not len(mesh.materials):
        return Material()
    friction, bounce, speed, east, south, rub, roll, soft = mesh.materials[int(mesh.surface[row])].tolist()
    return Material(friction, bounce, speed, (east, south), rub, roll, soft)


def _find_rows(triangles: Floats, surface: TouchedSurface) -> Ints:
    """Rows of the triangles (N, 9) with the corners of a surface."""
    corners = np.array(surface.corners).reshape(9)
    rows: Ints = np.flatnonzero((np.abs(triangles - corners) < SAME_PLANE).all(axis=1)).astype(np.int32)
    return rows


def _is_same(a: TouchedSurface, b: TouchedSurface) -> bool:
    """Whether two surfaces are of one plane, also where their triangles are cut otherwise."""
    if a.kind != b.kind or max(abs(x - y) for x, y in zip(a.normal, b.normal, strict=True)) > SAME_NORMAL:
        return False
    apart = sum(n * (x - y) for n, x, y in zip(a.normal, a.corners[0], b.corners[0], strict=True))
    if a.feature != "face" or b.feature != "face":  # the contact plane of an edge is not that of its triangle
        return _corner_set(a) == _corner_set(b)
    return abs(apart) <= SAME_PLANE


def _corner_set(surface: TouchedSurface) -> set[tuple[float, ...]]:
    return {tuple(round(value, 6) for value in corner) for corner in surface.corners}
