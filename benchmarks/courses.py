"""Courses that every controller walks: the same triangles, and legs with the same requested velocities.

A leg starts the walker at a place and requests one horizontal velocity for each tick, independent of its position. All
controllers get the same request at the same tick, and a controller that got stuck on a leg starts the next one with the
others.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmarks.shapes import Triangles, bar, block, column, floor, profile, quad, wall

TICKS_PER_SECOND = 60
SPEED = 4.0  # m/s
TICKS = 20_000
RADIUS, HEIGHT = 0.35, 1.8  # m, radius of every body
RISE, RUN, STEPS = 0.18, 0.30, 10
GATE_TOLERANCE = 0.01  # m before the gate that count as arrived, so that rounding does not cost a tick

WalkedLeg = tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]  # feet (ticks, 3), m, and on the ground (ticks,)


@dataclass(frozen=True)
class Leg:
    """A walk: `heading` (65536 to the turn, 0 along -Z, counter-clockwise) and `speed` (m/s) for each tick."""

    name: str
    start: tuple[float, float, float]  # feet, m
    heading: npt.NDArray[np.int64]
    speed: npt.NDArray[np.float64]
    settle: int  # first ticks, without a requested velocity
    gate: tuple[float, float, float, float] | None = None  # x, z and direction on the plan
    ideal: float | None = None  # ticks from the end of settling to the gate without friction or lost height
    after: int = 0  # ticks from the end of settling before which the gate does not count
    measures: frozenset[str] = field(default_factory=frozenset)  # measures of measures.py that include this leg

    @property
    def velocity(self) -> npt.NDArray[np.float64]:
        """The requested horizontal velocity (ticks, 2): x and z, m/s."""
        yaw = self.heading * (math.tau / 65536)
        return np.stack([-np.sin(yaw) * self.speed, -np.cos(yaw) * self.speed], 1)


@dataclass(frozen=True)
class Course:
    name: str
    triangles: Triangles
    legs: tuple[Leg, ...]

    @property
    def ticks(self) -> int:
        return sum(len(leg.speed) for leg in self.legs)

    def write(self, folder: Path) -> Path:
        """Write the course as a raw file: int32 counts of triangles and legs; float32 corners; for each leg: int32
        ticks, float64 start (3), float64 velocities (ticks, 2). Little endian, no padding.
        """
        path = folder / f"{self.name}.bin"
        with path.open("wb") as file:
            file.write(np.array([len(self.triangles), len(self.legs)], "<i4").tobytes())
            file.write(self.triangles.astype("<f4").tobytes())
            for leg in self.legs:
                file.write(np.array([len(leg.speed)], "<i4").tobytes())
                file.write(np.array(leg.start, "<f8").tobytes())
                file.write(leg.velocity.astype("<f8").tobytes())
        return path


def heading_units(angle: float) -> int:
    return round(angle * 65536 / 360)


def leg(
    name: str,
    start: tuple[float, float, float],
    phases: list[tuple[float, int]],
    gate: tuple[float, float, float, float] | None = None,
    ideal: float | None = None,
    measures: str = "",
    settle: int = 6,
    speed: float = SPEED,
    after: int = 0,
) -> Leg:
    """A leg from phases of (heading in degrees, ticks). No velocity in the first `settle` ticks and at speed 0."""
    headings = [np.full(settle, heading_units(phases[0][0]))] + [np.full(t, heading_units(a)) for a, t in phases]
    speeds = [np.zeros(settle)] + [np.full(t, speed) for _, t in phases]
    return Leg(
        name,
        start,
        np.concatenate(headings).astype(np.int64),
        np.concatenate(speeds),
        settle,
        gate,
        ideal,
        after,
        frozenset(measures.split()),
    )


def straight(
    name: str,
    start: tuple[float, float, float],
    angle: float,
    distance: float,
    measures: str = "",
    more: float = 1.5,
    settle: int = 6,
) -> Leg:
    """A walk in one direction to a gate `distance` ahead. It continues for `more` times the ideal ticks."""
    yaw = heading_units(angle) * math.tau / 65536
    dx, dz = -math.sin(yaw), -math.cos(yaw)
    ideal = distance / SPEED * TICKS_PER_SECOND
    gate = (start[0] + dx * distance, start[2] + dz * distance, dx, dz)
    return leg(name, start, [(angle, round(more * ideal))], gate, math.ceil(ideal - 1e-6), measures, settle)


# The playground

LEFT, RIGHT, NORTH, SOUTH = -12.0, 14.0, -12.0, 12.0
WALL, THICK = 2.0, 0.3  # height and thickness of the room's walls, m
TOP = RISE * STEPS
STAIRS_FOOT = -1.0  # z of the first riser
LANDING = STAIRS_FOOT - RUN * STEPS  # z where the stairs end
RAMP = LANDING - 3.0  # z where the 30 degree ramp starts down
RAMP_END = RAMP - TOP / math.tan(math.radians(30))
STEEP = 6.0  # z of the 60 degree ramp's foot, which rises towards +Z
APEX, OPENING = (-3.0, 10.5), 20.0  # of the acute corner
DEEPEST_IN_CORNER = APEX[1] - RADIUS / math.sin(math.radians(OPENING / 2))  # z that a body of RADIUS can reach
CORRIDOR = (1.4, 2.6, -7.4, -8.6, 8.0)  # x of the walls of one arm, z of the walls of the other, x of its end
PILLARS = tuple(
    (0.4 + 1.75 * i + 0.85 * (j % 2), 8.0 - 1.75 * j, 13.0 + 29.0 * (3 * j + i)) for j in range(4) for i in range(3)
)  # x, z, turned by degrees
LOW_CEILING, LOWER_CEILING = 1.88, 1.5  # undersides of the two slabs, m


def pillar(x: float, z: float, turned: float) -> list[tuple[float, float]]:
    """Corners of a square pillar of 0.6 m."""
    angles = [math.radians(turned + 90 * k) for k in range(4)]
    return [(x + 0.42 * math.sin(a), z + 0.42 * math.cos(a)) for a in angles]


def stairs_line() -> list[tuple[float, float]]:
    """Profile (z, y) over the stairs, the landing and the ramp behind it."""
    line = [(STAIRS_FOOT, 0.0)]
    for k in range(STEPS):
        line += [(STAIRS_FOOT - RUN * k, RISE * (k + 1)), (STAIRS_FOOT - RUN * (k + 1), RISE * (k + 1))]
    line[-1] = (RAMP, TOP)
    return [*line, (RAMP_END, 0.0)]


def corridor_walls() -> list[tuple[float, float, float, float]]:
    """(ax, az, bx, bz) of the corridor's walls, each with the solid to the right of its direction."""
    x0, x1, inner, outer, end = CORRIDOR
    return [
        (x1, -3.4, x1, inner),
        (x1, inner, end, inner),
        (end, outer, x0, outer),
        (x0, outer, x0, -3.4),
    ]


