"""Nanoseconds per ground query of a height field by its cells and by the BVH, at the same positions in one run.

python -m benchmarks.heightfield [CELLS ...]
"""

from __future__ import annotations

import numpy as np

from benchmarks.common import alternating_seconds, parse_sizes
from game.physics.mesh.bvh import cast_rays, query_bvh
from game.physics.mesh.heightfield import HeightField, cast_rays_down, query_mesh
from game.physics.mesh.layout import ray_mode
from game.physics.numerics.jit import allocating
from game.physics.triangle_mesh import TriangleMesh

SIDES = (50, 150, 316, 700)  # cells along a side
QUERIES = 200_000
BALL = 0.05  # m: box around a ball in flight, and its movement in a tick
ROUNDS = 5


@allocating
def query_by_bvh(nodes, links, tri, boxes, out):
    total = 0
    for k in range(boxes.shape[0]):
        box = boxes[k, 0], boxes[k, 1], boxes[k, 2], boxes[k, 3], boxes[k, 4], boxes[k, 5]
        total += query_bvh(nodes, links, tri, 0, nodes.shape[0], box, out)
    return total


@allocating
def query_by_cell(nodes, links, tri, fields, cells, inside, remaining_boxes, boxes, out):
    total = 0
    for k in range(boxes.shape[0]):
        box = boxes[k, 0], boxes[k, 1], boxes[k, 2], boxes[k, 3], boxes[k, 4], boxes[k, 5]
        total += query_mesh(nodes, links, tri, fields, cells, inside, remaining_boxes, box, out)
    return total


def hills(side: int) -> TriangleMesh:
    """Rolling ground of side * side cells of 1 m."""
    x, z = np.meshgrid(np.arange(side + 1.0), np.arange(side + 1.0))
    heights = 1.5 * np.sin(x / 7.0) * np.cos(z / 9.0) + 0.4 * np.sin(x / 2.3 + z / 3.1)
    triangles, field = HeightField.of_grid(heights)
    return TriangleMesh(triangles, fields=[field])


def table_row(side: int, scattered: bool, queries: int = QUERIES) -> str:
    random = np.random.default_rng(side)
    mesh = hills(side)
    heights, bvh = mesh.heights, (mesh.nodes, mesh.links, mesh.triangles12)
    grids = (heights.fields, heights.cells, heights.inside, heights.remaining_boxes)
    if scattered:
        plan = random.uniform(0.0, side, (queries, 2))
    else:  # one ball that rolls: its queries are near the previous ones
        plan = np.cumsum(random.normal(0.0, 0.05, (queries, 2)), axis=0) % side
    rays = np.zeros((queries, 7))
    rays[:, 0], rays[:, 1], rays[:, 2], rays[:, 4], rays[:, 6] = plan[:, 0], 9.0, plan[:, 1], -1.0, np.inf
    triangle, feature, distance = np.empty(queries, np.int32), np.empty(queries, np.uint8), np.empty(queries)
    by_bvh, by_cell = (triangle, feature, distance), (triangle.copy(), feature, distance)
    cast_rays(*bvh, rays, 0.0, ray_mode.NEAREST, by_bvh, triangle)
    cast_rays_down(heights.fields, heights.cells, mesh.triangles12, rays, by_cell)
    assert np.array_equal(triangle, by_cell[0])
    ground = np.column_stack((plan[:, 0], 9.0 - distance, plan[:, 1]))
    boxes, out = np.concatenate([ground - BALL, ground + BALL], axis=1), np.empty(256, np.int32)
    assert query_by_bvh(*bvh, boxes, out) == query_by_cell(*bvh, *grids, boxes, out)
    functions = [
        lambda: query_by_bvh(*bvh, boxes, out),
        lambda: query_by_cell(*bvh, *grids, boxes, out),
        lambda: cast_rays(*bvh, rays, 0.0, ray_mode.NEAREST, by_bvh, triangle),
        lambda: cast_rays_down(heights.fields, heights.cells, mesh.triangles12, rays, by_cell),
    ]
    box_bvh, box_cell, ray_bvh, ray_cell = alternating_seconds(functions, ROUNDS).min(axis=0) / queries * 1e9
    name = "scattered" if scattered else "rolling"
    return (
        f"{len(mesh):>10}{name:>11}{box_bvh:>10.0f}{box_cell:>8.0f}{box_bvh / box_cell:>7.1f}"
        f"{ray_bvh:>12.0f}{ray_cell:>8.0f}{ray_bvh / ray_cell:>7.1f}"
    )


def main() -> None:
    """Run the command line."""
    sizes = parse_sizes("benchmarks.heightfield", __doc__, "CELLS", "cells along a side", SIDES)
    print(f"{'':>21}{'box of a ball, ns':>25}{'ground below, ns':>27}")
    print(f"{'triangles':>10}{'positions':>11}{'BVH':>10}{'cells':>8}{'ratio':>7}{'BVH':>12}{'cells':>8}{'ratio':>7}")
    for side in sizes:
        for scattered in (True, False):
            print(table_row(side, scattered), flush=True)


if __name__ == "__main__":
    main()
