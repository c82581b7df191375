"""The balls of a level, where groups and arrays have put them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ....core.vectors import Colour, Point
from ...format.records import RecordValues
from ...geometry.faces import FaceArrays

DEFAULT_BALL_COLOURS: tuple[Colour, ...] = (
    (0.86, 0.27, 0.22), (0.95, 0.62, 0.17), (0.96, 0.84, 0.30), (0.36, 0.66, 0.35), (0.24, 0.60, 0.72),
    (0.28, 0.40, 0.74), (0.58, 0.36, 0.66), (0.90, 0.87, 0.80),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class BallSpec:
    """A ball as its piece tells it: metres, kg (None: by its size), m/s along east, up and south; colour or None."""

    radius: float
    mass: float | None
    bounce: float
    friction: float
    roll: float
    velocity: Point
    colour: Colour | None
    name: str = ""


@dataclass(frozen=True, slots=True)
class LevelBall:
    """One ball of a level: its middle, metres, and the rest of it; scaled with what it stands in."""

    at: Point
    ball: BallSpec
    colour: Colour


@dataclass(frozen=True, slots=True)
class BallPlaySettings:
    """What a level lets one do with balls; speed: of a throw, m/s; gravity: m/s2."""

    throws: bool = False
    speed: float = 12.0
    gravity: Point = (0.0, -9.81, 0.0)
    reach_targets: bool = False
    energy: bool = False


def read_ball_spec(values: RecordValues, velocity: Point) -> BallSpec:
    """What the fields of a piece say of a ball."""
    colour = None
    if values.is_given("colour"):
        red, green, blue = values.point("colour")
        colour = (red, green, blue)
    mass = values.number("mass") if values.is_given("mass") else None
    return BallSpec(
        values.number("radius"), mass, values.number("bounce"), values.number("friction"), values.number("roll"),
        velocity, colour, values.text("name"),
    )  # fmt: skip


def place_balls_in_box(low: Sequence[float], high: Sequence[float], count: int, radius: float) -> list[Point] | None:
    """So many places in a box, evenly and a little astray, balls of this radius apart; None where they do not fit."""
    room = [max(b - a - 2.0 * radius, 0.0) for a, b in zip(low, high, strict=True)]
    best: tuple[float, tuple[int, int, int]] | None = None
    gap = 2.0 * radius * 1.02
    most = [1 + math.floor(side / gap + 1e-9) for side in room]
    if not 1 <= count <= most[0] * most[1] * most[2]:
        return None
    step = max((math.prod(side + gap for side in room) / count) ** (1.0 / 3.0), gap)
    while True:
        cells = [min(1 + math.floor(side / step + 1e-9), top) for side, top in zip(room, most, strict=True)]
        if math.prod(cells) >= count:
            best = step, (cells[0], cells[1], cells[2])
            break
        step = max(step * 0.97, gap)
        if step == gap and math.prod(most) >= count:
            best = gap, (most[0], most[1], most[2])
            break
    nx, ny, nz = best[1]
    found: list[Point] = []
    for k in range(count):
        ranks = (k % nx, k // (nx * nz), k // nx % nz)
        place = []
        for axis, (rank, cells_) in enumerate(zip(ranks, (nx, ny, nz), strict=True)):
            each = room[axis] / (cells_ - 1) if cells_ > 1 else 0.0
            free = max(each - gap, 0.0) if cells_ > 1 else room[axis] * 0.5
            middle = rank * each if cells_ > 1 else 0.5 * room[axis]
            astray = 0.4 * free * (halton_number(k + 1, (2, 3, 5)[axis]) - 0.5)
            place.append(min(low[axis], high[axis]) + radius + min(max(middle + astray, 0.0), room[axis]))
        found.append((place[0], place[1], place[2]))
    return found


def halton_number(index: int, base: int) -> float:
    """The index-th of an even spread of numbers from 0 to 1, without chance."""
    found, part = 0.0, 1.0
    while index:
        part /= base
        found += part * (index % base)
        index //= base
    return found


def sphere_direction(index: int) -> Point:
    """The index-th of directions spread evenly over the sphere."""
    up = 2.0 * halton_number(index, 2) - 1.0
    turn = math.tau * halton_number(index, 3)
    flat = math.sqrt(1.0 - up * up)
    return flat * math.cos(turn), up, flat * math.sin(turn)


def collect_balls(faces: FaceArrays) -> tuple[LevelBall, ...]:
    """The balls of a level, in the order of its pieces."""
    found: list[LevelBall] = []
    for mark in faces.marks:
        if isinstance(mark.payload, BallSpec):
            size, ball = faces.instances[mark.instance].size, mark.payload
            if size != 1.0:
                mass = None if ball.mass is None else ball.mass * size**3
                ball = BallSpec(
                    ball.radius * size, mass, ball.bounce, ball.friction, ball.roll, ball.velocity, ball.colour,
                    ball.name,
                )  # fmt: skip
            found.append(
                LevelBall(mark.at, ball, ball.colour or DEFAULT_BALL_COLOURS[len(found) % len(DEFAULT_BALL_COLOURS)])
            )
    return tuple(found)


def read_ball_play_settings(values: RecordValues) -> BallPlaySettings | None:
    """What a level file says of balls; None where it says nothing."""
    play = values.record_value("play")
    if play is None:
        return None
    return BallPlaySettings(
        play.flag("throws"), play.number("speed"), play.point("gravity"), play.flag("reach_targets"),
        play.flag("energy"),
    )  # fmt: skip
