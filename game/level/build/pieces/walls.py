"""Walls and rooms: solid cells with openings."""

from __future__ import annotations

import math

import numpy as np

from ....core import walker_defaults
from ....core.vectors import Floats
from ...format.records import RecordValues
from .flat import check_tiles, valid_holes
from .piece_builder import IDENTITY_PLACEMENT, PieceBuilder, Placement
from .rectilinear_grid import DOWN, UP, cell_range, grid_lines

Opening = tuple[float, float, float, float]  # left, right, bottom, top: metres along the wall and above its base


def build_wall(builder: PieceBuilder) -> Placement:
    """Wall along the line from `from` to `to`."""
    values = builder.values
    facing, at, length = wall_direction(builder)
    height, half, tile = values.number("height"), values.number("thickness") / 2, values.number("tile")
    check_tiles(builder, length, height)
    openings = wall_openings(builder, length, height)
    x = grid_lines(0.0, length, [edge for opening in openings for edge in opening[:2]], tile)
    y = grid_lines(0.0, height, [edge for opening in openings for edge in opening[2:]], tile)
    z = np.array([-half, half])
    solid = np.ones((len(x) - 1, len(y) - 1, 1), np.bool_)
    for left, right, low, high in openings:
        solid[cell_range(x, left, right), cell_range(y, low, high)] = False
    boundary = builder.add_grid_surface(x, y, z, solid)
    surface = np.full(len(boundary.side), values.surface("surface"), np.int32)
    builder.add_quads(boundary.corners, surface, (boundary.side == DOWN) & (boundary.corners[:, 0, 1] == 0.0))
    return facing, at


def wall_direction(builder: PieceBuilder) -> tuple[float, tuple[float, float, float], float]:
    """Rotation (degrees) from +X to the direction of the wall, its start, and its length (m)."""
    values = builder.values
    (x0, z0), (x1, z1) = values.plan_point("from"), values.plan_point("to")
    length = math.hypot(x1 - x0, z1 - z0)
    if length < 1e-2:
        builder.reject_piece("to", "the wall has no length: `from` and `to` are the same point", "move one of them")
    return math.degrees(math.atan2(z0 - z1, x1 - x0)) % 360.0, (x0, values.number("y"), z0), length


def wall_openings(builder: PieceBuilder, length: float, height: float, wall: str | None = None) -> list[Opening]:
    """Doors and windows of a wall, or of the named wall of a room. Those that do not fit are reported and left out."""
    values = builder.values
    openings = []
    for name in ("doors", "windows"):
        for entry in values.records(name):
            if wall is None or entry.text("wall") == wall:
                opening = _read_opening(builder, entry, name, length, height)
                if opening is not None:
                    openings.append(opening)
    return openings


def _read_opening(
    builder: PieceBuilder, entry: RecordValues, name: str, length: float, height: float
) -> Opening | None:
    width, tall = entry.number("width"), entry.number("height")
    sill = entry.number("sill") if name == "windows" else 0.0
    centre = entry.number("at") if entry.is_given("at") else length / 2
    left, right, top = centre - width / 2, centre + width / 2, sill + tall
    if left < -1e-6 or right > length + 1e-6:
        builder.report_dropped(
            "at" if entry.is_given("at") else "width",
            f"the opening extends from {left:.3g} m to {right:.3g} m in a wall {length:.4g} m long",
            f"`at` is its centre: use {width / 2:.3g} to {length - width / 2:.3g}"
            if width <= length
            else "make it narrower",
            entry,
        )
        return None
    if top > height + 1e-6:
        builder.report_dropped(
            "height", f"the opening reaches {top:.3g} m up a wall {height:.4g} m high", "make it lower", entry
        )
        return None
    if name == "doors":
        if tall < walker_defaults.CLEAR_HEIGHT:
            verb = "must crouch" if tall >= walker_defaults.CLEAR_CROUCH_HEIGHT else "cannot pass"
            message = f"the opening is {tall:g} m high, too low to stand: a player {verb}"
            builder.report_low("height", message, entry)
        if width < walker_defaults.CLEAR_WIDTH:
            verb = "can only pass sideways" if width >= walker_defaults.CLEAR_DEPTH else "cannot pass"
            builder.report_narrow("width", f"the opening is {width:g} m wide: a player {verb}", entry)
    return left, right, sill, top


