"""Rooms: walls, roof and floor as solid cells with openings; a floor without a thickness as a sheet."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ....core.vectors import Flags, Floats, Ints
from ...format.numbers import Length, Point
from ...format.piece_kind import Pull, Surfaced, Turn, building
from ...format.record_values import Many
from ...format.values import Choice, Flag, Surface
from ...geometry.faces import unit_normals
from ..entities.landmarks import Box, RoomShell, RoomSurfaces, WallOpening
from .flat import HoleFields, valid_holes
from .piece_builder import EAST, IDENTITY_PLACEMENT, BuiltPiece, PieceBuilder, Placement
from .rectilinear_grid import DOWN, UP, BoundaryQuads, cell_range, grid_lines
from .walls import MAX_OPENINGS, Door, Window, wall_openings

SIDES = ("north", "east", "south", "west")
GridSurface = Callable[[Floats, Floats, Floats, Flags], BoundaryQuads]
RoomGrid = tuple[Floats, Floats, Floats]


class RoomDoor(Door):
    """A doorway; `at` is measured inside, from the west end (north and south walls) or the north end."""

    wall = Choice("The wall it is in.", SIDES, required=True)


class RoomWindow(Window):
    """A window opening; `at` is measured as for doors."""

    wall = Choice("The wall it is in.", SIDES, required=True)


class Room(BuiltPiece, Surfaced):
    """Four walls, a floor, and a ceiling with a roof. `from` and `to` give the clear space inside."""

    kind = "room"
    example = "room: {from: [8, 0, -8], to: [16, 3, 0], doors: [{wall: west, at: 4, width: 1.2}]}"
    pull = Pull.SPAN
    turns = Turn.AS_A_WHOLE
    new = building(
        "room: {from: [-3, 0, -3], to: [3, 3, 3], doors: [{wall: south, at: 3, width: 1.2}], surface: @}",
        "house hall chamber walls",
        "Four walls, floor and ceiling, with a doorway.",
    )
    from_ = Point("One inner corner.")
    to = Point("The opposite inner corner.")
    thickness = Length("Thickness of the walls, outwards.", 0.2)
    floor = Flag(
        "Whether it has its own floor. With `floor_thickness` or `floor_surface` it takes the place of ground at its "
        "height, as far as the outside of the walls; else it is left out there.",
        True,
    )
    floor_thickness = Length("Thickness of the floor, a slab under the walls; 0 for a face between them.", 0.0, 0.0)
    ceiling = Flag("Whether it has a ceiling and a roof.", True)
    ceiling_thickness = Length("Thickness of the slab between ceiling and roof. Default: `thickness`.").optional()
    shared = Flag(
        "Whether its walls merge with those of rooms next to it: one wall, with the openings of both rooms. The inner "
        "faces must be one to two wall thicknesses apart.",
        False,
    )
    doors = Many("Doorways.", RoomDoor, MAX_OPENINGS)
    windows = Many("Window openings.", RoomWindow, MAX_OPENINGS)
    holes = Many("Holes in the ceiling.", HoleFields, 16)
    floor_holes = Many("Holes in the floor.", HoleFields, 16)
    floor_surface = Surface("Surface of the floor. Default: `surface`.", otherwise="surface")
    wall_surface = Surface("Surface of the inside of the walls. Default: `surface`.", otherwise="surface")
    ceiling_surface = Surface("Surface of the ceiling. Default: `surface`.", otherwise="surface")
    roof_surface = Surface("Surface of the roof. Default: `surface`.", otherwise="surface")

    def build(self, out: PieceBuilder) -> Placement:
        """Walls, roof and floor, and its shell as a marker."""
        shell = self._shell(out)
        out.add_marker("room", shell, shell.low)
        grid, solid = room_cells(shell)
        boundary = out.add_grid_surface(*grid, solid)
        out.add_quads(boundary.corners, shell_surfaces(shell, boundary), shell_rests(grid, boundary))
        if shell.has_floor and not shell.floor:
            floor = room_floor(shell, grid, solid, out.add_grid_surface)
            out.add_quads(floor, np.full(len(floor), shell.surfaces.floor, np.int32), np.ones(len(floor), np.bool_))
        return IDENTITY_PLACEMENT

    def _shell(self, out: PieceBuilder) -> RoomShell:
        low = [min(pair) for pair in zip(self.from_, self.to, strict=True)]
        high = [max(pair) for pair in zip(self.from_, self.to, strict=True)]
        for axis, name in enumerate("xyz"):
            if high[axis] - low[axis] < 0.1:
                message = f"the room is under 0.1 m along {name}"
                out.reject_piece(Room.to, message, "`from` and `to` are opposite inner corners")
        height = high[1] - low[1]
        if self.ceiling and height < out.body.clear_height:
            out.report_low(Room.to, f"the room is {height:.3g} m high: too low to stand")
        openings: list[WallOpening] = []
        for side in SIDES:
            axis = 0 if side in ("north", "south") else 2
            doors = [door for door in self.doors if door.wall == side]
            windows = [window for window in self.windows if window.wall == side]
            openings += wall_openings(out, doors, windows, high[axis] - low[axis], height, side)
        spans = (low[0], high[0]), (low[2], high[2])
        holes = valid_holes(out, self.holes, *spans, "ceiling") if self.ceiling else []
        floor_holes = valid_holes(out, self.floor_holes, *spans) if self.floor else []
        ceiling = self.thickness if self.ceiling_thickness is None else self.ceiling_thickness
        surfaces = RoomSurfaces(
            self.surface, self.wall_surface, self.ceiling_surface, self.roof_surface, self.floor_surface
        )
        return RoomShell(
            (low[0], low[1], low[2]),
            (high[0], high[1], high[2]),
            self.thickness,
            self.floor_thickness if self.floor else 0.0,
            ceiling if self.ceiling else 0.0,
            self.floor,
            self.ceiling,
            self.floor and (self.floor_thickness > 0.0 or self.is_given(Room.floor_surface)),
            self.shared,
            tuple(openings),
            tuple(holes),
            tuple(floor_holes),
            surfaces,
            self.place_of(Room.from_),
        )

    def texture_frames(self, corners: Floats) -> Floats:
        low, high = corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
        inner = np.sort(np.array([self.from_, self.to]), axis=0)
        return room_texture_frames(corners, np.stack([low, high]), inner)


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
    for left, right, near, far in (*shell.holes, *shell.floor_holes):
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
    """Surface index of each quad by its position: inner walls, ceiling, roof, floor; `outside` elsewhere."""
    side = boundary.side
    centre = boundary.corners.mean(axis=1)
    inside = np.all((centre > np.array(shell.low) - 1e-6) & (centre < np.array(shell.high) + 1e-6), axis=1)
    surface = np.full(len(side), shell.surfaces.outside, np.int32)
    surface[inside] = shell.surfaces.walls
    surface[inside & (side == DOWN)] = shell.surfaces.ceiling
    surface[(side == UP) & (centre[:, 1] > shell.high[1] - 1e-6)] = shell.surfaces.roof
    surface[(side == UP) & (np.abs(centre[:, 1] - shell.low[1]) < 1e-6)] = shell.surfaces.floor
    return surface


def room_floor(shell: RoomShell, grid: RoomGrid, solid: Flags, grid_surface: GridSurface) -> Floats:
    """Quads (M,4,3) of the floor below all cells that are empty at floor level, with doorways, without its holes."""
    y = shell.low[1]
    x, _, z = grid
    floor = ~solid[:, :1, :]
    for left, right, near, far in shell.floor_holes:
        floor[cell_range(x, left, right), :, cell_range(z, near, far)] = False
    boundary = grid_surface(x, np.array([y - 1.0, y]), z, floor)
    corners: Floats = boundary.corners[boundary.side == UP]
    return corners


def room_texture_frames(corners: Floats, outside: Floats, inner: Floats) -> Floats:
    """Frames (M,3,3) of the faces (M,4,3) of a room. outside, inner (2,3): its bounds, and those of its hollow."""
    centre = corners.mean(axis=1)
    inside = ((centre > inner[0] - 1e-6) & (centre < inner[1] + 1e-6)).all(axis=1)
    inside |= (np.abs(centre[:, 1] - inner[0, 1]) < 1e-6) & (unit_normals(corners)[:, 1] > 0.5)  # in doorways
    low, high = np.where(inside[:, None, None], inner, outside).swapaxes(0, 1)
    return np.stack([low, high, low + EAST], axis=1)
