"""Cost of a mesh: cooking, memory and queries, over rolling terrain of growing size.

    python -m benchmarks.mesh [TRIANGLES ...]
"""

from __future__ import annotations

import sys
from time import perf_counter

import numpy as np

from benchmarks.courses import terrain
from game.physics.mesh.bvh import query_bvh
from game.physics.triangle_mesh import Ellipsoid, TriangleMesh

SIZES = (10_000, 100_000, 1_000_000)
BODY = Ellipsoid((0.35, 0.90, 0.25))
QUERIES = 20_000


def seconds(work, rounds: int = 3) -> float:
    best = np.inf
    for _ in range(rounds):
        start = perf_counter()
        work()
        best = min(best, perf_counter() - start)
    return best


def table_row(count: int) -> str:
    random = np.random.default_rng(count)
    triangles = terrain(count)
    bake = seconds(lambda: TriangleMesh(triangles))
    mesh = TriangleMesh(triangles)
    arrays = [getattr(mesh, name) for name in mesh.__slots__ if name not in ("heights", "report")]
    low, high = np.array(mesh.bounds)
    above = np.array([0.0, 2.0, 0.0])
    place = random.uniform(low, high, (QUERIES, 3)) + above
    way = random.normal(size=(QUERIES, 3))
    sweep = seconds(lambda: mesh.sweep(BODY, place, 0.3, way)) / QUERIES
    ray = seconds(lambda: mesh.raycast(place, way, 50.0)) / QUERIES
    near = seconds(lambda: mesh.closest(place)) / QUERIES
    out = np.empty(4096, np.int32)
    reach = np.array([0.6, 2.0, 0.6])
    boxes = np.concatenate([place - above - reach, place - above + reach], axis=1).tolist()
    tree = mesh.nodes, mesh.links, mesh.triangles12

    def ask() -> None:
        for box in boxes:
            query_bvh(*tree, *box, out)

    query = seconds(ask) / QUERIES
    memory = sum(array.nbytes for array in arrays) / len(mesh)
    costs = "".join(f"{1e6 * each:>10.2f}" for each in (query, sweep, ray, near))
    return f"{len(mesh):>10}{bake:>10.3f}{memory:>12.0f}{costs}"


def main() -> None:
    table_row(1000)  # compile
    print(
        f"{'triangles':>10}{'bake s':>10}{'bytes each':>12}{'box us':>10}{'sweep us':>10}{'ray us':>10}{'near us':>10}"
    )
    for count in [int(word) for word in sys.argv[1:]] or SIZES:
        print(table_row(count))


if __name__ == "__main__":
    main()
