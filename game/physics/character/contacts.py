"""Contacts: the planes that the body touches, without internal edges (docs/physics.md, "Contacts").

Faces are accepted first, the nearest one first. An edge or corner counts only if it lies in front of the planes of all
accepted faces: a body that keeps to those planes cannot reach the others. This removes the bumps at internal edges of
tiled floors and walls, whether or not the mesh shares its vertices.
"""

from __future__ import annotations

from math import sqrt

from ..mesh.geometry import closest_point_on_triangle
from ..mesh.rows import edge_side
from ..numerics.jit import inner, kernel
from .body_frame import ellipsoid_to_body_frame, support_distance, to_ellipsoid_space
from .broad_phase import find_reachable, require_transformed
from .ledges import STEP_HEIGHT_TOLERANCE, limit_step_up
from .rows import body, candidate, contact, counter, plane, surface_class, tick_event
from .scratch import MAX_CONTACTS, MAX_PLANES, Scratch

FACE_ALIGNED_SINE_SQUARED = 1e-10  # an edge or corner touched within 1e-5 rad of its face's normal counts as the face
INTERNAL_EDGE_TOLERANCE = 1e-4  # ellipsoid space: a feature this little in front of a plane is part of it
SAME_POINT_DISTANCE = 1e-6  # ellipsoid space: contact points nearer than this are one
DISTANCE_TIE_TOLERANCE = 1e-9  # ellipsoid space: distances this close are equal
RESTING_GAP_TOLERANCE = 1e-11  # ellipsoid space: a gap this close is the skin, so a resting body keeps its bits
ROUGHNESS_IN_GAPS = 1.0  # of the gap at the feet: an edge that stands out by less from steep ground is part of it
MIN_ROUGHNESS_COSINE = 0.8  # between the normals of roughness and of its ground
CONTACT_GAP_FACTOR = 1.5  # of the skin: a triangle within this gap is a contact
TOUCHING_GAP_FACTOR = 1.25  # of the skin: a plane within this gap touches the body, which keeps 1.0 at rest
VERTICAL_WALL_TOLERANCE = 1e-9  # upward component of a normal below which a wall is vertical
MIN_CEILING_NORMAL_Y = 0.5  # downward component of a normal above which a body under it can be squeezed to the floor
MIN_SUPPORT_NORMAL_Y = 0.02  # upward component of a normal above which a plane can support the body


@kernel
def collect_contacts(w: Scratch, band: float) -> int:
    """Collect every candidate within `band` of the centre (ellipsoid space); of too many the nearest stay."""
    b, candidates, contacts = w.body, w.candidates, w.contacts
    px, py, pz = to_ellipsoid_space(b, b[body.OFFSET], b[body.OFFSET + 1], b[body.OFFSET + 2])
    n = 0
    for k in range(find_reachable(w, 0.0, 0.0, 0.0, band)):
        i = int(w.reachable[k])
        require_transformed(w, i)
        nx, ny, nz = candidates[i, candidate.NX], candidates[i, candidate.NY], candidates[i, candidate.NZ]
        h = (
            nx * (px - candidates[i, candidate.AX])
            + ny * (py - candidates[i, candidate.AY])
            + nz * (pz - candidates[i, candidate.AZ])
        )
        if h > band or h < -band:
            continue
        cx, cy, cz, feature = closest_point_on_triangle(candidates, i, px, py, pz)
        qx, qy, qz = px - cx, py - cy, pz - cz
        qq = qx * qx + qy * qy + qz * qz
        if qq > band * band:
            continue
        if feature == 0 or h * h >= qq * (1.0 - FACE_ALIGNED_SINE_SQUARED):
            feature = 0
            distance = abs(h)
            side = -1.0 if h < 0.0 else 1.0
            qx, qy, qz = side * nx, side * ny, side * nz
        else:
            distance = sqrt(qq)
            qx, qy, qz = qx / distance, qy / distance, qz / distance
        slot = n
        if n < MAX_CONTACTS:
            n += 1
        else:
            w.counters[counter.EVENTS] |= tick_event.CROWDED
            slot = 0
            for j in range(1, MAX_CONTACTS):
                if contacts[j, contact.DISTANCE] > contacts[slot, contact.DISTANCE]:
                    slot = j
            if contacts[slot, contact.DISTANCE] <= distance:
                continue
        contacts[slot, contact.POINT_X], contacts[slot, contact.POINT_Y], contacts[slot, contact.POINT_Z] = cx, cy, cz
        contacts[slot, contact.NX], contacts[slot, contact.NY], contacts[slot, contact.NZ] = qx, qy, qz
        contacts[slot, contact.DISTANCE] = distance
        # upward component of the face's normal in the body frame, on the body's side
        up = ny * b[body.INVERSE_RADII + 1]
        wx, wz = nx * b[body.INVERSE_RADII], nz * b[body.INVERSE_RADII + 2]
        up = up / sqrt(wx * wx + up * up + wz * wz)
        contacts[slot, contact.FACE_NY] = up if h > 0.0 else -up
        contacts[slot, contact.CANDIDATE], contacts[slot, contact.FEATURE], contacts[slot, contact.STATUS] = (
            i,
            feature,
            0.0,
        )
        contacts[slot, contact.COPLANAR_NEIGHBOUR] = -1.0
        if 1 <= feature <= 3:
            neighbour = int(candidates[i, candidate.NEIGHBOURS + feature - 1])
            if neighbour & (edge_side.FRONT if h > 0.0 else edge_side.BACK) == 0:
                contacts[slot, contact.COPLANAR_NEIGHBOUR] = neighbour >> 2
    return n


