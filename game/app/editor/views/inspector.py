"""Inspector: source location, slope, surface and coordinates of the point under the cross-hair."""

from __future__ import annotations

import contextlib
import math
import os
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ....core.vectors import Vector, to_point
from ....core.walker_settings import DEFAULT_SETTINGS
from ....level.edit import format_number, format_point
from ....level.format.numbers import FACING_DEGREES
from ....render import Card, CardRow
from ..picking import PickHit

if TYPE_CHECKING:
    from ....level import Level

SNAP_COSINE = math.cos(math.radians(1.6))  # the cross-hair takes a corner that it is so near to
MIN_UPWARD_PART = 1e-4  # upward part of a unit normal below which a face is vertical
WALKABLE = "walkable"
STEEP = "steep"
WALL = "wall"
CEILING = "ceiling"


def source_location(level: Level, picked: PickHit) -> tuple[str, str, int, int]:
    """Label of the picked piece, and file, line and column where it is written."""
    if picked.handle is None:
        return level.quad_origin(picked.quad)
    place = picked.handle.selection.source_place
    return picked.handle.label, place.file or str(level.path), place.line, place.column


def walk_class(upwards: float, max_slope: float = DEFAULT_SETTINGS.max_slope) -> str:
    """Class of a face for the walker, by the upward part of its unit normal."""
    if upwards < -MIN_UPWARD_PART:
        return CEILING
    if upwards >= math.cos(math.radians(max_slope)) - MIN_UPWARD_PART:
        return WALKABLE
    return STEEP if upwards > MIN_UPWARD_PART else WALL


def slope_degrees(upwards: float) -> float:
    """Slope (degrees): 0 for a floor or a flat ceiling, 90 for a wall."""
    return math.degrees(math.acos(min(1.0, abs(upwards))))


def nearest_corner(level: Level, picked: PickHit) -> Vector:
    """Corner of the picked face nearest to the point; the point itself without a face."""
    if picked.quad < 0:
        return picked.point
    corners = level.faces.corners[picked.quad]
    nearest = int(np.argmin(np.linalg.norm(corners - np.asarray(picked.point), axis=1)))
    return to_point(corners[nearest])


def snap_to_corner(eye: Vector, at: Vector, corner: Vector) -> Vector:
    """The corner if it appears close to `at` from the eye, else `at`."""
    to_point, to_corner = np.subtract(at, eye), np.subtract(corner, eye)
    size = float(np.linalg.norm(to_point) * np.linalg.norm(to_corner))
    return corner if size > 0.0 and float(to_point @ to_corner) >= SNAP_COSINE * size else at


def format_to_millimetre(value: float) -> str:
    """A length to the millimetre."""
    return format_number(value, 3)


def format_position(point: Vector) -> str:
    return "  ".join(format_to_millimetre(value) for value in point)


def position_yaml(point: Vector) -> str:
    """`at: [x, y, z]`, to the millimetre."""
    return f"at: {format_point(point, 3)}"


def spawn_yaml(feet: Vector, degrees: float) -> str:
    """`spawn: {at: [x, y, z], facing: ...}`; the direction by its word where it has one."""
    turn = round(degrees, 1) % 360.0
    facing = next((word for word, angle in FACING_DEGREES.items() if angle == turn), format_to_millimetre(turn))
    return f"spawn: {{{position_yaml(feet)}, facing: {facing}}}"


def inspector_card(level: Level, picked: PickHit) -> Card:
    """Card about the picked face or model."""
    label, file, line, _ = source_location(level, picked)
    with contextlib.suppress(ValueError):  # another drive
        file = Path(os.path.relpath(file, level.path.parent)).as_posix()
    if picked.quad < 0:
        rows = [CardRow("distance", f"{picked.distance:.2f} m"), CardRow("at", format_position(picked.point))]
        return Card(label, f"{file}:{line}", tuple(rows))
    surface = level.surfaces[int(level.faces.surface[picked.quad])]
    up = picked.normal[1]
    kind = walk_class(up, level.player.max_slope)
    degrees = slope_degrees(up)
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
    return Card(label, f"{file}:{line}", tuple(rows))
