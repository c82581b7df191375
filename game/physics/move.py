"""Moving the body: sweep and advance; sliding in the air; falling (movement.md, sections 3, 5, 7)."""

from __future__ import annotations

from math import sqrt
from typing import Any

from game.physics.gather import cover, to_ellipsoid
from game.physics.geometry import sweep_triangle
from game.physics.jit import kernel
from game.physics.projection import project3
from game.physics.touching import LEVEL, touch
from game.physics.work import (
    BOUND,
    CANDIDATES,
    CEILING,
    CLASS,
    EVENTS,
    FEATURE,
    MAX_ROWS,
    MOVED,
    NX,
    NY,
    NZ,
    PLANES,
    REC_SLIDE,
    REC_STOP,
    REC_TOUCH,
    RECORDS,
    STOPS,
    SKIN,
    SQUEEZED,
    STOPPED,
    TRIANGLE,
    WALKABLE,
    WALL,
    CX,
    CY,
    CZ,
    Mesh,
    Work,
)

ROUNDS = 12  # most rounds of one pass; 2 to 4 are used
STILL = 1e-9  # m: a round that moves less has come to its end


@kernel
def record(w: Work, kind: int, triangle: int, a: int, c: int, x: float, y: float, z: float, value: float) -> None:
    """Note something for the trace, where there is room for one."""
    n = w.count[RECORDS]
    if n >= len(w.record_ints):
        return
    w.count[RECORDS] = n + 1
    b = w.body
    ints, floats = w.record_ints, w.record_floats
    ints[n, 0], ints[n, 1], ints[n, 2], ints[n, 3] = kind, triangle, a, c
    floats[n, 0], floats[n, 1], floats[n, 2], floats[n, 3] = x, y, z, value
    floats[n, 4], floats[n, 5], floats[n, 6] = b[MOVED], b[MOVED + 1], b[MOVED + 2]


@kernel
def record_plane(w: Work, kind: int, p: int) -> None:
    """Note a touched or stopping plane: its normal, gap and contact point."""
    n = w.count[RECORDS]
    if n >= len(w.record_ints):
        return
    planes, kinds = w.planes, w.kinds
    record(
        w,
        kind,
        kinds[p, TRIANGLE],
        kinds[p, CLASS],
        kinds[p, FEATURE],
        planes[p, NX],
        planes[p, NY],
        planes[p, NZ],
        planes[p, 4],
    )
    floats = w.record_floats
    floats[n, 4], floats[n, 5], floats[n, 6] = planes[p, CX], planes[p, CY], planes[p, CZ]


@kernel
def record_touched(w: Work) -> None:
    """Note every plane of the touching set."""
    if len(w.record_ints) > 0:
        for p in range(w.count[PLANES]):
            record_plane(w, REC_TOUCH, p)


@kernel
def sweep(mesh: Mesh, w: Work, dx: float, dy: float, dz: float, part: float) -> float:
    """Part of the world displacement that the body, with `part` of its skin, can go; 1 where nothing is met."""
    cover(mesh, w, dx, dy, dz)
    b = w.body
    px, py, pz = to_ellipsoid(b, b[MOVED], b[MOVED + 1], b[MOVED + 2])
    ex, ey, ez = to_ellipsoid(b, dx, dy, dz)
    if ex * ex + ey * ey + ez * ez == 0.0:
        return 1.0
    r = 1.0 + part * b[SKIN]
    best = 1.0
    near = w.near
    for i in range(w.count[CANDIDATES]):
        # a plane not reached by the best so far holds nothing nearer
        nx, ny, nz = near[i, 9], near[i, 10], near[i, 11]
        h = nx * (px - near[i, 0]) + ny * (py - near[i, 1]) + nz * (pz - near[i, 2])
        hd = nx * ex + ny * ey + nz * ez
        if (h >= r and h + best * hd > r) or (h <= -r and h + best * hd < -r):
            continue
        t = sweep_triangle(near, i, px, py, pz, ex, ey, ez, r, best)[0]
        if t < best:
            best = t
    return best


@kernel
def advance(w: Work, dx: float, dy: float, dz: float) -> None:
    """Move the body by a world displacement that has been swept."""
    b = w.body
    b[MOVED] += dx
    b[MOVED + 1] += dy
    b[MOVED + 2] += dz


@kernel
def swept_move(mesh: Mesh, w: Work, dx: float, dy: float, dz: float) -> float:
    """Sweep at half the skin and advance as far as that goes; returns the part gone."""
    t = sweep(mesh, w, dx, dy, dz, 0.5)
    advance(w, t * dx, t * dy, t * dz)
    record(w, REC_SLIDE, -1, 0, 0, dx, dy, dz, t)
    return t


