"""Detail of a plan: the surroundings of one place, in a square."""

from __future__ import annotations

from collections.abc import Sequence

from ...core.vectors import Floats
from ...maps.floor_plans import Storey
from ...maps.map_canvas import PlanWindow
from ...text.font_stack import line_width
from . import palette
from .figure import Box, Figure, Text
from .plan_panel import DrawnBody, DrawnPath, PlanPanel, PlanSource, Ring

DETAIL_SIDE = 300  # pixels
DETAIL_CAPTION = 24.0  # pixels above it
DETAIL_BELOW, DETAIL_ABOVE = 0.8, 1.4  # m of the plan below and above feet without a storey


def draw_detail(
    figure: Figure,
    at: tuple[float, float],
    caption: str,
    source: PlanSource,
    lines: Sequence[DrawnPath],
    place: Floats,
    reach: float,
    storey: Storey | None,
    bodies: Sequence[DrawnBody] = (),
) -> None:
    """The plan around a place, below its caption; a ring as wide as the body, or the bodies. reach: m, half its side;
    storey: of the plan there, so that both are cut at the same height and have the same colours."""
    x, y, z = place.tolist()
    scale = DETAIL_SIDE / (2.0 * reach)
    window = PlanWindow(x - reach, z - reach, x + reach, z + reach, scale)
    panel = PlanPanel(at[0], at[1], window, storey or Storey(y - DETAIL_BELOW, y + DETAIL_ABOVE))
    figure.add(Text(at[0], at[1] - 8.0, caption, 15, palette.INK))
    ring = None if bodies else Ring(place, source.level.player.radii[0] * scale)
    panel.draw(figure, source, lines, starts=[], ring=ring, bodies=bodies)
    note = f"{2.0 * reach:.1f} m wide" if bodies else "ring: width of the body"
    _draw_corner_text(figure, at[0] + DETAIL_SIDE, at[1] + DETAIL_SIDE, note)


def _draw_corner_text(figure: Figure, right: float, bottom: float, text: str) -> None:
    """A small text on paper in the lower right corner of a plan."""
    width = line_width(text, 12) + 12.0
    figure.add(Box(right - width, bottom - 22.0, width, 22.0, palette.PAPER, palette.FRAME))
    figure.add(Text(right - 6.0, bottom - 7.0, text, 12, palette.INK, "r"))
