"""Lights, targets, exhibits and balls of a level, placed by their groups and arrays."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ....core.vectors import Colour, Floats, Point
from ...format.level_file import PlayFields
from ...geometry.faces import FaceArrays, LampSpec, TargetSpec

DEFAULT_BALL_COLOURS: tuple[Colour, ...] = (
    (0.86, 0.27, 0.22), (0.95, 0.62, 0.17), (0.96, 0.84, 0.30), (0.36, 0.66, 0.35), (0.24, 0.60, 0.72),
    (0.28, 0.40, 0.74), (0.58, 0.36, 0.66), (0.90, 0.87, 0.80),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Light:
    """Point light. colour: sRGB 0..1. brightness: 1 lights a white surface 2 m away like the sun by day.

    reach: range in metres. visible: True if a glow is drawn. mover: index of the mover that carries it, which is at
    home when the light is at `at`; -1 for none.
    """

    at: Point
    colour: Colour = (1.0, 0.84, 0.63)
    brightness: float = 1.0
    reach: float = 8.0
    visible: bool = True
    mover: int = -1


@dataclass(frozen=True, slots=True)
class Target:
    """Target, reached when the body touches its sphere (centre `at`, `radius` in m)."""

    at: Point
    radius: float = 0.6
    name: str = ""
    visible: bool = True


@dataclass(frozen=True, slots=True)
class ExhibitSpec:
    """Exhibit of a piece: the word of its field `show`."""

    show: str


@dataclass(frozen=True, slots=True)
class Exhibit:
    """Exhibit of the collision lab. show: "triangle" or "resting". at: centre of its base.

    facing: direction of its front, degrees. size: scale factor.
    """

    show: str
    at: Point
    facing: float
    size: float = 1.0


def collect_lights(faces: FaceArrays) -> tuple[Light, ...]:
    """Lights of a level, in the order of its pieces. Scale s extends the range by s and the brightness by s^2."""
    lights = []
    for marker in faces.marks:
        if isinstance(marker.payload, LampSpec):
            size = faces.instances[marker.instance].size
            lamp = marker.payload
            red, green, blue = lamp.colour
            brightness = lamp.brightness * size * size
            reach = lamp.reach * size
            lights.append(Light(marker.at, (red, green, blue), brightness, reach, lamp.visible, marker.mover - 1))
    return tuple(lights)


def collect_targets(faces: FaceArrays) -> tuple[Target, ...]:
    """Targets of a level, in the order of its pieces."""
    return tuple(
        Target(
            marker.at,
            marker.payload.radius * faces.instances[marker.instance].size,
            marker.payload.name,
            marker.payload.visible,
        )
        for marker in faces.marks
        if isinstance(marker.payload, TargetSpec)
    )


def collect_exhibits(faces: FaceArrays) -> tuple[Exhibit, ...]:
    """Exhibits of a level, in the order of its pieces."""
    exhibits = []
    for marker in faces.marks:
        if isinstance(marker.payload, ExhibitSpec):
            instance = faces.instances[marker.instance]
            facing, _, _ = instance.board_orientation(marker.facing)
            exhibits.append(Exhibit(marker.payload.show, marker.at, facing, instance.size))
    return tuple(exhibits)


@dataclass(frozen=True, slots=True)
class BallSpec:
    """Ball as its piece describes it. Metres, kg (None: from its radius), m/s; friction, roll: see the schema."""

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
    """Placed ball: its centre (m) and its description, scaled with its containers."""

    at: Point
    ball: BallSpec
    colour: Colour


@dataclass(frozen=True, slots=True)
class BallPlaySettings:
    """Rules for balls in a level. speed: of a throw, m/s. gravity: m/s2."""

    throws: bool
    speed: float
    gravity: Point
    reach_targets: bool
    energy: bool


def place_balls_in_box(low: Sequence[float], high: Sequence[float], count: int, radius: float) -> Floats | None:
    """(count, 3) centres of balls in a box: a regular grid with low-discrepancy jitter; None if they do not fit."""
    free = [max(b - a - 2.0 * radius, 0.0) for a, b in zip(low, high, strict=True)]
    best: tuple[float, tuple[int, int, int]] | None = None
    gap = 2.0 * radius * 1.02
    max_cells = [1 + math.floor(side / gap + 1e-9) for side in free]
    if not 1 <= count <= max_cells[0] * max_cells[1] * max_cells[2]:
        return None
    step = max((math.prod(side + gap for side in free) / count) ** (1.0 / 3.0), gap)
    while True:
        cells = [min(1 + math.floor(side / step + 1e-9), top) for side, top in zip(free, max_cells, strict=True)]
        if math.prod(cells) >= count:
            best = step, (cells[0], cells[1], cells[2])
            break
        step = max(step * 0.97, gap)
        if step == gap and math.prod(max_cells) >= count:
            best = gap, (max_cells[0], max_cells[1], max_cells[2])
            break
    nx, ny, nz = best[1]
    ranks = np.arange(count)
    axes = []
    for axis, (rank, cell_count) in enumerate(((ranks % nx, nx), (ranks // (nx * nz), ny), (ranks // nx % nz, nz))):
        pitch = free[axis] / (cell_count - 1) if cell_count > 1 else 0.0
        slack = max(pitch - gap, 0.0) if cell_count > 1 else free[axis] * 0.5
        centre = rank * pitch if cell_count > 1 else 0.5 * free[axis]
        jitter = 0.4 * slack * (halton_numbers(count, (2, 3, 5)[axis]) - 0.5)
        axes.append(min(low[axis], high[axis]) + radius + np.clip(centre + jitter, 0.0, free[axis]))
    return np.column_stack(axes)


def halton_numbers(count: int, base: int) -> Floats:
    """The first `count` elements of the Halton sequence in 0..1, from index 1 on."""
    index = np.arange(1, count + 1)
    values = np.zeros(count)
    weight = 1.0
    while index.any():
        weight /= base
        values += weight * (index % base)
        index //= base
    return values


def sphere_directions(count: int) -> Floats:
    """(count, 3) unit vectors: a low-discrepancy sequence on the sphere."""
    y = 2.0 * halton_numbers(count, 2) - 1.0
    azimuths = (math.tau * halton_numbers(count, 3)).tolist()
    horizontal = np.sqrt(1.0 - y * y)
    cosines, sines = (np.array([function(a) for a in azimuths]) for function in (math.cos, math.sin))  # libm's bits
    return np.column_stack((horizontal * cosines, y, horizontal * sines))


def collect_balls(faces: FaceArrays) -> tuple[LevelBall, ...]:
    """Balls of a level, in the order of its pieces."""
    balls: list[LevelBall] = []
    for marker in faces.marks:
        if isinstance(marker.payload, BallSpec):
            size = faces.instances[marker.instance].size
            ball = marker.payload
            if size != 1.0:
                mass = None if ball.mass is None else ball.mass * size**3
                ball = BallSpec(
                    ball.radius * size, mass, ball.bounce, ball.friction, ball.roll, ball.velocity, ball.colour,
                    ball.name,
                )  # fmt: skip
            balls.append(
                LevelBall(marker.at, ball, ball.colour or DEFAULT_BALL_COLOURS[len(balls) % len(DEFAULT_BALL_COLOURS)])
            )
    return tuple(balls)


def ball_play_settings(play: PlayFields | None) -> BallPlaySettings | None:
    """Rules for balls of a level file; None if it has none."""
    if play is None:
        return None
    return BallPlaySettings(play.throws, play.speed, play.gravity, play.reach_targets, play.energy)
