"""Meshes of moving platforms in their own frames, with ambient occlusion per vertex. No GL."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from ...core.srgb import srgb_to_linear
from ...core.vectors import Floats, Indices
from ..materials.pictured_mesh import PicturedAttributes, PicturedMesh, pack_pictured
from .render_mesh import TEXTURES, RenderMesh
from .scene import MoverAppearance, Scene, SignAppearance
from .surface_textures import TILE_SIZES

# Columns of a vertex; the names are the attributes of level/mover.vert.glsl. in_tile_uv: and the texture. in_mover: row
# of the texture of poses, 1 for the first mover.
MOVER_VERTEX = np.dtype(
    [
        ("in_position", "f4", 3),
        ("in_normal", "f4", 3),
        ("in_tile_uv", "f4", 3),
        ("in_colour", "f4", 3),
        ("in_openness", "f4"),
        ("in_mover", "f4"),
    ]
)
FLOATS_PER_VERTEX = MOVER_VERTEX.itemsize // 4
PICTURED_COLUMNS = 21  # position, normal, uv, colour, tangent, normal of the triangle, surface, openness, mover
MAX_EDGE_LENGTH = 1.1  # metres: longer edges are split, because occlusion is stored per vertex
MAX_SUBDIVIDED_TRIANGLES = 4000  # of a mover; larger ones are not subdivided
RAYS_PER_VERTEX = 48
OCCLUSION_RADIUS = 6.0  # metres: range of ambient occlusion
MAX_RAY_TESTS = 3e7  # rays times triangles; beyond it every vertex counts as open
RAY_TEST_BATCH = 200_000  # rays times triangles at once: bounds memory


@dataclass(frozen=True, slots=True, eq=False)
class MoverMeshes:
    """Triangles of all movers and of the boards of their signs, each in the frame of its mover.

    vertices: (n, FLOATS_PER_VERTEX) of those with procedural textures, whose names are `textures`. pictured: those with
    pictures, if there are any. corners: (c, 3) of all of them, and the numbers of their movers (c,).
    """

    vertices: npt.NDArray[np.float32]
    pictured: PicturedMesh | None
    textures: tuple[str, ...]
    corners: Floats
    carriers: Indices


def mover_meshes(scene: Scene) -> MoverMeshes:
    """Meshes of the movers of a scene."""
    textured, pictured = [np.zeros((0, 3, FLOATS_PER_VERTEX))], [np.zeros((0, 3, PICTURED_COLUMNS))]
    textures: list[str] = []
    corners = [np.zeros((0, 3))]
    for number, mover in enumerate(scene.movers):
        signs = tuple(_in_frame_of(mover, sign) for sign in scene.signs if sign.mover == number)
        mesh = RenderMesh.from_scene(
            Scene(
                mover.triangles, mover.surface_index, scene.surfaces, signs,
                uv=mover.uv, vertex_colours=mover.vertex_colours, normals=mover.normals,
            )
        )  # fmt: skip
        for rows, kind in ((_textured_rows(mesh), textured), (_pictured_rows(mesh), pictured)):
            rows = subdivide(rows)
            rows[..., -2], rows[..., -1] = _openness_of(rows, mesh.triangles), number + 1
            kind.append(rows)
        textures += mesh.textures
        corners.append(np.unique(mesh.triangles.reshape(-1, 3), axis=0))
    return MoverMeshes(
        np.concatenate(textured).reshape(-1, FLOATS_PER_VERTEX).astype(np.float32),
        _pack_pictured_rows(np.concatenate(pictured), scene),
        tuple(dict.fromkeys(textures)),
        np.concatenate(corners),
        np.repeat(np.arange(len(corners)) - 1, [len(one) for one in corners]),
    )


def _textured_rows(whole: RenderMesh) -> Floats:
    """Triangles (t, 3, FLOATS_PER_VERTEX) with procedural textures, without openness and mover."""
    mesh = whole if whole.pictured is None else whole.subset(~whole.pictured.has_picture)
    rows = np.zeros((len(mesh.triangles), 3, FLOATS_PER_VERTEX))
    rows[..., :3] = mesh.triangles
    rows[..., 3:6] = mesh.normals[:, None]
    tile_sizes = np.array([TILE_SIZES[name] for name in TEXTURES])[mesh.texture_layers]
    rows[..., 6:8] = mesh.texture_coordinates / tile_sizes[:, None, None]
    rows[..., 8] = mesh.texture_layers[:, None]
    rows[..., 9:12] = srgb_to_linear(mesh.colours)[:, None]
    return rows


def _pictured_rows(whole: RenderMesh) -> Floats:
    """Triangles (t, 3, PICTURED_COLUMNS) with pictures, without openness and mover."""
    if whole.pictured is None:
        return np.zeros((0, 3, PICTURED_COLUMNS))
    mesh = whole.subset(whole.pictured.has_picture)
    attributes = mesh.pictured
    assert attributes is not None
    rows = np.zeros((len(mesh.triangles), 3, PICTURED_COLUMNS))
    rows[..., :3], rows[..., 3:6], rows[..., 6:8] = mesh.triangles, attributes.normals, attributes.uv
    rows[..., 8:12] = attributes.vertex_colours
    rows[..., 12:15], rows[..., 15:18] = mesh.tangents[:, None], mesh.normals[:, None]
    rows[..., 18] = attributes.surface_index[:, None]
    return rows


def _pack_pictured_rows(rows: Floats, scene: Scene) -> PicturedMesh | None:
    """Vertex buffer of triangles (t, 3, PICTURED_COLUMNS): in place of lightmap coordinates, openness and mover."""
    if not len(rows):
        return None
    attributes = PicturedAttributes(
        rows[:, 0, 18].astype(np.int32), rows[..., 6:8], np.rint(rows[..., 8:12]).astype(np.uint8), rows[..., 3:6],
        tuple(surface.pbr for surface in scene.surfaces),
    )  # fmt: skip
    openness_and_mover = rows[..., 19:] / (1.0, 65535.0)
    is_closed = np.zeros(len(rows), np.bool_)
    return pack_pictured(rows[..., :3], attributes, rows[:, 0, 12:15], rows[:, 0, 15:18], openness_and_mover, is_closed)


def _openness_of(rows: Floats, occluders: Floats) -> Floats:
    """Ambient openness (t, 3) of the vertices of triangles (t, 3, C), whose values begin with position and normal."""
    # off adjacent faces
    sample_points = rows[..., :3] + 0.04 * (rows[..., :3].mean(axis=1, keepdims=True) - rows[..., :3])
    openness = ambient_openness(sample_points.reshape(-1, 3), rows[..., 3:6].reshape(-1, 3), np.asarray(occluders))
    return openness.reshape(-1, 3)


def _in_frame_of(mover: MoverAppearance, sign: SignAppearance) -> SignAppearance:
    """A sign that the mover carries, in the mover's frame."""
    x, y, z = (there - here for there, here in zip(sign.at, mover.at, strict=True))
    return replace(sign, at=(x, y, z), mover=-1)


