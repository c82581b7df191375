"""Face arrays: the quads and triangles of pieces, in arrays that are joined, rotated, moved and repeated.

A face is a row of four corners, counter-clockwise seen from the front. A triangle repeats its third corner.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from ...core.vectors import Corner, Flags, Floats, Indices, Ints, vector_lengths
from .instance_transform import (
    ROOT_INSTANCES,
    UNIT_SCALE,
    InstanceTree,
    ParentLink,
    PlacedMarker,
    exact_sin_cos,
    join_instances,
)
from .unique_rows import weld_points_exact
from .vertex_arrays import Bytes, Vertices, join_vertices, scale_normals, select_vertices, tile_vertices

# In the text of a sign: name of an action, and words for its default key.
CORNER_TOLERANCE = 1e-5  # metres within which corners of a piece are welded
KEY_PATTERN = re.compile(r"\{([a-z_]+)\|([^{}]*)\}")
_Array = TypeVar("_Array", Floats, Ints, Flags)


def set_read_only(array: _Array) -> _Array:
    """The array itself, no longer writeable."""
    array.flags.writeable = False
    return array


def rotate_about_y(points: Floats, degrees: Floats | float) -> Floats:
    """Points (..., 3) rotated about the Y axis, counter-clockwise seen from above. `degrees` broadcasts."""
    angles = np.atleast_1d(np.asarray(degrees, dtype=np.float64))
    pairs = np.array([exact_sin_cos(float(angle)) for angle in angles.ravel()]).reshape(*angles.shape, 2)
    sine, cosine = pairs[..., 0], pairs[..., 1]
    if np.ndim(degrees) == 0:
        sine, cosine = sine[0], cosine[0]
    x, z = points[..., 0], points[..., 2]
    rotated = np.empty((*np.broadcast_shapes(x.shape, np.shape(sine)), 3))
    rotated[..., 0], rotated[..., 1], rotated[..., 2] = x * cosine + z * sine, points[..., 1], z * cosine - x * sine
    return rotated


@dataclass(frozen=True, slots=True)
class SignBoard:
    """Text, width and height (m) of a sign. Its marker is the centre of the front."""

    text: str
    width: float
    height: float


def with_keys(text: str, keys: Mapping[str, str]) -> str:
    """The text with the keys in use: `{use|the left mouse button}` is `keys["use"]`, without it the words there."""
    return KEY_PATTERN.sub(lambda match: keys.get(match[1]) or match[2], text)


@dataclass(frozen=True, slots=True)
class LampSpec:
    """Point light of a piece: sRGB colour, brightness, range (m)."""

    colour: tuple[float, ...]
    brightness: float
    reach: float
    visible: bool


@dataclass(frozen=True, slots=True)
class TargetSpec:
    """Target of a piece: radius (m) and name."""

    radius: float
    name: str
    visible: bool


@dataclass(frozen=True, slots=True)
class CupSpec:
    """Golf cup in a terrain: radius and depth (m). Its marker is the centre of the rim."""

    radius: float
    depth: float


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class FaceArrays:
    """Faces of pieces, with the markers that belong to them.

    corners (M,4,3): metres. surface (M,): surface index. origin (M,): index of the piece.
    rests (M,): base or room floor, removed where it lies on the floor of another piece.
    smooth (M,): shaded smoothly with its neighbours.
    instance (M,): index into `instances`, the copies of pieces.
    marks: entities without faces (signs, lights, movers ...).
    mover (M,): number of the mover's marker from 1 on, 0 for static faces; None if all are static.
    The others are None if no face has them, see vertex_arrays:
    uv (M,4,2): texture coordinates of the corners, NaN where a face has none. They take part in no physics or hash.
    vertex_colours (M,4,4): linear, 255 for one. vertex_normals (M,4,3): unit normals for shading, NaN for the face's.
    seam (M,): drawn as triangles 0-1-3 and 1-2-3, with other values at corners 1 and 3 of the second: seam_uv
    (M,2,2), seam_colours (M,2,4), seam_normals (M,2,3).
    texture_frame (M,3,3): points of the piece that move with the face, see build/texture_coordinates.
    """

    corners: Floats
    surface: Ints
    origin: Ints
    rests: Flags
    smooth: Flags
    instance: Ints
    instances: InstanceTree = ROOT_INSTANCES
    marks: tuple[PlacedMarker, ...] = ()
    mover: Ints | None = None
    uv: Floats | None = None
    vertex_colours: Bytes | None = None
    vertex_normals: Floats | None = None
    seam: Flags | None = None
    seam_uv: Floats | None = None
    seam_colours: Bytes | None = None
    seam_normals: Floats | None = None
    texture_frame: Floats | None = None

    def __len__(self) -> int:
        return len(self.corners)

    @property
    def mover_numbers(self) -> Ints:
        """(M,): number of the mover that carries each face, counted from 1 among the mover markers; 0 for none."""
        return np.zeros(len(self), np.int32) if self.mover is None else self.mover

    @property
    def mover_count(self) -> int:
        """Number of mover markers."""
        return sum(marker.kind == "mover" for marker in self.marks)

    @property
    def is_triangle(self) -> Flags:
        """Mask (M,) of triangles."""
        x, y, z = (self.corners[:, 2] == self.corners[:, 3]).T
        mask: Flags = x & y & z
        return mask

    def select(self, mask: Flags | Indices) -> FaceArrays:
        """The faces in a mask, or those with these numbers in their order."""
        return replace(
            self,
            corners=self.corners[mask],
            surface=self.surface[mask],
            origin=self.origin[mask],
            rests=self.rests[mask],
            smooth=self.smooth[mask],
            instance=self.instance[mask],
            mover=None if self.mover is None else self.mover[mask],
            **select_vertices(self, mask),  # type: ignore[arg-type]
        )

    def place_piece(self, facing: float, at: Corner) -> FaceArrays:
        """Placement by a piece's own `facing` and `at`: rotated about the Y axis through the origin, then moved."""
        if facing == 0.0 and not any(at):
            return self
        move = np.asarray(at, dtype=np.float64)
        marks = tuple(
            replace(
                marker.moved_to(rotate_about_y(np.array(marker.at), facing) + move, 0),
                facing=(marker.facing + facing) % 360.0,
            )
            for marker in self.marks
        )
        corners = rotate_about_y(self.corners, facing) + move
        frame = None if self.texture_frame is None else rotate_about_y(self.texture_frame, facing) + move
        return replace(self, corners=corners, marks=marks, texture_frame=frame, **self._turned_normals(facing))

    def _mark_places(self) -> Floats:
        """Positions (n,3) of the markers, m."""
        return np.array([marker.at for marker in self.marks], np.float64).reshape(-1, 3)

    def place_in_group(
        self, facing: float, at: Corner, scale: Corner = UNIT_SCALE, link: ParentLink | None = None
    ) -> FaceArrays:
        """Placement by a group: scaled, rotated about the Y axis through the origin, then moved."""
        if not len(self) and not self.marks:
            return NO_FACES
        instances = self.instances.nested(facing, scale, link)
        is_identity = facing == 0.0 and not any(at) and tuple(scale) == UNIT_SCALE
        if is_identity:
            return replace(self, instances=instances)
        factors = np.asarray(scale, dtype=np.float64)
        move = np.asarray(at, dtype=np.float64)
        places = rotate_about_y(self._mark_places() * factors, facing) + move
        marks = tuple(marker.moved_to(at, marker.instance) for marker, at in zip(self.marks, places, strict=True))
        corners = rotate_about_y(self.corners * factors, facing) + move
        frame = None if self.texture_frame is None else rotate_about_y(self.texture_frame * factors, facing) + move
        turned = self._turned_normals(facing, factors)
        return replace(self, corners=corners, marks=marks, instances=instances, texture_frame=frame, **turned)

    def raised(self, heights: Floats) -> FaceArrays:
        """The faces moved up. heights (n,): m, of each of n copies of the same faces, one after the other."""

        def up(points: Floats) -> Floats:
            moved = points.copy()
            moved[..., 1].T[...] += np.repeat(heights, len(points) // len(heights))
            return moved

        places = up(self._mark_places())
        marks = tuple(marker.moved_to(at, marker.instance) for marker, at in zip(self.marks, places, strict=True))
        frame = None if self.texture_frame is None else up(self.texture_frame)
        return replace(self, corners=up(self.corners), marks=marks, texture_frame=frame)

    def _turned_normals(self, degrees: float, factors: Floats | None = None) -> dict[str, Any]:
        """Normals after scaling by `factors`, then rotation about the Y axis."""
        turned: dict[str, Any] = {}
        for name in ("vertex_normals", "seam_normals"):
            normals = getattr(self, name) if factors is None else scale_normals(getattr(self, name), factors)
            turned[name] = None if normals is None else rotate_about_y(normals, degrees)
        return turned

    def repeat(
        self, count: int, step: Corner, turn: float, around: Corner, link: ParentLink | None = None
    ) -> FaceArrays:
        """`count` copies: copy k is rotated by k * turn about `around`, then moved by k * step."""
        ranks = np.arange(count, dtype=np.float64)
        pivot = np.asarray(around, dtype=np.float64)
        offsets = ranks[:, None] * np.asarray(step, dtype=np.float64)

        def copies_of(points: Floats) -> Floats:
            centred = np.broadcast_to(points - pivot, (count, *points.shape))
            if turn:
                centred = rotate_about_y(centred, (ranks * turn)[:, None, None])
            copies: Floats = (centred + pivot + offsets[:, None, None, :]).reshape(-1, *points.shape[1:])
            return copies

        corners = copies_of(self.corners)
        if not turn:
            corners[: len(self)] = self.corners  # the first copy stays bitwise equal
        instances = self.instances.repeat(count, turn, link)
        stride = len(self.instances) if turn else 0
        mover_count = self.mover_count
        turns: Floats = (np.arange(count if self.marks else 0, dtype=np.float64) * turn)[:, None]
        places = rotate_about_y(self._mark_places() - pivot, turns) + pivot + offsets[: len(turns), None, :]
        marks = [
            _offset_mover(marker.moved_to(place, marker.instance + rank * stride), rank * mover_count)
            for rank, row in enumerate(places)
            for marker, place in zip(self.marks, row, strict=True)
        ]
        shift = np.repeat(np.arange(count, dtype=np.int32) * stride, len(self))
        vertices = tile_vertices(self, count)
        vertices["texture_frame"] = None if self.texture_frame is None else copies_of(self.texture_frame)
        for name in ("vertex_normals", "seam_normals"):
            if turn and (normals := vertices[name]) is not None:
                copies = normals.reshape(count, len(self), -1, 3)
                vertices[name] = rotate_about_y(copies, (ranks * turn)[:, None, None]).reshape(normals.shape)
        return FaceArrays(
            corners,
            np.tile(self.surface, count),
            np.tile(self.origin, count),
            np.tile(self.rests, count),
            np.tile(self.smooth, count),
            np.tile(self.instance, count) + shift,
            instances,
            tuple(marks),
            None if self.mover is None else _offset_mover_numbers([self.mover] * count, [mover_count] * count),
            **vertices,
        )


_NO_INTS, _NO_FLAGS = np.zeros(0, np.int32), np.zeros(0, np.bool_)
NO_FACES = FaceArrays(np.zeros((0, 4, 3)), _NO_INTS, _NO_INTS, _NO_FLAGS, _NO_FLAGS, _NO_INTS)


def join_faces(blocks: Sequence[FaceArrays]) -> FaceArrays:
    """Concatenation in order."""
    blocks = [block for block in blocks if len(block) or block.marks]
    if len(blocks) == 1:
        return blocks[0]
    if not blocks:
        return NO_FACES
    instances, shifts = join_instances([block.instances for block in blocks])
    first_movers = itertools.accumulate((block.mover_count for block in blocks), initial=0)
    marks = [
        _offset_mover(replace(marker, instance=marker.instance + shift), first_mover)
        for block, shift, first_mover in zip(blocks, shifts, first_movers, strict=False)
        for marker in block.marks
    ]
    corners, surface, origin, rests, smooth, instance = join_columns(blocks)
    instance = instance + np.repeat(np.array(shifts, dtype=np.int32), [len(block) for block in blocks])
    mover, vertices = _joined_mover_numbers(blocks), join_vertices(blocks)
    return FaceArrays(corners, surface, origin, rests, smooth, instance, instances, tuple(marks), mover, **vertices)


def join_columns(blocks: Sequence[FaceArrays]) -> tuple[Floats, Ints, Ints, Flags, Flags, Ints]:
    """Corners, surface, origin, rests, smooth and instance of all faces, in order."""
    rows = [(one.corners, one.surface, one.origin, one.rests, one.smooth, one.instance) for one in blocks]
    corners, surface, origin, rests, smooth, instance = map(np.concatenate, zip(*rows, strict=True))
    return corners, surface, origin, rests, smooth, instance


def _joined_mover_numbers(blocks: Sequence[FaceArrays]) -> Ints | None:
    if not any(block.mover_count for block in blocks):
        return None
    return _offset_mover_numbers([block.mover_numbers for block in blocks], [block.mover_count for block in blocks])


def _offset_mover(marker: PlacedMarker, offset: int) -> PlacedMarker:
    """The marker with its mover's number raised by the mover markers before its block; 0 stays 0."""
    return replace(marker, mover=marker.mover + offset) if marker.mover and offset else marker


def _offset_mover_numbers(numbers: Sequence[Ints], counts: Sequence[int]) -> Ints:
    """Concatenated mover numbers. Those of each block are raised by the mover markers before it; 0 stays 0."""
    offset = 0
    shifted = []
    for block, count in zip(numbers, counts, strict=True):
        shifted.append(np.where(block > 0, block + offset, 0).astype(np.int32))
        offset += count
    return np.concatenate(shifted)


class FaceBuilder:
    """Collector of a piece's faces, in its local frame: origin [0, 0, 0], north (-Z) ahead."""

    def __init__(self, origin: int) -> None:
        self.origin = origin
        self.marks: list[PlacedMarker] = []
        self._rows: list[tuple[Corner, Corner, Corner, Corner]] = []
        self._surface: list[int] = []
        self._rests: list[bool] = []
        self._blocks: list[FaceArrays] = []

    def add_quad(self, a: Corner, b: Corner, c: Corner, d: Corner, surface: int, rests: bool = False) -> None:
        """Add a quad; corners counter-clockwise seen from the front."""
        self._rows.append((a, b, c, d))
        self._surface.append(surface)
        self._rests.append(rests)

    def add_triangle(self, a: Corner, b: Corner, c: Corner, surface: int, rests: bool = False) -> None:
        self.add_quad(a, b, c, c, surface, rests)

    def add_cuboid(self, low: Corner, high: Corner, surface: int, top: int, rests: bool = True) -> None:
        """Add the six faces of an axis-aligned box; `rests` marks its bottom."""
        (x0, y0, z0), (x1, y1, z1) = low, high
        a, b, c, d = (x0, y0, z1), (x1, y0, z1), (x1, y0, z0), (x0, y0, z0)
        e, f, g, h = (x0, y1, z1), (x1, y1, z1), (x1, y1, z0), (x0, y1, z0)
        self.add_quad(e, f, g, h, top)
        self.add_quad(d, c, b, a, surface, rests)
        for quad in ((a, b, f, e), (b, c, g, f), (c, d, h, g), (d, a, e, h)):
            self.add_quad(*quad, surface)

    def add_prism(self, radius: float, height: float, sides: int, surface: int, first_corner: float = 0.0) -> None:
        """Add an upright prism with a regular polygon as its base, around the Y axis.

        first_corner: angle from north of the first corner, in sides.
        """
        angles = (exact_sin_cos(360.0 * (k + first_corner) / sides) for k in range(sides))
        corners = [(-radius * sine, -radius * cosine) for sine, cosine in angles]
        for (x, z), (x2, z2) in zip(corners, corners[1:] + corners[:1], strict=True):
            self.add_quad((x, 0.0, z), (x2, 0.0, z2), (x2, height, z2), (x, height, z), surface)
            self.add_triangle((x, height, z), (x2, height, z2), (0.0, height, 0.0), surface)
            self.add_triangle((x2, 0.0, z2), (x, 0.0, z), (0.0, 0.0, 0.0), surface, rests=True)

    def add_quads(
        self,
        corners: Floats,
        surface: Ints,
        rests: Flags,
        smooth: bool = False,
        origin: Ints | None = None,
        vertices: Vertices | None = None,
    ) -> None:
        """Add quads (M,4,3). smooth: shade them smoothly. origin (M,): piece of each, if not this one.

        vertices: arrays of their corners by field of FaceArrays: uv, vertex_colours ...
        """
        count = len(corners)
        origin = np.full(count, self.origin, np.int32) if origin is None else origin.astype(np.int32)
        shading = np.full(count, smooth)
        instance = np.zeros(count, np.int32)
        self._blocks.append(
            FaceArrays(
                corners,
                surface.astype(np.int32),
                origin,
                rests,
                shading,
                instance,
                **(vertices or {}),  # type: ignore[arg-type]
            )
        )

    def add_marker(self, kind: str, payload: object, at: Corner = (0.0, 0.0, 0.0), facing: float = 0.0) -> None:
        """Add an entity without faces; see PlacedMarker."""
        x, y, z = at
        self.marks.append(PlacedMarker(kind, payload, (x, y, z), facing, self.origin))

    def build_faces(self) -> FaceArrays:
        count = len(self._rows)
        rows = FaceArrays(
            np.array(self._rows, dtype=np.float64).reshape(count, 4, 3),
            np.array(self._surface, dtype=np.int32),
            np.full(count, self.origin, np.int32),
            np.array(self._rests, dtype=np.bool_),
            np.zeros(count, np.bool_),
            np.zeros(count, np.int32),
            marks=tuple(self.marks),
        )
        return join_faces([rows, *self._blocks]) if self._blocks else rows


def unit_normals(corners: Floats) -> Floats:
    """Unit normals (M,3) of faces (M,4,3) from their diagonals; zero for faces without area."""
    crossed = np.cross(corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1])
    size = vector_lengths(crossed)[:, None]
    units: Floats = np.divide(crossed, size, out=np.zeros_like(crossed), where=size > 0)
    return units


