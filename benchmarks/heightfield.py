"""Ground queries of a height field by its cells against the BVH, in one run over the same places.

    python -m benchmarks.heightfield [CELLS ...]
"""

from __future__ import annotations

import sys
from time import perf_counter

import numpy as np

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
        total += query_bvh(
            nodes, links, tri, boxes[k, 0], boxes[k, 1], boxes[k, 2], boxes[k, 3], boxes[k, 4], boxes[k, 5], out
        )
    return total


@allocating
def query_by_cell(nodes, links, tri, fields, cells, inside, rest, boxes, out):
    total = 0
    for k in range(boxes.shape[0]):
        total += query_mesh(
            nodes, links, tri, fields, cells, inside, rest,
            boxes[k, 0], boxes[k, 1], boxes[k, 2], boxes[k, 3], boxes[k, 4], boxes[k, 5], out,
        )  # fmt: skip
    return total


def hills(side: int) -> TriangleMesh:
    """Rolling ground of side * side cells of 1 m."""
    x, z = np.meshgrid(np.arange(side + 1.0), np.arange(side + 1.0))
    heights = 1.5 * np.sin(x / 7.0) * np.cos(z / 9.0) + 0.4 * np.sin(x / 2.3 + z / 3.1)
    triangles, field = HeightField.of_grid(heights)
    return TriangleMesh(triangles, fields=[field])


def best_nanoseconds(*works) -> list[float]:
    """Best of some rounds for each, measured in turns so that a busy machine slows all of them."""
    best = [np.inf] * len(works)
    for _ in range(ROUNDS):
        for which, work in enumerate(works):
            start = perf_counter()
            work()
            best[which] = min(best[which], (perf_counter() - start) / QUERIES * 1e9)
    return best


def table_row(side: int, scattered: bool) -> str:
    random = np.random.default_rng(side)
    mesh = hills(side)
    heights, tree = mesh.heights, (mesh.nodes, mesh.links, mesh.triangles12)
    packed = (heights.fields, heights.cells, heights.inside, heights.rest)
    if scattered:
        plan = random.uniform(0.0, side, (QUERIES, 2))
    else:  # one ball that rolls: its queries are near the previous ones
        plan = np.cumsum(random.normal(0.0, 0.05, (QUERIES, 2)), axis=0) % side
    rays = np.zeros((QUERIES, 7))
    rays[:, 0], rays[:, 1], rays[:, 2], rays[:, 4], rays[:, 6] = plan[:, 0], 9.0, plan[:, 1], -1.0, np.inf
    triangle, feature, distance = np.empty(QUERIES, np.int32), np.empty(QUERIES, np.uint8), np.empty(QUERIES)
    other = triangle.copy()
    cast_rays(*tree, rays, 0.0, ray_mode.NEAREST, triangle, feature, distance, triangle)
    cast_rays_down(heights.fields, heights.cells, mesh.triangles12, rays, other, feature, distance)
    assert np.array_equal(triangle, other)
    middle = np.column_stack((plan[:, 0], 9.0 - distance, plan[:, 1]))
    boxes, out = np.concatenate([middle - BALL, middle + BALL], axis=1), np.empty(256, np.int32)
    assert query_by_bvh(*tree, boxes, out) == query_by_cell(*tree, *packed, boxes, out)
    box_tree, box_cell, ray_tree, ray_cell = best_nanoseconds(
        lambda: query_by_bvh(*tree, boxes, out),
        lambda: query_by_cell(*tree, *packed, boxes, out),
        lambda: cast_rays(*tree, rays, 0.0, ray_mode.NEAREST, triangle, feature, distance, triangle),
        lambda: cast_rays_down(heights.fields, heights.cells, mesh.triangles12, rays, other, feature, distance),
    )
    name = "scattered" if scattered else "rolling"
    return (
        f"{len(mesh):>10}{name:>11}{box_tree:>10.0f}{box_cell:>8.0f}{box_tree / box_cell:>7.1f}"
        f"{ray_tree:>12.0f}{ray_cell:>8.0f}{ray_tree / ray_cell:>7.1f}"
    )


def main() -> None:
    print(f"{'':>21}{'near a ball, ns':>25}{'ground below, ns':>27}")
    print(f"{'triangles':>10}{'places':>11}{'tree':>10}{'cell':>8}{'times':>7}{'tree':>12}{'cell':>8}{'times':>7}")
    for side in [int(word) for word in sys.argv[1:]] or SIDES:
        for scattered in (True, False):
            print(table_row(side, scattered), flush=True)


if __name__ == "__main__":
    main()
