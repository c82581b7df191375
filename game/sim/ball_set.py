"""The balls of a world: those that its level begins with, and those that are thrown."""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING

import numpy as np

from ..physics import Command, Ellipsoid, Environment, WalkerState
from ..physics.balls.balls import BALL_ROW, BallRows, Balls, BallSettings, any_ball_touches, ball_rows, check_balls
from ..physics.numerics.trigonometry import heading_sin_cos

if TYPE_CHECKING:
    from ..level import Level
    from ..level.build.entities.balls import Play
    from ..physics import TriangleMesh

MOST_THROWN = 200  # then the one that was thrown first goes
RADIUS, BOUNCE, FRICTION, ROLL = 0.12, 0.75, 0.4, 0.01  # of a ball that is thrown
EYE = 0.80  # of the height: where a throw begins
ARM = 0.6  # m ahead of the eye
THROWN = 1 << 32  # numbers of thrown balls begin here
_HEAD = struct.Struct("<3q")  # balls, thrown so far, whether `use` was held


class Toys:
    """The balls, as rows in the order of their numbers; nothing where a level has none and lets nobody throw.

    rows     now; `before`: the same balls a tick ago, for pictures between two ticks
    """

    def __init__(self, level: Level, ticks_per_second: float) -> None:
        self.play: Play | None = getattr(level, "play", None)
        given = getattr(level, "balls", ())
        self._floor = float(getattr(level, "kill_height", -math.inf))
        gravity = (0.0, -9.81, 0.0) if self.play is None else self.play.gravity
        self.rules = Balls(BallSettings(gravity, ticks_per_second))
        self.active = bool(given) or (self.play is not None and self.play.throws)
        self.given = len(given)
        rows = ball_rows(
            [one.at for one in given],
            [one.ball.radius for one in given],
            None,
            [one.ball.bounce for one in given],
            [one.ball.friction for one in given],
            [one.ball.roll for one in given],
            [one.ball.velocity for one in given] if given else (0.0, 0.0, 0.0),
        )
        for row, one in zip(rows, given, strict=True):
            if one.ball.mass is not None:
                row["mass"] = one.ball.mass
        self._start = rows
        self.clear()

    def __bool__(self) -> bool:
        return self.active

    def clear(self) -> None:
        """As at the beginning."""
        self.rows: BallRows = self._start.copy()
        self.before: BallRows = self.rows
        self.thrown = 0
        self._held = False

    def step(
        self, before: WalkerState, after: WalkerState, command: Command, mesh: TriangleMesh,
        around: Environment | None, clock: int,
    ) -> None:  # fmt: skip
        """One tick, in which the walker went from one state to the other; `clock`: of its beginning."""
        if command.use and not self._held and self.play is not None and self.play.throws:
            self._throw(after, command, mesh)
        self._held = bool(command.use)
        self.before = self.rows
        if not len(self.rows):
            return
        rows = self.rules.step(self.rows, mesh, around, clock, ((before, after),))
        stays = rows["position"][:, 1] > self._floor
        if not stays.all():
            rows, self.before = rows[stays], self.before[stays]
        self.rows = rows

    def _throw(self, state: WalkerState, command: Command, mesh: TriangleMesh) -> None:
        assert self.play is not None
        s, c = heading_sin_cos(command.heading)
        high, flat = heading_sin_cos(command.pitch)
        up, north = np.array(state.up), np.array(state.north)
        east = np.cross(north, up)
        way = flat * (c * north - s * east) + high * up
        eye = np.array(state.feet) + 2.0 * EYE * state.radii[1] * up
        hit = mesh.sweep(Ellipsoid((RADIUS,) * 3), tuple(eye.tolist()), 0.0, tuple((ARM * way).tolist()))
        place = eye + (ARM if hit is None else max(hit.distance - 1e-3, 0.0)) * way
        velocity = np.array(state.velocity) + self.play.speed * way
        row = ball_rows([place], RADIUS, None, BOUNCE, FRICTION, ROLL, velocity)
        row["number"] = THROWN + self.thrown
        self.thrown += 1
        rows = np.concatenate((self.rows, row))
        ours = np.flatnonzero(rows["number"] >= THROWN)
        if len(ours) > MOST_THROWN:
            rows = np.delete(rows, ours[0])
        self.rows = rows

    def reached(self, at: tuple[float, float, float], radius: float) -> bool:
        """Whether a ball touches this sphere."""
        return self.play is not None and self.play.reach_targets and any_ball_touches(self.rows, at, radius)

    @property
    def energy(self) -> float:
        """J, of motion and spin, and of height above the origin."""
        return self.rules.energy(self.rows)

    def take(self, old: Toys) -> None:
        """Go on with another version's balls: the level's by their number while both have it, and all thrown ones."""
        kept = old.rows[(old.rows["number"] < self.given) | (old.rows["number"] >= THROWN)].copy()
        if not (self.play is not None and self.play.throws):
            kept = kept[kept["number"] < THROWN]
        fresh = self._start[self._start["number"] >= old.given]
        for row in kept[kept["number"] < THROWN]:
            own = self._start[int(row["number"])]
            for name in ("radius", "mass", "restitution", "friction", "rolling"):
                row[name] = own[name]
        rows = np.concatenate((kept, fresh))
        rows["asleep"], rows["still"] = False, 0
        self.rows = self.before = rows[np.argsort(rows["number"], kind="stable")]
        self.thrown, self._held = old.thrown, old._held

    def to_bytes(self) -> bytes:
        """All that a tick depends on; nothing where there are no balls and never will be."""
        if not self.active:
            return b""
        return _HEAD.pack(len(self.rows), self.thrown, self._held) + self.rows.tobytes()

    def from_bytes(self, value: bytes) -> int:
        """What `to_bytes` gave, at the beginning of `value`; how many bytes of it that was. ValueError for others."""
        if not self.active:
            return 0
        try:
            count, thrown, held = _HEAD.unpack_from(value)
            end = _HEAD.size + int(count) * BALL_ROW.itemsize
            if not 0 <= end <= len(value):
                raise ValueError("fewer bytes than balls")
            rows = check_balls(np.frombuffer(value[_HEAD.size : end], BALL_ROW).copy())
        except (struct.error, ValueError):
            raise ValueError("these bytes do not tell where the balls are") from None
        self.rows = self.before = rows
        self.thrown, self._held = thrown, bool(held)
        return end

    def fields(self) -> dict[str, object]:
        """What the state holds, by names, for reports."""
        if not self.active:
            return {}
        return {"balls": len(self.rows), "balls_thrown": self.thrown, "balls_rows": self.rows.tobytes().hex()}
