"""What there is to say of the place under the cross-hair."""

from __future__ import annotations

import contextlib
import math
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...level.format.values import FACINGS
from ...render import Card, CardRow
from .picking import Picked, Vector

if TYPE_CHECKING:
    from ...level import Level

LEVEL_PART = 1e-4  # of a normal's length upwards: less is upright
WALKABLE, STEEP, WALL, CEILING = "walkable", "steep", "wall", "ceiling"
MAX_SLOPE = 45.0  # degrees, of the walker's usual settings


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a level file."""

    label: str
    file: str
    line: int
    column: int

    @property
    def where(self) -> str:
        return f"{self.file}:{self.line}"

    def short(self, level: Level) -> str:
        """The same as seen from the level's folder."""
        with contextlib.suppress(ValueError):  # another drive
            return f"{Path(os.path.relpath(self.file, level.path.parent)).as_posix()}:{self.line}"
        return self.where


def spot(level: Level, picked: Picked) -> Spot:
    """Where the piece that one looks at is written."""
    if picked.quad >= 0:
        return Spot(*level.quad_origin(picked.quad))
    made = level.origins[level.faces.marks[picked.mark].origin]
    return Spot(made.label, made.place.file or str(level.path), made.place.line, made.place.column)


def file_of(level: Level, spot: Spot) -> Path:
    """The file that a piece is written in."""
    return level.path if spot.file == str(level.path) else Path(spot.file)


def kind_of(upwards: float, max_slope: float = MAX_SLOPE) -> str:
    """What a face is to the walker, by the part of its unit normal that points up."""
    if upwards < -LEVEL_PART:
        return CEILING
    if upwards >= math.cos(math.radians(max_slope)) - LEVEL_PART:
        return WALKABLE
    return STEEP if upwards > LEVEL_PART else WALL


def slope(upwards: float) -> float:
    """Degrees from level: 0 a floor or a flat ceiling, 90 a wall."""
    return math.degrees(math.acos(min(1.0, abs(upwards))))


def nearest_corner(level: Level, picked: Picked) -> Vector:
    """The corner of the face that is nearest to the place; what has no face is its own."""
    if picked.quad < 0:
        return picked.point
    corners = level.faces.corners[picked.quad]
    at = int(np.argmin(np.linalg.norm(corners - np.asarray(picked.point), axis=1)))
    x, y, z = corners[at].tolist()
    return x, y, z


def metres(value: float) -> str:
    """At most three decimals, never -0."""
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def place(point: Vector) -> str:
    return "  ".join(metres(value) for value in point)


def place_yaml(point: Vector) -> str:
    """`at: [x, y, z]`, to the millimetre."""
    return f"at: [{', '.join(metres(value) for value in point)}]"


def spawn_yaml(feet: Vector, degrees: float) -> str:
    """`spawn: {at: [x, y, z], facing: ...}`; the direction by its word where it has one."""
    turn = round(degrees, 1) % 360.0
    facing = next((word for word, angle in FACINGS.items() if angle == turn), metres(turn))
    return f"spawn: {{{place_yaml(feet)}, facing: {facing}}}"


def card(level: Level, picked: Picked, max_slope: float = MAX_SLOPE) -> Card:
    """The panel about what the cross-hair is on."""
    written = spot(level, picked)
    if picked.quad < 0:
        rows = [CardRow("distance", f"{picked.distance:.2f} m"), CardRow("at", place(picked.point))]
        return Card(written.label, written.short(level), tuple(rows))
    surface = level.surfaces[int(level.faces.surface[picked.quad])]
    up = picked.normal[1]
    kind, degrees = kind_of(up, max_slope), slope(up)
    if kind == WALKABLE and math.tan(math.radians(degrees)) > surface.friction:
        kind = "slippery"
    rows = [
        CardRow("surface", surface.name),
        CardRow("distance", f"{picked.distance:.2f} m"),
        CardRow("slope", f"{degrees:.1f}°, {kind}"),
        CardRow("at", place(picked.point)),
        CardRow("corner", place(nearest_corner(level, picked))),
    ]
    if not picked.solid:
        rows.append(CardRow("does not collide"))
    if not picked.drawn:
        rows.append(CardRow("collides, is not drawn"))
    return Card(written.label, written.short(level), tuple(rows))
