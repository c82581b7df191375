"""Balls of a world: those of its level and those that the player throws."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import numpy as np

from ..physics import Command, Ellipsoid, Environment, WalkerState
from ..physics.balls.balls import BALL_ROW, BallRows, Balls, BallSettings, any_ball_touches, ball_rows, check_balls
from ..physics.environment.environment import Clock
from ..physics.numerics.trigonometry import heading_sin_cos

if TYPE_CHECKING:
    from ..level import Level
    from ..level.build.entities.point_entities import BallPlaySettings
    from ..physics import TriangleMesh

MAX_THROWN_BALLS = 200  # a further throw removes the oldest
THROWN_RADIUS = 0.12  # m
THROWN_BOUNCE = 0.75
THROWN_FRICTION = 0.4
THROWN_ROLLING_RESISTANCE = 0.01
EYE_HEIGHT_FRACTION = 0.80  # of the body's height, at which a throw starts
THROW_DISTANCE = 0.6  # m in front of the eye
FIRST_THROWN_NUMBER = 1 << 32  # of thrown balls
_HEAD = struct.Struct("<3q")  # balls, thrown so far, whether `use` was held


class BallSet:
    """Balls in the order of their numbers; inactive where a level has none and allows no throws.

    rows           (n,) BALL_ROW now
    previous_rows  the same balls a tick ago, for interpolation
    """

    def __init__(self, level: Level, ticks_per_second: float) -> None:
        self.play: BallPlaySettings | None = level.play
        level_balls = level.balls
        self._floor = level.kill_height
        gravity = (0.0, -9.81, 0.0) if self.play is None else self.play.gravity
        self.solver = Balls(BallSettings(gravity, ticks_per_second))
        self.active = bool(level_balls) or (self.play is not None and self.play.throws)
        self.level_ball_count = len(level_balls)
        rows = ball_rows(
            [ball.at for ball in level_balls],
            [ball.ball.radius for ball in level_balls],
            None,
            [ball.ball.bounce for ball in level_balls],
            [ball.ball.friction for ball in level_balls],
            [ball.ball.roll for ball in level_balls],
            [ball.ball.velocity for ball in level_balls] if level_balls else (0.0, 0.0, 0.0),
        )
        for row, ball in zip(rows, level_balls, strict=True):
            if ball.ball.mass is not None:
                row["mass"] = ball.ball.mass
        self._start = rows
        self.reset()

    def __bool__(self) -> bool:
        return self.active

    def reset(self) -> None:
        """Restore the balls of the level."""
        self.rows: BallRows = self._start.copy()
        self.previous_rows: BallRows = self.rows
        self.thrown = 0
        self._use_was_held = False
        self._predicted: tuple[BallRows, WalkerState, WalkerState, BallRows] | None = None  # of the last `predict`

    def step(
        self, before: WalkerState, after: WalkerState, command: Command, mesh: TriangleMesh,
        around: Environment | None, clock: Clock,
    ) -> None:  # fmt: skip
        """One tick in which the walker moved from state `before` to `after`; clock: `World.clock` at its start."""
        if command.use and not self._use_was_held and self.play is not None and self.play.throws:
            self._throw(after, command, mesh)
        self._use_was_held = bool(command.use)
        self.previous_rows = self.rows
        if not len(self.rows):
            return
        rows, self._predicted = self.predict(before, after, mesh, around, clock), None
        stays = rows["position"][:, 1] > self._floor
        if not stays.all():
            rows, self.previous_rows = rows[stays], self.previous_rows[stays]
        self.rows = rows

    def predict(
        self, before: WalkerState, after: WalkerState, mesh: TriangleMesh, around: Environment | None, clock: Clock
    ) -> BallRows:
        """The rows after a tick of the present balls, kept for the `step` of the same tick."""
        kept = self._predicted
        if kept is None or kept[0] is not self.rows or kept[1] is not before or kept[2] is not after:
            rows = self.solver.step(self.rows, mesh, around, clock, ((before, after),))
            kept = self._predicted = self.rows, before, after, rows
        return kept[3]

    def _throw(self, state: WalkerState, command: Command, mesh: TriangleMesh) -> None:
        assert self.play is not None
        s, c = heading_sin_cos(command.heading)
        sine_pitch, cosine_pitch = heading_sin_cos(command.pitch)
        up, north = np.array(state.up), np.array(state.north)
        east = np.cross(north, up)
        direction = cosine_pitch * (c * north - s * east) + sine_pitch * up
        eye = np.array(state.feet) + 2.0 * EYE_HEIGHT_FRACTION * state.radii[1] * up
        hit = mesh.sweep(
            Ellipsoid((THROWN_RADIUS,) * 3), tuple(eye.tolist()), 0.0, tuple((THROW_DISTANCE * direction).tolist())
        )
        position = eye + (THROW_DISTANCE if hit is None else max(hit.distance - 1e-3, 0.0)) * direction
        velocity = np.array(state.velocity) + self.play.speed * direction
        row = ball_rows(
            [position], THROWN_RADIUS, None, THROWN_BOUNCE, THROWN_FRICTION, THROWN_ROLLING_RESISTANCE, velocity
        )
        row["number"] = FIRST_THROWN_NUMBER + self.thrown
        self.thrown += 1
        rows = np.concatenate((self.rows, row))
        thrown = np.flatnonzero(rows["number"] >= FIRST_THROWN_NUMBER)
        if len(thrown) > MAX_THROWN_BALLS:
            rows = np.delete(rows, thrown[0])
        self.rows = rows

    def touches_sphere(self, at: tuple[float, float, float], radius: float) -> bool:
        """Whether a ball touches a sphere, where the level lets balls reach targets."""
        return self.play is not None and self.play.reach_targets and any_ball_touches(self.rows, at, radius)

    @property
    def energy(self) -> float:
        """Kinetic and potential energy of all balls, J; the potential is zero at the origin."""
        return self.solver.energy(self.rows)

    def migrate_from(self, old: BallSet) -> None:
        """Take over the balls of another version of the level: those whose number both have, and all thrown ones."""
        carried = old.rows[
            (old.rows["number"] < self.level_ball_count) | (old.rows["number"] >= FIRST_THROWN_NUMBER)
        ].copy()
        if not (self.play is not None and self.play.throws):
            carried = carried[carried["number"] < FIRST_THROWN_NUMBER]
        added = self._start[self._start["number"] >= old.level_ball_count]
        for row in carried[carried["number"] < FIRST_THROWN_NUMBER]:
            level_row = self._start[int(row["number"])]
            for name in ("radius", "mass", "restitution", "friction", "rolling"):
                row[name] = level_row[name]
        rows = np.concatenate((carried, added))
        rows["asleep"] = False
        rows["still"] = 0
        self.rows = self.previous_rows = rows[np.argsort(rows["number"], kind="stable")]
        self.thrown = old.thrown
        self._use_was_held = old._use_was_held

    def to_bytes(self) -> bytes:
        """State that a tick depends on; empty where the set is inactive."""
        if not self.active:
            return b""
        return _HEAD.pack(len(self.rows), self.thrown, self._use_was_held) + self.rows.tobytes()

    def from_bytes(self, value: bytes) -> int:
        """Restore the state at the start of `value`; its length in bytes. ValueError for other bytes."""
        if not self.active:
            return 0
        try:
            count, thrown, held = _HEAD.unpack_from(value)
            end = _HEAD.size + int(count) * BALL_ROW.itemsize
            if not 0 <= end <= len(value):
                raise ValueError("fewer bytes than balls")
            rows = check_balls(np.frombuffer(value[_HEAD.size : end], BALL_ROW).copy())
        except (struct.error, ValueError):
            raise ValueError("these bytes are not a saved state of these balls") from None
        self.rows = self.previous_rows = rows
        self.thrown = thrown
        self._use_was_held = bool(held)
        return end

    def fields(self) -> dict[str, object]:
        """The state by field names, for reports."""
        if not self.active:
            return {}
        return {"balls": len(self.rows), "balls_thrown": self.thrown, "balls_rows": self.rows.tobytes().hex()}
