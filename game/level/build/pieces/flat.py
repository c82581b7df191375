"""Pieces of flat faces: quad, triangle, floor, box, ramp, sign."""

from __future__ import annotations

import numpy as np

from ....core.vectors import Corner
from ...geometry.faces import SignBoard
from ...geometry.quads import find_quad_fault
from .piece_builder import IDENTITY_PLACEMENT, PieceBuilder, Placement
from .rectilinear_grid import DOWN, MAX_GRID_CELLS, UP, cell_range, grid_lines

RAMP_SLAB = 0.1  # metres thick, where a ramp is open
SIGN_THICKNESS = 0.03  # metres
LETTER_ADVANCE = 0.62  # of the letter height, a wide letter of a usual sans-serif
LINE_HEIGHT = 1.35  # of the letter height
SIGN_MARGIN = 0.6  # of the letter height, around the words


def build_quad(work: PieceBuilder) -> Placement:
    """The author's own corners, held to the rule for quads."""
    corners = work.values.corners("corners")
    wrong = find_quad_fault(corners)
    if wrong is not None:
        work.reject_piece("corners", *wrong)
    if len(corners) == 3:
        work.add_triangle(*corners, surface=work.values.surface("surface"))
    else:
        a, b, c, d = corners
        work.add_quad(a, b, c, d, work.values.surface("surface"))
    return IDENTITY_PLACEMENT


def build_floor(work: PieceBuilder) -> Placement:
    """A sheet, or a slab below it."""
    values = work.values
    (x0, x1), (z0, z1) = _ordered_span(work, 0), _ordered_span(work, 1)
    top, thickness, tile = values.number("y"), values.number("thickness"), values.number("tile")
    _check_tiles(work, x1 - x0, z1 - z0)
    holes = valid_holes(work, (x0, x1), (z0, z1))
    x = grid_lines(x0, x1, [edge for hole in holes for edge in hole[:2]], tile)
    z = grid_lines(z0, z1, [edge for hole in holes for edge in hole[2:]], tile)
    y = np.array([top - (thickness or 1.0), top])
    solid = np.ones((len(x) - 1, 1, len(z) - 1), np.bool_)
    for left, right, near, far in holes:
        solid[cell_range(x, left, right), :, cell_range(z, near, far)] = False
    made = work.add_grid_surface(x, y, z, solid)
    shown = made.side == UP if thickness == 0.0 else np.ones(len(made.side), np.bool_)
    corners = made.corners[shown]
    rests = made.side[shown] == DOWN
    work.add_quads(corners, np.full(len(corners), values.surface("surface"), np.int32), rests)
    return IDENTITY_PLACEMENT


def build_box(work: PieceBuilder) -> Placement:
    """Six faces; turned about its middle."""
    values = work.values
    spans = [_ordered_span(work, axis) for axis in range(3)]
    middle = tuple((low + high) / 2 for low, high in spans)
    facing, tile = values.number("facing"), values.number("tile")
    if tile:
        sizes = sorted(high - low for low, high in spans)
        _check_tiles(work, sizes[1], sizes[2])
    at: Corner = middle if facing else (0.0, 0.0, 0.0)
    side = values.surface("surface")
    top = values.surface("top_surface", side)
    if not tile:
        work.add_cuboid(
            [low - shift for (low, _), shift in zip(spans, at, strict=True)],
            [high - shift for (_, high), shift in zip(spans, at, strict=True)],
            side,
            top,
        )
        return facing, at
    x, y, z = (grid_lines(low - shift, high - shift, tile=tile) for (low, high), shift in zip(spans, at, strict=True))
    made = work.add_grid_surface(x, y, z, np.ones((len(x) - 1, len(y) - 1, len(z) - 1), np.bool_))
    surface = np.where(made.side == UP, top, side)
    work.add_quads(made.corners, surface, made.side == DOWN)
    return facing, at


