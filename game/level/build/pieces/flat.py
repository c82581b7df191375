"""Pieces with a few flat faces: quad, triangle, floor, box, ramp, pillar."""

from __future__ import annotations

import math

import numpy as np

from ....core import vectors
from ....core.vectors import Corner, Vector
from ...format.numbers import Angle, Coordinate, Corners, Count, Length, Number, Plan, Point
from ...format.piece_kind import Form, Pull, Surfaced, Turn, building, ways
from ...format.record import Record, Value
from ...format.record_values import Many
from ...format.values import Flag, Surface
from ...geometry.quads import find_quad_fault
from ..entities.landmarks import Hole, RampFoot
from .piece_builder import IDENTITY_PLACEMENT, BuiltPiece, PieceBuilder, Placement
from .rectilinear_grid import DOWN, UP, cell_range, grid_lines

RAMP_SLAB = 0.1  # metres: thickness of an open ramp
MIN_FLIGHT_HEIGHT, MIN_FLIGHT_LENGTH = 0.01, 0.05  # metres
MIN_RIM = 0.05  # metres: a hole with a narrower rim leaves nothing to stand on


def tile_field() -> Number:
    """The field `tile`."""
    return Number("Splits it into quads of at most this size; 0 does not split.", 0.0, "m", 0.0, 1000.0)


class Polygon(BuiltPiece, Surfaced):
    """A face with the corners as written, if they are valid."""

    form = Form.POLYGON
    corners: tuple[Vector, ...]

    def build(self, out: PieceBuilder) -> Placement:
        fault = find_quad_fault(self.corners)
        if fault is not None:
            out.reject_piece(self.fields["corners"], *fault)
        if len(self.corners) == 3:
            a, b, c = self.corners
            out.add_triangle(a, b, c, self.surface)
        else:
            a, b, c, d = self.corners
            out.add_quad(a, b, c, d, self.surface)
        return IDENTITY_PLACEMENT


class Quad(Polygon):
    """A flat convex quad. Its corners are in order, counter-clockwise seen from the front."""

    kind = "quad"
    example = "quad: {corners: [[0, 0, 0], [4, 0, 0], [4, 1, -4], [0, 1, -4]]}"
    new = building(
        "quad: {corners: [[-2, 0, 2], [2, 0, 2], [2, 1, -2], [-2, 1, -2]], surface: @}",
        "face slope",
        "One face with four corners.",
    )
    corners = Corners("The four corners.", 4, 4, required=True)


class Triangle(Polygon):
    """A triangle. Its corners are counter-clockwise seen from the front."""

    kind = "triangle"
    example = "triangle: {corners: [[0, 0, 0], [4, 0, 0], [0, 0, -4]]}"
    new = building(
        "triangle: {corners: [[-2, 0, 2], [2, 0, 2], [-2, 0, -2]], surface: @}", "face", "One face with three corners."
    )
    corners = Corners("The three corners.", 3, 3, required=True)


class HoleFields(Record):
    """A rectangular hole, seen from above."""

    kind = "hole"
    from_ = Plan("One corner.")
    to = Plan("The opposite corner.")


class Floor(BuiltPiece, Surfaced):
    """A horizontal rectangle."""

    kind = "floor"
    example = "floor: {from: [-20, -20], to: [20, 20]}"
    form = Form.SHEET
    pull = Pull.SLAB
    turns = Turn.AS_A_WHOLE
    new = building(
        "floor: {from: [-2, -2], to: [2, 2], thickness: 0.2, surface: @}",
        "ground plane platform",
        "A slab, which may have holes.",
    )
    from_ = Plan("One corner.")
    to = Plan("The opposite corner.")
    y = Coordinate("Height of the top.", 0.0)
    thickness = Length("Thickness of the slab, downwards; 0 makes a single face.", 0.0, low=0.0)
    holes = Many("Holes, for example for stairs.", HoleFields, 16)
    tile = tile_field()

    def build(self, out: PieceBuilder) -> Placement:
        (x0, x1), (z0, z1) = (out.ordered_span(self.from_, self.to, axis) for axis in range(2))
        out.check_tiles(self.tile, x1 - x0, z1 - z0)
        holes = valid_holes(out, self.holes, (x0, x1), (z0, z1))
        x = grid_lines(x0, x1, [edge for hole in holes for edge in hole[:2]], self.tile)
        z = grid_lines(z0, z1, [edge for hole in holes for edge in hole[2:]], self.tile)
        y = np.array([self.y - (self.thickness or 1.0), self.y])
        solid = np.ones((len(x) - 1, 1, len(z) - 1), np.bool_)
        for left, right, near, far in holes:
            solid[cell_range(x, left, right), :, cell_range(z, near, far)] = False
        boundary = out.add_grid_surface(x, y, z, solid)
        shown = boundary.side == UP if self.thickness == 0.0 else np.ones(len(boundary.side), np.bool_)
        corners = boundary.corners[shown]
        rests = boundary.side[shown] == DOWN
        out.add_quads(corners, np.full(len(corners), self.surface, np.int32), rests)
        return IDENTITY_PLACEMENT


