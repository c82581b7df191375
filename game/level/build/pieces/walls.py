"""Walls with openings: solid cells with doors and windows, and walls with an arch."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ....core.vectors import Floats, Vector
from ...format.numbers import Coordinate, Count, Length, Plan
from ...format.piece_kind import Pull, Surfaced, Turn, building
from ...format.record import Record
from ...format.record_values import Many
from ...format.values import Surface
from ...geometry.faces import unit_normals
from ..entities.landmarks import WallLine, WallOpening
from .flat import tile_field
from .piece_builder import BuiltPiece, PieceBuilder, Placement
from .rectilinear_grid import DOWN, cell_range, grid_lines

MIN_DOOR_OVERLAP = 0.01  # m along the wall
MAX_OPENINGS = 32  # doors or windows of a wall or room


class Door(Record):
    """A doorway in a wall."""

    kind = "door"
    at = Coordinate("Position of its centre along the wall. Default: the middle of the wall.").optional()
    width = Length("Clear width.", 1.0)
    height = Length("Clear height.", 2.1)


class Window(Record):
    """A window opening in a wall."""

    kind = "window"
    at = Coordinate("Position of its centre along the wall. Default: the middle of the wall.").optional()
    width = Length("Clear width.", 1.2)
    height = Length("Clear height.", 1.2)
    sill = Length("Height of its lower edge above the bottom of the wall.", 0.9)


def wall_openings(
    out: PieceBuilder,
    doors: Sequence[Door],
    windows: Sequence[Window],
    length: float,
    height: float,
    wall: str = "",
) -> tuple[WallOpening, ...]:
    """Openings of a wall, or of the named wall of a room. Those that do not fit are reported and left out."""
    openings: list[WallOpening] = []
    lists: tuple[Sequence[Door | Window], ...] = doors, windows
    for entries in lists:
        for number, entry in enumerate(entries, start=1):
            opening = _fit_opening(out, entry, number, length, height, wall)
            if opening is not None:
                if isinstance(entry, Door):
                    _report_overlap(out, entry, opening, openings)
                openings.append(opening)
    return tuple(openings)


def _report_overlap(out: PieceBuilder, entry: Door, door: WallOpening, earlier: Sequence[WallOpening]) -> None:
    """Warn about a doorway that overlaps an earlier one. Windows may overlap: two of them make a cross."""
    for other in earlier:
        overlap = min(door.right, other.right) - max(door.left, other.left)
        if overlap > MIN_DOOR_OVERLAP:
            left, right = min(door.left, other.left), max(door.right, other.right)
            out.report_warning(
                "overlap",
                Door.at,
                f"{door.describe()} overlaps doorway {other.number} over {overlap:.3g} m: "
                f"they are one opening from {left:.3g} m to {right:.3g} m",
                "move one of them with `at`, remove one, or add `intended: [overlap]`",
                entry,
            )
            return


def _fit_opening(
    out: PieceBuilder, entry: Door | Window, number: int, length: float, height: float, wall: str
) -> WallOpening | None:
    width, tall = entry.width, entry.height
    sill = entry.sill if isinstance(entry, Window) else 0.0
    centre = length / 2 if entry.at is None else entry.at
    left, right, top = centre - width / 2, centre + width / 2, sill + tall
    if left < -1e-6 or right > length + 1e-6:
        message = f"the opening extends from {left:.3g} m to {right:.3g} m in a wall {length:.4g} m long"
        cure = "make it narrower"
        if width <= length:
            cure = f"`at` is its centre: use {width / 2:.3g} to {length - width / 2:.3g}"
        field = Door.at if entry.at is not None and width <= length else Door.width
        out.report_dropped(field, message, cure, entry)
        return None
    if top > height + 1e-6:
        is_low_room = wall and height < out.body.clear_height and "low" in out.reported_kinds - out.intended
        if not is_low_room:  # which has its own finding
            message = f"the opening reaches {top:.3g} m up a wall {height:.4g} m high"
            out.report_dropped(Door.height, message, "make it lower", entry)
        return None
    if isinstance(entry, Door):
        if tall < out.body.clear_height:
            verb = "must crouch" if tall >= out.body.clear_crouch_height else "cannot pass"
            message = f"the opening is {tall:g} m high, too low to stand: {out.player} {verb}"
            out.report_low(Door.height, message, entry)
        if width < out.body.clear_width:
            verb = "can only pass sideways" if width >= out.body.clear_depth else "cannot pass"
            out.report_narrow(Door.width, f"the opening is {width:g} m wide: {out.player} {verb}", entry)
    kind = "doorway" if isinstance(entry, Door) else "window"
    return WallOpening(kind, number, wall, left, right, sill, top, entry.place)


class CentreLine(BuiltPiece, Surfaced):
    """A piece along a line on the plan."""

    has_openings = True
    pull = Pull.LINE
    turns = Turn.AS_A_WHOLE
    from_ = Plan("Start of its centre line.")
    to = Plan("End of its centre line.")
    y = Coordinate("Height of its base.", 0.0)

    def direction(self, out: PieceBuilder) -> tuple[float, Vector, float]:
        """Rotation (degrees) from +X to the direction of the line, its start, and its length (m)."""
        (x0, z0), (x1, z1) = self.from_, self.to
        length = math.hypot(x1 - x0, z1 - z0)
        if length < 1e-2:
            message = "the wall has no length: `from` and `to` are the same point"
            out.reject_piece(CentreLine.to, message, "move one of them")
        return math.degrees(math.atan2(z0 - z1, x1 - x0)) % 360.0, (x0, self.y, z0), length


class Wall(CentreLine):
    """A vertical wall along a line, with doorways and windows."""

    kind = "wall"
    example = "wall: {from: [0, 0], to: [6, 0], doors: [{at: 2}], windows: [{at: 4.5}]}"
    new = building("wall: {from: [-2, 0], to: [2, 0], height: 3, surface: @}", hint="An upright wall.")
    variants = (
        building(
            "wall: {from: [-2, 0], to: [2, 0], height: 3, doors: [{at: 2, width: 1.2}], surface: @}",
            "doorway opening gate",
            "A wall with an open doorway.",
            "wall with door",
        ),
        building(
            "wall: {from: [-2, 0], to: [2, 0], height: 3, windows: [{at: 2}], surface: @}",
            "opening",
            "A wall with a window.",
            "wall with window",
        ),
    )
    from_, to, y = CentreLine.from_, CentreLine.to, CentreLine.y
    height = Length("Height from base to top.", 3.0)
    thickness = Length("Thickness, centred on the line.", 0.2)
    doors = Many("Doorways.", Door, MAX_OPENINGS)
    windows = Many("Window openings.", Window, MAX_OPENINGS)
    tile = tile_field()

    def build(self, out: PieceBuilder) -> Placement:
        """Solid cells along +X."""
        facing, at, length = self.direction(out)
        height, half = self.height, self.thickness / 2
        out.check_tiles(self.tile, length, height)
        openings = wall_openings(out, self.doors, self.windows, length, height)
        edges = [edge for opening in openings for edge in (opening.left, opening.right)]
        x = grid_lines(0.0, length, edges, self.tile)
        edges = [edge for opening in openings for edge in (opening.bottom, opening.top)]
        y = grid_lines(0.0, height, edges, self.tile)
        z = np.array([-half, half])
        solid = np.ones((len(x) - 1, len(y) - 1, 1), np.bool_)
        for opening in openings:
            solid[cell_range(x, opening.left, opening.right), cell_range(y, opening.bottom, opening.top)] = False
        boundary = out.add_grid_surface(x, y, z, solid)
        surface = np.full(len(boundary.side), self.surface, np.int32)
        out.add_quads(boundary.corners, surface, (boundary.side == DOWN) & (boundary.corners[:, 0, 1] == 0.0))
        if openings:
            out.add_marker("wall", WallLine(2 * half, openings))
        return facing, at


class Arch(CentreLine):
    """A wall along a line with one arched opening."""

    kind = "arch"
    example = "arch: {from: [0, 0], to: [4, 0], height: 3.5, width: 1.6, spring: 2}"
    is_arched = True
    new = building(
        "arch: {from: [-2, 0], to: [2, 0], height: 3.5, width: 1.6, spring: 2, surface: @}",
        "gate vault doorway",
        "A wall with a round arch.",
    )
    from_, to, y = CentreLine.from_, CentreLine.to, CentreLine.y
    height = Length("Height from base to top.", 3.5)
    thickness = Length("Thickness, centred on the line.", 0.4)
    at = Coordinate("Position of the centre of the opening along the line. Default: the middle.").optional()
    width = Length("Clear width of the opening.", 1.6)
    spring = Length("Height at which the arch begins; its top is half the width higher.", 2.0)
    segments = Count("Number of straight segments of the arch.", 12, 2, 32)
    inner_surface = Surface("Surface of the inside of the opening. Default: `surface`.", otherwise="surface")

    def build(self, out: PieceBuilder) -> Placement:
        """Piers, columns of quads above the arch, and the inside of the opening."""
        facing, at, length = self.direction(out)
        height, half, width, spring, segments = self.height, self.thickness / 2, self.width, self.spring, self.segments
        centre = length / 2 if self.at is None else self.at
        left, right, crown = centre - width / 2, centre + width / 2, spring + width / 2
        if left < 0.01 or right > length - 0.01:
            message = f"the opening extends from {left:.3g} m to {right:.3g} m in a wall {length:.4g} m long"
            out.reject_piece(Arch.width, message, "leave some wall on both sides")
        if crown > height - 0.01:
            message = f"the top of the opening is at {crown:.3g} m, above the wall"
            out.reject_piece(Arch.height, message, f"make the wall higher than {crown:.3g} m")
        if width < out.body.clear_width:
            out.report_narrow(Arch.width, f"the opening is {width:g} m wide: too narrow for {out.player}")
        if crown < out.body.clear_height:
            least = math.ceil(out.body.clear_height * 100.0 - 1e-6) / 100.0  # one stands at its sides too
            cure = f"write `spring: {least:g}`"
            if least + width / 2 > height - 0.01:
                cure += f" and `height: {least + width / 2 + 0.2:.3g}`"
            message = f"the top of the opening is at {crown:g} m: too low to stand"
            out.report_low(Arch.spring, message, cure=f"{cure}, or ")
        outer, inner = self.surface, self.inner_surface
        angles = [math.pi * (1 - k / segments) for k in range(segments + 1)]
        arch = [(centre + width / 2 * math.cos(angle), spring + width / 2 * math.sin(angle)) for angle in angles]
        arch[0], arch[-1] = (left, spring), (right, spring)

        def add_both_sides(corners: list[tuple[float, float]]) -> None:
            """Add a face to each side of the wall; corners counter-clockwise in (x, y)."""
            a, b, c, d = ((x, y, half) for x, y in corners)
            out.add_quad(a, b, c, d, outer)
            a, b, c, d = ((x, y, -half) for x, y in reversed(corners))
            out.add_quad(a, b, c, d, outer)

        def add_through(x: float, y: float, x2: float, y2: float, surface: int, rests: bool = False) -> None:
            """Add a face across the thickness; its front is left of the line (x, y) to (x2, y2)."""
            out.add_quad((x, y, -half), (x, y, half), (x2, y2, half), (x2, y2, -half), surface, rests)

        for x0, x1 in ((0.0, left), (right, length)):
            add_both_sides([(x0, 0.0), (x1, 0.0), (x1, spring), (x0, spring)])
            add_both_sides([(x0, spring), (x1, spring), (x1, height), (x0, height)])
            add_through(x0, height, x1, height, outer)
            add_through(x1, 0.0, x0, 0.0, outer, rests=True)
        for y0, y1 in ((0.0, spring), (spring, height)):
            add_through(0.0, y0, 0.0, y1, outer)
            add_through(length, y1, length, y0, outer)
        add_through(left, spring, left, 0.0, inner)
        add_through(right, 0.0, right, spring, inner)
        for (x0, y0), (x1, y1) in pairwise(arch):
            add_both_sides([(x0, y0), (x1, y1), (x1, height), (x0, height)])
            add_through(x0, height, x1, height, outer)
            add_through(x1, y1, x0, y0, inner)
        return facing, at

    def texture_frames(self, corners: Floats) -> Floats:
        """The inside of the opening has a frame of its own."""
        frames = super().texture_frames(corners)
        lows, highs = frames[:, 0], frames[:, 1]
        low, high = lows[0].copy(), highs[0].copy()
        centre = corners.mean(axis=1)
        half = self.width / 2
        middle = high[0] / 2 if self.at is None else self.at
        inside = (np.abs(centre[:, 0] - middle) < half + 1e-6) & (np.abs(unit_normals(corners)[:, 2]) < 0.5)
        inside &= centre[:, 1] < self.spring + half - 1e-9
        inside &= (np.abs(centre[:, 1] - low[1]) > 1e-6) | (np.abs(centre[:, 0] - middle) > half - 1e-6)
        lows[inside, 0], highs[inside, 0] = middle - half, middle + half
        highs[inside, 1] = self.spring + half
        frames[:, 2, 0] = lows[:, 0] + 1.0
        return frames
