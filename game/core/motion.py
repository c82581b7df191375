"""Motion of a mover: a path with stops, a rotation along the path, a constant spin, and what sets it off."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field

from .angles import HEADING_UNITS_PER_TURN
from .arguments import as_flag, as_members, as_number, as_text
from .vectors import Vector, as_vector, sum_in_order

MAX_PATH_COORDINATE = 1e7  # m from home: the limit of a mesh's coordinates
MAX_AXIS_COMPONENT = 1e9
MAX_DURATION = 86_400.0  # s: of a path, a pause, a phase
STARTS = ("always", "near", "ridden")  # what sets a mover off
NEAR_DISTANCE = 1.5  # m: default of `Motion.near`


@dataclass(frozen=True, slots=True)
class Motion:
    """Motion of a mover. ValueError for values out of range.

    path     stops, m from home; with one stop or none the mover stays there
    seconds  s: travel time along the whole path, without pauses
    pause    s, at each stop
    ease     whether it starts and stops gently at each stop (smoothstep)
    loop     whether it continues from the last stop straight to the first, instead of back along the path
    axis     axis of rotation through its origin; counter-clockwise seen from where the axis points
    swing    degrees of rotation from the first stop to the last, and back
    spin     degrees per second of constant rotation
    phase    s by which the motion is ahead
    starts   "always": with the world. "near", "ridden": it waits at its first stop until it is set off, makes one
             period of its path, and waits again. It needs a path or a swing, no spin, and a phase within its first
             pause
    near     m around its box at the first stop, along each axis of the world, within which feet set off one that starts
             "near"
    """

    path: tuple[Vector, ...] = ()
    seconds: float = 4.0
    pause: float = 0.0
    ease: bool = True
    loop: bool = False
    axis: Vector = (0.0, 1.0, 0.0)
    swing: float = 0.0
    spin: float = 0.0
    phase: float = 0.0
    # not in the repr, of which hashes of levels are made (`level_hash`)
    starts: str = field(default="always", repr=False)
    near: float = field(default=NEAR_DISTANCE, repr=False)

    def __post_init__(self) -> None:
        for name, low, high in (
            ("seconds", 1e-3, MAX_DURATION),
            ("pause", 0.0, MAX_DURATION),
            ("phase", 0.0, MAX_DURATION),
            ("swing", -3600.0, 3600.0),
            ("spin", -36_000.0, 36_000.0),
            ("near", 0.0, MAX_PATH_COORDINATE),
        ):
            object.__setattr__(self, name, as_number(getattr(self, name), name, low, high))
        for name in ("ease", "loop"):
            object.__setattr__(self, name, as_flag(getattr(self, name), name))
        path = as_members(self.path, "path", "stops")
        stops = tuple(as_vector(stop, f"path[{k}]", MAX_PATH_COORDINATE) for k, stop in enumerate(path))
        object.__setattr__(self, "path", stops)
        object.__setattr__(self, "axis", as_vector(self.axis, "axis", MAX_AXIS_COMPONENT))
        if not math.sqrt(sum_in_order(a * a for a in self.axis)) > 1e-9:
            raise ValueError("axis must have a length over 1e-9")
        if as_text(self.starts, "starts") not in STARTS:
            raise ValueError(f"starts must be one of {', '.join(STARTS)}, not {self.starts!r}")
        if self.waits and (self.spin != 0.0 or self.phase > self.pause or not self.keys()):
            raise ValueError(
                f"a mover that starts {self.starts!r} needs a path or a swing, no spin, and a phase up to its pause"
            )

    @property
    def turns(self) -> bool:
        """Whether it rotates at all."""
        return self.swing != 0.0 or self.spin != 0.0

    @property
    def waits(self) -> bool:
        """Whether it waits until it is set off."""
        return self.starts != "always"

    def keys(self) -> list[list[float]]:
        """Rows of one period, as physics.environment.rows.keyframe has them; none if only a spin moves it.

        A row has start (s), duration (s), ease, origin (3, m), target (3, m), and the angles of both (heading units).
        """
        stops = [tuple(map(float, point)) for point in self.path] or [(0.0, 0.0, 0.0)]
        if len(stops) == 1:
            if self.swing == 0.0:
                return []
            stops = stops * 2
        legs = [math.dist(a, b) for a, b in itertools.pairwise(stops)]
        total = sum_in_order(legs)
        if total == 0.0:
            legs, total = [1.0] * len(legs), float(len(legs))
        travelled, angles = 0.0, [0.0]
        for leg in legs:
            travelled += leg
            angles.append(self.swing * travelled / total * HEADING_UNITS_PER_TURN / 360.0)
        order = list(range(len(stops)))
        order += [0] if self.loop else order[-2::-1]
        rows: list[list[float]] = []
        time = 0.0
        for start, target in itertools.pairwise(order):
            if abs(start - target) == 1:
                duration = self.seconds * legs[min(start, target)] / total
            else:  # a loop closes
                closing_part = math.dist(stops[start], stops[target]) / total
                duration = self.seconds * (max(closing_part, 1.0) if self.swing else closing_part)
            for seconds, eases, end in ((self.pause, 0.0, start), (duration, float(self.ease), target)):
                if seconds > 0.0:
                    ends = [*stops[start], *stops[end], angles[start], angles[end]]
                    rows.append([time, seconds, eases, *ends])
                    time += seconds
        return rows
