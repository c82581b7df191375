"""Ball against triangles: contact planes, internal edges, and the first touch of a sweep.

Shorthands: b = w.balls (rows.ball), planes = w.planes (rows.plane).
"""

from __future__ import annotations

from math import sqrt

from ...core.vectors import Bounds, Floats, Point, Vector
from ..mesh.bvh import query_bvh
from ..mesh.geometry import EARLY_OUT_FACTOR, NO_HIT, closest_point_on_triangle, sweep_sphere_against_triangle
from ..mesh.heightfield import query_mesh
from ..mesh.rows import material_row, neighbour_row, triangle_row
from ..numerics.jit import inner
from .rows import ball, counter, edge_contact, listed_triangle, plane, status, sweep_hit
from .scratch import BALL_SKIN, MAX_BALL_PLANES, MIN_SWEEP_RADIUS_RATIO, SWEEP_RADIUS_MARGIN, BallScratch, CollisionMesh

BALL_INTERNAL_EDGE_TOLERANCE = 1e-6  # m: an edge or vertex this near to a contact plane belongs to it
SAME_NORMAL_COSINE = 1.0 - 1e-9  # normals with a larger cosine are equal


@inner
def box_around(p: Point, reach: float) -> Bounds:
    """The cube that extends `reach` metres from p along each axis."""
    x, y, z = p
    return x - reach, y - reach, z - reach, x + reach, y + reach, z + reach


@inner
def swept_box(start: Point, end: Point, r: float) -> Bounds:
    """Box of a sphere of radius r (m) that moves from `start` to `end`."""
    (sx, sy, sz), (ex, ey, ez) = start, end
    return min(sx, ex) - r, min(sy, ey) - r, min(sz, ez) - r, max(sx, ex) + r, max(sy, ey) + r, max(sz, ez) + r


@inner
def query_triangles(mesh: CollisionMesh, w: BallScratch, first: int, end: int, box: Bounds) -> int:
    """Number of triangles that may overlap a box, listed in w.triangles_near; 0 if they do not fit.

    In the BVH of nodes first to end - 1; in the whole mesh for end = 0. counter.TRIANGLES_NEEDED notes a lack of
    capacity.
    """
    nodes, links, triangles, out = mesh.nodes, mesh.links, mesh.triangles, w.triangles_near
    if end > 0:
        count = query_bvh(nodes, links, triangles, first, end, box, out)
    else:
        fields, cells, inside, remaining_boxes = mesh.fields, mesh.cells, mesh.inside, mesh.remaining_boxes
        count = query_mesh(nodes, links, triangles, fields, cells, inside, remaining_boxes, box, out)
    if count > out.shape[0]:
        w.counters[counter.TRIANGLES_NEEDED] = max(w.counters[counter.TRIANGLES_NEEDED], count)
        return 0
    return int(count)


@inner
def read_triangle_list(w: BallScratch, i: int, mover: int) -> int:
    """Number of triangles of `mover` (-1: the level) in ball i's list, copied to w.triangles_near."""
    count = 0
    for q in range(w.status[i, status.LIST_COUNT]):
        if w.triangle_lists[i, q, listed_triangle.MOVER] == mover:
            w.triangles_near[count] = w.triangle_lists[i, q, listed_triangle.TRIANGLE]
            count += 1
    return count


@inner
def is_covered_by_list(w: BallScratch, i: int, p: Point, radius: float, box: Bounds) -> bool:
    """Whether ball i's triangle list, queried within `radius` (m) of p, contains all that a box can overlap."""
    (x, y, z), (x0, y0, z0, x1, y1, z1) = p, box
    return bool(
        w.status[i, status.LIST_COUNT] != status.NO_LIST
        and x0 >= x - radius
        and y0 >= y - radius
        and z0 >= z - radius
        and x1 <= x + radius
        and y1 <= y + radius
        and z1 <= z + radius
    )