@inner
def _nearest_unused_contact(w: Scratch, n: int, faces: bool) -> int:
    """Nearest undecided contact among faces, or among edges and corners; ties by the order of the mesh. -1: none."""
    contacts, best = w.contacts, -1
    for j in range(n):
        if contacts[j, contact.STATUS] != 0 or (contacts[j, contact.FEATURE] == 0) != faces:
            continue
        if (
            best < 0
            or contacts[j, contact.DISTANCE] < contacts[best, contact.DISTANCE]
            or (
                contacts[j, contact.DISTANCE] == contacts[best, contact.DISTANCE]
                and contacts[j, contact.CANDIDATE] < contacts[best, contact.CANDIDATE]
            )
        ):
            best = j
    return best


@inner
def _is_internal_edge(w: Scratch, n: int, j: int) -> bool:
    """True if contact j is redundant: an internal edge, or the same point as an accepted contact.

    The body cannot reach j if j is not in front of the plane of an accepted face. An edge is redundant too if its
    coplanar neighbour is touched nearer, such as the diagonal of a riser whose nose is touched.
    """
    contacts = w.contacts
    for k in range(n):
        if (
            contacts[j, contact.COPLANAR_NEIGHBOUR] >= 0.0
            and w.candidates[int(contacts[k, contact.CANDIDATE]), candidate.TRIANGLE]
            == contacts[j, contact.COPLANAR_NEIGHBOUR]
            and contacts[k, contact.DISTANCE] < contacts[j, contact.DISTANCE] - DISTANCE_TIE_TOLERANCE
        ):
            return True
        if contacts[k, contact.STATUS] != 1:
            continue
        dx, dy, dz = (
            contacts[j, contact.POINT_X] - contacts[k, contact.POINT_X],
            contacts[j, contact.POINT_Y] - contacts[k, contact.POINT_Y],
            contacts[j, contact.POINT_Z] - contacts[k, contact.POINT_Z],
        )
        if contacts[k, contact.FEATURE] == 0:
            if (
                contacts[k, contact.NX] * dx + contacts[k, contact.NY] * dy + contacts[k, contact.NZ] * dz
                <= INTERNAL_EDGE_TOLERANCE
            ):
                return True
        elif dx * dx + dy * dy + dz * dz <= SAME_POINT_DISTANCE * SAME_POINT_DISTANCE:
            return True
    return False


