"""Small meshes for tests: arrays (N,3,3) of corners, counter-clockwise seen from the front."""

from __future__ import annotations

import numpy as np


def quads(*corners):
    """Each quad (4,3) as two triangles along the diagonal from its first corner."""
    given = np.asarray(corners, float).reshape(-1, 4, 3)
    return given[:, [0, 1, 2, 0, 2, 3]].reshape(-1, 3, 3)


def box(low, high):
    """Box facing outwards; with reversed corners a room."""
    (x0, y0, z0), (x1, y1, z1) = low, high
    return quads(
        [(x0, y0, z0), (x1, y0, z0), (x1, y0, z1), (x0, y0, z1)],
        [(x0, y1, z0), (x0, y1, z1), (x1, y1, z1), (x1, y1, z0)],
        [(x0, y0, z0), (x0, y1, z0), (x1, y1, z0), (x1, y0, z0)],
        [(x0, y0, z1), (x1, y0, z1), (x1, y1, z1), (x0, y1, z1)],
        [(x0, y0, z0), (x0, y0, z1), (x0, y1, z1), (x0, y1, z0)],
        [(x1, y0, z0), (x1, y1, z0), (x1, y1, z1), (x1, y0, z1)],
    )


def terrain(cells, size=0.5, height=1.0):
    """Undulating terrain of cells x cells quads, facing up; height 0: a tiled floor."""
    x, z = np.meshgrid(np.arange(cells + 1) * size, np.arange(cells + 1) * size, indexing="ij")
    points = np.stack([x, height * np.sin(0.3 * x) * np.cos(0.21 * z), z], -1)
    return quads(np.stack([points[:-1, :-1], points[:-1, 1:], points[1:, 1:], points[1:, :-1]], 2))


def ball(rings=12, around=16, radius=3.0):
    """Closed sphere of triangles, facing outwards."""
    polar = np.pi * np.arange(rings + 1) / rings
    turn = 2.0 * np.pi * np.arange(around) / around
    ring = np.sin(polar)
    ring[[0, -1]] = 0.0
    points = radius * np.stack(
        [
            np.outer(ring, np.cos(turn)),
            np.repeat(np.cos(polar)[:, None], around, 1),
            np.outer(ring, np.sin(turn)),
        ],
        -1,
    )
    following = np.roll(points, -1, axis=1)
    upper = np.stack([points[:-1], following[1:], points[1:]], 2)[1:-1]
    lower = np.stack([points[:-1], following[:-1], following[1:]], 2)[1:-1]
    caps = [
        np.stack([points[0], following[1], points[1]], 1),
        np.stack([points[-1], points[-2], following[-2]], 1),
    ]
    return np.concatenate([upper.reshape(-1, 3, 3), lower.reshape(-1, 3, 3), *caps])


def soup(random, count, spread=5.0, size=1.0):
    """Random triangles through each other, of sizes from a hundredth of `size` to `size`."""
    corners = random.normal(size=(count, 3, 3)) * size * 10.0 ** random.uniform(-2, 0, (count, 1, 1))
    return corners + random.uniform(-spread, spread, (count, 1, 3))
