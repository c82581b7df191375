"""Title card and goal markers of a HUD, as plain data."""

from __future__ import annotations

from dataclasses import dataclass

MARKER_KINDS = ("goal", "target", "hole", "ball")


@dataclass(frozen=True, slots=True)
class TitleCard:
    """Card about a level: its name, the aim, what is collected, the best run and the next medal.

    medal: "gold", "silver", "bronze" or nothing, that of the best run. opacity: 0..1.
    """

    name: str
    aim: str
    collected: str = ""
    best: str = ""
    medal: str = ""
    next_medal: str = ""
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class ScreenMarker:
    """Marker of a place in the world.

    kind: one of MARKER_KINDS. x, y: fractions (0..1) of width and height from the top left. distance: m. opacity: 0..1.
    arrow: the place is outside of the picture, in this direction from its centre (right, down; unit); None: it is in
    the picture at (x, y).
    """

    kind: str
    x: float
    y: float
    distance: float
    opacity: float = 1.0
    arrow: tuple[float, float] | None = None
