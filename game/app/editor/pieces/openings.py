"""Doors and windows of a wall or room: added where a wall is aimed at, and removed."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ....core.vectors import Floats, Vector
from ....level.edit import EditRefused, format_number
from ....level.format.piece_kind import Pull
from ....level.geometry.instance_transform import Matrix
from .piece_fields import PieceFields
from .transforms import to_local_offset

OPENINGS = {"door": "doors", "window": "windows"}  # the field of each kind of opening
FLAT = 0.3  # part of a unit normal along an axis below which a face is at right angles to it
WALL_TOLERANCE = 1e-3  # m by which an aimed point may lie before the inner face of a wall


@dataclass(frozen=True, slots=True)
class WallPoint:
    """A point of a wall. wall: of a room, else "". at: m along the wall. length, height: of the wall (m)."""

    wall: str
    at: float
    length: float
    height: float


def wall_point(fields: PieceFields, frame: Matrix, corners: Floats, point: Vector, normal: Vector) -> WallPoint:
    """The aimed point on a wall of a piece. EditRefused where another face is aimed at.

    frame: from the axes of the piece's numbers to the world. corners (n, 3): of the piece's faces, m (world).
    """
    local = np.array([to_local_offset(frame, corner) for corner in [*corners.tolist(), point]])
    local -= local[:-1].min(axis=0)
    size = local[:-1].max(axis=0)
    aimed = local[-1]
    across = np.array(to_local_offset(frame, normal))
    across /= max(float(np.linalg.norm(across)), 1e-9)
    if fields.record.pull is Pull.LINE:
        return _point_of_wall(fields, aimed, across, local[:-1])
    thickness = fields.number("thickness") or 0.0
    axis = 2 if abs(across[2]) > abs(across[0]) else 0
    is_far = aimed[axis] >= size[axis] - thickness - WALL_TOLERANCE
    if abs(across[1]) > FLAT or not (is_far or aimed[axis] <= thickness + WALL_TOLERANCE):
        raise EditRefused("look at a wall of the room")
    wall = (("west", "east") if axis == 0 else ("north", "south"))[int(is_far)]
    along = 2 - axis
    start, end = fields.vector("from") or [0.0] * 3, fields.vector("to") or [0.0] * 3
    return WallPoint(wall, float(aimed[along]) - thickness, abs(end[along] - start[along]), abs(end[1] - start[1]))


def _point_of_wall(fields: PieceFields, aimed: Floats, across: Floats, corners: Floats) -> WallPoint:
    start, end = fields.vector("from") or [0.0] * 2, fields.vector("to") or [0.0] * 2
    length = math.dist(start, end)
    direction = np.array((end[0] - start[0], 0.0, end[1] - start[1])) / max(length, 1e-9)
    if abs(across[1]) > FLAT or abs(float(across @ direction)) > FLAT:
        raise EditRefused("look at a side of the wall")
    at = float(aimed @ direction) - float((corners @ direction).min())
    return WallPoint("", at, length, fields.number("height") or 0.0)


def add_opening(fields: PieceFields, kind: str, place: WallPoint, grid: float) -> None:
    """Add a door or window at a point of a wall, on the grid and within the wall.

    kind: "door" or "window". EditRefused where the wall has no room for it.
    """
    name = OPENINGS[kind]
    schema = fields.field(name)
    assert schema is not None
    assert schema.record is not None
    fields_of = schema.record.fields.values()
    sizes = {field.name: float(field.default) for field in fields_of if isinstance(field.default, float)}
    sill = sizes.get("sill", 0.0)
    width = sizes["width"]
    height = min(sizes["height"], place.height - sill)
    if width > place.length or height <= 0.0:
        raise EditRefused(f"the wall has no room for a {kind}")
    at = min(max(round(place.at / grid) * grid, width / 2.0), place.length - width / 2.0)
    values = {"wall": place.wall, "at": format_number(at), "width": format_number(width)}
    values |= {"height": format_number(height)} | ({"sill": format_number(sill)} if sill else {})
    new = ", ".join(f"{field}: {value}" for field, value in values.items() if value)
    fields.document.append_item(fields.entry, name, f"{{{new}}}")