def shell() -> Triangles:
    """The outer solid of the room, THICK beyond floor and walls. Some controllers lose triangles at a mesh's bounds."""
    x0, x1, z0, z1 = LEFT - THICK, RIGHT + THICK, NORTH - THICK, SOUTH + THICK
    box = block(x0, z0, x1, z1, -THICK, WALL)
    inner = [(x, WALL, z) for x, z in ((LEFT, SOUTH), (RIGHT, SOUTH), (RIGHT, NORTH), (LEFT, NORTH))]
    outer = [(x, WALL, z) for x, z in ((x0, z1), (x1, z1), (x1, z0), (x0, z0))]
    rim = [quad(outer[k - 1], outer[k], inner[k], inner[k - 1]) for k in range(4)]
    return np.concatenate([box[~(box[..., 1] == WALL).all(1)], *rim])


@cache
def playground() -> Triangles:
    """An open room of 26 by 24 m of tiles with obstacles that often stop character controllers."""
    half = math.radians(OPENING / 2)
    ax, az = APEX
    dx, dz = 3.0 * math.sin(half), -3.0 * math.cos(half)
    x0, x1, inner, outer, end = CORRIDOR
    parts = [
        floor(LEFT, NORTH, RIGHT, SOUTH, tile=0.6),
        wall(LEFT, NORTH, RIGHT, NORTH, 0.0, WALL),
        wall(RIGHT, NORTH, RIGHT, SOUTH, 0.0, WALL),
        wall(RIGHT, SOUTH, LEFT, SOUTH, 0.0, WALL),
        wall(LEFT, SOUTH, LEFT, NORTH, 0.0, WALL),
        shell(),
        profile(-11.5, -5.0, stairs_line()),
        profile(
            -11.0,
            -8.0,
            [(STEEP + 3.0, 0.0), (STEEP + 3.0, 3.0), (STEEP + 3.0 / math.tan(math.radians(60)), 3.0), (STEEP, 0.0)],
        ),
        bar(ax - dx, az + dz, ax, az, 0.2, 2.5, 0.5),
        bar(ax, az, ax + dx, az + dz, 0.2, 2.5, 0.5),
        block(x1, inner, end, -3.4, 0.0, 2.5, 0.5),
        block(x0 - 0.3, outer, x0, -3.4, 0.0, 2.5, 0.5),
        block(x0 - 0.3, outer - 0.3, end, outer, 0.0, 2.5, 0.5),
        *[column(pillar(*p), 0.0, 2.5, 0.3) for p in PILLARS],
        block(-3.5, -7.5, -0.5, -4.5, LOW_CEILING, LOW_CEILING + 0.3, 0.5),
        block(-3.5, -11.0, -0.5, -9.0, LOWER_CEILING, LOWER_CEILING + 0.3, 0.5),
    ]
    return np.concatenate(parts)


