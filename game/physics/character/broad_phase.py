"""Broad phase: the triangles that a tick can reach, and those of them that the body can touch (docs/physics.md)."""

from __future__ import annotations

from math import sqrt

import numpy as np

from ...core.vectors import Bounds, Floats, Ints
from ..environment.environment import MeshArrays
from ..mesh.bvh import query_bvh
from ..numerics.jit import inlined, inner, kernel
from .body_frame import body_box_to_world, to_ellipsoid_space, world_to_body_frame
from .rows import body, box_row, candidate, counter, kept
from .scratch import Scratch

KEPT_MARGIN = 0.1  # m by which a kept list reaches beyond the box of a tick on each side
KEPT_TICKS = 16.0  # displacements of the last tick by which it reaches further ahead
MAX_KEPT_DISPLACEMENT = 1.0  # m along each axis: a walker that moves further in a tick gets no list
REACH_ROUNDING = 1.0 + 1e-9  # factor on a squared reach, for rounding
MIN_KEPT_GROWTH = 0.1  # factor on both below which no list is tried; it recovers by a tenth a tick


@inner
def transform_corners(w: Scratch, i: int) -> None:
    """Transform the corners of candidate i to the present ellipsoid space: divided by the radii."""
    b, candidates = w.body, w.candidates
    for k in range(0, 9, 3):
        candidates[i, k], candidates[i, k + 1], candidates[i, k + 2] = to_ellipsoid_space(
            b,
            candidates[i, candidate.CORNERS + k],
            candidates[i, candidate.CORNERS + k + 1],
            candidates[i, candidate.CORNERS + k + 2],
        )


@inner
def transform_normal(w: Scratch, i: int) -> None:
    """Transform the normal of candidate i to the present ellipsoid space.

    Normals transform by the inverse transpose, so they are multiplied by the radii and normalised.
    """
    b, candidates = w.body, w.candidates
    nx, ny, nz = (
        candidates[i, candidate.NORMAL],
        candidates[i, candidate.NORMAL + 1],
        candidates[i, candidate.NORMAL + 2],
    )
    s, c = b[body.SIN_HEADING], b[body.COS_HEADING]
    x, y, z = b[body.RADII] * (c * nx - s * nz), b[body.RADII + 1] * ny, b[body.RADII + 2] * (s * nx + c * nz)
    scale = 1.0 / sqrt(x * x + y * y + z * z)
    candidates[i, candidate.NX], candidates[i, candidate.NY], candidates[i, candidate.NZ] = (
        x * scale,
        y * scale,
        z * scale,
    )


@inlined
def require_transformed(w: Scratch, i: int) -> None:
    """Transform candidate i to the present ellipsoid space unless that has been done since the last change of shape."""
    if w.candidates[i, candidate.NX] == candidate.NOT_TRANSFORMED:
        transform_corners(w, i)
        transform_normal(w, i)


@inner
def find_reachable(w: Scratch, dx: float, dy: float, dz: float, r: float) -> int:
    """Number of candidates that a sphere of radius r (ellipsoid space) can touch here or along the displacement d (m).

    Their rows stand in `reachable`, ascending; further ones may be among them. A box at the gaps (x, y, z) to the
    centre's path is out of reach if (x / a)^2 + (y / b)^2 + (z / a)^2 > r^2: an upright spheroid with the larger
    horizontal radius a contains the ellipsoid at every heading. The loop has no branches, so that the compiler turns it
    into vector instructions.
    """
    b, boxes, reachable = w.body, w.boxes, w.reachable
    across, up = min(b[body.INVERSE_RADII], b[body.INVERSE_RADII + 2]), b[body.INVERSE_RADII + 1]
    limit = REACH_ROUNDING * r * r
    x, y, z = b[body.OFFSET], b[body.OFFSET + 1], b[body.OFFSET + 2]
    x0, y0, z0 = x + min(dx, 0.0), y + min(dy, 0.0), z + min(dz, 0.0)
    x1, y1, z1 = x + max(dx, 0.0), y + max(dy, 0.0), z + max(dz, 0.0)
    n = w.counters[counter.CANDIDATES]
    for i in range(n):
        x = across * max(boxes[box_row.MIN, i] - x1, x0 - boxes[box_row.MAX, i], 0.0)
        y = up * max(boxes[box_row.MIN + 1, i] - y1, y0 - boxes[box_row.MAX + 1, i], 0.0)
        z = across * max(boxes[box_row.MIN + 2, i] - z1, z0 - boxes[box_row.MAX + 2, i], 0.0)
        reachable[i] = x * x + y * y + z * z <= limit
    found = 0
    for i in range(n):
        is_reachable = reachable[i]
        reachable[found] = i
        found += is_reachable
    return found