def build_ramp(work: PieceBuilder) -> Placement:
    """A wedge, or a slab of even height when open."""
    values = work.values
    length, rise, half = values.number("length"), values.number("rise"), values.number("width") / 2
    top = values.surface("surface")
    side = values.surface("side_surface", top)
    left, right = -half, half
    below = RAMP_SLAB if values.flag("open") else 0.0
    foot_left, foot_right = (left, 0.0, 0.0), (right, 0.0, 0.0)
    head_left, head_right = (left, rise, -length), (right, rise, -length)
    work.add_quad(foot_left, foot_right, head_right, head_left, top)
    if below:
        low = [(x, y - below, z) for x, y, z in (foot_left, foot_right, head_right, head_left)]
        a, b, c, d = low
        work.add_quad(d, c, b, a, side)
        work.add_quad(a, b, foot_right, foot_left, side)
        work.add_quad(b, c, head_right, foot_right, side)
        work.add_quad(c, d, head_left, head_right, side)
        work.add_quad(d, a, foot_left, head_left, side)
    else:
        back_left, back_right = (left, 0.0, -length), (right, 0.0, -length)
        work.add_triangle(foot_right, back_right, head_right, side)
        work.add_triangle(back_left, foot_left, head_left, side)
        work.add_quad(back_right, back_left, head_left, head_right, side)
        work.add_quad(foot_right, foot_left, back_left, back_right, side, rests=True)
    return values.number("facing"), values.point("at")


def build_sign(work: PieceBuilder) -> Placement:
    """A board whose written face is left to the picture, and a post."""
    values = work.values
    text, letters = values.text("text").strip("\n"), values.number("letters")
    rows = text.split("\n")
    width = (max(len(row) for row in rows) * LETTER_ADVANCE + 2 * SIGN_MARGIN) * letters
    height = (len(rows) * LINE_HEIGHT + SIGN_MARGIN) * letters
    width = values.number("width") if values.is_given("width") else min(width, 100.0)
    height = values.number("height") if values.is_given("height") else min(height, 100.0)
    surface = values.surface("surface")
    work.add_marker("sign", SignBoard(text, width, height))
    x0, x1, y0, y1, z1 = -width / 2, width / 2, -height / 2, height / 2, SIGN_THICKNESS
    front = [(x1, y0, 0.0), (x0, y0, 0.0), (x0, y1, 0.0), (x1, y1, 0.0)]
    back = [(x, y, z1) for x, y, _ in front]
    for k in range(4):
        work.add_quad(front[k], back[k], back[k - 3], front[k - 3], surface)
    work.add_quad(back[1], back[0], back[3], back[2], surface)
    post = values.number("post")
    if post > 0.0:
        half = min(0.04, width / 4)
        work.add_cuboid((-half, y0 - post, z1), (half, y1, z1 + 2 * half), surface, surface)
    return values.number("facing"), values.point("at")


def _ordered_span(work: PieceBuilder, axis: int) -> tuple[float, float]:
    """From the lesser to the greater of `from` and `to` along one of their axes."""
    values = work.values
    one, other = sorted((values.plan_point("from")[axis], values.plan_point("to")[axis]))
    if other - one < 1e-3:
        name = ("x", "z")[axis] if len(values.plan_point("from")) == 2 else ("x", "y", "z")[axis]
        work.reject_piece("to", f"the size along {name} is zero: `from` and `to` are equal there", "move one of them")
    return one, other


def valid_holes(
    work: PieceBuilder, across: tuple[float, float], down: tuple[float, float]
) -> list[tuple[float, float, float, float]]:
    """The piece's `holes` as x from, to, z from, to; what is not wholly inside is reported and left out."""
    found = []
    for hole in work.values.records("holes"):
        (x0, x1), (z0, z1) = (sorted((hole.plan_point("from")[axis], hole.plan_point("to")[axis])) for axis in range(2))
        if x0 < across[0] - 1e-6 or x1 > across[1] + 1e-6 or z0 < down[0] - 1e-6 or z1 > down[1] + 1e-6:
            reach = f"[{across[0]:g}, {down[0]:g}] to [{across[1]:g}, {down[1]:g}]"
            work.report_dropped("from", "the hole extends beyond its floor or ceiling", f"stay within {reach}", hole)
        else:
            found.append((x0, x1, z0, z1))
    return found


def _check_tiles(work: PieceBuilder, width: float, depth: float) -> None:
    tile = work.values.number("tile")
    if tile > 0.0 and (width / tile + 1) * (depth / tile + 1) > MAX_GRID_CELLS:
        work.reject_piece("tile", f"{tile:g} m tiles on {width:g} m by {depth:g} m are too many", "use larger tiles")