@inner
def _write_upright_plane(w: Scratch, p: int, index: int, feature: int) -> None:
    """Write the plane on which the body would stand on top of an edge or corner, and the rise to it (plane.TOP_HEIGHT).

    The normal u is up, made perpendicular to the edge where that is within the slope limit. With the distance r from
    the centre to the tangent plane of normal u and the vector d from the centre to the contact point the rise is (u . d
    + r) / u_y.
    """
    b, candidates, planes = w.body, w.candidates, w.planes
    ux, uy, uz = 0.0, 1.0, 0.0
    if feature <= 3:
        a = candidate.CORNERS + 3 * (feature - 1)
        e = candidate.CORNERS + 3 * feature if feature < 3 else candidate.CORNERS
        ex = candidates[index, e] - candidates[index, a]
        ey = candidates[index, e + 1] - candidates[index, a + 1]
        ez = candidates[index, e + 2] - candidates[index, a + 2]
        ee = ex * ex + ey * ey + ez * ez
        tx, ty, tz = -ex * ey / ee, 1.0 - ey * ey / ee, -ez * ey / ee
        length = sqrt(tx * tx + ty * ty + tz * tz)
        if length > 0.0 and ty / length >= b[body.COS_MAX_SLOPE]:
            ux, uy, uz = tx / length, ty / length, tz / length
    planes[p, plane.UPRIGHT_X], planes[p, plane.UPRIGHT_Y], planes[p, plane.UPRIGHT_Z] = ux, uy, uz
    reach = support_distance(b, ux, uy, uz) * (1.0 + b[body.SKIN])
    dx, dy, dz = (
        planes[p, plane.POINT_X] - b[body.OFFSET],
        planes[p, plane.POINT_Y] - b[body.OFFSET + 1],
        planes[p, plane.POINT_Z] - b[body.OFFSET + 2],
    )
    planes[p, plane.TOP_HEIGHT] = (ux * dx + uy * dy + uz * dz + reach) / uy


@inner
def _most_upward_face(w: Scratch, n: int, j: int) -> float:
    """Upward component of the most upward normal among the faces that meet at contact j; n: number of contacts."""
    contacts = w.contacts
    up = contacts[j, contact.FACE_NY]
    for k in range(n):
        dx, dy, dz = (
            contacts[k, contact.POINT_X] - contacts[j, contact.POINT_X],
            contacts[k, contact.POINT_Y] - contacts[j, contact.POINT_Y],
            contacts[k, contact.POINT_Z] - contacts[j, contact.POINT_Z],
        )
        if dx * dx + dy * dy + dz * dz <= 100.0 * SAME_POINT_DISTANCE * SAME_POINT_DISTANCE:
            up = max(up, contacts[k, contact.FACE_NY])
    return float(up)


@inner
def _is_roughness(w: Scratch, x: float, y: float, z: float, nx: float, ny: float, nz: float) -> bool:
    """True if an edge or corner of steep faces is roughness of steep ground.

    x, y, z: contact point relative to body.ORIGIN, m; nx, ny, nz: its normal.

    It stands out by less than ROUGHNESS_IN_GAPS from a steep plane of a similar normal: a face, or an edge that is
    nearer. Its own normal may be within the slope limit, because contacts lie up to half a skin beyond the gap that the
    body keeps.
    """
    b, planes = w.body, w.planes
    steep = b[body.COS_MAX_SLOPE] - VERTICAL_WALL_TOLERANCE
    for p in range(w.counters[counter.PLANES]):
        mx, my, mz = planes[p, plane.NX], planes[p, plane.NY], planes[p, plane.NZ]
        dx, dy, dz = x - planes[p, plane.POINT_X], y - planes[p, plane.POINT_Y], z - planes[p, plane.POINT_Z]
        if (
            MIN_SUPPORT_NORMAL_Y < my < steep
            and planes[p, plane.MAX_FACE_NY] < steep
            and mx * dx + my * dy + mz * dz <= ROUGHNESS_IN_GAPS * b[body.SKIN] * b[body.RADII + 1]
            and mx * nx + my * ny + mz * nz >= MIN_ROUGHNESS_COSINE
        ):
            return True
    return False


