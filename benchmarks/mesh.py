"""Cost of a mesh over rolling terrain: cooking (s), memory (bytes per triangle) and queries (microseconds each).

python -m benchmarks.mesh [TRIANGLES ...]
"""

from __future__ import annotations

import numpy as np

from benchmarks.common import best_seconds, parse_sizes
from benchmarks.courses import terrain
from game.physics.mesh.bvh import query_bvh
from game.physics.triangle_mesh import Ellipsoid, TriangleMesh

SIZES = (10_000, 100_000, 1_000_000)
BODY = Ellipsoid((0.35, 0.90, 0.25))
QUERIES = 20_000


def table_row(count: int, queries: int = QUERIES) -> str:
    random = np.random.default_rng(count)
    triangles = terrain(count)
    cooking = best_seconds(lambda: TriangleMesh(triangles))
    mesh = TriangleMesh(triangles)
    arrays = [getattr(mesh, name) for name in mesh.__slots__ if name not in ("heights", "report")]
    low, high = np.array(mesh.bounds)
    above = np.array([0.0, 2.0, 0.0])
    positions = random.uniform(low, high, (queries, 3)) + above
    displacements = random.normal(size=(queries, 3))
    sweep = best_seconds(lambda: mesh.sweep_many(BODY, positions, 0.3, displacements)) / queries
    ray = best_seconds(lambda: mesh.raycast_many(positions, displacements, 50.0)) / queries
    closest = best_seconds(lambda: mesh.closest_many(positions)) / queries
    out = np.empty(4096, np.int32)
    reach = np.array([0.6, 2.0, 0.6])
    boxes = np.concatenate([positions - above - reach, positions - above + reach], axis=1)
    bvh, box_tuples = (mesh.nodes, mesh.links, mesh.triangles12, 0, len(mesh.nodes)), list(map(tuple, boxes.tolist()))

    def query_boxes() -> None:
        for box in box_tuples:
            query_bvh(*bvh, box, out)

    query = best_seconds(query_boxes) / queries
    memory = sum(array.nbytes for array in arrays) / len(mesh)
    costs = "".join(f"{1e6 * cost:>10.2f}" for cost in (query, sweep, ray, closest))
    return f"{len(mesh):>10}{cooking:>10.3f}{memory:>12.0f}{costs}"


def main() -> None:
    """Run the command line."""
    sizes = parse_sizes("benchmarks.mesh", __doc__, "TRIANGLES", "about so many triangles", SIZES)
    table_row(1000)  # compile
    print(f"{'triangles':>10}{'cook s':>10}{'bytes':>12}{'box us':>10}{'sweep us':>10}{'ray us':>10}{'closest us':>12}")
    for count in sizes:
        print(table_row(count))


if __name__ == "__main__":
    main()
