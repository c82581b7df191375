"""What there is to say of the place under the cross-hair."""

from __future__ import annotations

import contextlib
import math
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...level.format.values import FACING_DEGREES
from ...render import Card, CardRow
from .picking import PickHit, Vector

if TYPE_CHECKING:
    from ...level import Level

MIN_UPWARD_PART = 1e-4  # of a normal's length upwards: less is upright
WALKABLE, STEEP, WALL, CEILING = "walkable", "steep", "wall", "ceiling"
MAX_SLOPE = 45.0  # degrees, of the walker's usual settings


@dataclass(frozen=True, slots=True)
class SourceLocation:
    """A place in a level file."""

    label: str
    file: str
    line: int
    column: int

    @property
    def location_text(self) -> str:
        return f"{self.file}:{self.line}"

    def relative_location_text(self, level: Level) -> str:
        """The same as seen from the level's folder."""
        with contextlib.suppress(ValueError):  # another drive
            return f"{Path(os.path.relpath(self.file, level.path.parent)).as_posix()}:{self.line}"
        return self.location_text


def source_location(level: Level, picked: PickHit) -> SourceLocation:
    """Where the piece that one looks at is written."""
    if picked.quad >= 0:
        return SourceLocation(*level.quad_origin(picked.quad))
    made = level.origins[level.faces.marks[picked.marker].origin]
    return SourceLocation(made.label, made.place.file or str(level.path), made.place.line, made.place.column)


def source_file(level: Level, spot: SourceLocation) -> Path:
    """The file that a piece is written in."""
    return level.path if spot.file == str(level.path) else Path(spot.file)


def walk_class(upwards: float, max_slope: float = MAX_SLOPE) -> str:
    """What a face is to the walker, by the part of its unit normal that points up."""
    if upwards < -MIN_UPWARD_PART:
        return CEILING
    if upwards >= math.cos(math.radians(max_slope)) - MIN_UPWARD_PART:
        return WALKABLE
    return STEEP if upwards > MIN_UPWARD_PART else WALL


def slope_degrees(upwards: float) -> float:
    """Degrees from level: 0 a floor or a flat ceiling, 90 a wall."""
    return math.degrees(math.acos(min(1.0, abs(upwards))))


def nearest_corner(level: Level, picked: PickHit) -> Vector:
    """The corner of the face that is nearest to the place; what has no face is its own."""
    if picked.quad < 0:
        return picked.point
    corners = level.faces.corners[picked.quad]
    at = int(np.argmin(np.linalg.norm(corners - np.asarray(picked.point), axis=1)))
    x, y, z = corners[at].tolist()
    return x, y, z


def format_metres(value: float) -> str:
    """At most three decimals, never -0."""
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def format_position(point: Vector) -> str:
    return "  ".join(format_metres(value) for value in point)


def position_yaml(point: Vector) -> str:
    """`at: [x, y, z]`, to the millimetre."""
    return f"at: [{', '.join(format_metres(value) for value in point)}]"


def spawn_yaml(feet: Vector, degrees: float) -> str:
    """`spawn: {at: [x, y, z], facing: ...}`; the direction by its word where it has one."""
    turn = round(degrees, 1) % 360.0
    facing = next((word for word, angle in FACING_DEGREES.items() if angle == turn), format_metres(turn))
    return f"spawn: {{{position_yaml(feet)}, facing: {facing}}}"


def inspector_card(level: Level, picked: PickHit, max_slope: float = MAX_SLOPE) -> Card:
    """The panel about what the cross-hair is on."""
    written = source_location(level, picked)
    if picked.quad < 0:
        rows = [CardRow("distance", f"{picked.distance:.2f} m"), CardRow("at", format_position(picked.point))]
        return Card(written.label, written.relative_location_text(level), tuple(rows))
    surface = level.surfaces[int(level.faces.surface[picked.quad])]
    up = picked.normal[1]
    kind, degrees = walk_class(up, max_slope), slope_degrees(up)
    if kind == WALKABLE and math.tan(math.radians(degrees)) > surface.friction:
        kind = "slippery"
    rows = [
        CardRow("surface", surface.name),
        CardRow("distance", f"{picked.distance:.2f} m"),
        CardRow("slope", f"{degrees:.1f}°, {kind}"),
        CardRow("at", format_position(picked.point)),
        CardRow("corner", format_position(nearest_corner(level, picked))),
    ]
    if not picked.solid:
        rows.append(CardRow("does not collide"))
    if not picked.drawn:
        rows.append(CardRow("collides, but is not drawn"))
    return Card(written.label, written.relative_location_text(level), tuple(rows))