@kernel
def half_spaces(w: Work, push: bool, level: bool) -> int:
    """The touching set as rows for project3. `push`: a lost gap is made good, else it is only not made worse.
    `level`: the walker's own will never climbs what is steep, so steep planes also count as upright walls."""
    planes, rows = w.planes, w.rows
    n = 0
    for p in range(w.count[PLANES]):
        bound = planes[p, BOUND] if push else min(planes[p, BOUND], 0.0)
        rows[n, 0], rows[n, 1], rows[n, 2], rows[n, 3] = planes[p, NX], planes[p, NY], planes[p, NZ], bound
        n += 1
        if level and w.kinds[p, CLASS] == WALL and planes[p, NY] > LEVEL:
            flat = sqrt(planes[p, NX] * planes[p, NX] + planes[p, NZ] * planes[p, NZ])
            if flat > LEVEL and n < MAX_ROWS:
                rows[n, 0], rows[n, 1], rows[n, 2] = planes[p, NX] / flat, 0.0, planes[p, NZ] / flat
                rows[n, 3] = min(bound, 0.0) / flat
                n += 1
    return n


@kernel
def project(w: Work, ux: float, uy: float, uz: float, level: bool) -> tuple[float, float, float]:
    """The displacement nearest to u that the touching set allows; nothing (and an event) where it allows none."""
    n = half_spaces(w, True, level)
    dx, dy, dz, done = project3(w.rows, n, ux, uy, uz)
    if not done:
        n = half_spaces(w, False, level)
        dx, dy, dz, done = project3(w.rows, n, ux, uy, uz)
        w.count[EVENTS] |= SQUEEZED
        if not done:
            return 0.0, 0.0, 0.0
    return dx, dy, dz


@kernel
def mark_stops(w: Work, ux: float, uy: float, uz: float, dx: float, dy: float, dz: float) -> None:
    """Mark the planes that kept the body from moving by u and let it move by d."""
    planes, kinds = w.planes, w.kinds
    for p in range(w.count[PLANES]):
        nx, ny, nz, bound = planes[p, NX], planes[p, NY], planes[p, NZ], planes[p, BOUND]
        asked = nx * ux + ny * uy + nz * uz
        given = nx * dx + ny * dy + nz * dz
        kinds[p, STOPPED] = 1 if asked < bound - STILL and given <= max(bound, 0.0) + STILL else 0
        if kinds[p, STOPPED] == 1:
            record_plane(w, REC_STOP, p)


@kernel
def fall(mesh: Mesh, w: Work, dy: float) -> tuple[bool, bool, bool]:
    """The pass of outside forces: by `dy` (m, upwards) along gravity, sliding on what is steep or overhangs.

    Returns (landed on something walkable, stopped by a ceiling, slid along something).
    """
    left = dy
    head, slid = False, False
    for _ in range(ROUNDS):
        cover(mesh, w, 0.0, left, 0.0)
        touch(mesh, w)
        planes, kinds = w.planes, w.kinds
        if dy <= 0.0:
            for p in range(w.count[PLANES]):
                if kinds[p, CLASS] == WALKABLE:
                    return True, head, slid
        if abs(left) <= STILL:
            break
        dx, ry, dz = project(w, 0.0, left, 0.0, False)
        mark_stops(w, 0.0, left, 0.0, dx, ry, dz)
        for p in range(w.count[PLANES]):
            if kinds[p, STOPPED] == 1:
                slid = True
                if kinds[p, CLASS] == CEILING:
                    head = True
        if head and dy > 0.0:
            break
        if dx * dx + ry * ry + dz * dz <= STILL * STILL:
            break
        t = swept_move(mesh, w, dx, ry, dz)
        left = left * (1.0 - t)
    return False, head, slid


@kernel
def slide(mesh: Mesh, w: Work, ux: float, uz: float) -> None:
    """The walker's own will without ground under it (or with step height 0): collide and slide with the whole set.

    Lips and ramps may lift the body, steep planes never do. Planes that stopped it are kept in `stops`.
    """
    rest = 1.0
    for _ in range(ROUNDS):
        x, z = ux * rest, uz * rest
        cover(mesh, w, x, 0.0, z)
        touch(mesh, w)
        dx, dy, dz = project(w, x, 0.0, z, True)
        mark_stops(w, x, 0.0, z, dx, dy, dz)
        keep_stops(w)
        if dx * dx + dy * dy + dz * dz <= STILL * STILL:
            break
        t = swept_move(mesh, w, dx, dy, dz)
        rest = rest * (1.0 - t)
        if rest * rest * (ux * ux + uz * uz) <= STILL * STILL:
            break


@kernel
def keep_stops(w: Work) -> None:
    """Remember the plan directions of walls that stopped the walker, for its velocity; count in ROWS."""
    planes, kinds, stops = w.planes, w.kinds, w.stops
    for p in range(w.count[PLANES]):
        if kinds[p, STOPPED] == 0 or kinds[p, CLASS] == WALKABLE or w.count[STOPS] >= len(stops):
            continue
        flat = sqrt(planes[p, NX] * planes[p, NX] + planes[p, NZ] * planes[p, NZ])
        if flat < 0.05:
            continue
        n = w.count[STOPS]
        stops[n, 0], stops[n, 1], stops[n, 2] = planes[p, NX] / flat, planes[p, NZ] / flat, 0.0
        w.count[STOPS] = n + 1