def ramp_height(z: float) -> float:
    return TOP * (z - RAMP_END) / (RAMP - RAMP_END)


@cache
def playground_legs(cycle: int) -> tuple[Leg, ...]:
    """All legs once. Later cycles start a little further back and to the side, for other phases."""
    back, side = 0.013 * cycle, 0.021 * cycle
    legs = [*stairs_and_ramp_legs(back, side), *plan_legs(cycle, back, side), *floor_and_wall_legs(back, side)]
    return tuple(
        leg
        if cycle or "plan" not in leg.measures
        else replace(leg, ideal=frictionless_ticks(leg, plan_walls(), RADIUS))
        for leg in legs
    )


def stairs_and_ramp_legs(back: float, side: float) -> list[Leg]:
    """Up, down and across the stairs and the ramps; `back` and `side` (m) move the starts."""
    climb = math.ceil(5.0 / math.cos(math.radians(30)) / SPEED * TICKS_PER_SECOND)
    ramp_z, ramp_y = -8.5 - back, ramp_height(-8.5 - back) + 0.1
    top = TOP + 0.02, LANDING - 1.0 - back
    turn = [(180.0, 75), (-30.0, 140)]
    gate = (0.0, LANDING - 1.0, 0.0, -1.0)
    return [
        straight("stairs up", (-8.2 + side, 0.02, back), 0.0, 5.0, "up"),
        straight("stairs down", (-8.2 + side, *top), 180.0, 5.0, "down", 1.4),
        leg("stairs down and diagonally up", (-10.9 + side, *top), turn, gate, 75.0 + climb, after=75),
        straight("ramp down", (-8.2 + side, TOP + 0.02, RAMP + 1.0 + back), 0.0, 4.8, "down", 1.05),
        straight("ramp up", (-7.0 + side, 0.02, -11.3 - back), 180.0, 5.0, "up", 1.4),
        leg(
            "rest on the ramp",
            (-8.0 + side, ramp_y, ramp_z),
            [(0.0, 5 * TICKS_PER_SECOND)],
            measures="drift",
            settle=30,
            speed=0.0,
        ),
        straight("across the ramp", (-10.9 + side, ramp_y, ramp_z), -90.0, 5.0, "along", 1.0, 15),
        leg("60 degree ramp", (-9.5 + side, 0.02, 4.6 - back), [(180.0, 90), (160.0, 60)], measures="steep"),
    ]


def plan_legs(cycle: int, back: float, side: float) -> list[Leg]:
    """Into the acute corner, and both ways through the corridor and the pillars."""
    deepest = 120.0 + math.ceil((DEEPEST_IN_CORNER - 6.5) / SPEED * TICKS_PER_SECOND)
    legs = [leg("acute corner", (-3.0, 0.02, 6.0 - back), [(180.0 - cycle, 120), (0.0, 60)], (0.0, 6.5, 0.0, -1.0),
                deepest, "jitter", after=120)]  # fmt: skip
    for name, (x, z), phases, gate in (
        ("corridor there", (2.0 + side, -2.5 + back), [(-20.0, 50), (-45.0, 190)], (7.0, 0.0, 1.0, 0.0)),
        ("corridor back", (7.6 - back, -8.0 + side), [(110.0, 60), (135.0, 190)], (0.0, -3.0, 0.0, 1.0)),
        (
            "pillars there",
            (0.9 + side, 9.3 + back),
            [(20.0, 40), (-20.0, 80), (20.0, 80), (-10.0, 120)],
            (0.0, 1.6, 0.0, -1.0),
        ),
        (
            "pillars back",
            (3.0 + side, 1.4 - back),
            [(160.0, 60), (200.0, 80), (170.0, 80), (190.0, 120)],
            (0.0, 9.2, 0.0, 1.0),
        ),
    ):
        legs.append(leg(name, (x, 0.02, z), phases, gate, measures="plan"))
    return legs


def floor_and_wall_legs(back: float, side: float) -> list[Leg]:
    """Under the ceilings, over the tiled floor and along the tiled wall."""
    return [
        straight("low ceiling", (-2.0 + side, 0.02, -3.6 + back), 8.0, 4.8, "", 1.15),
        leg("lower ceiling, pressed", (-3.2 + side, 0.02, -8.3 + back), [(-60.0, 60)], (-1.0, 0.0, 1.0, 0.0)),
        straight("flat, along the tiles", (11.6 + side, 0.02, 11.0 + back), 0.0, 20.0, "flat", 1.02),
        straight("flat, 13 degrees", (13.2 + side, 0.02, 11.0 + back), 13.0, 16.0, "flat", 1.02),
        straight("flat, 37 degrees", (13.2 + side, 0.02, 4.0 + back), 37.0, 6.0, "flat", 1.02),
        *[
            leg(f"wall at {a} degrees", (13.6, 0.02, 11.0 + back), [(-float(a), 120)], measures="wall")
            for a in (5, 30, 60, 80)
        ],
    ]