def valid_holes(
    out: PieceBuilder,
    holes: tuple[HoleFields, ...],
    across: tuple[float, float],
    down: tuple[float, float],
    name: str = "floor",
) -> list[Hole]:
    """Holes in a floor or ceiling (`name`). Those that extend beyond it are reported and left out."""
    found: list[Hole] = []
    for hole in holes:
        (x0, x1), (z0, z1) = (sorted((hole.from_[axis], hole.to[axis])) for axis in range(2))
        if x0 < across[0] - 1e-6 or x1 > across[1] + 1e-6 or z0 < down[0] - 1e-6 or z1 > down[1] + 1e-6:
            cure = f"stay within [{across[0]:g}, {down[0]:g}] to [{across[1]:g}, {down[1]:g}]"
            out.report_dropped(HoleFields.from_, "the hole extends beyond its floor or ceiling", cure, hole)
            out.reported_kinds.add("low")  # the room under it is too low only because the hole is left out
        else:
            found.append((x0, x1, z0, z1))
            if np.allclose(found[-1], (*across, *down), rtol=0.0, atol=MIN_RIM):
                is_slab = isinstance(out.piece, Floor)
                cure = "remove the floor" if is_slab else f"write `{name}: false` instead of the hole"
                message = f"the hole is as large as the {name}: nothing of it is left"
                cure = f"make it smaller, or {cure}, or add `intended: [void]`"
                out.report_warning("void", HoleFields.to, message, cure, hole)
    return found


class Box(BuiltPiece, Surfaced):
    """A box between two opposite corners."""

    kind = "box"
    example = "box: {from: [2, 0, 2], to: [3, 0.5, 4], facing: 30}"
    pull = Pull.TURNED_SPAN
    turns = Turn.NOT
    new = building(
        "box: {from: [-0.5, 0, -0.5], to: [0.5, 1, 0.5], surface: @}",
        "cube block crate",
        "A block. Pull its faces with + and -.",
        rank=-1,
    )
    from_ = Point("One corner.")
    to = Point("The opposite corner.")
    facing = Angle("Rotation about its centre, counter-clockwise seen from above.")
    top_surface = Surface("Surface of the top. Default: `surface`.", otherwise="surface")
    tile = tile_field()

    def build(self, out: PieceBuilder) -> Placement:
        spans = [out.ordered_span(self.from_, self.to, axis) for axis in range(3)]
        centre = tuple((low + high) / 2 for low, high in spans)
        if self.tile:
            sizes = sorted(high - low for low, high in spans)
            out.check_tiles(self.tile, sizes[1], sizes[2])
        at: Corner = centre if self.facing else (0.0, 0.0, 0.0)
        lows = [low - shift for (low, _), shift in zip(spans, at, strict=True)]
        highs = [high - shift for (_, high), shift in zip(spans, at, strict=True)]
        if not self.tile:
            out.add_cuboid(lows, highs, self.surface, self.top_surface)
            return self.facing, at
        x, y, z = (grid_lines(low, high, tile=self.tile) for low, high in zip(lows, highs, strict=True))
        boundary = out.add_grid_surface(x, y, z, np.ones((len(x) - 1, len(y) - 1, len(z) - 1), np.bool_))
        surface = np.where(boundary.side == UP, self.top_surface, self.surface)
        out.add_quads(boundary.corners, surface, boundary.side == DOWN)
        return self.facing, at