def build_room(builder: PieceBuilder) -> Placement:
    """Walls and roof as solid cells with openings, and the floor as a sheet."""
    values = builder.values
    low = [min(values.point("from")[axis], values.point("to")[axis]) for axis in range(3)]
    high = [max(values.point("from")[axis], values.point("to")[axis]) for axis in range(3)]
    for axis, name in enumerate("xyz"):
        if high[axis] - low[axis] < 0.1:
            builder.reject_piece(
                "to", f"the room is under 0.1 m along {name}", "`from` and `to` are opposite inner corners"
            )
    thickness = values.number("thickness")
    height = high[1] - low[1]
    if values.flag("ceiling") and height < walker_defaults.CLEAR_HEIGHT:
        builder.report_low("to", f"the room is {height:.3g} m high: too low to stand")
    cuts: dict[str, list[Opening]] = {}
    for side in ("north", "east", "south", "west"):
        axis = 0 if side in ("north", "south") else 2
        cuts[side] = wall_openings(builder, high[axis] - low[axis], height, side)
    plan_cuts = [
        [low[axis] + edge for side in sides for opening in cuts[side] for edge in opening[:2]]
        for axis, sides in ((0, ("north", "south")), (2, ("east", "west")))
    ]
    y_cuts = [low[1] + edge for openings_of in cuts.values() for opening in openings_of for edge in opening[2:]]
    holes = valid_holes(builder, (low[0], high[0]), (low[2], high[2])) if values.flag("ceiling") else []
    plan_cuts[0] += [edge for hole in holes for edge in hole[:2]]
    plan_cuts[1] += [edge for hole in holes for edge in hole[2:]]
    x = grid_lines(low[0] - thickness, high[0] + thickness, [low[0], high[0], *plan_cuts[0]])
    z = grid_lines(low[2] - thickness, high[2] + thickness, [low[2], high[2], *plan_cuts[1]])
    top = high[1] + thickness if values.flag("ceiling") else high[1]
    y = grid_lines(low[1], top, [high[1], *y_cuts])
    solid = np.ones((len(x) - 1, len(y) - 1, len(z) - 1), np.bool_)
    hollow = (
        cell_range(x, low[0], high[0]),
        cell_range(y, low[1], high[1]),
        cell_range(z, low[2], high[2]),
    )
    solid[hollow] = False
    _cut_cells(solid, (x, y, z), cuts, low)
    for left, right, near, far in holes:
        solid[cell_range(x, left, right), cell_range(y, high[1], top), cell_range(z, near, far)] = False
    boundary = builder.add_grid_surface(x, y, z, solid)
    rests = (boundary.side == DOWN) & (boundary.corners[:, 0, 1] == y[0])
    builder.add_quads(boundary.corners, _room_surfaces(values, boundary.corners, boundary.side, low, high), rests)
    if values.flag("floor"):
        _add_room_floor(builder, x, z, low[1], ~solid[:, 0, :])
    return IDENTITY_PLACEMENT


def _cut_cells(
    solid: np.ndarray,
    grid: tuple[Floats, Floats, Floats],
    cuts: dict[str, list[Opening]],
    low: list[float],
) -> None:
    """Clear the cells of the openings of each wall."""
    x, y, z = grid
    first, last = slice(0, 1), slice(-1, None)
    through = {"north": first, "south": last, "west": first, "east": last}
    for side, openings in cuts.items():
        for left, right, bottom, top in openings:
            up = cell_range(y, low[1] + bottom, low[1] + top)
            if side in ("north", "south"):
                solid[cell_range(x, low[0] + left, low[0] + right), up, through[side]] = False
            else:
                solid[through[side], up, cell_range(z, low[2] + left, low[2] + right)] = False


def _room_surfaces(
    values: RecordValues, corners: Floats, side: np.ndarray, low: list[float], high: list[float]
) -> np.ndarray:
    """Surface index of each quad by its position: inner walls, ceiling, roof; `surface` elsewhere."""
    default_surface = values.surface("surface")
    centre = corners.mean(axis=1)
    inside = np.all((centre > np.array(low) - 1e-6) & (centre < np.array(high) + 1e-6), axis=1)
    surface = np.full(len(side), default_surface, np.int32)
    surface[inside] = values.surface("wall_surface", default_surface)
    surface[inside & (side == DOWN)] = values.surface("ceiling_surface", default_surface)
    roof = (side == UP) & (centre[:, 1] > high[1] - 1e-6)
    surface[roof] = values.surface("roof_surface", default_surface)
    return surface


def _add_room_floor(builder: PieceBuilder, x: Floats, z: Floats, y: float, open_cells: np.ndarray) -> None:
    """Sheet below all cells that are empty at floor level, doorways included."""
    boundary = builder.add_grid_surface(x, np.array([y - 1.0, y]), z, open_cells[:, None, :])
    shown = boundary.side == UP
    surface = builder.values.surface("floor_surface", builder.values.surface("surface"))
    count = int(shown.sum())
    builder.add_quads(boundary.corners[shown], np.full(count, surface, np.int32), np.ones(count, np.bool_))
