"""Colour palettes: the colours of markers and zones in the world, default and colour-blind safe."""

from __future__ import annotations

from collections.abc import Mapping

from ..core.srgb import GREEN, ORANGE, REDDISH_PURPLE, SKY_BLUE, VERMILION, YELLOW
from ..core.vectors import Colour

# Lighter than SKY_BLUE, so that it differs from ORANGE without any colour too
LIGHT_BLUE: Colour = (0.60, 0.84, 1.00)
WHITE: Colour = (0.96, 0.96, 0.96)

DEFAULT_PALETTE, COLOUR_BLIND_PALETTE = "usual", "safe"

# By purpose, sRGB. Shapes differ as well: ring and column (goal), gem (target), arch (exit), squares (pad), swirl
# (teleport), frame on the ground (checkpoint), streaks (current, gravity).
MARKER_COLOURS: Mapping[str, Mapping[str, Colour]] = {
    DEFAULT_PALETTE: {
        "goal": (1.00, 0.72, 0.28), "goal_reached": (0.45, 1.00, 0.55),
        "target": (0.36, 0.86, 0.92), "exit": (0.60, 0.80, 1.00),
        "pad": (1.0, 0.72, 0.28), "teleport": (0.62, 0.50, 1.0), "kill": (1.0, 0.32, 0.18),
        "checkpoint": (0.45, 0.95, 0.60), "checkpoint_reached": (0.96, 0.94, 0.89),
        "current": (0.93, 0.97, 1.0), "gravity": (0.80, 0.72, 1.0), "ledge": (1.0, 0.96, 0.55),
    },
    COLOUR_BLIND_PALETTE: {
        "goal": ORANGE, "goal_reached": LIGHT_BLUE,
        "target": SKY_BLUE, "exit": (0.78, 0.86, 1.00),
        "pad": YELLOW, "teleport": REDDISH_PURPLE, "kill": VERMILION,
        "checkpoint": GREEN, "checkpoint_reached": WHITE,
        "current": WHITE, "gravity": (0.92, 0.72, 0.85), "ledge": (1.0, 1.0, 1.0),
    },
}  # fmt: skip


def marker_colours(palette: str = DEFAULT_PALETTE) -> Mapping[str, Colour]:
    """Marker colours of a palette; unknown names give the default."""
    return MARKER_COLOURS.get(palette, MARKER_COLOURS[DEFAULT_PALETTE])
