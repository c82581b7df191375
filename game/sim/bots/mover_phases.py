"""Reach, phases and departure times of movers, for a search that waits for them."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor
from typing import TYPE_CHECKING

import numpy as np

from ...core.angles import HEADING_UNITS_PER_TURN
from ...core.vectors import Floats, Indices, Vector
from ...physics import Environment
from ...physics.environment.carried_zones import point_at_home
from ...physics.environment.motion import mover_pose
from ...physics.environment.movers import Mover
from ...physics.environment.rows import keyframe, motion_row
from ...physics.numerics.jit import kernel

if TYPE_CHECKING:
    from ...level.build.entities.zones import LevelZone

LEG_PHASES = 4  # of a leg of a path
SPIN_PHASES = 8  # of a turn
MAX_DEPARTURES = 12  # times in a period at which a bot starts towards a mover
REACH_MARGIN = 0.05  # m around a body in reach of a mover: more than its skin
ENDLESS = -1  # number of ticks
NONE = -1


class MoverPhases:
    """Movers of an environment, for bodies with these radii at a rate (ticks per second).

    order (K,): the movers, the fastest first.
    lows, highs (K,3): in this order, the box in which the centre of a body is where the mover can ever come to it, or
    where it sets off the mover, m.
    """

    def __init__(self, environment: Environment | None, zones: Sequence[LevelZone], radii: Vector, rate: float) -> None:
        """zones: of the level; those that movers carry belong to their reach."""
        far = np.array((max(radii[0], radii[2]), radii[1], max(radii[0], radii[2]))) + REACH_MARGIN
        if environment is not None and environment.zones is not None:
            turns = any(zone.down is not None for zone in environment.zones)
            far = np.full(3, far.max()) if turns else far
        movers = None if environment is None else environment.movers
        self.rate = rate
        self.motions = np.zeros((0, motion_row.WIDTH)) if movers is None else movers.motions.copy()
        self.motions[:, motion_row.START] = 0.0  # ticks below are those of the mover
        self._waits = self.motions[:, motion_row.WAITS_FOR] != motion_row.ALWAYS
        self.keys = np.zeros((0, keyframe.WIDTH)) if movers is None else movers.keys.copy()
        low = self.motions[:, motion_row.BOUNDS : motion_row.BOUNDS + 3].copy()
        high = self.motions[:, motion_row.BOUNDS + 3 : motion_row.BOUNDS + 6].copy()
        for zone in zones:
            if movers is not None and zone.mover >= 0:
                bounds = _swept_bounds(zone, movers[zone.mover])
                low[zone.mover] = np.minimum(low[zone.mover], bounds[0])
                high[zone.mover] = np.maximum(high[zone.mover], bounds[1])
        own_low, own_high = low.copy(), high.copy()
        near = self.motions[:, motion_row.WAITS_FOR] == motion_row.NEAR
        box = motion_row.NEAR_BOX
        low[near] = np.minimum(low[near], self.motions[near, box : box + 3])
        high[near] = np.maximum(high[near], self.motions[near, box + 3 : box + 6])
        speed = self.motions[:, motion_row.MAX_SPEED]
        speed = speed + self.motions[:, motion_row.MAX_ANGULAR_SPEED] * self.motions[:, motion_row.RADIUS]
        self.order = np.argsort(-speed, kind="stable")  # of several in reach, the fastest counts
        self.lows, self.highs = low[self.order] - far, high[self.order] + far
        self._own_lows, self._own_highs = own_low[self.order] - far, own_high[self.order] + far
        self._begins = [self._phase_begins(k) for k in range(len(self.motions))]  # s in the period

    def __len__(self) -> int:
        return len(self.motions)

    def mean_wait(self, mover: int) -> float:
        """Half the period of a mover, s; 0 for one that waits to be set off."""
        return 0.0 if self._waits[mover] else self.period(mover) / 2.0

    def period(self, mover: int) -> float:
        """Period of a mover, s; 0 for one that never moves. That of its path, if it also spins."""
        row = self.motions[mover]
        if row[motion_row.KEYFRAME_COUNT] > 0:
            return float(row[motion_row.PERIOD])
        spin = abs(float(row[motion_row.SPIN]))
        return HEADING_UNITS_PER_TURN / spin if spin > 0.0 else 0.0

    def _keys_of(self, mover: int) -> Floats:
        first, count = (int(self.motions[mover, c]) for c in (motion_row.FIRST_KEYFRAME, motion_row.KEYFRAME_COUNT))
        return self.keys[first : first + count]

    def _phase_begins(self, mover: int) -> Floats:
        begins: list[float] = []
        for key in self._keys_of(mover):
            parts = 1 if _is_dwell(key) else LEG_PHASES
            begins += [key[keyframe.START] + key[keyframe.DURATION] * part / parts for part in range(parts)]
        if not begins:
            begins = [self.period(mover) * part / SPIN_PHASES for part in range(SPIN_PHASES)]
        return np.array(begins if self.period(mover) > 0.0 else [0.0])

    def reaching(self, points: Floats) -> tuple[Indices, Indices]:
        """(n,) each: the fastest mover that can ever come to a body with its centre at each of the points (n,3), or
        that it sets off; and the fastest that can come to it. NONE for none."""
        near = np.zeros(0, np.int64)
        if len(self) and len(points):  # a level may have a thousand lifts
            low, high = points.min(axis=0), points.max(axis=0)
            near = np.flatnonzero((self.lows <= high).all(axis=1) & (self.highs >= low).all(axis=1))
        if not len(near):
            return np.full(len(points), NONE), np.full(len(points), NONE)
        inside = np.all((points[:, None] >= self.lows[near]) & (points[:, None] <= self.highs[near]), axis=2)
        comes = inside
        if self._waits.any():
            low, high = self._own_lows[near], self._own_highs[near]
            comes = inside & np.all((points[:, None] >= low) & (points[:, None] <= high), axis=2)
        order = self.order[near]
        first: list[Indices] = [np.where(of.any(axis=1), order[of.argmax(axis=1)], NONE) for of in (inside, comes)]
        return first[0], first[1]

    def phases(self, movers: Indices, ticks: Indices) -> Indices:
        """(n,): the phase of each mover (n,) at its own tick (n,), since it was set off; 0 for NONE. One that waits at
        its first stop is in a phase of its own."""
        phases = np.zeros(len(movers), np.int64)
        for k in np.unique(movers[movers >= 0]).tolist():
            period = self.period(k)
            if period > 0.0:
                rows = np.flatnonzero(movers == k)
                seconds = ticks[rows] / self.rate + self.motions[k, motion_row.PHASE]
                is_away = (seconds >= 0.0) & (seconds < period)
                seconds = seconds - np.floor(seconds / period) * period
                own = np.searchsorted(self._begins[k], seconds, "right") - 1
                phases[rows] = np.where(is_away, own, len(self._begins[k])) if self._waits[k] else own
        return phases

    def rests(self, mover: int, phase: int) -> bool:
        """Whether a mover stands still in a phase: at a stop, or until it is set off."""
        keys = self._keys_of(mover)
        flags = [_is_dwell(key) for key in keys for _ in range(1 if _is_dwell(key) else LEG_PHASES)]
        moves = self.period(mover) > 0.0 and phase < len(self._begins[mover])
        return not moves or bool(flags and flags[phase])

    def still_ticks(self, point: Floats, clock: int, starts: Indices) -> int:
        """Ticks in which nothing moves within reach of a body at rest with its centre at `point` (3,): one mover
        reaches it, and that stands at a stop. ENDLESS where that waits to be set off. starts (M,): of the movers."""
        reaching = self.order[((point >= self.lows) & (point <= self.highs)).all(axis=1)].tolist()
        if len(reaching) != 1 or self.motions[reaching[0], motion_row.SPIN] != 0.0:
            return 0
        mover = reaching[0]
        tick, period = clock - int(starts[mover]), self.period(mover)
        seconds = tick / self.rate + float(self.motions[mover, motion_row.PHASE])
        if self._waits[mover] and not 0.0 <= seconds < period:
            return ENDLESS
        seconds -= floor(seconds / period) * period if period > 0.0 else 0.0
        for key in self._keys_of(mover):
            left = float(key[keyframe.START] + key[keyframe.DURATION]) - seconds
            if _is_dwell(key) and key[keyframe.START] <= seconds and left > 0.0:
                return max(0, int(left * self.rate) - 1)
        return 0

    def departures(self, mover: int, clock: int, start: int) -> list[int]:
        """Ticks of the world from `clock` on, one for each begin and middle of a dwell, or of a leg of a mover without
        dwells; for one that waits `clock` itself, and its next return. start: tick at which it was set off."""
        period, ahead = self.period(mover), float(self.motions[mover, motion_row.PHASE])
        if self._waits[mover]:
            back = ceil((period - ahead) * self.rate) + start
            return [clock, back] if clock < back <= clock + period * self.rate else [clock]
        if period <= 0.0:
            return [clock]
        keys = self._keys_of(mover)
        chosen = [key for key in keys if _is_dwell(key)] or list(keys)
        offsets = [key[keyframe.START] + part * key[keyframe.DURATION] for key in chosen for part in (0.0, 0.5)]
        offsets = offsets or self._begins[mover].tolist()
        ticks = []
        for offset in offsets[:: ceil(len(offsets) / MAX_DEPARTURES)]:
            turn = floor((clock / self.rate + ahead - offset) / period)
            tick = ceil((turn * period + offset - ahead) * self.rate)
            while tick < clock:
                turn += 1
                tick = ceil((turn * period + offset - ahead) * self.rate)
            ticks.append(tick)
        return sorted(set(ticks))

    def at_home(self, movers: Indices, ticks: Indices, points: Floats) -> Floats:
        """(n,3): points (n,3) in the frames of their movers (n,) at their own ticks (n,), where these are at home."""
        out = points.copy()
        write_points_at_home(self.motions, self.keys, movers, ticks, out)
        return out


def _is_dwell(key: Floats) -> bool:
    same = key[keyframe.FROM : keyframe.TO] == key[keyframe.TO : keyframe.ANGLE_FROM]
    return bool(same.all() and key[keyframe.ANGLE_FROM] == key[keyframe.ANGLE_TO])


def _swept_bounds(zone: LevelZone, mover: Mover) -> tuple[Floats, Floats]:
    """Least and greatest corner of a box around all places of a zone that a mover carries, m."""
    home, centre = np.array(mover.at), np.array(zone.centre)
    extent = np.abs(zone.axes).T @ np.array(zone.half)
    if mover.motion.turns:
        extent = np.full(3, np.linalg.norm(centre - home) + np.linalg.norm(zone.half))
        centre = home
    stops = np.array([(0.0, 0.0, 0.0), *mover.motion.path])
    return centre - extent + stops.min(axis=0), centre + extent + stops.max(axis=0)


@kernel
def write_points_at_home(motions: Floats, keys: Floats, movers: Indices, ticks: Indices, points: Floats) -> None:
    """Replace points (n,3) by those at the home of their movers (n,) that are there at these ticks (n,)."""
    for j in range(len(movers)):
        k = movers[j]
        pose = mover_pose(motions, keys, k, float(ticks[j]))
        home = motions[k, motion_row.HOME], motions[k, motion_row.HOME + 1], motions[k, motion_row.HOME + 2]
        x, y, z = point_at_home(pose, home, (points[j, 0], points[j, 1], points[j, 2]))
        points[j, 0], points[j, 1], points[j, 2] = x, y, z