@kernel
def invalidate_candidates(w: Scratch) -> None:
    """The body's shape has changed: no candidate is transformed to its ellipsoid space, and no contact is valid."""
    w.counters[counter.CONTACTS_VALID] = 0
    for i in range(w.counters[counter.CANDIDATES]):
        w.candidates[i, candidate.NX] = candidate.NOT_TRANSFORMED


@inlined
def write_candidate_box(w: Scratch, i: int) -> None:
    """Write the bounding box of candidate i, from its corners."""
    candidates, boxes = w.candidates, w.boxes
    for k in range(3):
        first, second, third = (
            candidates[i, candidate.CORNERS + k],
            candidates[i, candidate.CORNERS + k + 3],
            candidates[i, candidate.CORNERS + k + 6],
        )
        boxes[box_row.MIN + k, i], boxes[box_row.MAX + k, i] = min(first, second, third), max(first, second, third)


@inner
def require_candidate_box(w: Scratch, x0: float, y0: float, z0: float, x1: float, y1: float, z1: float) -> None:
    """Set CANDIDATES_INCOMPLETE if a box (relative to body.ORIGIN) is not inside the one that the candidates cover.

    The caller of the tick then repeats it with a larger box.
    """
    b = w.body
    if (
        x0 < b[body.CANDIDATE_BOX]
        or y0 < b[body.CANDIDATE_BOX + 1]
        or z0 < b[body.CANDIDATE_BOX + 2]
        or x1 > b[body.CANDIDATE_BOX + 3]
        or y1 > b[body.CANDIDATE_BOX + 4]
        or z1 > b[body.CANDIDATE_BOX + 5]
    ):
        w.counters[counter.CANDIDATES_INCOMPLETE] = 1


@inner
def require_candidates(w: Scratch, dx: float, dy: float, dz: float) -> None:
    """Require candidates for everything that the body touches here and along the displacement d (body frame, m)."""
    b = w.body
    side = max(b[body.RADII], b[body.RADII + 2]) * (1.0 + 2.0 * b[body.SKIN])
    half_height = b[body.RADII + 1] * (1.0 + 2.0 * b[body.SKIN])
    x, y, z = b[body.OFFSET], b[body.OFFSET + 1], b[body.OFFSET + 2]
    require_candidate_box(
        w,
        x + min(dx, 0.0) - side,
        y + min(dy, 0.0) - half_height,
        z + min(dz, 0.0) - side,
        x + max(dx, 0.0) + side,
        y + max(dy, 0.0) + half_height,
        z + max(dz, 0.0) + side,
    )