@inner
def _accept_contact(w: Scratch, n: int, j: int) -> None:
    """Write contact j as a plane in metres (body frame), with its class; n is the number of contacts."""
    b, contacts, candidates, planes = w.body, w.contacts, w.candidates, w.planes
    skin = b[body.SKIN]
    index, feature = int(contacts[j, contact.CANDIDATE]), int(contacts[j, contact.FEATURE])
    ex, ey, ez = contacts[j, contact.NX], contacts[j, contact.NY], contacts[j, contact.NZ]
    s, c = b[body.SIN_HEADING], b[body.COS_HEADING]
    wx, wy, wz = ex * b[body.INVERSE_RADII], ey * b[body.INVERSE_RADII + 1], ez * b[body.INVERSE_RADII + 2]
    nx, ny, nz = c * wx + s * wz, wy, c * wz - s * wx
    length = sqrt(nx * nx + ny * ny + nz * nz)
    nx, ny, nz = nx / length, ny / length, nz / length
    if feature == 0:  # the mesh's own normal, so that a level floor is exactly level
        mx, my, mz = (
            candidates[index, candidate.NORMAL],
            candidates[index, candidate.NORMAL + 1],
            candidates[index, candidate.NORMAL + 2],
        )
        side = 1.0 if nx * mx + ny * my + nz * mz > 0.0 else -1.0
        nx, ny, nz = side * mx, side * my, side * mz
    gap = contacts[j, contact.DISTANCE] - 1.0
    lost_gap = skin - gap
    if abs(lost_gap) < RESTING_GAP_TOLERANCE:
        lost_gap = 0.0
    cx, cy, cz = ellipsoid_to_body_frame(
        b, contacts[j, contact.POINT_X], contacts[j, contact.POINT_Y], contacts[j, contact.POINT_Z]
    )
    up, is_roughness = ny, False
    if feature != 0:
        up = _most_upward_face(w, n, j)
        is_roughness = (
            ny > MIN_SUPPORT_NORMAL_Y
            and up < b[body.COS_MAX_SLOPE] - VERTICAL_WALL_TOLERANCE
            and _is_roughness(w, cx, cy, cz, nx, ny, nz)
        )
        if not is_roughness:
            up = max(up, ny)
    if w.counters[counter.STATIC_CANDIDATES] <= index < w.counters[counter.PUSHERS_END]:
        up = 0.0
    feet = b[body.OFFSET + 1] - b[body.RADII + 1] * (1.0 + skin) + STEP_HEIGHT_TOLERANCE
    kind = surface_class.WALL
    if ny < -VERTICAL_WALL_TOLERANCE:
        kind = surface_class.CEILING
    elif (
        ny > MIN_SUPPORT_NORMAL_Y
        and up >= b[body.COS_MAX_SLOPE] - VERTICAL_WALL_TOLERANCE
        and (feature == 0 or cy <= feet + b[body.STEP_HEIGHT])
    ):
        kind = surface_class.WALKABLE
    p = w.counters[counter.PLANES]
    w.counters[counter.PLANES] = p + 1
    planes[p, plane.NX], planes[p, plane.NY], planes[p, plane.NZ] = nx, ny, nz
    planes[p, plane.BOUND], planes[p, plane.GAP] = lost_gap / length, gap
    planes[p, plane.POINT_X], planes[p, plane.POINT_Y], planes[p, plane.POINT_Z] = cx, cy, cz
    planes[p, plane.MAX_FACE_NY] = up
    planes[p, plane.TRIANGLE], planes[p, plane.FEATURE] = candidates[index, candidate.TRIANGLE], feature
    planes[p, plane.CLASS], planes[p, plane.BLOCKED], planes[p, plane.CANDIDATE] = kind, 0.0, index
    planes[p, plane.IS_ROUGHNESS] = 1.0 if is_roughness else 0.0
    if feature != 0:
        _write_upright_plane(w, p, index, feature)


@inner
def _has_similar_contact(w: Scratch, n: int, j: int) -> bool:
    """True if an accepted contact of the same kind has nearly the direction of contact j (cosine over 0.9999)."""
    contacts = w.contacts
    for k in range(n):
        if contacts[k, contact.STATUS] == 1 and (contacts[k, contact.FEATURE] == 0) == (
            contacts[j, contact.FEATURE] == 0
        ):
            dot = (
                contacts[k, contact.NX] * contacts[j, contact.NX]
                + contacts[k, contact.NY] * contacts[j, contact.NY]
                + contacts[k, contact.NZ] * contacts[j, contact.NZ]
            )
            if dot > 0.9999:
                return True
    return False