@inner
def query_level_triangles(mesh: CollisionMesh, w: BallScratch, i: int, box: Bounds) -> int:
    """`query_triangles` in the level, by ball i's triangle list if that covers the box."""
    b = w.balls
    start = b[i, ball.START_POSITION], b[i, ball.START_POSITION + 1], b[i, ball.START_POSITION + 2]
    if is_covered_by_list(w, i, start, b[i, ball.LIST_RADIUS], box):
        return read_triangle_list(w, i, -1)
    return query_triangles(mesh, w, 0, 0, box)


@inner
def combine_materials(
    mesh: CollisionMesh, b: Floats, i: int, triangle: int
) -> tuple[float, float, float, float, float]:
    """(friction, rolling resistance, restitution, surface velocity east, south) of a ball on a triangle.

    Friction multiplies, rolling resistance adds, restitution is max(ball (1 - softness), surface).
    """
    friction, rolling, restitution = b[i, ball.FRICTION], b[i, ball.ROLLING_RESISTANCE], b[i, ball.RESTITUTION]
    if mesh.materials.shape[0] == 0:
        return friction, rolling, restitution, 0.0, 0.0
    row = mesh.mates[triangle, neighbour_row.SURFACE]
    m = mesh.materials
    restitution = max(restitution * (1.0 - m[row, material_row.SOFTNESS]), m[row, material_row.RESTITUTION])
    return (
        friction * m[row, material_row.FRICTION],
        rolling + m[row, material_row.ROLLING_RESISTANCE],
        restitution,
        m[row, material_row.SURFACE_VELOCITY_X],
        m[row, material_row.SURFACE_VELOCITY_Z],
    )


@inner
def add_contact_plane(w: BallScratch, i: int, normal: Vector, gap: float, point: Point) -> int:
    """Add a contact plane of ball i, at rest and without friction; returns its row, or -1 if it is dropped.

    A plane with an equal normal keeps the smaller gap. A full list replaces the plane with the widest gap, if that is
    wider.
    """
    k, planes, (nx, ny, nz) = w.status, w.planes, normal
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
    planes[row, plane.NORMAL], planes[row, plane.NORMAL + 1], planes[row, plane.NORMAL + 2] = normal
    planes[row, plane.GAP] = gap
    planes[row, plane.POINT], planes[row, plane.POINT + 1], planes[row, plane.POINT + 2] = point
    planes[row, plane.SURFACE_VELOCITY] = planes[row, plane.SURFACE_VELOCITY + 1] = planes[
        row, plane.SURFACE_VELOCITY + 2
    ] = 0.0
    planes[row, plane.NORMAL_IMPULSE] = planes[row, plane.FRICTION_IMPULSE] = planes[
        row, plane.FRICTION_IMPULSE + 1
    ] = planes[row, plane.FRICTION_IMPULSE + 2] = 0.0
    return int(row)


@inner
def find_mesh_contacts(
    mesh: CollisionMesh, w: BallScratch, i: int, x: float, y: float, z: float, margin: float
) -> None:
    """Add the planes of the level within `margin` metres of ball i, with its centre at (x, y, z)."""
    reach = w.balls[i, ball.RADIUS] + margin
    count = query_level_triangles(mesh, w, i, box_around((x, y, z), reach))
    if count > 0:
        find_triangle_contacts(mesh, w, i, x, y, z, reach, count)