def plan_walls() -> npt.NDArray[np.float64]:
    """Walls of corridor and pillars on the plan, (n, 2, 2): x and z."""
    outlines = [pillar(*p) for p in PILLARS]
    lines = [(*a, *b) for outline in outlines for a, b in zip(outline, [*outline[1:], outline[0]], strict=True)]
    return np.array(lines + corridor_walls()).reshape(-1, 2, 2)


def frictionless_ticks(
    leg: Leg, walls: npt.NDArray[np.float64], radius: float, steps_per_tick: int = 8
) -> float | None:
    """Ticks from the end of settling to the gate for a disc that slides without friction or skin, in small steps with a
    push out of the walls. None if it does not arrive.
    """
    p = np.array([leg.start[0], leg.start[2]])
    a, d = walls[:, 0], walls[:, 1] - walls[:, 0]
    length = (d * d).sum(1)
    assert leg.gate is not None
    for tick, velocity in enumerate(leg.velocity[leg.settle :]):
        for _ in range(steps_per_tick):
            p = p + velocity / (TICKS_PER_SECOND * steps_per_tick)
            for _ in range(4):
                to_wall = a + np.clip(((p - a) * d).sum(1) / length, 0.0, 1.0)[:, None] * d - p
                gap = np.sqrt((to_wall * to_wall).sum(1))
                k = int(gap.argmin())
                if gap[k] >= radius:
                    break
                p = p - to_wall[k] * (radius / gap[k] - 1.0)
        if (p[0] - leg.gate[0]) * leg.gate[2] + (p[1] - leg.gate[1]) * leg.gate[3] >= -GATE_TOLERANCE:
            return tick + 1.0
    return None


def playground_course(ticks: int = TICKS) -> Course:
    """At least so many ticks, in complete cycles of all legs."""
    legs: list[Leg] = []
    cycle = 0
    while sum(len(leg.speed) for leg in legs) < ticks:
        legs += playground_legs(cycle)
        cycle += 1
    return Course("playground", playground(), tuple(legs))


# Rolling terrain

CELL = 0.5  # m
TERRAIN_LEG = 500  # ticks


def terrain(triangles: int) -> Triangles:
    """About so many triangles on a grid of CELL: hills of 2 m, slopes up to 31 degrees, in the order of a file."""
    x, z = np.meshgrid(*[CELL * np.arange(round((triangles / 2) ** 0.5) + 1)] * 2, indexing="ij")
    points = np.stack([x, 2.0 * np.sin(0.3 * x) * np.cos(0.21 * z), z], -1)
    a, b, c, d = points[:-1, :-1], points[:-1, 1:], points[1:, 1:], points[1:, :-1]
    return np.stack([a, b, c, a, c, d], 2).reshape(-1, 3, 3)


def terrain_course(triangles: int, ticks: int = TICKS) -> Course:
    """Legs from random places in random directions away from the edge, the same for the same size."""
    random = np.random.default_rng(triangles)
    side = round((triangles / 2) ** 0.5) * CELL
    low, high = 3.0, side - 3.0
    legs = []
    for number in range(max(1, ticks // TERRAIN_LEG)):
        start = random.uniform(low + 1.0, high - 1.0, 2)
        phases: list[tuple[float, int]] = []
        place, left = start, TERRAIN_LEG - 15
        while left > 0:
            count = min(left, 60)
            angle = float(random.integers(0, 360))
            yaw = heading_units(angle) * math.tau / 65536
            there = place + np.array([-math.sin(yaw), -math.cos(yaw)]) * SPEED / TICKS_PER_SECOND * count
            if (there > low).all() and (there < high).all():
                phases.append((angle, count))
                place, left = there, left - count
        y = float(2.0 * np.sin(0.3 * start[0]) * np.cos(0.21 * start[1])) + 0.12
        legs.append(
            leg(f"terrain {number}", (float(start[0]), y, float(start[1])), phases, measures="along", settle=15)
        )
    return Course(f"terrain {triangles}", terrain(triangles), tuple(legs))


def course_named(name: str, ticks: int = TICKS) -> Course:
    """The course `playground`, or a terrain by its number of triangles."""
    return playground_course(ticks) if name == "playground" else terrain_course(int(name), ticks)
