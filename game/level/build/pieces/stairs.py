"""Straight stairs and spiral stairs."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from ....core.vectors import Floats, Vector
from ...format.numbers import Angle, Count, Length, Number, Point
from ...format.piece_kind import Surfaced, ways
from ...format.values import Flag, Surface
from ...geometry.instance_transform import exact_sin_cos
from ..entities.landmarks import StairsFoot
from .flat import flight_end, flight_to
from .piece_builder import BuiltPiece, PieceBuilder, Placement

TREAD_THICKNESS = 0.06  # metres, of open stairs
RAIL_THICKNESS = 0.05  # metres
COLUMN_SIDES = 16
STEP_FACES = 7  # of a step of closed stairs
FOOT_REACH = 0.35  # metres in front of the first riser, from where one steps up


class Stairs(BuiltPiece, Surfaced):
    """A straight flight of stairs, solid down to its base."""

    kind = "stairs"
    example = "stairs: {at: [4, 0, 2], facing: east, steps: 10, rise: 0.18, run: 0.30, width: 2}"
    new = ways(
        "stairs: {at: [0, 0, 0], steps: 10, rise: 0.18, run: 0.3, width: 1.5, surface: @}",
        "steps flight",
        "A flight of stairs that goes up away from you.",
    )
    at = Point("Centre of the bottom edge of the first riser.")
    to = flight_end()
    facing = Angle("Direction of climb.").unless("to")
    steps = Count("Number of risers; the last tread is that many rises above the base.", None, 1, 1000).unless("to")
    rise = Length("Height of one step; with `to` the greatest height, and the number of steps follows.", 0.18, high=10)
    run = Length("Depth of one tread.", 0.30, high=100).unless("to")
    width = Length("Width from side to side.", 1.2)
    open = Flag("Treads only, open between and below.", False)
    side_surface = Surface("Surface of risers and sides. Default: `surface`.", otherwise="surface")

    def build(self, out: PieceBuilder) -> Placement:
        """Treads, risers, sides, back and base, or treads alone if open.

        The side of a step is a triangle above the pitch line and a quad below it, so neighbouring steps share corners.
        """
        facing, steps, rise, run, half = self.facing, self.steps, self.rise, self.run, self.width / 2
        if self.to is not None:
            facing, length, height = flight_to(out, self.at, self.to)
            steps = math.ceil(height / rise - 1e-9)
            if steps > Stairs.steps.high:
                message = f"steps of {rise:g} m up to `to` are {steps}; the limit is {Stairs.steps.high:g}"
                out.reject_piece(Stairs.to, message, "write a higher `rise`, or several stairs")
            rise, run = height / steps, length / steps
        _check_rise(out, rise)
        out.add_marker(
            "stairs", StairsFoot(rise, steps * rise, 2 * half, FOOT_REACH, steps * run, 0.0, self.is_given(Stairs.to))
        )
        if self.open:
            for k in range(steps):
                near, far, high = -k * run, -(k + 1) * run, (k + 1) * rise
                low = high - min(TREAD_THICKNESS, rise)
                _add_tread(out, half, near, far, low, high, self.surface, self.side_surface)
        else:
            corners = _closed_steps(half, rise, run, steps)
            number = np.arange(len(corners)) % STEP_FACES
            number[-1] = 1  # the back
            out.add_quads(corners, np.where(number == 0, self.surface, self.side_surface), number == STEP_FACES - 1)
        return facing, self.at


def _closed_steps(half: float, rise: float, run: float, steps: int) -> Floats:
    """Faces (STEP_FACES * steps + 1, 4, 3): of each step the tread, the riser, two faces on either side and the base,
    then the back of all."""
    k = np.arange(steps)
    zero, left, right = np.zeros(steps), np.full(steps, -half), np.full(steps, half)
    near, far, low, high = -k * run, -(k + 1) * run, k * rise, (k + 1) * rise
    by_corner = (
        ((left, high, near), (right, high, near), (right, high, far), (left, high, far)),
        ((left, low, near), (right, low, near), (right, high, near), (left, high, near)),
        ((right, low, near), (right, high, far), (right, high, near), (right, high, near)),
        ((left, high, far), (left, low, near), (left, high, near), (left, high, near)),
        ((right, zero, near), (right, zero, far), (right, high, far), (right, low, near)),
        ((left, zero, far), (left, zero, near), (left, low, near), (left, high, far)),
        ((right, zero, near), (left, zero, near), (left, zero, far), (right, zero, far)),
    )
    corners = np.moveaxis(np.array(by_corner), -1, 0)
    corners[0, 4, 3], corners[0, 5, 2] = corners[0, 4, 2], corners[0, 5, 3]  # the first step has no lower one beside it
    back, height = -steps * run, steps * rise
    last = np.array([[(half, 0.0, back), (-half, 0.0, back), (-half, height, back), (half, height, back)]])
    return np.concatenate([corners.reshape(-1, 4, 3), last])


def _check_rise(out: PieceBuilder, rise: float) -> None:
    if rise > out.body.step_height:
        if "step" not in out.intended:
            out.reported_kinds.add("misplaced")
        out.report_warning(
            "step",
            Stairs.rise,
            f"a rise of {rise:g} m is higher than {out.player} can step ({out.body.step_height:.2f} m)",
            "make it lower, or add `intended: [step]`",
        )


def _add_tread(
    out: PieceBuilder, half: float, near: float, far: float, low: float, high: float, top: int, side: int
) -> None:
    a, b, c, d = (-half, high, near), (half, high, near), (half, high, far), (-half, high, far)
    e, f, g, h = ((x, low, z) for x, _, z in (a, b, c, d))
    out.add_quad(a, b, c, d, top)
    out.add_quad(h, g, f, e, side)
    out.add_quad(e, f, b, a, side)
    out.add_quad(f, g, c, b, side)
    out.add_quad(g, h, d, c, side)
    out.add_quad(h, e, a, d, side)


class SpiralStairs(BuiltPiece, Surfaced):
    """Steps around a column, open below."""

    kind = "spiral_stairs"
    example = "spiral_stairs: {at: [0, 0, 0], facing: south, steps: 20, radius: 1.6, turn: 24, rail: 0.9}"
    is_round = True
    new = ways(
        "spiral_stairs: {at: [0, 0, 0], steps: 16, radius: 1.6, rail: 0.9, surface: @}",
        "spiral_stairs winding",
        "Winding stairs around a column.",
        "spiral stairs",
    )
    at = Point("Base of the column, on its axis.")
    facing = Angle("Direction from the axis to the first riser.")
    steps = Count("Number of treads; the last is that many rises above the base.", None, 1, 1000)
    rise = Length("Height of one step.", 0.18, high=10)
    radius = Length("Distance from the axis to the outer edge.", 1.6)
    column = Length("Radius of the column.", 0.25)
    turn = Number("Angle of one tread; positive climbs counter-clockwise seen from above.", 24.0, "degrees", -90, 90)
    thickness = Length("Thickness of a tread; less than `rise` leaves gaps between treads.", 0.2, high=10)
    rail = Length("Height of a railing along the outer edge; 0 for none.", 0.0, low=0.0, high=10)
    column_surface = Surface("Surface of the column. Default: `surface`.", otherwise="surface")

    def build(self, out: PieceBuilder) -> Placement:
        """Wedge-shaped treads around a column.

        Of treads thicker than the rise, only the visible part of the ends is made.
        """
        steps, rise, turn, radius, column, rail = (
            self.steps, self.rise, self.turn, self.radius, self.column, self.rail
        )  # fmt: skip
        if abs(turn) < 1.0:
            message = f"a turn of {turn:g} degrees per tread is too small"
            out.reject_piece(SpiralStairs.turn, message, "use 1 to 90 degrees, or -1 to -90")
        if column > radius - 0.1:
            message = f"a column of {column:g} m leaves no tread within {radius:g} m"
            out.reject_piece(SpiralStairs.column, message, "make the column thinner")
        _check_rise(out, rise)
        out.add_marker("stairs", StairsFoot(rise, steps * rise, 2 * radius, radius, turn=turn))
        for k in range(steps):
            self._add_wedge_step(out, k)
        if rail > 0.0:
            self._add_rail(out)
        out.add_prism(column, steps * rise + 1.0, COLUMN_SIDES, self.column_surface)
        return self.facing, self.at

    def _add_wedge_step(self, out: PieceBuilder, k: int) -> None:
        rise, turn, outer = self.rise, self.turn, self.radius
        inner = 0.8 * self.column  # inside the column, whose sides are chords
        high = (k + 1) * rise
        low = max(0.0, high - self.thickness)
        begin, end = k * turn, (k + 1) * turn

        def quad(a: Vector, b: Vector, c: Vector, d: Vector, rests: bool = False) -> None:
            if turn > 0:
                out.add_quad(a, b, c, d, self.surface, rests)
            else:
                out.add_quad(d, c, b, a, self.surface, rests)

        ring = ((inner, begin), (outer, begin), (outer, end), (inner, end))
        a, b, c, d = (_point_at_angle(radius, angle, high) for radius, angle in ring)
        e, f, g, h = ((x, low, z) for x, _, z in (a, b, c, d))
        quad(a, b, c, d)
        quad(h, g, f, e, rests=low == 0.0)
        quad(f, g, c, b)
        riser = max(low, high - rise) if k else low
        quad(_point_at_angle(inner, begin, riser), _point_at_angle(outer, begin, riser), b, a)
        next_low = max(0.0, high + rise - self.thickness)
        hidden = min(high, next_low) if k < self.steps - 1 else high
        if hidden > low + 1e-9:
            quad(g, h, _point_at_angle(inner, end, hidden), _point_at_angle(outer, end, hidden))

    def _add_rail(self, out: PieceBuilder) -> None:
        """Parapet along the outer edge of the treads: one closed strip with constant slope."""
        turn, radius, surface = self.turn, self.radius, self.surface
        outside = radius + RAIL_THICKNESS / math.cos(math.radians(abs(turn) / 2))
        rims = []
        for k in range(self.steps + 1):
            low, high = max(0.0, k * self.rise - self.thickness), (k + 1) * self.rise + self.rail
            radii = (outside, radius) if turn > 0 else (radius, outside)
            rims.append(
                [_point_at_angle(r, k * turn, y) for r, y in zip((*radii, *radii), (low, low, high, high), strict=True)]
            )
        for (a, b, c, d), (e, f, g, h) in pairwise(rims):
            out.add_quad(a, e, g, c, surface)
            out.add_quad(b, d, h, f, surface)
            out.add_triangle(c, g, h, surface)
            out.add_triangle(c, h, d, surface)
            rests = a[1] == 0.0 == e[1]
            out.add_triangle(e, a, f, surface, rests)
            out.add_triangle(f, a, b, surface, rests)
        first, last = rims[0], rims[-1]
        out.add_quad(first[0], first[2], first[3], first[1], surface)
        out.add_quad(last[1], last[3], last[2], last[0], surface)


def _point_at_angle(radius: float, degrees: float, y: float) -> Vector:
    """Point at a radius and an angle in degrees counter-clockwise from north."""
    sine, cosine = exact_sin_cos(degrees)
    return -radius * sine, y, -radius * cosine
