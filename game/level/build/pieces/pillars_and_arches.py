"""Pillars and arches."""

from __future__ import annotations

import math
from itertools import pairwise

from .piece_builder import PieceBuilder, Placement
from .walls import wall_direction


def build_pillar(builder: PieceBuilder) -> Placement:
    """Prism with a regular polygon as base; the middle of its first side faces north."""
    values = builder.values
    radius, height = values.numbers("radius", "height")
    sides = values.integer("sides")
    builder.add_prism(radius, height, sides, values.surface("surface"), first_corner=-0.5)
    return values.number("facing"), values.point("at")


def build_arch(builder: PieceBuilder) -> Placement:
    """Wall with an arched opening: piers, columns of quads above the arch, and the inside of the opening."""
    values = builder.values
    facing, at, length = wall_direction(builder)
    height = values.number("height")
    half = values.number("thickness") / 2
    width, spring = values.numbers("width", "spring")
    segments = values.integer("segments")
    centre = values.number("at") if values.is_given("at") else length / 2
    left, right, crown = centre - width / 2, centre + width / 2, spring + width / 2
    if left < 0.01 or right > length - 0.01:
        builder.reject_piece(
            "width",
            f"the opening extends from {left:.3g} m to {right:.3g} m in a wall {length:.4g} m long",
            "leave some wall on both sides",
        )
    if crown > height - 0.01:
        builder.reject_piece(
            "height",
            f"the top of the opening is at {crown:.3g} m, above the wall",
            f"make the wall higher than {crown:.3g} m",
        )
    if width < builder.body.clear_width:
        builder.report_narrow("width", f"the opening is {width:g} m wide: too narrow for {builder.player}")
    if crown < builder.body.clear_height:
        least = math.ceil(builder.body.clear_height * 100.0 - 1e-6) / 100.0  # one stands at its sides too
        cure = f"write `spring: {least:g}`"
        if least + width / 2 > height - 0.01:
            cure += f" and `height: {least + width / 2 + 0.2:.3g}`"
        builder.report_low("spring", f"the top of the opening is at {crown:g} m: too low to stand", cure=f"{cure}, or ")
    outer = values.surface("surface")
    inner = values.surface("inner_surface", outer)
    angles = [math.pi * (1 - k / segments) for k in range(segments + 1)]
    arch = [(centre + width / 2 * math.cos(angle), spring + width / 2 * math.sin(angle)) for angle in angles]
    arch[0], arch[-1] = (left, spring), (right, spring)

    def add_both_sides(corners: list[tuple[float, float]]) -> None:
        """Add a face to each side of the wall; corners counter-clockwise in (x, y)."""
        a, b, c, d = ((x, y, half) for x, y in corners)
        builder.add_quad(a, b, c, d, outer)
        a, b, c, d = ((x, y, -half) for x, y in reversed(corners))
        builder.add_quad(a, b, c, d, outer)

    def add_through(x: float, y: float, x2: float, y2: float, surface: int, rests: bool = False) -> None:
        """Add a face across the thickness; its front is left of the line (x, y) to (x2, y2)."""
        builder.add_quad((x, y, -half), (x, y, half), (x2, y2, half), (x2, y2, -half), surface, rests)

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
