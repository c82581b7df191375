"""Movers as plain data: their corners in their own frames, and how open each corner is to the sky. No GL."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .render_mesh import TEXTURES, Floats, RenderMesh, srgb_to_linear
from .scene import Scene
from .surface_textures import TILE_SIZES

ATTRIBUTE_NAMES = ("in_position", "in_normal", "in_tile_uv", "in_colour", "in_openness")
FLOATS_PER_VERTEX = 13  # floats a corner
MAX_EDGE_LENGTH = 1.1  # metres: longer edges are cut, since light is known at corners alone
MAX_SUBDIVIDED_TRIANGLES = 4000  # of a mover; those with more are left as they are
RAYS_PER_VERTEX = 48  # from each corner
OCCLUSION_RADIUS = 6.0  # metres within which its own walls close a corner in
MAX_RAY_TESTS = 3e7  # rays times triangles; beyond it every corner is open
RAY_TEST_BATCH = 200_000  # rays times triangles held in memory together


def mover_vertices(scene: Scene, number: int) -> tuple[npt.NDArray[np.float32], tuple[str, ...]]:
    """(corners, WIDTH) of a mover in its own frame; and the textures that it needs."""
    look = scene.movers[number]
    model = RenderMesh.from_scene(Scene(look.triangles, look.surface_index, scene.surfaces))
    rows = np.zeros((len(model.triangles), 3, FLOATS_PER_VERTEX))
    rows[..., :3] = model.triangles
    rows[..., 3:6] = model.normals[:, None]
    size = np.array([TILE_SIZES[name] for name in TEXTURES])[model.texture_layers]
    rows[..., 6:8] = model.texture_coordinates / size[:, None, None]
    rows[..., 8] = model.texture_layers[:, None]
    rows[..., 9:12] = srgb_to_linear(model.colours)[:, None]
    rows = subdivide(rows)
    places = rows[..., :3] + 0.04 * (rows[..., :3].mean(axis=1, keepdims=True) - rows[..., :3])  # off the next wall
    rows[..., 12] = ambient_openness(
        places.reshape(-1, 3), rows[..., 3:6].reshape(-1, 3), np.asarray(model.triangles)
    ).reshape(-1, 3)
    return rows.reshape(-1, FLOATS_PER_VERTEX).astype(np.float32), model.textures


def subdivide(rows: Floats, longest: float = MAX_EDGE_LENGTH) -> Floats:
    """Triangles (N, 3, C), whose first three numbers are places, cut until no edge is longer (M, 3, C)."""
    start = rows
    for _ in range(24):
        edges = np.linalg.norm(rows[..., :3] - np.roll(rows[..., :3], -1, axis=1), axis=2)
        long = edges.max(axis=1, initial=0.0) > longest
        if not long.any():
            break
        if len(rows) + int(long.sum()) > MAX_SUBDIVIDED_TRIANGLES:
            return start
        which = edges[long].argmax(axis=1)
        order = (which[:, None] + np.arange(3)) % 3
        a, b, c = np.moveaxis(np.take_along_axis(rows[long], order[..., None], axis=1), 1, 0)
        middle = (a + b) / 2
        rows = np.concatenate((rows[~long], np.stack((a, middle, c), axis=1), np.stack((middle, b, c), axis=1)))
    return rows


def ambient_openness(places: Floats, normals: Floats, triangles: Floats) -> Floats:
    """The part (n,) of what a place of that unit normal looks at, by the cosine, that no triangle (t, 3, 3) hides;
    one far away hides less."""
    if len(places) * len(triangles) * RAYS_PER_VERTEX > MAX_RAY_TESTS or not len(triangles):
        return np.ones(len(places))
    count = np.arange(RAYS_PER_VERTEX)
    wide, turn = np.sqrt((count + 0.5) / RAYS_PER_VERTEX), 2.39996323 * count  # sunflower seeds on the disc
    local = np.stack((wide * np.cos(turn), wide * np.sin(turn), np.sqrt(1.0 - wide * wide)), axis=1)
    a = triangles[:, 0]
    e1, e2 = triangles[:, 1] - a, triangles[:, 2] - a
    open_ = np.ones(len(places))
    step = max(1, RAY_TEST_BATCH // (RAYS_PER_VERTEX * len(triangles)))
    for start in range(0, len(places), step):
        n = normals[start : start + step]
        helper = np.where(np.abs(n[:, 1:2]) < 0.9, (0.0, 1.0, 0.0), (1.0, 0.0, 0.0))
        side = np.cross(helper, n)
        side /= np.maximum(np.linalg.norm(side, axis=1, keepdims=True), 1e-12)
        frame = np.stack((side, np.cross(n, side), n), axis=1)
        d = np.einsum("rk,nkj->nrj", local, frame)[:, :, None]
        away = (places[start : start + step] + 0.004 * n)[:, None] - a
        p = np.cross(d, e2)
        with np.errstate(divide="ignore", invalid="ignore"):
            inverse = 1.0 / np.einsum("tj,nrtj->nrt", e1, p)
            u = np.einsum("ntj,nrtj->nrt", away, p) * inverse
            q = np.cross(away, e1)
            v = np.einsum("nrtj,ntj->nrt", np.broadcast_to(d, p.shape), q) * inverse
            t = np.einsum("tj,ntj->nt", e2, q)[:, None] * inverse
            met = (u >= 0.0) & (v >= 0.0) & (u + v <= 1.0) & (t > 0.0)
        nearest = np.where(met, t, np.inf).min(axis=2)
        hidden = np.clip(1.0 - (nearest / OCCLUSION_RADIUS) ** 2, 0.0, 1.0)
        open_[start : start + step] = 1.0 - hidden.mean(axis=1)
    return open_
