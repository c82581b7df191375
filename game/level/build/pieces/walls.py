"""Walls: solid cells with openings."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ...format.records import RecordValues
from ..entities.landmarks import WallLine, WallOpening
from .flat import check_tiles
from .piece_builder import PieceBuilder, Placement
from .rectilinear_grid import DOWN, cell_range, grid_lines

MIN_DOOR_OVERLAP = 0.01  # m along the wall


def build_wall(builder: PieceBuilder) -> Placement:
    """Wall along the line from `from` to `to`."""
    values = builder.values
    facing, at, length = wall_direction(builder)
    height = values.number("height")
    half = values.number("thickness") / 2
    tile = values.number("tile")
    check_tiles(builder, length, height)
    openings = wall_openings(builder, length, height)
    x = grid_lines(0.0, length, [edge for opening in openings for edge in (opening.left, opening.right)], tile)
    y = grid_lines(0.0, height, [edge for opening in openings for edge in (opening.bottom, opening.top)], tile)
    z = np.array([-half, half])
    solid = np.ones((len(x) - 1, len(y) - 1, 1), np.bool_)
    for opening in openings:
        solid[cell_range(x, opening.left, opening.right), cell_range(y, opening.bottom, opening.top)] = False
    boundary = builder.add_grid_surface(x, y, z, solid)
    surface = np.full(len(boundary.side), values.surface("surface"), np.int32)
    builder.add_quads(boundary.corners, surface, (boundary.side == DOWN) & (boundary.corners[:, 0, 1] == 0.0))
    if openings:
        builder.add_marker("wall", WallLine(2 * half, openings))
    return facing, at


def wall_direction(builder: PieceBuilder) -> tuple[float, tuple[float, float, float], float]:
    """Rotation (degrees) from +X to the direction of the wall, its start, and its length (m)."""
    values = builder.values
    (x0, z0), (x1, z1) = values.plan_point("from"), values.plan_point("to")
    length = math.hypot(x1 - x0, z1 - z0)
    if length < 1e-2:
        builder.reject_piece("to", "the wall has no length: `from` and `to` are the same point", "move one of them")
    return math.degrees(math.atan2(z0 - z1, x1 - x0)) % 360.0, (x0, values.number("y"), z0), length


def wall_openings(builder: PieceBuilder, length: float, height: float, wall: str = "") -> tuple[WallOpening, ...]:
    """Doors and windows of a wall, or of the named wall of a room. Those that do not fit are reported and left out."""
    openings: list[WallOpening] = []
    for name in ("doors", "windows"):
        entries = [entry for entry in builder.values.records(name) if not wall or entry.text("wall") == wall]
        for number, entry in enumerate(entries, start=1):
            opening = _read_opening(builder, entry, (name, number, wall), length, height)
            if opening is not None:
                if name == "doors":
                    _report_overlap(builder, entry, opening, openings)
                openings.append(opening)
    return tuple(openings)


def _report_overlap(
    builder: PieceBuilder, entry: RecordValues, door: WallOpening, earlier: Sequence[WallOpening]
) -> None:
    """Warn about a doorway that overlaps an earlier one. Windows may overlap: two of them make a cross."""
    for other in earlier:
        overlap = min(door.right, other.right) - max(door.left, other.left)
        if overlap > MIN_DOOR_OVERLAP:
            left, right = min(door.left, other.left), max(door.right, other.right)
            builder.report_warning(
                "overlap",
                "at",
                f"{door.describe()} overlaps doorway {other.number} over {overlap:.3g} m: "
                f"they are one opening from {left:.3g} m to {right:.3g} m",
                "move one of them with `at`, remove one, or add `intended: [overlap]`",
                entry,
            )
            return


def _read_opening(
    builder: PieceBuilder, entry: RecordValues, identity: tuple[str, int, str], length: float, height: float
) -> WallOpening | None:
    name, number, wall = identity
    width, tall = entry.number("width"), entry.number("height")
    sill = entry.number("sill") if name == "windows" else 0.0
    centre = entry.number("at") if entry.is_given("at") else length / 2
    left, right, top = centre - width / 2, centre + width / 2, sill + tall
    if left < -1e-6 or right > length + 1e-6:
        builder.report_dropped(
            "at" if entry.is_given("at") and width <= length else "width",
            f"the opening extends from {left:.3g} m to {right:.3g} m in a wall {length:.4g} m long",
            f"`at` is its centre: use {width / 2:.3g} to {length - width / 2:.3g}"
            if width <= length
            else "make it narrower",
            entry,
        )
        return None
    if top > height + 1e-6:
        is_low_room = wall and height < builder.body.clear_height and "low" in builder.reported_kinds - builder.intended
        if not is_low_room:  # which has its own finding
            message = f"the opening reaches {top:.3g} m up a wall {height:.4g} m high"
            builder.report_dropped("height", message, "make it lower", entry)
        return None
    if name == "doors":
        if tall < builder.body.clear_height:
            verb = "must crouch" if tall >= builder.body.clear_crouch_height else "cannot pass"
            message = f"the opening is {tall:g} m high, too low to stand: {builder.player} {verb}"
            builder.report_low("height", message, entry)
        if width < builder.body.clear_width:
            verb = "can only pass sideways" if width >= builder.body.clear_depth else "cannot pass"
            builder.report_narrow("width", f"the opening is {width:g} m wide: {builder.player} {verb}", entry)
    kind = "doorway" if name == "doors" else "window"
    return WallOpening(kind, number, wall, left, right, sill, top, entry.place)
