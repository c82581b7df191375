"""Card of an inspected tick: requested, blocked and actual displacement, slides, contacts and an explanation."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ...core.time_format import format_time
from ...render import Card, CardRow
from ...render.hud.palette import contact_colour
from .tick_messages import tick_message

if TYPE_CHECKING:
    from ...sim.replay.tick_report import TickReport, TouchedSurface
    from .tick_diagram import TickDiagram

MAX_SLIDES = 4
MIN_REPORTED_LENGTH = 0.05e-3  # m; shorter displacements are left out


def tick_card(diagram: TickDiagram, tick: int, rate: float, palette: str) -> Card:
    """The card for a diagram; `rate`: ticks per second."""
    report = diagram.report
    rows = [*_motion_rows(diagram), *_slide_rows(report), *_contact_rows(report, palette)]
    rows.append(CardRow("triangles tested", str(len(report.candidate_triangles))))
    message = tick_message(report)
    note = " ".join(message.sentences)
    if diagram.scale > 1.0 and any(arrow.label for arrow in diagram.arrows):
        note += f" Arrows are drawn at {diagram.scale:.0f} times their length."
    return Card(message.headline, f"tick {tick}   ·   {format_time(tick / rate)}", tuple(rows), note, side="right")


def _motion_rows(diagram: TickDiagram) -> list[CardRow]:
    from .tick_diagram import BLOCKED_COLOUR

    report = diagram.report
    requested, moved, blocked = (math.hypot(*vector) for vector in (report.wished, report.moved, report.blocked))
    rows = []
    if report.stopped:
        rows.append(CardRow("requested", format_millimetres(requested), diagram.requested_colour))
        if blocked > MIN_REPORTED_LENGTH:
            rows.append(CardRow("blocked", format_millimetres(blocked), BLOCKED_COLOUR))
    rows.append(CardRow("moved", format_millimetres(moved), diagram.actual_colour))
    if math.hypot(*report.carried_by_platform) > MIN_REPORTED_LENGTH:
        rows.append(CardRow("carried by the platform", format_millimetres(math.hypot(*report.carried_by_platform))))
    return rows


def _slide_rows(report: TickReport) -> list[CardRow]:
    """A row for each sweep: its length, and the fraction at which it hit."""
    rows = []
    moves = [slide for slide in report.slides if math.hypot(*slide.displacement) > MIN_REPORTED_LENGTH]
    for number, slide in enumerate(moves[:MAX_SLIDES], start=1):
        size = math.hypot(*slide.displacement)
        free = "no hit" if slide.fraction >= 1.0 else f"hit at {100 * slide.fraction:.0f} %"
        rows.append(CardRow(f"slide {number}", f"{format_millimetres(size)}, {free}"))
    if len(moves) > MAX_SLIDES:
        rows.append(CardRow("", f"and {len(moves) - MAX_SLIDES} more"))
    return rows


def _contact_rows(report: TickReport, palette: str) -> list[CardRow]:
    return [
        CardRow(_surface_label(surface), surface.place or surface.piece, contact_colour(surface.kind, palette))
        for surface in report.surfaces
    ]


def _surface_label(surface: TouchedSurface) -> str:
    kind = {"walkable": "ground"}.get(surface.kind, surface.kind)
    return f"{surface.number}  {kind}, {surface.feature}"


def format_millimetres(metres: float) -> str:
    """`66.7 mm`."""
    return f"{1e3 * metres:.1f} mm" if metres < 1.0 else f"{metres:.2f} m"