@inner
def _search_kept_list(
    lists: Floats, slot: int, x0: float, y0: float, z0: float, x1: float, y1: float, z1: float, out: Ints
) -> int:
    """Number of triangles of a kept list whose box overlaps the closed box x0..z1; writes them to `out`, ascending.

    The tests are a loop without branches, which the compiler turns into vector instructions.
    """
    n = int(lists[slot, kept.HEADER, kept.COUNT])
    for k in range(n):
        out[k] = (
            (lists[slot, kept.BOX_MIN, k] <= x1)
            & (lists[slot, kept.BOX_MAX, k] >= x0)
            & (lists[slot, kept.BOX_MIN + 1, k] <= y1)
            & (lists[slot, kept.BOX_MAX + 1, k] >= y0)
            & (lists[slot, kept.BOX_MIN + 2, k] <= z1)
            & (lists[slot, kept.BOX_MAX + 2, k] >= z0)
        )
    found = 0
    for k in range(n):
        overlaps = out[k]
        out[found] = int(lists[slot, kept.TRIANGLE, k])
        found += overlaps
    return found


@inner
def _fill_kept_list(
    mesh: MeshArrays, level_nodes: int, triangle_indices: Ints, lists: Floats, slot: int, box: Bounds
) -> bool:
    """Make the kept list that covers the box x0..z1; False, and no list, if there are too many triangles."""
    x0, y0, z0, x1, y1, z1 = box
    found = query_bvh(mesh.nodes, mesh.links, mesh.triangles, 0, level_nodes, box, triangle_indices)
    header = lists[slot, kept.HEADER]
    if found > min(lists.shape[2], len(triangle_indices)):
        header[kept.GROWTH] *= 0.5
        header[kept.COVERED_BOX] = np.inf
        return False
    if found <= lists.shape[2] // 2:
        header[kept.GROWTH] = min(1.25 * header[kept.GROWTH], 1.0)
    header[kept.COUNT] = found
    header[kept.COVERED_BOX], header[kept.COVERED_BOX + 1], header[kept.COVERED_BOX + 2] = x0, y0, z0
    header[kept.COVERED_BOX_MAX], header[kept.COVERED_BOX_MAX + 1], header[kept.COVERED_BOX_MAX + 2] = x1, y1, z1
    triangles = mesh.triangles
    for k in range(found):
        t = triangle_indices[k]
        for axis in range(3):
            a, b, c = triangles[t, axis], triangles[t, axis + 3], triangles[t, axis + 6]
            lists[slot, kept.BOX_MIN + axis, k] = min(a, b, c)
            lists[slot, kept.BOX_MAX + axis, k] = max(a, b, c)
        lists[slot, kept.TRIANGLE, k] = t
    return True


@inner
def find_triangles(
    mesh: MeshArrays,
    level_nodes: int,
    triangle_indices: Ints,
    lists: Floats,
    slot: int,
    box: Bounds,
) -> int:
    """Number of triangles of the level whose box overlaps the world box x0..z1; the first ones, ascending, in
    `triangle_indices`.

    The result is that of `query_bvh`. It comes from the kept list `slot` while that covers the box. A walker that has
    moved on a little since the last tick gets a new list, from a search of a larger box. lists: (n, kept.ROWS,
    capacity) f8, of this mesh; without list `slot` the BVH is searched.
    """
    x0, y0, z0, x1, y1, z1 = box
    if slot >= len(lists):
        return query_bvh(mesh.nodes, mesh.links, mesh.triangles, 0, level_nodes, box, triangle_indices)
    header = lists[slot, kept.HEADER]
    dx, dy, dz = x0 - header[kept.LAST_BOX], y0 - header[kept.LAST_BOX + 1], z0 - header[kept.LAST_BOX + 2]
    header[kept.LAST_BOX], header[kept.LAST_BOX + 1], header[kept.LAST_BOX + 2] = x0, y0, z0
    is_covered = (
        x0 >= header[kept.COVERED_BOX]
        and y0 >= header[kept.COVERED_BOX + 1]
        and z0 >= header[kept.COVERED_BOX + 2]
        and x1 <= header[kept.COVERED_BOX_MAX]
        and y1 <= header[kept.COVERED_BOX_MAX + 1]
        and z1 <= header[kept.COVERED_BOX_MAX + 2]
        and header[kept.COUNT] <= len(triangle_indices)
    )
    if not is_covered and max(abs(dx), abs(dy), abs(dz)) < MAX_KEPT_DISPLACEMENT:
        growth = header[kept.GROWTH]
        if growth < MIN_KEPT_GROWTH:
            header[kept.GROWTH] = 1.1 * growth
        else:
            margin, ahead = growth * KEPT_MARGIN, growth * KEPT_TICKS
            wider_box = (
                x0 - margin + ahead * min(dx, 0.0),
                y0 - margin + ahead * min(dy, 0.0),
                z0 - margin + ahead * min(dz, 0.0),
                x1 + margin + ahead * max(dx, 0.0),
                y1 + margin + ahead * max(dy, 0.0),
                z1 + margin + ahead * max(dz, 0.0),
            )
            is_covered = _fill_kept_list(mesh, level_nodes, triangle_indices, lists, slot, wider_box)
    if is_covered:
        return _search_kept_list(lists, slot, x0, y0, z0, x1, y1, z1, triangle_indices)
    return query_bvh(mesh.nodes, mesh.links, mesh.triangles, 0, level_nodes, box, triangle_indices)