@inner
def is_ledge(w: Scratch, p: int) -> bool:
    """True if plane p is an edge or corner of walkable faces that is too high to be stepped on so far."""
    planes = w.planes
    return bool(
        planes[p, plane.CLASS] == surface_class.WALL
        and planes[p, plane.FEATURE] != 0
        and planes[p, plane.NY] > MIN_SUPPORT_NORMAL_Y
        and planes[p, plane.MAX_FACE_NY] >= w.body[body.COS_MAX_SLOPE] - VERTICAL_WALL_TOLERANCE
    )


@inner
def _reclassify_ledges(w: Scratch) -> None:
    """Step-up: make ledges walkable that are within the step height of a contact that supports the body.

    The step height counts from the support, not from the feet: a broad body on steep stairs touches the step after
    next.
    """
    planes = w.planes
    changed = True
    while changed:
        changed = False
        ground = body.NO_SUPPORT
        for p in range(w.counters[counter.PLANES]):
            if planes[p, plane.CLASS] == surface_class.WALKABLE:
                ground = max(ground, planes[p, plane.POINT_Y])
        if ground > body.NO_SUPPORT:
            w.body[body.SUPPORT_HEIGHT] = ground
        for p in range(w.counters[counter.PLANES]):
            if (
                is_ledge(w, p)
                and planes[p, plane.POINT_Y]
                <= w.body[body.SUPPORT_HEIGHT] + w.body[body.STEP_HEIGHT] + STEP_HEIGHT_TOLERANCE
            ):
                planes[p, plane.CLASS] = surface_class.WALKABLE
                changed = True


@inner
def _extend_ceiling(w: Scratch, n: int, j: int) -> bool:
    """Make the face of contact j, an edge in a valley of a ceiling, a contact; True if it became one.

    The body touches the next face of the valley, and a move between floor and ceiling can lead from one to the other.
    """
    b, contacts, candidates = w.body, w.contacts, w.candidates
    neighbour = contacts[j, contact.COPLANAR_NEIGHBOUR]
    if contacts[j, contact.FACE_NY] > -MIN_CEILING_NORMAL_Y or neighbour < 0.0:
        return False
    i = int(contacts[j, contact.CANDIDATE])
    opposite = candidate.AX + 3 * ((int(contacts[j, contact.FEATURE]) + 1) % 3)
    for k in range(n):
        if (
            contacts[k, contact.STATUS] == 1
            and contacts[k, contact.FEATURE] == 0
            and candidates[int(contacts[k, contact.CANDIDATE]), candidate.TRIANGLE] == neighbour
            and contacts[k, contact.NX] * (candidates[i, opposite] - contacts[k, contact.POINT_X])
            + contacts[k, contact.NY] * (candidates[i, opposite + 1] - contacts[k, contact.POINT_Y])
            + contacts[k, contact.NZ] * (candidates[i, opposite + 2] - contacts[k, contact.POINT_Z])
            > INTERNAL_EDGE_TOLERANCE
        ):
            px, py, pz = to_ellipsoid_space(b, b[body.OFFSET], b[body.OFFSET + 1], b[body.OFFSET + 2])
            nx, ny, nz = candidates[i, candidate.NX], candidates[i, candidate.NY], candidates[i, candidate.NZ]
            ax, ay, az = candidates[i, candidate.AX], candidates[i, candidate.AY], candidates[i, candidate.AZ]
            h = nx * (px - ax) + ny * (py - ay) + nz * (pz - az)
            side = -1.0 if h < 0.0 else 1.0
            contacts[j, contact.NX], contacts[j, contact.NY], contacts[j, contact.NZ] = side * nx, side * ny, side * nz
            contacts[j, contact.DISTANCE], contacts[j, contact.FEATURE] = abs(h), 0.0
            return True
    return False


