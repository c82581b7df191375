"""Flat-faced pieces: quad, triangle, floor, box, ramp, sign."""

from __future__ import annotations

import numpy as np

from ....core.vectors import Corner
from ...geometry.faces import SignBoard, with_keys
from ...geometry.quads import find_quad_fault
from ..entities.landmarks import RampFoot
from .piece_builder import IDENTITY_PLACEMENT, PieceBuilder, Placement
from .rectilinear_grid import DOWN, MAX_GRID_CELLS, UP, cell_range, grid_lines

RAMP_SLAB = 0.1  # metres: thickness of an open ramp
SIGN_THICKNESS = 0.03  # metres
LETTER_ADVANCE = 0.62  # width of a letter, in letter heights
LINE_HEIGHT = 1.35  # in letter heights
MIN_RIM = 0.05  # metres: a hole with a narrower rim leaves nothing to stand on
SIGN_MARGIN = 0.6  # in letter heights


def build_quad(builder: PieceBuilder) -> Placement:
    """The corners as written, if they form a valid face."""
    corners = builder.values.corners("corners")
    fault = find_quad_fault(corners)
    if fault is not None:
        builder.reject_piece("corners", *fault)
    if len(corners) == 3:
        builder.add_triangle(*corners, surface=builder.values.surface("surface"))
    else:
        a, b, c, d = corners
        builder.add_quad(a, b, c, d, builder.values.surface("surface"))
    return IDENTITY_PLACEMENT


def build_floor(builder: PieceBuilder) -> Placement:
    """Single sheet, or slab with a thickness, with rectangular holes."""
    values = builder.values
    (x0, x1), (z0, z1) = ordered_span(builder, 0), ordered_span(builder, 1)
    top, thickness, tile = values.numbers("y", "thickness", "tile")
    check_tiles(builder, x1 - x0, z1 - z0)
    holes = valid_holes(builder, (x0, x1), (z0, z1))
    x = grid_lines(x0, x1, [edge for hole in holes for edge in hole[:2]], tile)
    z = grid_lines(z0, z1, [edge for hole in holes for edge in hole[2:]], tile)
    y = np.array([top - (thickness or 1.0), top])
    solid = np.ones((len(x) - 1, 1, len(z) - 1), np.bool_)
    for left, right, near, far in holes:
        solid[cell_range(x, left, right), :, cell_range(z, near, far)] = False
    boundary = builder.add_grid_surface(x, y, z, solid)
    shown = boundary.side == UP if thickness == 0.0 else np.ones(len(boundary.side), np.bool_)
    corners = boundary.corners[shown]
    rests = boundary.side[shown] == DOWN
    builder.add_quads(corners, np.full(len(corners), values.surface("surface"), np.int32), rests)
    return IDENTITY_PLACEMENT


def build_box(builder: PieceBuilder) -> Placement:
    """Box, rotated about its centre."""
    values = builder.values
    builder.check_corners()
    spans = [ordered_span(builder, axis) for axis in range(3)]
    centre = tuple((low + high) / 2 for low, high in spans)
    facing, tile = values.numbers("facing", "tile")
    if tile:
        sizes = sorted(high - low for low, high in spans)
        check_tiles(builder, sizes[1], sizes[2])
    at: Corner = centre if facing else (0.0, 0.0, 0.0)
    side = values.surface("surface")
    top = values.surface("top_surface", side)
    if not tile:
        builder.add_cuboid(
            [low - shift for (low, _), shift in zip(spans, at, strict=True)],
            [high - shift for (_, high), shift in zip(spans, at, strict=True)],
            side,
            top,
        )
        return facing, at
    x, y, z = (grid_lines(low - shift, high - shift, tile=tile) for (low, high), shift in zip(spans, at, strict=True))
    boundary = builder.add_grid_surface(x, y, z, np.ones((len(x) - 1, len(y) - 1, len(z) - 1), np.bool_))
    surface = np.where(boundary.side == UP, top, side)
    builder.add_quads(boundary.corners, surface, boundary.side == DOWN)
    return facing, at


