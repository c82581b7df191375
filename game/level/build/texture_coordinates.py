"""Texture coordinates of faces whose surface has a picture: metres along the face, in the frame of their piece.

A face is mapped by its plane: v runs up along it, u to the right as seen from its front; on floors v runs to the north
of the piece, on ceilings too. So a picture is never stretched or mirrored, and coplanar faces continue each other.
Terrain and models are mapped along the axis that their normals are nearest to, so that smooth slopes continue each
other; their stretch is at most MAX_STRETCH. Pillars and arches are unrolled by the length of their arcs.

The frame of a piece are three points that move with its faces: the lowest and the highest corner of its bounds, and
the point one metre east of the lowest.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...core.vectors import Flags, Floats, Indices
from ..format.surfaces import Surface
from ..geometry.faces import FaceArrays, unit_normals
from .pieces import ARCHED_KINDS, NATURAL_KINDS, ROUND_KINDS

MAX_STRETCH = 3**0.5  # of a face whose normal is as far as possible from all axes
LEVEL_SINE = math.sin(math.radians(10.0))  # faces less steep than this are mapped as floors
MIN_FLOW_ALIGNMENT = 0.3  # fraction of a flow along a face from which the picture turns into its direction
MIN_RADIAL = 0.9  # cosine between the normal of an upright face and the radius, for it to be part of a round piece
MAX_COORDINATE = 64.0  # texture coordinates; larger ones are reduced by whole pictures, for float32 on the GPU


def with_texture_coordinates(faces: FaceArrays, surfaces: Sequence[Surface], kinds: Sequence[str]) -> FaceArrays:
    """The faces with `uv` where a surface of the level has pictures. kinds: of the pieces, by `FaceArrays.origin`."""
    pictured = np.array([surface.pbr is not None and bool(surface.pbr.maps) for surface in surfaces], np.bool_)
    if not pictured.any() or faces.texture_frame is None:
        return faces
    is_level_surface = faces.surface < len(surfaces)
    chosen = np.flatnonzero(is_level_surface & pictured[np.where(is_level_surface, faces.surface, 0)])
    uv = np.full((len(faces), 4, 2), np.nan) if faces.uv is None else faces.uv.copy()
    piece_kinds = np.array(kinds)[faces.origin[chosen]]
    uv[chosen] = _map_faces(faces, chosen, surfaces, piece_kinds)
    seam_uv = faces.seam_uv
    if seam_uv is not None:
        seam_uv = seam_uv.copy()
        seam_uv[chosen] = uv[chosen][:, (1, 3)]
    return replace(faces, uv=uv, seam_uv=seam_uv, texture_frame=None)


def _map_faces(faces: FaceArrays, chosen: Indices, surfaces: Sequence[Surface], kinds: np.ndarray) -> Floats:
    """Texture coordinates (C,4,2) of the chosen faces."""
    assert faces.texture_frame is not None
    surface = faces.surface[chosen]
    frame = faces.texture_frame[chosen]
    by_level = np.array([entry.align == "level" for entry in surfaces])[surface]
    frame[by_level] = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    east = frame[:, 2] - frame[:, 0]
    corners = _to_own_axes(faces.corners[chosen], east)
    low, high, _ = _to_own_axes(frame, east).swapaxes(0, 1)
    normals = unit_normals(corners)
    projected = np.isin(kinds, NATURAL_KINDS)
    normals[projected] = _nearest_axes(normals[projected])
    flows = np.array([(entry.flow[0], 0.0, entry.flow[1]) for entry in surfaces])[surface]
    right, up = _directions(normals, _to_own_axes(flows[:, None], east)[:, 0])
    metres = np.stack([np.einsum("mkd,md->mk", corners, right), np.einsum("mkd,md->mk", corners, up)], axis=-1)
    for axis, direction in enumerate((right, up)):  # from the corner of the bounds that is lowest and furthest left
        metres[..., axis] -= np.minimum(direction * low, direction * high).sum(axis=1)[:, None]
    metres[..., 0] += _continued_offset(normals, high - low)[:, None]
    free = ~by_level & (flows == 0.0).all(axis=1)
    _unroll_round_faces(metres, corners, normals, right, low, high, free & np.isin(kinds, ROUND_KINDS))
    _unroll_arches(metres, corners, normals, low, high, free & np.isin(kinds, ARCHED_KINDS))
    sizes = np.array([(1.0, 1.0) if entry.pbr is None else entry.pbr.size for entry in surfaces])[surface]
    uv: Floats = metres / sizes[:, None]
    uv[..., 1] = 1.0 - uv[..., 1]
    far = np.abs(uv).max(axis=(1, 2)) > MAX_COORDINATE
    uv[far] -= np.floor(uv[far].min(axis=1, keepdims=True))
    return uv


def _to_own_axes(points: Floats, east: Floats) -> Floats:
    """Points (C,K,3) in axes that are turned about Y, so that `east` (C,3) of the world is their x. Still metres."""
    length = np.hypot(east[:, 0], east[:, 2])[:, None]
    x, z = (np.divide(east[:, axis, None], length, where=length > 0, out=np.zeros_like(length)) for axis in (0, 2))
    turned: Floats = np.stack(
        [points[..., 0] * x + points[..., 2] * z, points[..., 1], points[..., 2] * x - points[..., 0] * z], axis=-1
    )
    return turned


def _nearest_axes(normals: Floats) -> Floats:
    """Unit vectors along the axes that the normals are nearest to; up and down win a draw."""
    size = np.abs(normals)
    axis = np.where(size[:, 1] >= np.maximum(size[:, 0], size[:, 2]) - 1e-9, 1, np.where(size[:, 0] > size[:, 2], 0, 2))
    rows = np.arange(len(normals))
    axes = np.zeros_like(normals)
    axes[rows, axis] = np.where(normals[rows, axis] < 0.0, -1.0, 1.0)
    return axes


def _directions(normals: Floats, flows: Floats) -> tuple[Floats, Floats]:
    """Unit vectors right and up (C,3) of the picture on faces with these normals; up is along a flow (m/s)."""

    def along(direction: Floats) -> Floats:
        part: Floats = direction - normals * (direction * normals).sum(axis=1, keepdims=True)
        return part

    flat = np.hypot(normals[:, 0], normals[:, 2]) < LEVEL_SINE
    up = along(np.where(flat[:, None], (0.0, 0.0, -1.0), (0.0, 1.0, 0.0)))
    flowing = along(flows)
    moves = np.linalg.norm(flowing, axis=1) > MIN_FLOW_ALIGNMENT * np.linalg.norm(flows, axis=1)
    up[moves] = flowing[moves]
    length = np.linalg.norm(up, axis=1, keepdims=True)
    up = np.divide(up, length, where=length > 0.0, out=np.zeros_like(up))
    right: Floats = np.cross(up, normals)
    return right, up


def _continued_offset(normals: Floats, size: Floats) -> Floats:
    """Metres (C,) to the right by which the picture has moved on upright sides of a box of `size` (C,3).

    It begins at the left edge of the two wide sides and continues around their right edges.
    """
    wide_x = size[:, 0] >= size[:, 2]
    narrow = np.where(wide_x, np.abs(normals[:, 0]), np.abs(normals[:, 2])) > 1.0 - 1e-6
    offset: Floats = np.where(narrow, np.maximum(size[:, 0], size[:, 2]), 0.0)
    return offset


def _unroll_round_faces(
    metres: Floats, corners: Floats, normals: Floats, right: Floats, low: Floats, high: Floats, chosen: Flags
) -> None:
    """Replace u of upright faces around the axis of their piece by the length of the arc from its north side."""
    middle = corners.mean(axis=1)
    radius = (middle - (low + high) / 2) * (1.0, 0.0, 1.0)
    apothem = (radius * normals).sum(axis=1)
    radial = np.abs(apothem) > MIN_RADIAL * np.linalg.norm(radius, axis=1)
    rows = np.flatnonzero(chosen & radial & (np.abs(normals[:, 1]) < 1e-3) & (np.abs(apothem) > 1e-9))
    side = np.sign(apothem[rows])
    angle = np.arctan2(side * normals[rows, 0], side * normals[rows, 2]) + math.pi
    angle = np.mod(angle + 1e-6, 2.0 * math.pi) - 1e-6  # a face that looks exactly north is the first
    along = np.einsum("mkd,md->mk", corners[rows] - middle[rows, None], right[rows])
    metres[rows, :, 0] = (side * angle * _arc_per_radian(along, apothem[rows]))[:, None] + along


def _unroll_arches(metres: Floats, corners: Floats, normals: Floats, low: Floats, high: Floats, chosen: Flags) -> None:
    """Replace the coordinates of the inside of arches: u is the depth, v the way from the floor along the opening."""
    middle = corners.mean(axis=1)
    inward = ((middle - (low + high) / 2) * normals).sum(axis=1) < 0.0
    rows = np.flatnonzero(chosen & inward & (normals[:, 1] < -1e-3) & (np.abs(normals[:, 2]) < 1e-3))
    n = normals[rows]
    on_left = (n[:, 0] >= -1e-9)[:, None]
    up = np.where(on_left, np.stack([-n[:, 1], n[:, 0]], axis=1), np.stack([n[:, 1], -n[:, 0]], axis=1))
    radius = (high[rows, 0] - low[rows, 0]) / 2
    spring = high[rows, 1] - radius
    centre = np.stack([low[rows, 0] + radius, spring], axis=1)
    apothem = ((middle[rows, :2] - centre) * n[:, :2]).sum(axis=1)
    along = np.einsum("mkd,md->mk", corners[rows, :, :2] - middle[rows, None, :2], up)
    height = np.arctan2(-n[:, 1], np.abs(n[:, 0])) * _arc_per_radian(along, apothem) + spring - low[rows, 1]
    depth = np.where(on_left, high[rows, 2, None] - corners[rows, :, 2], corners[rows, :, 2] - low[rows, 2, None])
    metres[rows] = np.stack([depth, height[:, None] + along], axis=-1)


def _arc_per_radian(along: Floats, apothem: Floats) -> Floats:
    """Length (m) per radian of polygons whose sides span `along` (C,4) at a distance `apothem` (C,) from the centre."""
    chord = np.ptp(along, axis=1)
    per_radian: Floats = chord / (2.0 * np.arctan2(chord / 2.0, np.abs(apothem)))
    return per_radian
