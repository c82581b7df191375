"""Ruler between two points."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import pairwise

from ....core.vectors import Vector
from ....render import Card, CardRow
from ....render.overlay_layers import Overlay, OverlayLines, OverlayPoints
from .inspector import format_position, format_to_millimetre

SNAP_ANGLE = math.radians(1.6)  # the cross-hair takes a corner that it is so near to
COLOUR = (1.0, 0.55, 0.85, 1.0)
AXIS_COLOURS = ((1.0, 0.45, 0.40, 0.85), (0.55, 0.95, 0.55, 0.85), (0.42, 0.62, 1.0, 0.85))  # x, y, z
COMPASS_NAMES = ("north", "northwest", "west", "southwest", "south", "southeast", "east", "northeast")


@dataclass(slots=True)
class Ruler:
    """Ruler with up to two ends; with one end, the other is the aimed point."""

    ends: list[Vector] = field(default_factory=list)

    @property
    def is_measuring(self) -> bool:
        return bool(self.ends)

    def add_end(self, at: Vector) -> None:
        """Set the first end, then the second, then start again."""
        self.ends = [*self.ends, at] if len(self.ends) == 1 else [at]

    def span(self, at: Vector | None) -> tuple[Vector, Vector] | None:
        """Both ends, with `at` as the second if it is not set; None without ends."""
        if len(self.ends) == 2:
            return self.ends[0], self.ends[1]
        return (self.ends[0], at) if self.ends and at is not None else None

    def card(self, at: Vector | None) -> Card | None:
        """Card of the span; None without one."""
        span = self.span(at)
        return None if span is None else ruler_card(*span)

    def overlay(self, at: Vector | None) -> Overlay:
        """The ends, the line between them and its parts along the axes."""
        marks = (OverlayPoints(self.ends, COLOUR, 11.0, 0.6),)
        span = self.span(at)
        if span is None:
            return Overlay(points=marks)
        start, end = span
        corners = [start, (end[0], start[1], start[2]), (end[0], start[1], end[2]), end]
        legs = []
        for pair in pairwise(corners):
            if math.dist(*pair) > 1e-6:
                axis = max(range(3), key=lambda axis: abs(pair[1][axis] - pair[0][axis]))
                legs.append(OverlayLines([pair], AXIS_COLOURS[axis], 2.0, 0.4))
        return Overlay(lines=(*legs, OverlayLines([[start, end]], COLOUR, 3.0, 0.5)), points=marks)


def snap_to_corner(eye: Vector, at: Vector, corner: Vector) -> Vector:
    """The corner if it appears close to `at` from the eye, else `at`."""
    to_point = _direction_to(eye, at)
    to_corner = _direction_to(eye, corner)
    if to_point is None or to_corner is None:
        return at
    distance = math.dist(to_point, to_corner)
    return corner if distance <= 2.0 * math.sin(SNAP_ANGLE / 2.0) else at


def _direction_to(eye: Vector, at: Vector) -> Vector | None:
    size = math.dist(eye, at)
    if size <= 0.0:
        return None
    return ((at[0] - eye[0]) / size, (at[1] - eye[1]) / size, (at[2] - eye[2]) / size)


def ruler_card(start: Vector, end: Vector) -> Card:
    """Card with length, differences along the axes, slope and direction."""
    dx, dy, dz = (b - a for a, b in zip(start, end, strict=True))
    flat = math.hypot(dx, dz)
    rows = [
        CardRow("length", f"{format_to_millimetre(math.dist(start, end))} m"),
        CardRow("x  y  z", format_position((dx, dy, dz))),
        CardRow("horizontal", f"{format_to_millimetre(flat)} m"),
        CardRow("slope", f"{math.degrees(math.atan2(dy, flat)):.1f}°"),
    ]
    if flat > 1e-6:
        turn = math.degrees(math.atan2(-dx, -dz)) % 360.0
        rows.append(CardRow("direction", f"{turn:.1f}°, {COMPASS_NAMES[round(turn / 45.0) % 8]}"))
    return Card("Ruler", "", tuple(rows))
