"""Zones that movers carry: zone rows at a tick of the world, written between the ticks of the kernels or by them.

A zone follows the pose of its mover: the centre of its box, its heading and its vectors (gravity, current, climb
direction, launch). The box stays upright: of a rotation about another axis than the vertical one it takes the heading
alone. All of it is + - * / and square roots of floats, so the rows have the same bits on every machine.
"""

from __future__ import annotations

import math
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from ...core.vectors import Floats, Vector, sum_in_order
from ...core.zone import Zone
from ..numerics.jit import inner
from .motion import mover_pose
from .movers import Mover, Movers
from .rows import carried_row, motion_row, zone_row
from .rows import pose as pose_column
from .zones import BOUNDS_MARGIN, Zones, row_of_zone, write_remaining_bounds

Pose = tuple[float, ...]  # rotation (9, row major, own to world), then position (3)

MIN_HORIZONTAL_LENGTH = 1e-6  # of a mover's east axis: below it a tilted mover has no heading


class CarriedZones:
    """Rows of zones of which movers carry some. Immutable.

    zones, movers: of one environment. rows (C, carried_row.WIDTH) f8, read-only: the zones that a mover carries.
    """

    def __init__(self, zones: Zones, movers: Movers) -> None:
        """ValueError for a zone of a mover that does not exist."""
        for index, zone in enumerate(zones):
            if zone.mover >= len(movers):
                raise ValueError(f"zones[{index}] is on mover {zone.mover}; the environment has {len(movers)}")
        self.movers = movers
        carried = [(row, zone.mover) for row, zone in enumerate(zones) if zone.mover >= 0]
        self.rest = zones.rows.copy()  # with the movers at home
        for row, mover in carried:
            box = zone_row.BOUNDS
            self.rest[row, box : box + 6] = _swept_bounds(zones.zones[row], movers[mover])
        write_remaining_bounds(self.rest)
        rows = [(row, mover, *movers[mover].at, *self.rest[row]) for row, mover in carried]
        self.rows = np.array(rows, np.float64).reshape(-1, carried_row.WIDTH)
        self.rows.flags.writeable = False
        self._last: tuple[int, NDArray[np.float64]] | None = None

    def rows_at(self, tick: int) -> NDArray[np.float64]:
        """Zone rows (K, zone_row.WIDTH) at the start of a tick of the world, read-only."""
        last = self._last  # read once: another thread may replace it
        if last is not None and last[0] == tick:
            return last[1]
        rows = self.rest.copy()
        write_carried_zones(rows, self.rows, self.movers.motions, self.movers.keys, float(tick))
        rows.flags.writeable = False
        self._last = tick, rows
        return rows


@inner
def write_carried_zones(zones: Floats, carried: Floats, motions: Floats, keys: Floats, tick: float) -> None:
    """Write the columns of the carried zones that differ from tick to tick into zone rows (K, zone_row.WIDTH)."""
    for index in range(len(carried)):
        zone = carried[index]
        row, mover = int(zone[carried_row.ROW]), int(zone[carried_row.MOVER])
        at = mover_pose(motions, keys, mover, tick)
        after = mover_pose(motions, keys, mover, tick + 1.0)
        home, own = carried_row.HOME, carried_row.REST + zone_row.CENTRE
        offset = zone[own] - zone[home], zone[own + 1] - zone[home + 1], zone[own + 2] - zone[home + 2]
        x, y, z = _place(at, offset)
        u, v, w = _place(after, offset)
        rate = motions[mover, motion_row.TICKS_PER_SECOND]
        zones[row, zone_row.CENTRE], zones[row, zone_row.CENTRE + 1], zones[row, zone_row.CENTRE + 2] = x, y, z
        zones[row, zone_row.VELOCITY] = (u - x) * rate
        zones[row, zone_row.VELOCITY + 1] = (v - y) * rate
        zones[row, zone_row.VELOCITY + 2] = (w - z) * rate
        sine, cosine = _heading(at)
        s, c = zone[carried_row.REST + zone_row.SIN_HEADING], zone[carried_row.REST + zone_row.COS_HEADING]
        zones[row, zone_row.SIN_HEADING] = s * cosine + c * sine
        zones[row, zone_row.COS_HEADING] = c * cosine - s * sine
        for column in (zone_row.UP, zone_row.CURRENT, zone_row.CLIMB, zone_row.LAUNCH):
            own = carried_row.REST + column
            x, y, z = _rotate(at, (zone[own], zone[own + 1], zone[own + 2]))
            zones[row, column], zones[row, column + 1], zones[row, column + 2] = x, y, z