def flight_end() -> Value[vectors.Point | None]:
    """The field `to` of stairs and ramps."""
    return Point("Centre of the edge at the head, where the floor above begins.").optional()


def flight_to(out: PieceBuilder, at: Vector, to: Vector) -> tuple[float, float, float]:
    """Facing (degrees), length on the plan and height (m) of a flight between the centres of two edges."""
    x, height, z = (end - start for start, end in zip(at, to, strict=True))
    length = math.hypot(x, z)
    if height < MIN_FLIGHT_HEIGHT:
        message = f"`to` is {-height:.4g} m below `at`" if height < 0.0 else "`to` is as high as `at`"
        out.reject_piece(out.piece.fields["to"], message, "write the foot as `at` and the head as `to`")
    if length < MIN_FLIGHT_LENGTH:
        out.reject_piece(out.piece.fields["to"], "`to` is straight above `at`", "move one of them, or use a ladder")
    return math.degrees(math.atan2(-x, -z)) % 360.0, length, height


class Ramp(BuiltPiece, Surfaced):
    """A ramp, solid down to its base."""

    kind = "ramp"
    example = "ramp: {at: [-6, 0, 0], facing: north, length: 4, rise: 2, width: 2}"
    new = ways(
        "ramp: {at: [0, 0, 0], length: 4, rise: 1.5, width: 1.5, surface: @}",
        "slope",
        "A slope that goes up away from you.",
    )
    at = Point("Centre of the bottom edge.")
    to = flight_end()
    facing = Angle("Direction of climb.").unless("to")
    length = Length("Horizontal length.", low=0.05).unless("to")
    rise = Length("Height it climbs.").unless("to")
    width = Length("Width from side to side.", 1.2)
    open = Flag("A slab 0.1 m thick, open below.", False)
    side_surface = Surface("Surface of the sides and back. Default: `surface`.", otherwise="surface")

    def build(self, out: PieceBuilder) -> Placement:
        facing, length, rise, half = self.facing, self.length, self.rise, self.width / 2
        if self.to is not None:
            facing, length, rise = flight_to(out, self.at, self.to)
        top, side = self.surface, self.side_surface
        out.add_marker("ramp", RampFoot(rise, 2 * half, length, self.is_given(Ramp.to)))
        left, right = -half, half
        foot_left, foot_right = (left, 0.0, 0.0), (right, 0.0, 0.0)
        head_left, head_right = (left, rise, -length), (right, rise, -length)
        out.add_quad(foot_left, foot_right, head_right, head_left, top)
        if self.open:
            low = [(x, y - RAMP_SLAB, z) for x, y, z in (foot_left, foot_right, head_right, head_left)]
            a, b, c, d = low
            out.add_quad(d, c, b, a, side)
            out.add_quad(a, b, foot_right, foot_left, side)
            out.add_quad(b, c, head_right, foot_right, side)
            out.add_quad(c, d, head_left, head_right, side)
            out.add_quad(d, a, foot_left, head_left, side)
        else:
            back_left, back_right = (left, 0.0, -length), (right, 0.0, -length)
            out.add_triangle(foot_right, back_right, head_right, side)
            out.add_triangle(back_left, foot_left, head_left, side)
            out.add_quad(back_right, back_left, head_left, head_right, side)
            out.add_quad(foot_right, foot_left, back_left, back_right, side, rests=True)
        return facing, self.at


class Pillar(BuiltPiece, Surfaced):
    """A vertical prism with a regular polygon as its outline."""

    kind = "pillar"
    example = "pillar: {at: [2, 0, 0], radius: 0.4, height: 3, sides: 16}"
    is_round = True
    pull = Pull.TOP
    new = building(
        "pillar: {at: [0, 0, 0], radius: 0.4, height: 3, sides: 16, surface: @}",
        "column post cylinder",
        "A round column.",
    )
    at = Point("Centre of its base.")
    radius = Length("Radius to the corners.", 0.3)
    height = Length("Height from base to top.", 3.0)
    sides = Count("Number of sides; the first faces `facing`.", 12, 3, 64)
    facing = Angle("Direction the first side faces.")

    def build(self, out: PieceBuilder) -> Placement:
        """The middle of its first side faces north."""
        out.add_prism(self.radius, self.height, self.sides, self.surface, first_corner=-0.5)
        return self.facing, self.at
