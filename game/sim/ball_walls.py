"""Balls that a walker cannot push away stop it: walls among which its tick is made again.

A ball that still overlaps the walker after a tick has no room to move. The tangent plane at the side of it that faces
the walker is then a wall of the walker's tick, or ground if the ball lies below. It ends at the height of the top of
the ball, and has a deck there, so that the walker steps over a small ball. The walls are one more mover, which rests.
"""

from __future__ import annotations

import math

import numpy as np

from ..core.vectors import Floats
from ..physics import Environment, TriangleMesh, WalkerSettings, WalkerState
from ..physics.balls.balls import BallRows, any_ball_touches, ball_floats, kinematic_body_row
from ..physics.balls.body_contacts import body_distance, next_overlapping_ball
from ..physics.balls.rows import kinematic_body
from ..physics.character.rows import setting
from ..physics.character.settings import settings_row
from ..physics.environment.movers import Mover, Movers

WALL_SIZE = 50.0  # m from the middle of a wall to its ends, far beyond what a tick reaches
MIN_TILT = 1e-6  # sine of the angle of a wall from level ground below which it has no upper edge
MAX_START_OVERLAP = 0.5  # of the radius: a ball that overlaps the walker by more before the tick does not stop it


class BallWalls:
    """Walls of a tick at the balls that overlap the walker after it.

    before, rows: the walker and the balls before the tick
    """

    def __init__(self, settings: WalkerSettings, before: WalkerState, rows: BallRows) -> None:
        self._settings, self._before, self._rows = settings, before, rows
        self._allowed_overlap = settings.skin * min(before.radii)  # m: a skin at the smallest radius
        self._walls: dict[int, Floats] = {}  # triangles (4, 3, 3) of the wall of each ball

    def update(self, after: WalkerState, rows: BallRows) -> bool:
        """Find the walls for a tick that ended so; False if there are none to make the tick again with."""
        if not any_ball_touches(rows, after.position, max(after.radii)):  # in most ticks
            return False
        floats, body = ball_floats(rows), _body(after)
        first = i = next_overlapping_ball(floats, body, 0, self._allowed_overlap)
        while i >= 0:
            self._add_wall(i, rows["position"][i])
            i = next_overlapping_ball(floats, body, i + 1, self._allowed_overlap)
        return first >= 0 and bool(self._walls)

    def _add_wall(self, i: int, after: Floats) -> None:
        """Add the wall of ball i, which is at `after` when the tick ends; none if it is too deep in the walker.

        The normal is that of the walker's surface at the ball before the tick, so it holds where both ride one
        platform. The walker, which keeps a skin (ellipsoid space) to the wall, overlaps the ball by `_allowed_overlap`
        there, so that at rest the next tick finds the ball again. One that overlaps it by more already is not pushed.
        At a ball that is lower than a step the wall is upright below its upper edge at first, as a walker does not step
        over a steep face.
        """
        state, settings, radius = self._before, self._settings, float(self._rows["radius"][i])
        body, centre, up = _body(state), np.array(state.position), np.array(state.up)
        distance, to_ball = body_distance(body, 0, tuple((self._rows["position"][i] - centre).tolist()))
        if distance < (1.0 - MAX_START_OVERLAP) * radius:
            return
        n, axes = -np.array(to_ball), body[0, kinematic_body.AXES : kinematic_body.AXES + 9].reshape(3, 3)
        extent = _length(np.array([r * _dot(axis, n) for axis, r in zip(axes, state.radii, strict=True)]))
        is_steep = 0.0 <= _dot(n, up) < settings_row(settings)[setting.COS_MAX_SLOPE]
        is_low = _dot(up, after - state.feet) + radius <= settings.step_height
        is_step = is_steep and is_low and i not in self._walls  # a step that did not help becomes a plane
        stop = _dot(n, after - centre) + radius
        if not is_step:
            stop -= self._allowed_overlap + settings.skin * extent
        middle = centre + min(stop, -(1.0 + settings.skin) * extent) * n
        side, rise, back = np.cross(n, up), WALL_SIZE, np.zeros(3)
        tilt = _length(side)
        if tilt < MIN_TILT:
            side = np.array(state.north)
        else:
            side /= tilt
            rise = min(rise, (_dot(up, after - middle) + radius) / tilt)
            back = 2.0 * radius * np.cross(side, up)
        upwards = np.cross(side, n)
        high = middle + rise * upwards
        low = high - WALL_SIZE * (up if is_step else upwards)
        a, b, c, d, e, f = (end + s * WALL_SIZE * side for end in (low, high, high + back) for s in (-1.0, 1.0))
        self._walls[i] = np.array([[a, b, d], [a, d, c], [c, d, f], [c, f, e]])

    def among(self, around: Environment | None) -> Environment:
        """The environment with the walls as a mover behind the others."""
        movers = () if around is None or around.movers is None else tuple(around.movers)
        zones = None if around is None else around.zones
        walls = Mover(TriangleMesh(np.concatenate(list(self._walls.values()))), name="ball")
        return Environment(zones, Movers((*movers, walls), self._settings.ticks_per_second))


def _body(state: WalkerState) -> Floats:
    return np.array([kinematic_body_row(state, state)])


def _dot(a: Floats, b: Floats) -> float:
    """Dot product with the same bits on every machine."""
    return float(a[0] * b[0] + a[1] * b[1] + a[2] * b[2])


def _length(a: Floats) -> float:
    return math.sqrt(_dot(a, a))
