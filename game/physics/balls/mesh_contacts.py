"""A ball and the level: which planes it touches, and what it meets first on its way."""

from __future__ import annotations

from math import sqrt
from typing import Any

from ..mesh.bvh import query_bvh_subtree
from ..mesh.geometry import EARLY_OUT_FACTOR, NO_HIT, closest_point_on_triangle, sweep_sphere_against_triangle
from ..mesh.heightfield import query_mesh
from ..mesh.layout import material_row
from ..numerics.jit import inlined, inner
from .layout import ball, counter, plane, status
from .scratch import BALL_SKIN, MAX_BALL_PLANES, MIN_SWEEP_RADIUS_PART, SWEEP_RADIUS_MARGIN, BallScratch, CollisionMesh

BALL_INTERNAL_EDGE_TOLERANCE = 1e-6  # m: an edge or corner this near to a plane that is touched belongs to it
SAME_NORMAL_COSINE = 1.0 - 1e-9  # cosine of the angle between two normals that are one


@inlined
def query_triangles(
    mesh: CollisionMesh,
    w: BallScratch,
    first: int,
    end: int,
    x0: float,
    y0: float,
    z0: float,
    x1: float,
    y1: float,
    z1: float,
) -> int:
    """How many triangles may meet the box, their numbers in w.near; where they do not fit, none, and it is noted.
    Of the tree of nodes first to end; of the whole mesh where end is 0."""
    if end > 0:
        count = query_bvh_subtree(
            mesh.nodes, mesh.links, mesh.triangles, first, end, x0, y0, z0, x1, y1, z1, w.triangles_near
        )
        if count > w.triangles_near.shape[0]:
            w.counters[counter.TRIANGLES_NEEDED] = max(w.counters[counter.TRIANGLES_NEEDED], count)
            return 0
        return count
    fields, cells, inside, rest = mesh.fields, mesh.cells, mesh.inside, mesh.rest
    count = query_mesh(
        mesh.nodes, mesh.links, mesh.triangles, fields, cells, inside, rest, x0, y0, z0, x1, y1, z1, w.triangles_near
    )
    if count > w.triangles_near.shape[0]:
        w.counters[counter.TRIANGLES_NEEDED] = max(w.counters[counter.TRIANGLES_NEEDED], count)
        return 0
    return int(count)


@inlined
def read_triangle_list(w: BallScratch, i: int, of: int) -> int:
    """How many triangles of mover `of` (-1: of the level) stand in ball i's list, their numbers in w.near."""
    count = 0
    for q in range(w.status[i, status.LIST_COUNT]):
        if w.triangle_lists[i, q, 1] == of:
            w.triangles_near[count] = w.triangle_lists[i, q, 0]
            count += 1
    return count


@inlined
def is_covered_by_list(
    w: BallScratch, i: int, x: float, y: float, z: float, span: float,
    x0: float, y0: float, z0: float, x1: float, y1: float, z1: float,
) -> bool:  # fmt: skip
    """Whether ball i's list, made for `span` about (x, y, z), holds all that a box can meet."""
    return bool(
        w.status[i, status.LIST_COUNT] != status.NO_LIST
        and x0 >= x - span
        and y0 >= y - span
        and z0 >= z - span
        and x1 <= x + span
        and y1 <= y + span
        and z1 <= z + span
    )


@inlined
def combine_materials(mesh: CollisionMesh, b: Any, i: int, triangle: int) -> tuple[float, float, float, float, float]:
    """Friction, rolling resistance, restitution, and flow (east, south) between a ball and a triangle."""
    grip, roll, bounce = b[i, ball.FRICTION], b[i, ball.ROLLING_RESISTANCE], b[i, ball.RESTITUTION]
    if mesh.materials.shape[0] == 0:
        return grip, roll, bounce, 0.0, 0.0
    row = mesh.mates[triangle, 3]
    m = mesh.materials
    bounce = max(bounce * (1.0 - m[row, material_row.SOFTNESS]), m[row, material_row.RESTITUTION])
    return (
        grip * m[row, material_row.FRICTION],
        roll + m[row, material_row.ROLLING_RESISTANCE],
        bounce,
        m[row, material_row.SURFACE_VELOCITY_X],
        m[row, material_row.SURFACE_VELOCITY_Z],
    )


