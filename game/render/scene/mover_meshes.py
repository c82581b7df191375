"""Meshes of moving platforms in their own frames, with ambient occlusion per vertex. No GL."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ...core.vectors import Floats
from .render_mesh import TEXTURES, RenderMesh, srgb_to_linear
from .scene import Scene
from .surface_textures import TILE_SIZES

ATTRIBUTE_NAMES = ("in_position", "in_normal", "in_tile_uv", "in_colour", "in_openness")
FLOATS_PER_VERTEX = 13
MAX_EDGE_LENGTH = 1.1  # metres: longer edges are split, because occlusion is stored per vertex
MAX_SUBDIVIDED_TRIANGLES = 4000  # of a mover; larger ones are not subdivided
RAYS_PER_VERTEX = 48
OCCLUSION_RADIUS = 6.0  # metres: range of ambient occlusion
MAX_RAY_TESTS = 3e7  # rays times triangles; beyond it every vertex counts as open
RAY_TEST_BATCH = 200_000  # rays times triangles at once: bounds memory


def mover_vertices(scene: Scene, number: int) -> tuple[npt.NDArray[np.float32], tuple[str, ...]]:
    """Vertices (n, FLOATS_PER_VERTEX) of a mover in its own frame, and the textures that it uses."""
    mover = scene.movers[number]
    mesh = RenderMesh.from_scene(Scene(mover.triangles, mover.surface_index, scene.surfaces))
    rows = np.zeros((len(mesh.triangles), 3, FLOATS_PER_VERTEX))
    rows[..., :3] = mesh.triangles
    rows[..., 3:6] = mesh.normals[:, None]
    tile_sizes = np.array([TILE_SIZES[name] for name in TEXTURES])[mesh.texture_layers]
    rows[..., 6:8] = mesh.texture_coordinates / tile_sizes[:, None, None]
    rows[..., 8] = mesh.texture_layers[:, None]
    rows[..., 9:12] = srgb_to_linear(mesh.colours)[:, None]
    rows = subdivide(rows)
    sample_points = rows[..., :3] + 0.04 * (
        rows[..., :3].mean(axis=1, keepdims=True) - rows[..., :3]
    )  # off adjacent faces
    rows[..., 12] = ambient_openness(
        sample_points.reshape(-1, 3), rows[..., 3:6].reshape(-1, 3), np.asarray(mesh.triangles)
    ).reshape(-1, 3)
    return rows.reshape(-1, FLOATS_PER_VERTEX).astype(np.float32), mesh.textures


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