def find_closed_faces(faces: FaceArrays, candidates: Flags) -> Flags:
    """Mask (M,) of faces of pieces that are closed surfaces with their fronts outside.

    candidates (M,): only these are tested. In a closed surface each edge is passed equally often in both directions.
    """
    closed = np.zeros(len(faces), np.bool_)
    floors = faces.rests & (unit_normals(faces.corners)[:, 1] > 0.0)  # of rooms: open sheets between the walls
    rows = np.nonzero(candidates & ~floors)[0]
    if not len(rows):
        return closed
    corners = faces.corners[rows]
    piece = faces.origin[rows].astype(np.int64)
    vertices = weld_points_exact(np.rint(corners.reshape(-1, 3) / CORNER_TOLERANCE)).reshape(-1, 4)
    after = np.roll(vertices, -1, axis=1)
    low, high = np.minimum(vertices, after).ravel(), np.maximum(vertices, after).ravel()
    edges = np.column_stack((np.repeat(piece, 4), low, high)).astype(np.float64)
    edge = weld_points_exact(edges)
    balance = np.bincount(edge, np.sign(after - vertices).ravel())[edge]
    open_edge = np.bincount(np.repeat(piece, 4), balance != 0.0) > 0
    a, b, c, d = (corners - corners.mean(axis=(0, 1))).transpose(1, 0, 2)
    volume = np.bincount(piece, np.einsum("ij,ij->i", a, np.cross(b, c) + np.cross(c, d)))
    closed[rows] = (~open_edge & (volume > 0.0))[piece]
    return closed
