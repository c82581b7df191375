"""Golf: ball, strokes, penalties and holes as a part of the world.

The player stands near the ball, looks in the direction of the shot, holds `use` and releases it. A tenth of a second
after the press the strength begins to rise to its maximum and fall again, a quarter as fast for one who crouches. A
player who releases before that, jumps or walks away makes no stroke. The body does not jump while `use` is held near a
ball that lies, until the key is released. A level or downward view putts along the ground.
A ball at the hole drops if it is slow enough to fall by its radius on the way across; of a faster one the collision
mesh decides.
"""

from __future__ import annotations

import contextlib
import math
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..core.angles import HEADING_UNITS_PER_TURN, heading_from_degrees
from ..core.vectors import Floats, Point, as_vector, sum_in_order, to_point
from ..physics.balls.balls import BALL_ROW, MAX_BALL_COORDINATE, BallRows, Balls, BallSettings, check_balls
from ..physics.character.command import Command
from ..physics.character.state import WalkerState
from ..physics.numerics.trigonometry import heading_sin_cos
from .events import BallLossReason, BallLost, BallStruck, Event, HoledOut

if TYPE_CHECKING:
    from ..level import Level
    from ..level.build.entities.golf import Golf, GolfHole
    from ..physics import TriangleMesh, Walker


STRIKE_REACH = 2.0  # m in plan from the feet to the ball
CHARGING_REACH = 2.5  # m, likewise while `use` is held: a step aside does not end the swing, nor does the body jump
STRIKE_REACH_UP = 2.5  # m in height
BEHIND_BALL = 1.8  # m in plan, of the player who is brought to the ball
BEHIND_BALL_TURNS = (0.0, 25.0, -25.0, 50.0, -50.0, 90.0, -90.0, 135.0, -135.0, 180.0)  # degrees, in this order
CHARGE_DELAY = 0.1  # s from the press to the first strength: a shorter press is no stroke
CHARGE_SECONDS = 2.4  # from no strength to full strength, and the same back
CROUCHED_TICKS = 4  # ticks that count as one for a walker who crouches
MIN_STRENGTH = 0.03  # of the full strength
MAX_LOFT = heading_from_degrees(60.0)
MAX_ROLL_SECONDS = 40.0  # a ball that rolls longer is stopped
WATER_MARGIN = 0.04  # m between ball and water that counts as contact
REACH = 0.13  # s2/m: distance that one stroke reaches at most, per square of the strongest stroke's speed
VIA_FACTOR = 1.5  # times the way from `via` to the flag: a ball that is nearer to the flag is played to the flag
AIM_STRENGTHS = tuple(k / 16 for k in range(1, 17))  # tried for the target
AIM_HALVINGS = 4  # of the step between them, at the best one
AIM_TOLERANCE, AIM_TOLERANCE_FRACTION = 1.0, 0.4  # m, and part of the distance, that such a stroke may miss it by
AIM_LOFTS = range(0, 61, 5)  # degrees, tried for the target
HOLED_DEPTH_FRACTION = 0.3  # of its radius: depth of the ball's centre below the rim when holed
CUP_HEIGHT = 2.0  # radii above the rim up to which the ball's centre is at the cup, and not in flight over it
MIN_DROP_FRACTION = 0.2  # of the limit of speed: a ball that lies on the rim, inside, falls in as fast
BALL_MASS = 0.046  # kg
MAX_COUNT = 2**40  # strokes or ticks in a saved round
RESTITUTION = 0.55
FRICTION = 0.5
ROLLING_RESISTANCE = 0.02

READY, CHARGING, BALL_MOVING, ROUND_DONE = range(4)
USE, JUMP = 1, 2  # bits of the saved round: `use` was held, the jump that is held belongs to golf

_HEAD = struct.Struct(
    "<7q3d"
)  # hole, strokes, phase, charge ticks, ticks, keys (USE, JUMP), holes done; position before the stroke


