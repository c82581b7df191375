"""Batch of rays: a depth camera with one ray for each pixel, in one call."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ellipsoid_walker.level import load
from ellipsoid_walker.physics import Hits

WIDTH, HEIGHT = 160, 90  # pixels
EYE = (0.0, 1.62, 8.0)  # metres
TAN_HALF = 0.7  # tangent of half the vertical field of view


def pixel_directions() -> NDArray[np.float64]:
    """Directions (WIDTH * HEIGHT, 3) of a camera that looks along -Z, row by row from the top left."""
    x = (np.arange(WIDTH) + 0.5) / WIDTH * 2 - 1
    y = 1 - (np.arange(HEIGHT) + 0.5) / HEIGHT * 2
    right, up = np.meshgrid(x * TAN_HALF * WIDTH / HEIGHT, y * TAN_HALF)
    return np.stack([right, up, np.full_like(up, -1.0)], axis=-1).reshape(-1, 3)


def main() -> NDArray[np.float64]:
    """Distances (HEIGHT, WIDTH) in metres; nan where a ray hits nothing."""
    mesh = load("demo").mesh
    hits: Hits = mesh.raycast_many(EYE, pixel_directions(), max_distance=60.0)
    depth: NDArray[np.float64] = hits.distance.reshape(HEIGHT, WIDTH)
    print(f"{depth.size} rays, {np.isfinite(depth).sum()} hits, nearest {np.nanmin(depth):.2f} m")
    print(f"upward faces: {(hits.normal[:, 1] > 0.7).mean():.0%} of the picture")
    return depth


if __name__ == "__main__":
    main()
