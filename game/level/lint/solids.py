"""Solids of a level: the piece that a point is inside of."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...core.vectors import Floats, Indices, Ints
from ..build.level_assembly import PieceOrigin
from ..build.pieces import POLYGON_KINDS
from ..build.pieces.model import Model
from ..geometry.column_grid import ColumnGrid
from ..geometry.faces import FaceArrays, unit_normals
from ..geometry.quads import split_into_triangles

OPEN_KINDS = (*POLYGON_KINDS, Model.kind)  # need not be closed
NUDGE = np.array([3.1e-5, 0.0, 1.7e-5])  # m: keeps points off the edges of faces


class Solids:
    """Static solids of a level. A piece is around a point if more of its faces above the point face up than down.

    plan: grid of the triangles of the faces, and face_of (N,) of each. hidden: bases that were removed, because they
    lie on a floor. Faces that a mover carries do not count.
    """

    def __init__(
        self, faces: FaceArrays, hidden: FaceArrays, plan: ColumnGrid, face_of: Ints, origins: Sequence[PieceOrigin]
    ) -> None:
        self._origin = faces.origin.astype(np.int64)
        self._plan = plan
        self._face_of = face_of
        self._side = np.sign(unit_normals(faces.corners)[:, 1])
        hidden = hidden.select(unit_normals(hidden.corners)[:, 1] < 0.0)
        triangles, self._base_of = split_into_triangles(hidden.corners, hidden.is_triangle)
        self._base_origin = hidden.origin.astype(np.int64)
        self._bases = ColumnGrid(triangles)
        closed = np.zeros(len(origins), np.bool_)
        closed[np.concatenate([self._origin[self._side < 0.0], self._base_origin])] = True  # a sheet has no underside
        closed &= np.array([origin.kind not in OPEN_KINDS for origin in origins])
        room_floor = faces.rests & (self._side > 0.0)
        self._counted = closed[self._origin] & ~room_floor & (faces.mover_numbers == 0)

    def pieces_around(self, points: Floats) -> Indices:
        """(P,): index of a piece whose solid contains each point (P,3), -1 where there is none."""
        points = points + NUDGE
        point, triangle, height = self._plan.faces_at(points[:, ::2])
        face = self._face_of[triangle]
        above = (height > points[point, 1]) & self._counted[face]
        pairs = np.unique(np.column_stack([point[above], face[above]]), axis=0)  # two triangles of a face are one
        owner = pairs[:, 0]
        origin = self._origin[pairs[:, 1]]
        side = self._side[pairs[:, 1]]
        point, triangle, height = self._bases.faces_at(points[:, ::2])
        above = height > points[point, 1]
        pairs = np.unique(np.column_stack([point[above], self._base_of[triangle[above]]]), axis=0)
        owner = np.concatenate([owner, pairs[:, 0]])
        origin = np.concatenate([origin, self._base_origin[pairs[:, 1]]])
        side = np.concatenate([side, -np.ones(len(pairs))])
        found = np.full(len(points), -1, np.int64)
        keys, which = np.unique(np.column_stack([owner, origin]), axis=0, return_inverse=True)
        around = keys[np.bincount(which.reshape(-1), side, len(keys)) > 0.5]
        found[around[:, 0]] = around[:, 1]
        return found