@dataclass(frozen=True, slots=True)
class PredictedStroke:
    """A stroke before it is made. path (n, 3): the ball after each tick, m. lost: why it does not stay in play."""

    path: NDArray[np.float64]
    is_holed: bool = False
    lost: BallLossReason | None = None


def create_golf_round(level: Level, ticks_per_second: float) -> GolfRound | None:
    """A round over the holes of a level; None where it has none."""
    if level.golf is None:
        return None
    return GolfRound(level.golf, level.mesh, level.surface_index, ticks_per_second)


class GolfRound:
    """A round over a level's holes in order. Same level and commands give the same bits.

    hole               index of the current hole; len(course.holes) when all are done
    strokes            at this hole so far, penalties included
    card               strokes of each finished hole
    phase              READY, CHARGING, BALL_MOVING or ROUND_DONE
    ball               (1,) BALL_ROW
    previous_position  centre of the ball a tick ago, m, for interpolation
    owns_jump          whether the jump that is held is for the swing, and the body does not jump
    """

    def __init__(self, course: Golf, mesh: TriangleMesh, surfaces: NDArray[np.int32], ticks_per_second: float) -> None:
        """surfaces (N,): surface index of each triangle of the level, as in `course.water`."""
        self.course = course
        self.mesh = mesh
        self._surfaces = surfaces
        self._second = ticks_per_second
        self._balls = Balls(BallSettings(ticks_per_second=ticks_per_second))
        self._charge = max(1, round(CHARGE_SECONDS * ticks_per_second))
        self._delay = round(CHARGE_DELAY * ticks_per_second)
        self.reset()

    def reset(self) -> None:
        """Start at the first tee."""
        self.hole = self.strokes = self._charge_ticks = self._ticks = 0
        self._use_was_held = self.owns_jump = False
        self.card: list[int] = []
        self._start_hole()

    def _start_hole(self) -> None:
        x, y, z = self.course.holes[self.hole].tee
        self._place_ball((x, y + self.course.radius, z))

    def _place_ball(self, at: Point) -> None:
        """Put the ball at rest."""
        self.phase = READY
        self._charge_ticks = 0
        self._ticks = 0
        self._from = self.previous_position = at
        self.ball = Balls.rows([at], self.course.radius, BALL_MASS, RESTITUTION, FRICTION, ROLLING_RESISTANCE)

    @property
    def current_hole(self) -> GolfHole | None:
        """The current hole; None when all are done."""
        return self.course.holes[self.hole] if self.hole < len(self.course.holes) else None

    @property
    def holes_left(self) -> int:
        """Number of holes that remain."""
        return len(self.course.holes) - self.hole

    @property
    def at(self) -> Point:
        """Centre of the ball, m."""
        return to_point(self.ball["position"][0])

    @property
    def strength(self) -> float:
        """Strength of a stroke that is released now, 0..1; 0 where that makes none."""
        if self.phase != CHARGING or self._charge_ticks < self._delay:
            return 0.0
        phase_ticks = (self._charge_ticks - self._delay) % (2 * self._charge)
        return max(MIN_STRENGTH, min(phase_ticks, 2 * self._charge - phase_ticks) / self._charge)

    def is_ball_in_reach(self, state: WalkerState) -> bool:
        """Whether the ball is at rest within reach of the walker."""
        reach = CHARGING_REACH if self.phase == CHARGING else STRIKE_REACH
        return self.phase in (READY, CHARGING) and self._is_ball_within(reach, state)

    def _is_ball_within(self, reach: float, state: WalkerState) -> bool:
        (x, y, z), (fx, fy, fz) = self.at, state.feet
        square = (x - fx) * (x - fx) + (z - fz) * (z - fz)
        return square <= reach * reach and abs(y - fy) <= STRIKE_REACH_UP

    def body_command(self, state: WalkerState, command: Command) -> Command:
        """The command for the walker's body; call it once a tick, with the state before the walker's move.

        A jump that cancels a swing, or that begins while `use` is held near a ball that lies, belongs to golf until its
        key is released: the body does not jump.
        """
        is_near = self.phase == READY and command.use and self._is_ball_within(CHARGING_REACH, state)
        self.owns_jump = command.jump and (self.owns_jump or self.phase == CHARGING or is_near)
        if not self.owns_jump:
            return command
        view = command.heading, command.pitch
        return Command(command.forward, command.strafe, *view, False, command.crouch, command.sprint, command.use)

    def walker_behind_ball(self, walker: Walker, tick: int) -> WalkerState | None:
        """The walker behind a ball that lies, facing the target; None where no ball lies or no place has room."""
        if self.phase != READY:
            return None
        (x, y, z), (cup_x, _, cup_z) = self.at, self.target
        heading = round(math.atan2(x - cup_x, z - cup_z) / math.tau * HEADING_UNITS_PER_TURN) % HEADING_UNITS_PER_TURN
        for degrees in BEHIND_BALL_TURNS:
            sine, cosine = heading_sin_cos(heading + heading_from_degrees(degrees))
            above = x + BEHIND_BALL * sine, y + STRIKE_REACH_UP, z + BEHIND_BALL * cosine
            ground = self.mesh.ground_below(above, 2.0 * STRIKE_REACH_UP)
            if ground is not None:
                with contextlib.suppress(ValueError):  # no room
                    row = walker.spawn(self.mesh, ground.point, heading).row()
                    row["tick"] = tick
                    return WalkerState(row)
        return None

    def velocity(self, heading: int, pitch: int, strength: float) -> Point:
        """Velocity (m/s) of the ball after a stroke with this view, never into the ground but along it."""
        sine, cosine = heading_sin_cos(heading)
        up, ahead = heading_sin_cos(min(max(int(pitch), 0), MAX_LOFT))
        direction = np.array((-sine * ahead, up, -cosine * ahead))
        hit = self.mesh.ground_below(self.at, 4.0 * self.course.radius)
        if hit is not None:
            normal_speed = sum_in_order(a * b for a, b in zip(direction.tolist(), hit.normal, strict=True))
            if normal_speed < 0.0:
                direction = direction - normal_speed * np.array(hit.normal)
                x, y, z = direction.tolist()
                direction = direction / np.sqrt(x * x + y * y + z * z)
        return to_point(strength * self.course.speed * direction)

    def preview(self, heading: int, pitch: int, strength: float, ticks: int) -> NDArray[np.float64]:
        """(n, 3) positions of the ball after each tick of a stroke, until it rests or is lost; nothing changes."""
        return self.predict(heading, pitch, strength, ticks).path

    def predict(self, heading: int, pitch: int, strength: float, ticks: int | None = None) -> PredictedStroke:
        """A stroke to its end, or for at most `ticks` ticks, with the bits of the round's own ticks; nothing changes.

        About three microseconds for each tick of the stroke.
        """
        longest = math.ceil(MAX_ROLL_SECONDS * self._second)
        ball = self._struck_ball(heading, pitch, strength)
        _, path, is_holed, lost = self._roll(ball, longest if ticks is None else min(ticks, longest))
        return PredictedStroke(path, is_holed, lost)

    def strength_for_target(self, heading: int, pitch: int) -> float | None:
        """The strength after which a stroke with this view ends nearest to the target, or to the point as far away in
        the direction of the view, dry and in bounds; None where none comes near. About twenty predictions."""
        misses = {strength: self._miss(heading, pitch, strength) for strength in AIM_STRENGTHS}
        best, step = min(misses, key=lambda strength: (misses[strength], strength)), AIM_STRENGTHS[0]
        for _ in range(AIM_HALVINGS):
            step /= 2.0
            for strength in (best - step, best + step):
                if MIN_STRENGTH <= strength <= 1.0:
                    misses[strength] = self._miss(heading, pitch, strength)
            best = min(misses, key=lambda strength: (misses[strength], strength))
        return best if misses[best] <= self._longest_miss else None

    def loft_for_target(self, heading: int, pitch: int) -> int | None:
        """The loft (degrees) of `AIM_LOFTS` nearest to that of this view from which one of `AIM_STRENGTHS` is good for
        the target; None where there is none. At most 208 predictions, which take about half a second."""
        view_loft = min(max(pitch, 0), MAX_LOFT)
        for degrees in sorted(AIM_LOFTS, key=lambda degrees: abs(heading_from_degrees(degrees) - view_loft)):
            loft = heading_from_degrees(degrees)
            if any(self._miss(heading, loft, strength) <= self._longest_miss for strength in AIM_STRENGTHS):
                return degrees
        return None

    def _miss(self, heading: int, pitch: int, strength: float) -> float:
        """Distance (m) of a stroke's end from the target, or from the point as far away in the direction of the view;
        0 of a stroke that goes in, infinite of a ball that is lost."""
        stroke = self.predict(heading, pitch, strength)
        if stroke.lost is not None or stroke.is_holed:
            return 0.0 if stroke.is_holed else math.inf
        far, (x, _, z), (sine, cosine) = self.target_distance, self._from, heading_sin_cos(heading)
        ends = (self.target[0], self.target[2]), (x - far * sine, z - far * cosine)
        end_x, _, end_z = stroke.path[-1].tolist()
        return min(math.hypot(end_x - at[0], end_z - at[1]) for at in ends)

    @property
    def _longest_miss(self) -> float:
        """Distance (m) by which a good stroke may miss the target."""
        return max(AIM_TOLERANCE, AIM_TOLERANCE_FRACTION * self.target_distance)

    @property
    def struck_from(self) -> Point:
        """Place of the ball before the last stroke, m."""
        return self._from

    @property
    def flag_distance(self) -> float:
        """Distance in plan from where the ball lies, or lay before the stroke, to the flag, m."""
        hole = self.current_hole
        return 0.0 if hole is None else self.plan_distance(hole.cup)

    @property
    def reach(self) -> float:
        """Distance that one stroke reaches at most, m."""
        return REACH * self.course.speed**2

    @property
    def is_via_next(self) -> bool:
        """Whether the ball is played to the hole's `via` first: from there it is much nearer to the flag."""
        hole = self.current_hole
        if hole is None or hole.via is None:
            return False
        rest = math.hypot(hole.cup[0] - hole.via[0], hole.cup[2] - hole.via[2])
        return self.flag_distance > VIA_FACTOR * rest

    @property
    def target(self) -> Point:
        """Point that the player aims at, m: the cup, or before it the point `via` of the hole."""
        hole = self.course.holes[min(self.hole, len(self.course.holes) - 1)]
        return hole.via if hole.via is not None and self.is_via_next else hole.cup

    @property
    def target_distance(self) -> float:
        """Distance in plan from where the ball lies, or lay before the stroke, to the target, m."""
        return self.plan_distance(self.target)

    def plan_distance(self, at: Point) -> float:
        """Distance in plan from where the ball lies, or lay before the stroke, m."""
        return math.hypot(at[0] - self._from[0], at[2] - self._from[2])

    def step(self, state: WalkerState, command: Command, tick: int) -> list[Event]:
        """One tick, after the walker's move to `state`; the events of it."""
        events: list[Event] = []
        self.previous_position = self.at
        if self.phase == READY and command.use and not self._use_was_held and self.is_ball_in_reach(state):
            self.phase = CHARGING
            self._charge_ticks = 0
        elif self.phase == CHARGING and (command.jump or not self.is_ball_in_reach(state)):
            self.phase = READY
        elif self.phase == CHARGING and command.use:
            is_delayed = self._charge_ticks < self._delay
            self._charge_ticks += is_delayed or not command.crouch or tick % CROUCHED_TICKS == 0
        elif self.phase == CHARGING and self.strength == 0.0:
            self.phase = READY
        elif self.phase == CHARGING:
            strength = self.strength
            self.ball = self._struck_ball(command.heading, command.pitch, strength)
            self._from = self.at
            self.phase = BALL_MOVING
            self._ticks = 0
            self.strokes += 1
            events.append(BallStruck(tick, self.hole, self.strokes, strength))
        if self.phase == BALL_MOVING:
            self._update_rolling(tick, events)
        self._use_was_held = bool(command.use)
        return events

    def _update_rolling(self, tick: int, events: list[Event]) -> None:
        self.ball, _, is_holed, lost = self._roll(self.ball, 1)
        self._ticks += 1
        if is_holed:
            hole = self.course.holes[self.hole]
            events.append(HoledOut(tick, self.hole, hole.name, self.strokes, hole.par, self.holes_left - 1))
            self.card = [*self.card, self.strokes]  # a copy of this object keeps its own
            self.hole += 1
            self.strokes = 0
            if self.holes_left:
                self._start_hole()
            else:
                self.phase = ROUND_DONE
        elif lost is not None:
            self.strokes += 1
            events.append(BallLost(tick, self.hole, lost, self.strokes))
            self._place_ball(self._from)
        elif bool(self.ball["asleep"][0]) or self._ticks >= MAX_ROLL_SECONDS * self._second:
            self._place_ball(self.at)

    # The way of the ball, for the stroke and for its prediction

    def _struck_ball(self, heading: int, pitch: int, strength: float) -> BallRows:
        """The ball (1,) where it lies, with the velocity of a stroke."""
        ball = self.ball.copy()
        ball["velocity"] = self.velocity(heading, pitch, strength)
        ball["spin"] = 0.0
        ball["asleep"] = False
        ball["still"] = 0
        return ball

    def _roll(self, ball: BallRows, ticks: int) -> tuple[BallRows, Floats, bool, BallLossReason | None]:
        """The ball after at most `ticks` ticks, its positions (n, 3) after each, whether it is holed, why it is lost.
        It ends with the tick after which it rests, is holed or is lost."""
        hole, bounds, parts = self.course.holes[self.hole], np.array(self.course.bounds), []
        while True:
            was_at_cup = self._is_at_cup(ball)
            after, path = self._balls.trace(ball, self.mesh, 1 if was_at_cup else ticks, bounds)
            dx, dz, height = path[:, 0] - hole.cup[0], path[:, 2] - hole.cup[2], path[:, 1] - hole.cup[1]
            is_inside = dx * dx + dz * dz < hole.radius * hole.radius
            holed = is_inside & (height < -HOLED_DEPTH_FRACTION * self.course.radius)
            out = ~((bounds[0] <= path) & (path <= bounds[1])).all(axis=1)
            wet = np.zeros(len(path), np.bool_)
            if self.course.water >= 0:
                below = self.mesh.ground_below_many(path, self.course.radius + WATER_MARGIN)
                wet = (below.triangle >= 0) & (self._surfaces[below.triangle] == self.course.water)
            marked = np.flatnonzero(holed | out | wet | (is_inside & (height < CUP_HEIGHT * self.course.radius)))
            if len(marked) and marked[0] + 1 < len(path):
                after, path = self._balls.trace(ball, self.mesh, int(marked[0]) + 1, bounds)
            last = len(path) - 1
            parts.append(path)
            ticks -= len(path)
            lost = BallLossReason.OUT_OF_BOUNDS if out[last] else BallLossReason.WATER if wet[last] else None
            if holed[last] or lost is not None:
                return after, np.concatenate(parts), bool(holed[last]), None if holed[last] else lost
            ball = self._drop_into_cup(after)
            if ticks <= 0 or bool(ball["asleep"][0]) or not (was_at_cup or len(marked)):
                return ball, np.concatenate(parts), False, None

    def _is_at_cup(self, ball: BallRows) -> bool:
        """Whether the centre of the ball is inside the rim of the hole, and not high above it."""
        hole = self.course.holes[self.hole]
        x, y, z = ball["position"][0].tolist()
        dx, dz = x - hole.cup[0], z - hole.cup[2]
        is_inside = dx * dx + dz * dz < hole.radius * hole.radius
        return bool(is_inside and y - hole.cup[1] < CUP_HEIGHT * self.course.radius)

    def _drop_into_cup(self, ball: BallRows) -> BallRows:
        """The ball; at the cup and slower than the limit it turns to the middle of the cup, where nothing holds it.

        The limit (2 R - r) sqrt(g / 2 r) is the speed at which a ball of radius r falls by r on the way across a hole
        of radius R. Without this the cup's edge, which has corners, and the rolling resistance of the green hold a slow
        ball whose centre is inside the rim, and a ball off the middle meets the far edge too early.
        """
        hole, radius = self.course.holes[self.hole], self.course.radius
        if hole.radius <= radius or not self._is_at_cup(ball):
            return ball
        gravity = -self._balls.settings.gravity[1]
        limit = (2.0 * hole.radius - radius) * math.sqrt(gravity / (2.0 * radius))
        vx, vy, vz = ball["velocity"][0].tolist()
        if vx * vx + vy * vy + vz * vz >= limit * limit:
            return ball
        x, _, z = ball["position"][0].tolist()
        dx, dz = hole.cup[0] - x, hole.cup[2] - z
        distance = math.sqrt(dx * dx + dz * dz)
        speed = min(max(math.sqrt(vx * vx + vz * vz), MIN_DROP_FRACTION * limit), distance * self._second)
        scale = speed / max(distance, 1e-9)
        ball = ball.copy()
        ball["velocity"] = scale * dx, vy, scale * dz
        ball["asleep"] = False
        ball["still"] = 0
        return ball

    def fields(self) -> dict[str, object]:
        """The state by field names, for reports."""
        return {
            "golf_hole": self.hole,
            "golf_strokes": self.strokes,
            "golf_phase": self.phase,
            "golf_card": tuple(self.card),
            "golf_ball": self.at,
        }

    def migrate_from(self, before: GolfRound) -> None:
        """Take over a round over another version of the level, where it has the same number of holes."""
        if len(before.course.holes) == len(self.course.holes):
            self.from_bytes(before.to_bytes())
            self.ball["radius"] = self.course.radius

    def to_bytes(self) -> bytes:
        """State that `step` depends on and changes."""
        counts = (
            self.hole,
            self.strokes,
            self.phase,
            self._charge_ticks,
            self._ticks,
            USE * self._use_was_held | JUMP * self.owns_jump,
            len(self.card),
        )
        head = _HEAD.pack(*counts, *self._from)
        return head + struct.pack(f"<{len(self.card)}q", *self.card) + self.ball.tobytes()

    def from_bytes(self, value: bytes) -> None:
        """Restore the bytes of a round over the same holes. ValueError for other bytes."""
        error = ValueError("these bytes are not a saved round over these holes")
        if len(value) < _HEAD.size:
            raise error
        hole, strokes, phase, charge_ticks, ticks, keys, done, *stroke_origin = _HEAD.unpack_from(value)
        end = _HEAD.size + 8 * done
        if done != hole or not 0 <= hole <= len(self.course.holes) or len(value) != end + BALL_ROW.itemsize:
            raise error
        if phase not in (READY, CHARGING, BALL_MOVING, ROUND_DONE) or (phase == ROUND_DONE) != (
            hole == len(self.course.holes)
        ):
            raise error
        card = list(struct.unpack_from(f"<{done}q", value, _HEAD.size))
        counts = (strokes, charge_ticks, ticks, *card)
        if not 0 <= keys <= USE | JUMP or not all(0 <= count <= MAX_COUNT for count in counts):
            raise error
        origin = as_vector(stroke_origin, "the saved position before the stroke", MAX_BALL_COORDINATE)
        ball = check_balls(np.frombuffer(value[end:], BALL_ROW).copy())
        self.hole = hole
        self.strokes = strokes
        self.phase = phase
        self._charge_ticks = charge_ticks
        self._ticks = ticks
        self._use_was_held = bool(keys & USE)
        self.owns_jump = bool(keys & JUMP)
        self._from = origin
        self.card = card
        self.ball = ball
        self.previous_position = self.at