@inlined
def add_contact_plane(
    w: BallScratch, i: int, nx: float, ny: float, nz: float, gap: float, cx: float, cy: float, cz: float
) -> int:
    """One more plane that ball i touches, with nothing known of its surface; its row, or -1 where one like it is
    there or they are too many (then the one with the widest gap goes)."""
    k, planes = w.status, w.planes
    first, count = i * MAX_BALL_PLANES, w.status[i, status.PLANE_COUNT]
    for p in range(first + w.counters[counter.FIRST_PLANE], first + count):
        if (
            nx * planes[p, plane.NORMAL] + ny * planes[p, plane.NORMAL + 1] + nz * planes[p, plane.NORMAL + 2]
            > SAME_NORMAL_COSINE
        ):
            planes[p, plane.GAP] = min(planes[p, plane.GAP], gap)
            return -1
    row = first + count
    if count == MAX_BALL_PLANES:
        row = first
        for p in range(first + 1, first + count):
            if planes[p, plane.GAP] > planes[row, plane.GAP]:
                row = p
        if planes[row, plane.GAP] <= gap:
            return -1
    else:
        k[i, status.PLANE_COUNT] = count + 1
    planes[row, plane.NORMAL], planes[row, plane.NORMAL + 1], planes[row, plane.NORMAL + 2], planes[row, plane.GAP] = (
        nx,
        ny,
        nz,
        gap,
    )
    planes[row, plane.POINT], planes[row, plane.POINT + 1], planes[row, plane.POINT + 2] = cx, cy, cz
    planes[row, plane.SURFACE_VELOCITY] = planes[row, plane.SURFACE_VELOCITY + 1] = planes[
        row, plane.SURFACE_VELOCITY + 2
    ] = 0.0
    planes[row, plane.NORMAL_IMPULSE] = planes[row, plane.FRICTION_IMPULSE] = planes[
        row, plane.FRICTION_IMPULSE + 1
    ] = planes[row, plane.FRICTION_IMPULSE + 2] = 0.0
    return int(row)


@inlined
def find_mesh_contacts(
    mesh: CollisionMesh, w: BallScratch, i: int, x: float, y: float, z: float, margin: float
) -> None:
    """Add the planes of the level that are within `margin` metres of ball i, about (x, y, z)."""
    b = w.balls
    reach = b[i, ball.RADIUS] + margin
    x0, y0, z0, x1, y1, z1 = x - reach, y - reach, z - reach, x + reach, y + reach, z + reach
    if is_covered_by_list(
        w,
        i,
        b[i, ball.START_POSITION],
        b[i, ball.START_POSITION + 1],
        b[i, ball.START_POSITION + 2],
        b[i, ball.LIST_RADIUS],
        x0,
        y0,
        z0,
        x1,
        y1,
        z1,
    ):
        count = read_triangle_list(w, i, -1)
    else:
        count = query_triangles(mesh, w, 0, 0, x0, y0, z0, x1, y1, z1)
    if count > 0:
        find_triangle_contacts(mesh, w, i, x, y, z, reach, count)


@inner
def find_triangle_contacts(
    mesh: CollisionMesh, w: BallScratch, i: int, x: float, y: float, z: float, reach: float, count: int
) -> None:
    """Add the planes of the first triangles of w.near that come within `reach` metres of (x, y, z): faces first, then
    edges and corners, the nearest first, that lie in the plane of none of these (else each seam of a tiled floor would
    be felt)."""
    tri, rims = mesh.triangles, w.edge_contacts
    left, most = 0, EARLY_OUT_FACTOR * reach
    for q in range(count):
        t = w.triangles_near[q]
        off = tri[t, 9] * (x - tri[t, 0]) + tri[t, 10] * (y - tri[t, 1]) + tri[t, 11] * (z - tri[t, 2])
        if abs(off) > most:
            continue
        cx, cy, cz, part = closest_point_on_triangle(tri, t, x, y, z)
        nx, ny, nz = x - cx, y - cy, z - cz
        away = sqrt(nx * nx + ny * ny + nz * nz)
        if away > reach:
            continue
        if part == 0 or away < BALL_SKIN:
            add_triangle_contact(mesh, w, i, t, nx, ny, nz, cx, cy, cz, away, True)
        if part != 0 and away >= BALL_SKIN:
            rims[left, 0], rims[left, 1], rims[left, 2], rims[left, 3], rims[left, 4] = float(t), cx, cy, cz, away
            left += 1
    for _ in range(left):
        if w.status[i, status.PLANE_COUNT] >= MAX_BALL_PLANES:
            return
        nearest, found = reach, -1
        for q in range(left):
            if rims[q, 4] < nearest and not is_on_contact_plane(w, i, rims[q, 1], rims[q, 2], rims[q, 3]):
                nearest, found = rims[q, 4], q
        if found < 0:
            return
        px, py, pz = rims[found, 1], rims[found, 2], rims[found, 3]
        add_triangle_contact(mesh, w, i, int(rims[found, 0]), x - px, y - py, z - pz, px, py, pz, nearest, False)