def build_ramp(builder: PieceBuilder) -> Placement:
    """Wedge, or a slab of constant thickness if open."""
    values = builder.values
    length, rise = values.numbers("length", "rise")
    half = values.number("width") / 2
    top = values.surface("surface")
    side = values.surface("side_surface", top)
    builder.add_marker("ramp", RampFoot(rise, 2 * half, length))
    left, right = -half, half
    below = RAMP_SLAB if values.flag("open") else 0.0
    foot_left, foot_right = (left, 0.0, 0.0), (right, 0.0, 0.0)
    head_left, head_right = (left, rise, -length), (right, rise, -length)
    builder.add_quad(foot_left, foot_right, head_right, head_left, top)
    if below:
        low = [(x, y - below, z) for x, y, z in (foot_left, foot_right, head_right, head_left)]
        a, b, c, d = low
        builder.add_quad(d, c, b, a, side)
        builder.add_quad(a, b, foot_right, foot_left, side)
        builder.add_quad(b, c, head_right, foot_right, side)
        builder.add_quad(c, d, head_left, head_right, side)
        builder.add_quad(d, a, foot_left, head_left, side)
    else:
        back_left, back_right = (left, 0.0, -length), (right, 0.0, -length)
        builder.add_triangle(foot_right, back_right, head_right, side)
        builder.add_triangle(back_left, foot_left, head_left, side)
        builder.add_quad(back_right, back_left, head_left, head_right, side)
        builder.add_quad(foot_right, foot_left, back_left, back_right, side, rests=True)
    return values.number("facing"), values.point("at")


def build_sign(builder: PieceBuilder) -> Placement:
    """Board without a front face, which the renderer draws with the text, and an optional post."""
    values = builder.values
    text = values.text("text").strip("\n")
    letters = values.number("letters")
    rows = with_keys(text, {}).split("\n")
    width = (max(len(row) for row in rows) * LETTER_ADVANCE + 2 * SIGN_MARGIN) * letters
    height = (len(rows) * LINE_HEIGHT + SIGN_MARGIN) * letters
    width = values.number("width") if values.is_given("width") else min(width, 100.0)
    height = values.number("height") if values.is_given("height") else min(height, 100.0)
    surface = values.surface("surface")
    builder.add_marker("sign", SignBoard(text, width, height))
    x0, x1, y0, y1, z1 = -width / 2, width / 2, -height / 2, height / 2, SIGN_THICKNESS
    front = [(x1, y0, 0.0), (x0, y0, 0.0), (x0, y1, 0.0), (x1, y1, 0.0)]
    back = [(x, y, z1) for x, y, _ in front]
    for k in range(4):
        builder.add_quad(front[k], back[k], back[k - 3], front[k - 3], surface)
    builder.add_quad(back[1], back[0], back[3], back[2], surface)
    post = values.number("post")
    if post > 0.0:
        half = min(0.04, width / 4)
        builder.add_cuboid((-half, y0 - post, z1), (half, y1, z1 + 2 * half), surface, surface)
    return values.number("facing"), values.point("at")


def ordered_span(builder: PieceBuilder, axis: int) -> tuple[float, float]:
    """Smaller and larger coordinate of `from` and `to` along an axis."""
    values = builder.values
    low, high = sorted((values.plan_point("from")[axis], values.plan_point("to")[axis]))
    if high - low < 1e-3:
        name = ("x", "z")[axis] if len(values.plan_point("from")) == 2 else ("x", "y", "z")[axis]
        builder.reject_piece(
            "to", f"the size along {name} is zero: `from` and `to` are equal there", "move one of them"
        )
    return low, high


def valid_holes(
    builder: PieceBuilder, across: tuple[float, float], down: tuple[float, float]
) -> list[tuple[float, float, float, float]]:
    """Holes of the piece as (x0, x1, z0, z1). Those that extend beyond it are reported and left out."""
    holes = []
    for hole in builder.values.records("holes"):
        (x0, x1), (z0, z1) = (sorted((hole.plan_point("from")[axis], hole.plan_point("to")[axis])) for axis in range(2))
        if x0 < across[0] - 1e-6 or x1 > across[1] + 1e-6 or z0 < down[0] - 1e-6 or z1 > down[1] + 1e-6:
            cure = f"stay within [{across[0]:g}, {down[0]:g}] to [{across[1]:g}, {down[1]:g}]"
            builder.report_dropped("from", "the hole extends beyond its floor or ceiling", cure, hole)
            builder.reported_kinds.add("low")  # the room under it is too low only because the hole is left out
        else:
            holes.append((x0, x1, z0, z1))
            if np.allclose(holes[-1], (*across, *down), rtol=0.0, atol=MIN_RIM):
                name, cure = ("floor", "remove the floor")
                if builder.values.record.name != "floor":
                    name, cure = ("ceiling", "write `ceiling: false` instead of the hole")
                message = f"the hole is as large as the {name}: nothing of it is left"
                cure = f"make it smaller, or {cure}, or add `intended: [void]`"
                builder.report_warning("void", "to", message, cure, hole)
    return holes


def check_tiles(builder: PieceBuilder, width: float, depth: float) -> None:
    """Reject the piece if its `tile` (m) splits `width` by `depth` (m) into more than MAX_GRID_CELLS."""
    tile = builder.values.number("tile")
    if tile > 0.0 and (width / tile + 1) * (depth / tile + 1) > MAX_GRID_CELLS:
        builder.reject_piece("tile", f"{tile:g} m tiles on {width:g} m by {depth:g} m are too many", "use larger tiles")