@kernel
def find_candidates(
    mesh: MeshArrays,
    level_nodes: int,
    triangle_indices: Ints,
    lists: Floats,
    slot: int,
    w: Scratch,
    centre: tuple[float, float, float],
    reach: tuple[float, float, float],
) -> None:
    """Put body.ORIGIN at the world position `centre` and collect every triangle in the box around it.

    level_nodes: the BVH nodes before this one are the level's; lists, slot: see `find_triangles`; reach: extents of the
    box to each side, below and above, m. Writes the number found to CANDIDATES_NEEDED, and as many candidates as there
    is room for.
    """
    x, y, z = centre
    side, below, above = reach
    b, candidates, triangles, mates = w.body, w.candidates, mesh.triangles, mesh.mates
    b[body.ORIGIN], b[body.ORIGIN + 1], b[body.ORIGIN + 2] = x, y, z
    b[body.OFFSET], b[body.OFFSET + 1], b[body.OFFSET + 2] = 0.0, 0.0, 0.0
    b[body.CANDIDATE_BOX], b[body.CANDIDATE_BOX + 1], b[body.CANDIDATE_BOX + 2] = -side, -below, -side
    b[body.CANDIDATE_BOX + 3], b[body.CANDIDATE_BOX + 4], b[body.CANDIDATE_BOX + 5] = side, above, side
    box = x - side, y - below, z - side, x + side, y + above, z + side
    if b[body.FRAME_IS_ROTATED] != 0.0:
        box = body_box_to_world(b, x, y, z, side, below, above)
    found = find_triangles(mesh, level_nodes, triangle_indices, lists, slot, box)
    w.counters[counter.CANDIDATES_NEEDED] = found
    n = min(found, len(triangle_indices), len(candidates))
    w.counters[counter.CANDIDATES], w.counters[counter.STATIC_CANDIDATES] = n, n
    for i in range(n):
        t = triangle_indices[i]
        candidates[i, candidate.TRIANGLE] = t
        for k in range(0, 9, 3):
            candidates[i, candidate.CORNERS + k] = triangles[t, k] - x
            candidates[i, candidate.CORNERS + k + 1] = triangles[t, k + 1] - y
            candidates[i, candidate.CORNERS + k + 2] = triangles[t, k + 2] - z
        for k in range(9, 12):
            candidates[i, candidate.CORNERS + k] = triangles[t, k]
        if b[body.FRAME_IS_ROTATED] != 0.0:
            for k in range(candidate.CORNERS, candidate.CORNERS + 12, 3):
                candidates[i, k], candidates[i, k + 1], candidates[i, k + 2] = world_to_body_frame(
                    b, candidates[i, k], candidates[i, k + 1], candidates[i, k + 2]
                )
        write_candidate_box(w, i)
        for k in range(3):
            candidates[i, candidate.NEIGHBOURS + k] = mates[t, k]
