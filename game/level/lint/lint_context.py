"""The colliding faces of a level, measured once for everything that looks at them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...core import walker_defaults
from ...core.vectors import Flags, Floats, Indices
from ..build.builder import PieceOrigin
from ..format.findings import FindingCollector
from ..geometry.column_grid import ColumnGrid
from ..geometry.faces import unit_normals
from ..geometry.quads import split_into_triangles

if TYPE_CHECKING:
    from ..level import Level

WALL_MAX_NORMAL_Y = 0.05  # of the normal's height, for walls
OPEN_SHEET_KINDS = (
    "floor",
    "quad",
    "triangle",
    "terrain",
    "model",
)  # may be seen from behind; the other pieces are closed


def describe_origin(origin: PieceOrigin) -> str:
    """A piece in words, with the line that it is written on, and the file where that is an included one."""
    file = f"{origin.place.file}, " if origin.place.file else ""
    return f"`{origin.label}` ({file}line {origin.place.line})"


@dataclass(frozen=True, slots=True)
class _GroundHeights:
    """The highest walkable ground under each of some points, within limits; -inf where there is none."""

    height: Floats
    face: Indices


class LintContext:
    """The colliding faces of a level, measured once, and what was told of them."""

    def __init__(self, level: Level, report: FindingCollector) -> None:
        self.level = level
        self.report = report
        collide = np.array([origin.collide for origin in level.origins], dtype=np.bool_)
        self.faces = level.faces.select(collide[level.faces.origin])
        self.corners = self.faces.corners
        self.normals = unit_normals(self.corners)
        self.low, self.high = self.corners.min(axis=1), self.corners.max(axis=1)
        area = np.linalg.norm(
            np.cross(self.corners[:, 2] - self.corners[:, 0], self.corners[:, 3] - self.corners[:, 1]), axis=1
        )
        longest = np.linalg.norm(np.roll(self.corners, -1, axis=1) - self.corners, axis=-1).max(axis=1)
        self.breadth: Floats = area / 2 / np.maximum(longest, 1e-9)
        self.walkable: Flags = self.normals[:, 1] >= np.cos(np.radians(walker_defaults.MAX_SLOPE))
        self.upright: Flags = np.abs(self.normals[:, 1]) < WALL_MAX_NORMAL_Y
        self.triangles, self.face_of = split_into_triangles(self.corners, self.faces.is_triangle)
        self.plan = ColumnGrid(self.triangles)
        self._reported: set[tuple[int, str]] = set()

    def origin_of_face(self, face: int) -> PieceOrigin:
        return self.level.origins[int(self.faces.origin[face])]

    def warn_face(self, kind: str, face: int, message: str, cure: str, other: int | None = None) -> None:
        """Warn about a face's piece, once a kind, unless it (or the other) means it or said it before."""
        if other is None or kind not in self.origin_of_face(other).intended:
            self.warn_origin(kind, int(self.faces.origin[face]), message, cure)

    def warn_origin(self, kind: str, index: int, message: str, cure: str) -> None:
        origin = self.level.origins[index]
        if kind not in origin.intended | origin.reported_kinds and (index, kind) not in self._reported:
            self._reported.add((index, kind))
            self.report.add("warning", origin.place, origin.label, message, cure)

    def by_file_order(self, one: int, other: int) -> tuple[int, int]:
        """Two faces, the one whose piece is written first before the other."""
        earlier, later = sorted((one, other), key=lambda face: int(self.faces.origin[face]))
        return earlier, later

    def describe_face(self, face: int) -> str:
        return describe_origin(self.origin_of_face(face))

    def is_solid_from_inside(self, face: int) -> bool:
        """Whether a face seen from below is the top of a solid that one is inside of, not the back of a sheet."""
        return bool(self.normals[face, 1] > 0.0) and self.origin_of_face(face).kind not in OPEN_SHEET_KINDS

    def ground_below(self, points: Floats, low: Floats, high: Floats, breadth: float = 0.0) -> _GroundHeights:
        """Under points (P,2): the highest walkable ground between low and high (P,) that is as broad as that."""
        point, triangle, height = self.plan.faces_at(points)
        face = self.face_of[triangle]
        fits = self.walkable[face] & (self.breadth[face] > breadth) & (height >= low[point]) & (height <= high[point])
        found = np.full(len(points), -np.inf)
        which = np.full(len(points), -1, np.int64)
        order = np.argsort(height[fits], kind="stable")
        found[point[fits][order]] = height[fits][order]
        which[point[fits][order]] = face[fits][order]
        return _GroundHeights(found, which)

    def ceiling_above(self, points: Floats, heights: Floats, margin: float) -> tuple[Floats, Indices]:
        """The lowest face more than `margin` over heights (P,) at points (P,2), and which; inf where none."""
        point, triangle, height = self.plan.faces_at(points)
        fits = height > heights[point] + margin
        found = np.full(len(points), np.inf)
        which = np.full(len(points), -1, np.int64)
        order = np.argsort(-height[fits], kind="stable")
        found[point[fits][order]] = height[fits][order]
        which[point[fits][order]] = self.face_of[triangle[fits][order]]
        return found, which
