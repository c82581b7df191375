"""Zones: boxes with gravity, current or water, ladders and launch pads (docs/zones.md).

`Zones` packs them into one array; the kernels find the rows that contain a point. Of several zones the last one
listed counts.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from ...core.angles import HEADING_UNITS_PER_TURN
from ...core.arguments import as_instances, as_number
from ...core.vectors import Floats, Point, Vector, VectorLike, as_vector
from ...core.zone import DIRECTIONS, Zone
from ..numerics.jit import inner
from ..numerics.trigonometry import heading_sin_cos
from .rows import zone_row

GRAVITY_BORDER_DEPTH = 0.15  # m: another gravity begins this deep inside its zone and ends at the border (hysteresis)
BOUNDS_MARGIN = 1e-6  # of size and distance: margin of the axis-aligned box of a zone for rounding
SAME_DIRECTION_TOLERANCE = 1e-9  # unit vectors whose dot product is nearer to 1 than this are equal
PARALLEL_SIDE_COSINE = (
    1e-6  # sides of a zone whose normal has a smaller dot product with a direction are parallel to it
)
NO_SURFACE = -math.inf  # height of the water surface where there is none


class Zones:
    """Zones in order, packed for kernels in `rows` (K, zone_row.WIDTH), read-only. Picklable."""

    def __init__(self, zones: Iterable[Zone] = ()) -> None:
        self.zones = as_instances(zones, Zone, "zones")
        self.rows: NDArray[np.float64] = np.array([row_of_zone(zone) for zone in self.zones], dtype=np.float64)
        self.rows = self.rows.reshape(-1, zone_row.WIDTH)
        write_remaining_bounds(self.rows)
        self.rows.flags.writeable = False

    def __reduce__(self) -> tuple[object, ...]:
        return (Zones, (self.zones,))

    def __len__(self) -> int:
        return len(self.zones)

    def __iter__(self) -> Iterator[Zone]:
        return iter(self.zones)

    def gravity(self, point: VectorLike, gravity: float = 9.81) -> Vector:
        """Gravity (m/s2) at a point: that of the last zone there that has one, else `gravity` straight down."""
        x, y, z = as_vector(point, "point")
        gravity = as_number(gravity, "gravity", -1e6, 1e6)
        ax, ay, az = gravity_vector(self.rows, x, y, z)
        return (float(gravity * ax) + 0.0, float(gravity * ay) + 0.0, float(gravity * az) + 0.0)


def row_of_zone(zone: Zone) -> list[float]:
    """Zone row (rows.zone_row); REMAINING_BOUNDS as if it were the only zone."""
    row = [0.0] * zone_row.WIDTH
    row[zone_row.CENTRE : zone_row.CENTRE + 3] = zone.centre
    row[zone_row.HALF_SIZES : zone_row.HALF_SIZES + 3] = zone.half
    row[zone_row.SIN_HEADING], row[zone_row.COS_HEADING] = heading_sin_cos(zone.heading % HEADING_UNITS_PER_TURN)
    row[zone_row.EFFECTS] = float(
        sum(bit for name, bit in zone_row.FIELD_EFFECTS.items() if getattr(zone, name) not in (None, False))
    )
    for name, column in zone_row.NUMBER_COLUMNS.items():
        row[column] = getattr(zone, name)
    for name, column in zone_row.VECTOR_COLUMNS.items():
        value = getattr(zone, name)
        if value is not None:
            row[column : column + 3] = _normalize(value) if name in DIRECTIONS else value
    if zone.down is not None:
        row[zone_row.UP : zone_row.UP + 3] = [0.0 - component for component in row[zone_row.UP : zone_row.UP + 3]]
    bounds = _bounds(zone, row[zone_row.SIN_HEADING], row[zone_row.COS_HEADING])
    row[zone_row.BOUNDS : zone_row.BOUNDS + 12] = 2 * bounds
    return row


def _bounds(zone: Zone, sine: float, cosine: float) -> list[float]:
    """Least x, y, z and greatest x, y, z of its axis-aligned box."""
    (a, b, c), (s, k) = zone.half, (abs(sine), abs(cosine))
    extents = [
        size + BOUNDS_MARGIN * (1.0 + size + abs(centre))
        for size, centre in zip((k * a + s * c, b, s * a + k * c), zone.centre, strict=True)
    ]
    return [sign * size + centre for sign in (-1.0, 1.0) for size, centre in zip(extents, zone.centre, strict=True)]


def write_remaining_bounds(rows: NDArray[np.float64]) -> None:
    """Write the REMAINING_BOUNDS of zone rows from their BOUNDS."""
    box, remaining = zone_row.BOUNDS, zone_row.REMAINING_BOUNDS
    rows[:, remaining : remaining + 6] = rows[:, box : box + 6]
    for k in range(len(rows) - 2, -1, -1):
        bounds, following = rows[k, remaining : remaining + 6], rows[k + 1, remaining : remaining + 6]
        bounds[:3], bounds[3:] = np.minimum(bounds[:3], following[:3]), np.maximum(bounds[3:], following[3:])


def _normalize(value: Vector) -> Vector:
    """Unit vector."""
    size = math.sqrt(value[0] * value[0] + value[1] * value[1] + value[2] * value[2])
    return (value[0] / size, value[1] / size, value[2] / size)


@inner
def zone_effects(zones: Floats, k: int) -> int:
    """Effects of zone k, bits of rows.zone_row."""
    return int(zones[k, zone_row.EFFECTS])


@inner
def _is_outside_bounds(zones: Floats, k: int, box: int, x: float, y: float, z: float, reach: float) -> bool:
    """True if the box at column `box` of zone k is further than `reach` from a point along an axis."""
    return bool(
        x + reach < zones[k, box]
        or x - reach > zones[k, box + 3]
        or y + reach < zones[k, box + 1]
        or y - reach > zones[k, box + 4]
        or z + reach < zones[k, box + 2]
        or z - reach > zones[k, box + 5]
    )


@inner
def is_far_from_zones(zones: Floats, x: float, y: float, z: float, reach: float) -> bool:
    """True if no zone can be within `reach` metres of a point (a quick test: False may be wrong)."""
    for k in range(len(zones)):
        if _is_outside_bounds(zones, k, zone_row.REMAINING_BOUNDS, x, y, z, reach):
            return True
        if not _is_outside_bounds(zones, k, zone_row.BOUNDS, x, y, z, reach):
            return False
    return True


@inner
def to_zone_frame(zones: Floats, k: int, x: float, y: float, z: float) -> tuple[float, float, float]:
    """A world point in the frame of zone k."""
    x, y, z = x - zones[k, zone_row.CENTRE], y - zones[k, zone_row.CENTRE + 1], z - zones[k, zone_row.CENTRE + 2]
    s, c = zones[k, zone_row.SIN_HEADING], zones[k, zone_row.COS_HEADING]
    return c * x - s * z, y, s * x + c * z


@inner
def depth_inside_zone(zones: Floats, k: int, x: float, y: float, z: float) -> float:
    """Depth of a point inside zone k, m; at most GRAVITY_BORDER_DEPTH in the middle of a thin zone; negative
    outside."""
    x, y, z = to_zone_frame(zones, k, x, y, z)
    a, b, c = zones[k, zone_row.HALF_SIZES], zones[k, zone_row.HALF_SIZES + 1], zones[k, zone_row.HALF_SIZES + 2]
    inside = min(a - abs(x), b - abs(y), c - abs(z))
    smallest = min(a, b, c)
    return float(
        inside
        if smallest >= 2.0 * GRAVITY_BORDER_DEPTH or inside <= 0.0
        else inside * (2.0 * GRAVITY_BORDER_DEPTH / smallest)
    )


@inner
def find_zone(zones: Floats, kind: int, x: float, y: float, z: float) -> int:
    """Last zone with the effect `kind` that contains a point; -1: none."""
    for k in range(len(zones) - 1, -1, -1):
        if zone_effects(zones, k) & kind != 0 and depth_inside_zone(zones, k, x, y, z) >= 0.0:
            return k
    return -1


@inner
def find_gravity_zone(zones: Floats, x: float, y: float, z: float, ux: float, uy: float, uz: float) -> int:
    """Zone whose gravity acts on a body with the up vector u; -1: none.

    The last one that contains the point; a zone of another direction counts only from GRAVITY_BORDER_DEPTH inside, so
    that a body at its border does not alternate between both.
    """
    for k in range(len(zones) - 1, -1, -1):
        if zone_effects(zones, k) & zone_row.HAS_GRAVITY != 0:
            inside = depth_inside_zone(zones, k, x, y, z)
            same_direction = (
                ux * zones[k, zone_row.UP] + uy * zones[k, zone_row.UP + 1] + uz * zones[k, zone_row.UP + 2]
                > 1.0 - SAME_DIRECTION_TOLERANCE
            )
            if inside >= GRAVITY_BORDER_DEPTH or (
                inside >= 0.0 and (same_direction or zones[k, zone_row.STRENGTH] == 0.0)
            ):
                return k
    return -1


@inner
def gravity_vector(zones: Floats, x: float, y: float, z: float) -> tuple[float, float, float]:
    """Gravity at a point as a multiple of the normal one; (0, -1, 0) outside all zones."""
    k = find_zone(zones, zone_row.HAS_GRAVITY, x, y, z)
    if k < 0:
        return 0.0, -1.0, 0.0
    g = 0.0 - zones[k, zone_row.STRENGTH]
    return g * zones[k, zone_row.UP], g * zones[k, zone_row.UP + 1], g * zones[k, zone_row.UP + 2]


@inner
def segment_fraction_in_zone(
    zones: Floats, k: int, x: float, y: float, z: float, dx: float, dy: float, dz: float
) -> float:
    """Fraction 0..1 of the segment from a point along d that lies in zone k (slab test, Ericson 2005, 5.3.3)."""
    x, y, z = to_zone_frame(zones, k, x, y, z)
    s, c = zones[k, zone_row.SIN_HEADING], zones[k, zone_row.COS_HEADING]
    dx, dz = c * dx - s * dz, s * dx + c * dz
    first, last = 0.0, 1.0
    for axis in range(3):
        start, displacement = (x, dx) if axis == 0 else (y, dy) if axis == 1 else (z, dz)
        half = zones[k, zone_row.HALF_SIZES + axis]
        if displacement == 0.0:
            if abs(start) > half:
                return 0.0
        else:
            enter, leave = (-half - start) / displacement, (half - start) / displacement
            first, last = max(first, min(enter, leave)), min(last, max(enter, leave))
    return max(last - first, 0.0)


@inner
def water_surface(zones: Floats, point: Point, up: Vector, margin: float, low: float, high: float) -> float:
    """Height (m, along the unit vector `up`) of the water surface above a point; -inf if there is none in low..high.

    The line through the point along `up` leaves a zone at its surface (slab test). Sides of a zone parallel to `up`
    may be `margin` metres away, so that a body beside the water finds the surface too. The highest surface counts.
    """
    (x, y, z), (ux, uy, uz) = point, up
    best = NO_SURFACE
    for k in range(len(zones)):
        if zone_effects(zones, k) & zone_row.IS_WATER == 0:
            continue
        px, py, pz = to_zone_frame(zones, k, x, y, z)
        s, c = zones[k, zone_row.SIN_HEADING], zones[k, zone_row.COS_HEADING]
        dx, dz = c * ux - s * uz, s * ux + c * uz
        first, last = NO_SURFACE, -NO_SURFACE
        for axis in range(3):
            start, direction = (px, dx) if axis == 0 else (py, uy) if axis == 1 else (pz, dz)
            half = zones[k, zone_row.HALF_SIZES + axis]
            if abs(direction) < PARALLEL_SIDE_COSINE:
                if abs(start) > half + margin:
                    last = NO_SURFACE
            else:
                enter, leave = (-half - start) / direction, (half - start) / direction
                first, last = max(first, min(enter, leave)), min(last, max(enter, leave))
        if first < last and low <= last <= high and last > best:
            best = last
    return float(best)


@inner
def transport_north(u: Vector, n: Vector, v: Vector, s: float, c: float) -> Vector:
    """The north vector n after the up vector u has rotated to v by the least rotation; exact at quarter turns.

    With the axis a = u x v: n + a x n + a x (a x n) / (1 + u . v). From one up to its opposite the rotation is about
    the view direction (s, c: sine and cosine of its heading), which stays as it is.
    """
    (ux, uy, uz), (nx, ny, nz), (vx, vy, vz) = u, n, v
    along = ux * vx + uy * vy + uz * vz
    if along < -1.0 + SAME_DIRECTION_TOLERANCE:
        ex, ey, ez = ny * uz - nz * uy, nz * ux - nx * uz, nx * uy - ny * ux
        fx, fy, fz = c * nx - s * ex, c * ny - s * ey, c * nz - s * ez  # horizontal view direction
        twice_cosine = 2.0 * c
        nx, ny, nz = twice_cosine * fx - nx, twice_cosine * fy - ny, twice_cosine * fz - nz
    else:
        ax, ay, az = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx  # u x v, of the length of the sine
        bx, by, bz = ay * nz - az * ny, az * nx - ax * nz, ax * ny - ay * nx
        cx, cy, cz = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
        factor = 1.0 / (1.0 + along)
        nx, ny, nz = nx + bx + factor * cx, ny + by + factor * cy, nz + bz + factor * cz
    along_v = nx * vx + ny * vy + nz * vz
    nx, ny, nz = nx - along_v * vx, ny - along_v * vy, nz - along_v * vz
    size = math.sqrt(nx * nx + ny * ny + nz * nz)
    return nx / size + 0.0, ny / size + 0.0, nz / size + 0.0  # + 0.0 turns -0.0 into 0.0
