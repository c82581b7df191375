"""Colour palettes: the colours of markers and zones in the world, default and colour-blind safe."""

from __future__ import annotations

from collections.abc import Mapping

from ..core.srgb import LIGHT_BLUE, ORANGE, SKY_BLUE, WHITE
from ..core.vectors import Colour
from ..level.build.entities.zones import ZONE_FACTS

DEFAULT_PALETTE, COLOUR_BLIND_PALETTE = "usual", "safe"

# By purpose, sRGB, beside those of the zones. Shapes differ as well: ring and column (goal), gem (target), arch (exit),
# squares (pad), swirl (teleport), frame on the ground (checkpoint), streaks (current, gravity).
_ZONE_COLOURS = [(name, kind.colours) for name, kind in ZONE_FACTS.items() if kind.colours is not None]
MARKER_COLOURS: Mapping[str, Mapping[str, Colour]] = {
    DEFAULT_PALETTE: {
        "goal": (1.00, 0.72, 0.28), "goal_reached": (0.45, 1.00, 0.55),
        "target": (0.36, 0.86, 0.92), "exit": (0.60, 0.80, 1.00),
        "checkpoint_reached": (0.96, 0.94, 0.89), "ledge": (1.0, 0.96, 0.55),
        **{name: usual for name, (usual, _) in _ZONE_COLOURS},
    },
    COLOUR_BLIND_PALETTE: {
        "goal": ORANGE, "goal_reached": LIGHT_BLUE,
        "target": SKY_BLUE, "exit": (0.78, 0.86, 1.00),
        "checkpoint_reached": WHITE, "ledge": (1.0, 1.0, 1.0),
        **{name: safe for name, (_, safe) in _ZONE_COLOURS},
    },
}  # fmt: skip


def marker_colours(palette: str = DEFAULT_PALETTE) -> Mapping[str, Colour]:
    """Marker colours of a palette; unknown names give the default."""
    return MARKER_COLOURS.get(palette, MARKER_COLOURS[DEFAULT_PALETTE])