def flat_pose(pose: list[list[float]]) -> Pose:
    """A pose (3, 4) of `Movers.poses` as 12 numbers."""
    return (*pose[0][:3], *pose[1][:3], *pose[2][:3], pose[0][3], pose[1][3], pose[2][3])


@inner
def _place(pose: Pose, offset: Vector) -> Vector:
    """A point of the mover's frame in the world."""
    x, y, z = _rotate(pose, offset)
    at = pose_column.POSITION
    return x + pose[at], y + pose[at + 1], z + pose[at + 2]


@inner
def _rotate(pose: Pose, vector: Vector) -> Vector:
    """A vector of the mover's frame in the world."""
    x, y, z = vector
    return (
        pose[pose_column.R00] * x + pose[pose_column.R01] * y + pose[pose_column.R02] * z,
        pose[pose_column.R10] * x + pose[pose_column.R11] * y + pose[pose_column.R12] * z,
        pose[pose_column.R20] * x + pose[pose_column.R21] * y + pose[pose_column.R22] * z,
    )


@inner
def carry_point(pose: Pose, home: Vector, point: Vector) -> Vector:
    """A point that is at `point` while its mover is at home (its origin at `home`), at another pose of the mover."""
    return _place(pose, (point[0] - home[0], point[1] - home[1], point[2] - home[2]))


@inner
def point_at_home(pose: Pose, home: Vector, point: Vector) -> Vector:
    """The inverse of `carry_point`: where a point of the world is on a mover at home."""
    x, y, z = point[0] - pose[9], point[1] - pose[10], point[2] - pose[11]
    return (
        pose[0] * x + pose[3] * y + pose[6] * z + home[0],
        pose[1] * x + pose[4] * y + pose[7] * z + home[1],
        pose[2] * x + pose[5] * y + pose[8] * z + home[2],
    )


def mover_pose_at(movers: Movers, number: int, tick: int) -> Pose:
    """Pose of one mover at a tick."""
    return flat_pose(movers.poses(tick)[number].tolist())


@inner
def _heading(pose: Pose) -> tuple[float, float]:
    """(sine, cosine) of the heading of a mover: of the horizontal part of its east axis."""
    x, z = pose[pose_column.R00], pose[pose_column.R20]
    length = sqrt(x * x + z * z)
    return (0.0 - z / length, x / length) if length > MIN_HORIZONTAL_LENGTH else (0.0, 1.0)


def _swept_bounds(zone: Zone, mover: Mover) -> list[float]:
    """Least x, y, z and greatest x, y, z of the box around all places of a carried zone.

    With the box l..h from the mover's origin and stops p from home: home + min(p) + l .. home + max(p) + h. For a mover
    that turns, -l and h are the distance of the furthest corner, and the diagonal of the box that stays upright.
    """
    rest = row_of_zone(zone)[zone_row.BOUNDS : zone_row.BOUNDS + 6]
    low = [rest[k] - mover.at[k] for k in range(3)]
    high = [rest[k + 3] - mover.at[k] for k in range(3)]
    if mover.motion.turns:
        reach = math.sqrt(sum_in_order(max(abs(a), abs(b)) ** 2 for a, b in zip(low, high, strict=True)))
        reach += BOUNDS_MARGIN * (1.0 + reach) + math.sqrt(sum_in_order(size * size for size in zone.half))
        low, high = [-reach] * 3, [reach] * 3
    stops = [(0.0, 0.0, 0.0), *mover.motion.path]
    margin = [BOUNDS_MARGIN * (1.0 + abs(mover.at[k]) + max(abs(stop[k]) for stop in stops)) for k in range(3)]
    return [mover.at[k] + low[k] + min(stop[k] for stop in stops) - margin[k] for k in range(3)] + [
        mover.at[k] + high[k] + max(stop[k] for stop in stops) + margin[k] for k in range(3)
    ]