def subdivide(rows: Floats, longest: float = MAX_EDGE_LENGTH) -> Floats:
    """Triangles (N, 3, C), whose first three values are the position, bisected until no edge is longer than `longest`
    metres.
    """
    original = rows
    for _ in range(24):
        edges = np.linalg.norm(rows[..., :3] - np.roll(rows[..., :3], -1, axis=1), axis=2)
        is_long = edges.max(axis=1, initial=0.0) > longest
        if not is_long.any():
            break
        if len(rows) + int(is_long.sum()) > MAX_SUBDIVIDED_TRIANGLES:
            return original
        longest_edge = edges[is_long].argmax(axis=1)
        order = (longest_edge[:, None] + np.arange(3)) % 3
        a, b, c = np.moveaxis(np.take_along_axis(rows[is_long], order[..., None], axis=1), 1, 0)
        midpoint = (a + b) / 2
        rows = np.concatenate((rows[~is_long], np.stack((a, midpoint, c), axis=1), np.stack((midpoint, b, c), axis=1)))
    return rows


def ambient_openness(points: Floats, normals: Floats, triangles: Floats) -> Floats:
    """Cosine-weighted fraction (n,) of the hemisphere above points that triangles (t, 3, 3) leave open. A distant
    triangle occludes less.
    """
    if len(points) * len(triangles) * RAYS_PER_VERTEX > MAX_RAY_TESTS or not len(triangles):
        return np.ones(len(points))
    count = np.arange(RAYS_PER_VERTEX)
    radius, angle = np.sqrt((count + 0.5) / RAYS_PER_VERTEX), 2.39996323 * count  # Vogel spiral on the disc
    directions = np.stack((radius * np.cos(angle), radius * np.sin(angle), np.sqrt(1.0 - radius * radius)), axis=1)
    a = triangles[:, 0]
    e1, e2 = triangles[:, 1] - a, triangles[:, 2] - a
    openness = np.ones(len(points))
    step = max(1, RAY_TEST_BATCH // (RAYS_PER_VERTEX * len(triangles)))
    for start in range(0, len(points), step):
        n = normals[start : start + step]
        helper = np.where(np.abs(n[:, 1:2]) < 0.9, (0.0, 1.0, 0.0), (1.0, 0.0, 0.0))
        tangent = np.cross(helper, n)
        tangent /= np.maximum(np.linalg.norm(tangent, axis=1, keepdims=True), 1e-12)
        frame = np.stack((tangent, np.cross(n, tangent), n), axis=1)
        d = np.einsum("rk,nkj->nrj", directions, frame)[:, :, None]
        from_a = (points[start : start + step] + 0.004 * n)[:, None] - a
        p = np.cross(d, e2)
        with np.errstate(divide="ignore", invalid="ignore"):
            inverse = 1.0 / np.einsum("tj,nrtj->nrt", e1, p)
            u = np.einsum("ntj,nrtj->nrt", from_a, p) * inverse
            q = np.cross(from_a, e1)
            v = np.einsum("nrtj,ntj->nrt", np.broadcast_to(d, p.shape), q) * inverse
            t = np.einsum("tj,ntj->nt", e2, q)[:, None] * inverse
            is_hit = (u >= 0.0) & (v >= 0.0) & (u + v <= 1.0) & (t > 0.0)
        nearest = np.where(is_hit, t, np.inf).min(axis=2)
        occlusion = np.clip(1.0 - (nearest / OCCLUSION_RADIUS) ** 2, 0.0, 1.0)
        openness[start : start + step] = 1.0 - occlusion.mean(axis=1)
    return openness
