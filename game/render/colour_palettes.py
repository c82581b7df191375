"""Colour palettes: the colours of markers and zones in the world, default and colour-blind safe."""

from __future__ import annotations

from collections.abc import Mapping

from ..core.vectors import Colour

# Okabe and Ito, Color Universal Design, 2008
SKY_BLUE: Colour = (0.337, 0.706, 0.914)
ORANGE: Colour = (0.902, 0.624, 0.0)
YELLOW: Colour = (0.941, 0.894, 0.259)
GREEN: Colour = (0.0, 0.620, 0.451)
BLUE: Colour = (0.0, 0.447, 0.698)
VERMILION: Colour = (0.835, 0.369, 0.0)
REDDISH_PURPLE: Colour = (0.800, 0.475, 0.655)

DEFAULT_PALETTE, COLOUR_BLIND_PALETTE = "usual", "safe"

# By purpose, sRGB. Shapes differ as well: ring and column (goal), gem (target), arch (exit), squares (pad), swirl
# (teleport), frame on the ground (checkpoint), streaks (current, gravity).
MARKER_COLOURS: Mapping[str, Mapping[str, Colour]] = {
    DEFAULT_PALETTE: {
        "goal": (1.00, 0.72, 0.28), "goal_reached": (0.45, 1.00, 0.55),
        "target": (0.36, 0.86, 0.92), "exit": (0.60, 0.80, 1.00),
        "pad": (1.0, 0.72, 0.28), "teleport": (0.62, 0.50, 1.0), "kill": (1.0, 0.32, 0.18),
        "checkpoint": (0.45, 0.95, 0.60), "checkpoint_reached": (0.96, 0.94, 0.89),
        "current": (0.93, 0.97, 1.0), "gravity": (0.80, 0.72, 1.0),
    },
    COLOUR_BLIND_PALETTE: {
        "goal": ORANGE, "goal_reached": SKY_BLUE,
        "target": SKY_BLUE, "exit": (0.78, 0.86, 1.00),
        "pad": YELLOW, "teleport": REDDISH_PURPLE, "kill": VERMILION,
        "checkpoint": GREEN, "checkpoint_reached": (0.96, 0.96, 0.96),
        "current": (0.96, 0.96, 0.96), "gravity": REDDISH_PURPLE,
    },
}  # fmt: skip


def marker_colours(palette: str = DEFAULT_PALETTE) -> Mapping[str, Colour]:
    """Marker colours of a palette; unknown names give the default."""
    return MARKER_COLOURS.get(palette, MARKER_COLOURS[DEFAULT_PALETTE])
