"""Rooms: walls and roof as solid cells with openings, and the floor as a sheet."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ....core.vectors import Flags, Floats, Ints
from ..entities.landmarks import Box, RoomShell, RoomSurfaces, WallOpening
from .flat import valid_holes
from .piece_builder import IDENTITY_PLACEMENT, PieceBuilder, Placement
from .rectilinear_grid import DOWN, UP, BoundaryQuads, cell_range, grid_lines
from .walls import wall_openings

SWAPPED_HEIGHT = 1.5  # m: a lower room was meant to be as high as it is long
SIDES = ("north", "east", "south", "west")
GridSurface = Callable[[Floats, Floats, Floats, Flags], BoundaryQuads]
RoomGrid = tuple[Floats, Floats, Floats]


def build_room(builder: PieceBuilder) -> Placement:
    """Walls, roof and floor of a room, and its shell as a marker."""
    shell = _read_shell(builder)
    builder.add_marker("room", shell, shell.low)
    grid, solid = room_cells(shell)
    boundary = builder.add_grid_surface(*grid, solid)
    builder.add_quads(boundary.corners, shell_surfaces(shell, boundary), shell_rests(grid, boundary))
    if shell.has_floor:
        floor = room_floor(shell, grid, solid, builder.add_grid_surface)
        builder.add_quads(floor, np.full(len(floor), shell.surfaces.floor, np.int32), np.ones(len(floor), np.bool_))
    return IDENTITY_PLACEMENT


def _read_shell(builder: PieceBuilder) -> RoomShell:
    values = builder.values
    builder.check_corners()
    low = [min(values.point("from")[axis], values.point("to")[axis]) for axis in range(3)]
    high = [max(values.point("from")[axis], values.point("to")[axis]) for axis in range(3)]
    for axis, name in enumerate("xyz"):
        if high[axis] - low[axis] < 0.1:
            builder.reject_piece(
                "to", f"the room is under 0.1 m along {name}", "`from` and `to` are opposite inner corners"
            )
    height = high[1] - low[1]
    if values.flag("ceiling") and height < builder.body.clear_height:
        message = f"the room is {height:.3g} m high: too low to stand"
        swap = ""
        if high[2] - low[2] >= builder.body.clear_height and height < SWAPPED_HEIGHT:
            message += "; did you swap y and z?"
            swap = "swap the last two numbers of `from` and of `to`, or "
            builder.reported_kinds.add("misplaced")
            builder.report.has_gaps |= "low" not in builder.intended
        builder.report_low("to", message, cure=swap)
    openings: list[WallOpening] = []
    for side in SIDES:
        axis = 0 if side in ("north", "south") else 2
        openings += wall_openings(builder, high[axis] - low[axis], height, side)
    holes = valid_holes(builder, (low[0], high[0]), (low[2], high[2])) if values.flag("ceiling") else []
    outside = values.surface("surface")
    return RoomShell(
        (low[0], low[1], low[2]),
        (high[0], high[1], high[2]),
        values.number("thickness"),
        values.flag("floor"),
        values.flag("ceiling"),
        values.flag("shared"),
        tuple(openings),
        tuple(holes),
        RoomSurfaces(
            outside, *(values.surface(f"{part}_surface", outside) for part in ("wall", "ceiling", "roof", "floor"))
        ),
        values.place_of("from"),
    )


def room_cells(
    shell: RoomShell, lines: Sequence[Sequence[float]] = ((), (), ()), cuts: Sequence[Box] = ()
) -> tuple[RoomGrid, Flags]:
    """Grid of a room, and its solid cells. lines: more grid lines along x, y and z. cuts: more boxes that are empty."""
    low, high, (outer_low, outer_high) = shell.low, shell.high, shell.outside
    boxes = [shell.opening_box(opening) for opening in shell.openings]
    edges: list[list[float]] = [[low[axis], high[axis], *lines[axis]] for axis in range(3)]
    for opening, (first, last) in zip(shell.openings, boxes, strict=True):
        axis = 0 if opening.wall in ("north", "south") else 2
        edges[axis] += (first[axis], last[axis])
        edges[1] += (first[1], last[1])
    for left, right, near, far in shell.holes:
        edges[0] += (left, right)
        edges[2] += (near, far)
    x, y, z = (grid_lines(outer_low[axis], outer_high[axis], edges[axis]) for axis in range(3))
    solid = np.ones((len(x) - 1, len(y) - 1, len(z) - 1), np.bool_)
    for first, last in [shell.hollow, *boxes, *shell.hole_boxes(), *cuts]:
        solid[cell_range(x, first[0], last[0]), cell_range(y, first[1], last[1]), cell_range(z, first[2], last[2])] = (
            False
        )
    return (x, y, z), solid


def shell_rests(grid: RoomGrid, boundary: BoundaryQuads) -> Flags:
    """Mask of the quads on which the walls rest."""
    rests: Flags = (boundary.side == DOWN) & (boundary.corners[:, 0, 1] == grid[1][0])
    return rests


def shell_surfaces(shell: RoomShell, boundary: BoundaryQuads) -> Ints:
    """Surface index of each quad by its position: inner walls, ceiling, roof; `outside` elsewhere."""
    side = boundary.side
    centre = boundary.corners.mean(axis=1)
    inside = np.all((centre > np.array(shell.low) - 1e-6) & (centre < np.array(shell.high) + 1e-6), axis=1)
    surface = np.full(len(side), shell.surfaces.outside, np.int32)
    surface[inside] = shell.surfaces.walls
    surface[inside & (side == DOWN)] = shell.surfaces.ceiling
    surface[(side == UP) & (centre[:, 1] > shell.high[1] - 1e-6)] = shell.surfaces.roof
    return surface


def room_floor(shell: RoomShell, grid: RoomGrid, solid: Flags, grid_surface: GridSurface) -> Floats:
    """Quads (M,4,3) of the floor below all cells that are empty at floor level, doorways included."""
    y = shell.low[1]
    boundary = grid_surface(grid[0], np.array([y - 1.0, y]), grid[2], ~solid[:, :1, :])
    corners: Floats = boundary.corners[boundary.side == UP]
    return corners