@inner
def search_contacts(w: Scratch) -> float:
    """`find_contacts` of a body that has moved or changed its shape.

    Called from two places: LLVM would inline a function with one caller into `find_contacts`, and that then nowhere.
    """
    b = w.body
    band = 1.0 + CONTACT_GAP_FACTOR * w.body[body.SKIN]
    n = collect_contacts(w, band)
    w.counters[counter.PLANES] = 0
    smallest_gap = band - 1.0
    for j in range(n):
        smallest_gap = min(smallest_gap, w.contacts[j, contact.DISTANCE] - 1.0)
    for phase in range(2):
        while True:
            j = _nearest_unused_contact(w, n, phase == 0)
            if j < 0:
                break
            is_extended = phase == 1 and _extend_ceiling(w, n, j)
            if (not is_extended and _is_internal_edge(w, n, j)) or (n > MAX_PLANES and _has_similar_contact(w, n, j)):
                w.contacts[j, contact.STATUS] = 2
            elif w.counters[counter.PLANES] == MAX_PLANES:
                w.counters[counter.EVENTS] |= tick_event.CROWDED
                w.contacts[j, contact.STATUS] = 2
            else:
                w.contacts[j, contact.STATUS] = 1
                _accept_contact(w, n, j)
    _reclassify_ledges(w)
    if b[body.STEP_UP_LIMIT] < body.NO_LIMIT:
        limit_step_up(w)
    w.counters[counter.CONTACTS_VALID] = 1
    b[body.CONTACTS_OFFSET], b[body.CONTACTS_OFFSET + 1], b[body.CONTACTS_OFFSET + 2] = (
        b[body.OFFSET],
        b[body.OFFSET + 1],
        b[body.OFFSET + 2],
    )
    b[body.SMALLEST_GAP] = smallest_gap
    return smallest_gap


@inner
def find_contacts(w: Scratch) -> float:
    """Find the contact planes within one and a half skins of the body; returns the smallest gap (ellipsoid space)."""
    b = w.body
    if (
        w.counters[counter.CONTACTS_VALID] != 0
        and b[body.CONTACTS_OFFSET] == b[body.OFFSET]
        and b[body.CONTACTS_OFFSET + 1] == b[body.OFFSET + 1]
        and b[body.CONTACTS_OFFSET + 2] == b[body.OFFSET + 2]
    ):
        return float(b[body.SMALLEST_GAP])  # the body has not moved
    return search_contacts(w)


@inner
def plane_velocity(w: Scratch, p: int) -> tuple[float, float, float]:
    """Velocity (m/s) of plane p at the contact, relative to the mover that the body stands on: v + spin x point."""
    b, planes, candidates = w.body, w.planes, w.candidates
    x, y, z = 0.0 - b[body.PLATFORM_VELOCITY], 0.0 - b[body.PLATFORM_VELOCITY + 1], 0.0 - b[body.PLATFORM_VELOCITY + 2]
    sx, sy, sz = 0.0 - b[body.PLATFORM_SPIN], 0.0 - b[body.PLATFORM_SPIN + 1], 0.0 - b[body.PLATFORM_SPIN + 2]
    i = int(planes[p, plane.CANDIDATE])
    if i >= w.counters[counter.STATIC_CANDIDATES]:
        v, s = candidate.VELOCITY, candidate.SPIN
        x, y, z = x + candidates[i, v], y + candidates[i, v + 1], z + candidates[i, v + 2]
        sx, sy, sz = sx + candidates[i, s], sy + candidates[i, s + 1], sz + candidates[i, s + 2]
    px, py, pz = planes[p, plane.POINT_X], planes[p, plane.POINT_Y], planes[p, plane.POINT_Z]
    return x + (sy * pz - sz * py), y + (sz * px - sx * pz), z + (sx * py - sy * px)


@inner
def edge_top_height(w: Scratch, p: int, dx: float, dz: float) -> float:
    """Rise at which the body stands on top of edge p after the horizontal move (dx, dz)."""
    planes = w.planes
    return (
        planes[p, plane.TOP_HEIGHT]
        - (planes[p, plane.UPRIGHT_X] * dx + planes[p, plane.UPRIGHT_Z] * dz) / planes[p, plane.UPRIGHT_Y]
    )


@inner
def required_rise(w: Scratch, p: int, dx: float, dz: float) -> float:
    """Smallest rise (m) that plane p requires of a horizontal move (dx, dz).

    A plane requires (bound - n_x dx - n_z dz) / n_y; an edge or corner no more than its top (`_write_upright_plane`).
    """
    planes = w.planes
    tangent = (planes[p, plane.BOUND] - planes[p, plane.NX] * dx - planes[p, plane.NZ] * dz) / planes[p, plane.NY]
    if w.planes[p, plane.FEATURE] == 0:
        return tangent
    return min(tangent, max(edge_top_height(w, p, dx, dz), 0.0))
