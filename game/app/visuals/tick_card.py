"""The card beside a tick that stands still: what it asked and was given, what it touched, and why, in words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ...render import Card, CardRow
from ...render.hud.palette import contact_colour

if TYPE_CHECKING:
    from ...sim.replay.tick_report import Account, Surface
    from .tick_diagram import Diagram

MOST_SLIDES = 4
TOLD = 0.05e-3  # m: a shorter way is none


def card(diagram: Diagram, tick: int, rate: float, palette: str) -> Card:
    """Of the tick that a diagram draws; `rate`: ticks a second."""
    account = diagram.account
    rows = [*_ways(diagram), *_slides(account), *_surfaces(account, palette)]
    rows.append(CardRow("triangles looked at", str(len(account.looked_at))))
    seconds = tick / rate
    clock = f"{int(seconds) // 60}:{seconds % 60:05.2f}"
    note = " ".join(account.words)
    if diagram.scale > 1.0 and any(arrow.label for arrow in diagram.arrows):
        note += f" Arrows are {diagram.scale:.0f} times as long as the ways."
    return Card(account.headline, f"tick {tick}   ·   {clock}", tuple(rows), note, side="right")


def _ways(diagram: Diagram) -> list[CardRow]:
    from .tick_diagram import TAKEN

    account = diagram.account
    asked, given, taken = (math.hypot(*way) for way in (account.asked, account.given, account.held_back))
    rows = []
    if account.stopped:
        rows.append(CardRow("asked", millimetres(asked), diagram.asked_colour))
        if taken > TOLD:
            rows.append(CardRow("taken", millimetres(taken), TAKEN))
    rows.append(CardRow("given", millimetres(given), diagram.given_colour))
    if math.hypot(*account.carried) > TOLD:
        rows.append(CardRow("carried by the mover", millimetres(math.hypot(*account.carried))))
    return rows


def _slides(account: Account) -> list[CardRow]:
    """Each swept move: how much of what was tried was free."""
    rows = []
    moves = [slide for slide in account.slides if math.hypot(*slide.displacement) > TOLD]
    for number, slide in enumerate(moves[:MOST_SLIDES], start=1):
        size = math.hypot(*slide.displacement)
        free = "all free" if slide.fraction >= 1.0 else f"{100 * slide.fraction:.0f} % free"
        rows.append(CardRow(f"slide {number}", f"{millimetres(size)}, {free}"))
    if len(moves) > MOST_SLIDES:
        rows.append(CardRow("", f"and {len(moves) - MOST_SLIDES} more"))
    return rows


def _surfaces(account: Account, palette: str) -> list[CardRow]:
    return [
        CardRow(_called(surface), surface.place or surface.piece, contact_colour(surface.kind, palette))
        for surface in account.surfaces
    ]


def _called(surface: Surface) -> str:
    kind = {"walkable": "ground"}.get(surface.kind, surface.kind)
    return f"{surface.number}  {kind}, {surface.feature}"


def millimetres(metres: float) -> str:
    """`66.7 mm`."""
    return f"{1e3 * metres:.1f} mm" if metres < 1.0 else f"{metres:.2f} m"