@inner
def find_triangle_contacts(
    mesh: CollisionMesh, w: BallScratch, i: int, x: float, y: float, z: float, reach: float, count: int
) -> None:
    """Add the planes of the first `count` triangles of w.triangles_near within `reach` metres of (x, y, z).

    Faces first, then edges and vertices, the nearest first, unless they lie in the plane of a contact: these are
    internal edges, which would make a ball bump at each seam of a tiled floor.
    """
    tri, edges = mesh.triangles, w.edge_contacts
    edge_count, early_out_reach = 0, EARLY_OUT_FACTOR * reach
    for q in range(count):
        t = w.triangles_near[q]
        plane_distance = (
            tri[t, triangle_row.NORMAL] * (x - tri[t, triangle_row.A])
            + tri[t, triangle_row.NORMAL + 1] * (y - tri[t, triangle_row.A + 1])
            + tri[t, triangle_row.NORMAL + 2] * (z - tri[t, triangle_row.A + 2])
        )
        if abs(plane_distance) > early_out_reach:
            continue
        cx, cy, cz, feature = closest_point_on_triangle(tri, t, x, y, z)
        nx, ny, nz = x - cx, y - cy, z - cz
        distance = sqrt(nx * nx + ny * ny + nz * nz)
        if distance > reach:
            continue
        if feature == 0 or distance < BALL_SKIN:
            add_triangle_contact(mesh, w, i, t, True, (nx, ny, nz), (cx, cy, cz), distance)
        if feature != 0 and distance >= BALL_SKIN:
            edges[edge_count, edge_contact.TRIANGLE], edges[edge_count, edge_contact.DISTANCE] = float(t), distance
            edges[edge_count, edge_contact.POINT], edges[edge_count, edge_contact.POINT + 1] = cx, cy
            edges[edge_count, edge_contact.POINT + 2] = cz
            edge_count += 1
    for _ in range(edge_count):
        if w.status[i, status.PLANE_COUNT] >= MAX_BALL_PLANES:
            return
        nearest_distance, nearest_edge = reach, -1
        for q in range(edge_count):
            if edges[q, edge_contact.DISTANCE] < nearest_distance and not is_on_contact_plane(
                w, i, edges[q, edge_contact.POINT], edges[q, edge_contact.POINT + 1], edges[q, edge_contact.POINT + 2]
            ):
                nearest_distance, nearest_edge = edges[q, edge_contact.DISTANCE], q
        if nearest_edge < 0:
            return
        t = int(edges[nearest_edge, edge_contact.TRIANGLE])
        px, py, pz = (
            edges[nearest_edge, edge_contact.POINT],
            edges[nearest_edge, edge_contact.POINT + 1],
            edges[nearest_edge, edge_contact.POINT + 2],
        )
        add_triangle_contact(mesh, w, i, t, False, (x - px, y - py, z - pz), (px, py, pz), nearest_distance)


@inner
def is_on_contact_plane(w: BallScratch, i: int, cx: float, cy: float, cz: float) -> bool:
    """Whether a point lies in a contact plane of ball i."""
    planes = w.planes
    for p in range(
        i * MAX_BALL_PLANES + w.counters[counter.FIRST_PLANE], i * MAX_BALL_PLANES + w.status[i, status.PLANE_COUNT]
    ):
        plane_distance = (
            planes[p, plane.NORMAL] * (cx - planes[p, plane.POINT])
            + planes[p, plane.NORMAL + 1] * (cy - planes[p, plane.POINT + 1])
            + planes[p, plane.NORMAL + 2] * (cz - planes[p, plane.POINT + 2])
        )
        if abs(plane_distance) <= BALL_INTERNAL_EDGE_TOLERANCE:
            return True
    return False


@inner
def contact_normal(mesh: CollisionMesh, t: int, face: bool, n: Vector) -> Vector:
    """Unit normal towards a ball, n from the contact point on triangle t: the face normal, or n for an edge or
    vertex."""
    tri, (nx, ny, nz) = mesh.triangles, n
    length = sqrt(nx * nx + ny * ny + nz * nz)
    if face or length < 1e-9:
        fx, fy, fz = tri[t, triangle_row.NORMAL], tri[t, triangle_row.NORMAL + 1], tri[t, triangle_row.NORMAL + 2]
        side = -1.0 if nx * fx + ny * fy + nz * fz < 0.0 else 1.0
        return side * fx, side * fy, side * fz
    return nx / length, ny / length, nz / length