@inlined
def is_on_contact_plane(w: BallScratch, i: int, cx: float, cy: float, cz: float) -> bool:
    """Whether a point lies in a plane that ball i is known to touch."""
    planes = w.planes
    for p in range(
        i * MAX_BALL_PLANES + w.counters[counter.FIRST_PLANE], i * MAX_BALL_PLANES + w.status[i, status.PLANE_COUNT]
    ):
        off = (
            planes[p, plane.NORMAL] * (cx - planes[p, plane.POINT])
            + planes[p, plane.NORMAL + 1] * (cy - planes[p, plane.POINT + 1])
            + planes[p, plane.NORMAL + 2] * (cz - planes[p, plane.POINT + 2])
        )
        if abs(off) <= BALL_INTERNAL_EDGE_TOLERANCE:
            return True
    return False


@inlined
def add_triangle_contact(
    mesh: CollisionMesh, w: BallScratch, i: int, t: int,
    nx: float, ny: float, nz: float, cx: float, cy: float, cz: float,
    away: float, face: bool,
) -> None:  # fmt: skip
    """Add the plane in which ball i touches triangle t at c, which its centre is n, `away` metres, from."""
    b, planes, tri = w.balls, w.planes, mesh.triangles
    if face:
        side = -1.0 if nx * tri[t, 9] + ny * tri[t, 10] + nz * tri[t, 11] < 0.0 else 1.0
        nx, ny, nz = side * tri[t, 9], side * tri[t, 10], side * tri[t, 11]
    else:
        nx, ny, nz = nx / away, ny / away, nz / away
    row = add_contact_plane(w, i, nx, ny, nz, away - b[i, ball.RADIUS], cx, cy, cz)
    if row >= 0:
        grip, roll, bounce, east, south = combine_materials(mesh, b, i, t)
        planes[row, plane.FRICTION], planes[row, plane.ROLLING_RESISTANCE], planes[row, plane.RESTITUTION] = (
            grip,
            roll,
            bounce,
        )
        planes[row, plane.SURFACE_VELOCITY], planes[row, plane.SURFACE_VELOCITY + 2] = east, south


@inlined
def set_sweep_radius(w: BallScratch, i: int) -> None:
    """The radius to sweep ball i with: nothing that it touches is nearer, so that whatever is touched is entered."""
    b, planes = w.balls, w.planes
    gap = BALL_SKIN
    for p in range(i * MAX_BALL_PLANES, i * MAX_BALL_PLANES + w.status[i, status.PLANE_COUNT]):
        gap = min(gap, planes[p, plane.GAP] - SWEEP_RADIUS_MARGIN)
    b[i, ball.SWEEP_RADIUS] = max(b[i, ball.RADIUS] + gap, MIN_SWEEP_RADIUS_PART * b[i, ball.RADIUS])


@inlined
def sweep_ball_against_mesh(
    mesh: CollisionMesh, w: BallScratch, i: int, x: float, y: float, z: float, dx: float, dy: float, dz: float, r: float
) -> float:
    """Where on its way d (0 to 1) a sphere about (x, y, z), ball i's, first meets the level, MISS where nowhere; the
    point touched, feature and triangle in w.hit."""
    b = w.balls
    x0, y0, z0 = min(x, x + dx) - r, min(y, y + dy) - r, min(z, z + dz) - r
    x1, y1, z1 = max(x, x + dx) + r, max(y, y + dy) + r, max(z, z + dz) + r
    if is_covered_by_list(
        w,
        i,
        b[i, ball.START_POSITION],
        b[i, ball.START_POSITION + 1],
        b[i, ball.START_POSITION + 2],
        b[i, ball.LIST_RADIUS],
        x0,
        y0,
        z0,
        x1,
        y1,
        z1,
    ):
        count = read_triangle_list(w, i, -1)
    else:
        count = query_triangles(mesh, w, 0, 0, x0, y0, z0, x1, y1, z1)
    return sweep_ball_against_triangles(mesh, w, x, y, z, dx, dy, dz, r, 1.0, count)


@inlined
def sweep_ball_against_triangles(
    mesh: CollisionMesh, w: BallScratch, x: float, y: float, z: float,
        dx: float, dy: float, dz: float, r: float, most: float,
    count: int,
) -> float:  # fmt: skip
    """The same of the first triangles of w.near, and of a part of the way."""
    best, found = most, NO_HIT
    for q in range(count):
        t, cx, cy, cz, part = sweep_sphere_against_triangle(
            mesh.triangles, w.triangles_near[q], x, y, z, dx, dy, dz, r, best
        )
        if t > best or (t == best and found <= most and (part != 0 or w.sweep_hit[4] == 0.0)):
            continue  # of touches at one instant a face, and else the first
        best = found = t
        w.sweep_hit[1], w.sweep_hit[2], w.sweep_hit[3], w.sweep_hit[4], w.sweep_hit[5] = (
            cx,
            cy,
            cz,
            float(part),
            float(w.triangles_near[q]),
        )
    return found