@inner
def add_triangle_contact(
    mesh: CollisionMesh, w: BallScratch, i: int, t: int, face: bool, n: Vector, point: Point, distance: float
) -> None:
    """Add the contact plane of ball i and triangle t at a point; n: from there to the centre, of length `distance` (m).

    face: the contact is with the face, whose normal is used; else the normal is n.
    """
    b, planes, normal = w.balls, w.planes, contact_normal(mesh, t, face, n)
    row = add_contact_plane(w, i, normal, distance - b[i, ball.RADIUS], point)
    if row >= 0:
        friction, rolling, restitution, east, south = combine_materials(mesh, b, i, t)
        planes[row, plane.FRICTION], planes[row, plane.ROLLING_RESISTANCE], planes[row, plane.RESTITUTION] = (
            friction,
            rolling,
            restitution,
        )
        planes[row, plane.SURFACE_VELOCITY], planes[row, plane.SURFACE_VELOCITY + 2] = east, south


@inner
def sweep_radius(w: BallScratch, i: int, first: int, end: int) -> float:
    """Radius of ball i for sweeps: slightly less than the gap to its planes from `first` to before `end`, so that these
    contacts are outside."""
    b, planes = w.balls, w.planes
    gap = BALL_SKIN
    for p in range(i * MAX_BALL_PLANES + first, i * MAX_BALL_PLANES + end):
        gap = min(gap, planes[p, plane.GAP] - SWEEP_RADIUS_MARGIN)
    return float(max(b[i, ball.RADIUS] + gap, MIN_SWEEP_RADIUS_RATIO * b[i, ball.RADIUS]))


@inner
def set_sweep_radius(w: BallScratch, i: int) -> None:
    """Set the radius for sweeps of ball i against the level and movers."""
    w.balls[i, ball.SWEEP_RADIUS] = sweep_radius(w, i, 0, w.status[i, status.SURFACE_PLANE_COUNT])


@inner
def sweep_ball_against_mesh(mesh: CollisionMesh, w: BallScratch, i: int, p: Point, d: Vector, r: float) -> float:
    """Fraction of the displacement d at which ball i first touches the level; NO_HIT: none.

    The ball is a sphere of radius r at p. w.sweep_hit: contact point, feature and triangle.
    """
    (x, y, z), (dx, dy, dz) = p, d
    count = query_level_triangles(mesh, w, i, swept_box(p, (x + dx, y + dy, z + dz), r))
    return sweep_ball_against_triangles(mesh, w, p, d, r, 1.0, count)


@inner
def sweep_and_move_ball(mesh: CollisionMesh, w: BallScratch, i: int, dx: float, dy: float, dz: float) -> None:
    """Move ball i by the displacement d (m), as far as a sweep against the level allows."""
    b = w.balls
    x, y, z = b[i, ball.POSITION], b[i, ball.POSITION + 1], b[i, ball.POSITION + 2]
    fraction = min(sweep_ball_against_mesh(mesh, w, i, (x, y, z), (dx, dy, dz), b[i, ball.SWEEP_RADIUS]), 1.0)
    b[i, ball.POSITION] = x + fraction * dx
    b[i, ball.POSITION + 1] = y + fraction * dy
    b[i, ball.POSITION + 2] = z + fraction * dz


@inner
def sweep_ball_against_triangles(
    mesh: CollisionMesh, w: BallScratch, p: Point, d: Vector, r: float, t_max: float, count: int
) -> float:
    """`sweep_ball_against_mesh` for the first `count` triangles of w.triangles_near, up to the fraction t_max."""
    best, nearest_edge, hit = t_max, NO_HIT, w.sweep_hit
    for q in range(count):
        t, cx, cy, cz, feature = sweep_sphere_against_triangle(mesh.triangles, w.triangles_near[q], p, d, r, best)
        if t > best or (t == best and nearest_edge <= t_max and (feature != 0 or hit[sweep_hit.FEATURE] == 0.0)):
            continue  # of touches at one time a face counts, else the first
        best = nearest_edge = t
        hit[sweep_hit.POINT], hit[sweep_hit.POINT + 1], hit[sweep_hit.POINT + 2] = cx, cy, cz
        hit[sweep_hit.FEATURE], hit[sweep_hit.TRIANGLE] = float(feature), float(w.triangles_near[q])
    return nearest_edge
