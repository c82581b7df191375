"""Colours of markers and zones in the world, of contacts, and of the HUD: default, colour-blind safe, high contrast."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

from ..core.srgb import BLUE, GREEN, LIGHT_BLUE, ORANGE, SKY_BLUE, WHITE
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


# Colour themes of the HUD: default, colour-blind safe and high contrast

Rgba = tuple[float, float, float, float]


def with_opacity(colour: Rgba, factor: float) -> Rgba:
    """Colour with its opacity multiplied."""
    return (*colour[:3], colour[3] * factor)


@dataclass(frozen=True, slots=True)
class HudTheme:
    """Colours by purpose, sRGB and opacity 0..1."""

    ink: Rgba = (0.96, 0.94, 0.89, 1.0)
    secondary_ink: Rgba = (0.96, 0.94, 0.89, 0.72)
    accent: Rgba = (1.00, 0.76, 0.36, 1.0)
    warm: Rgba = (1.0, 0.62, 0.45, 1.0)  # warnings
    slate: Rgba = (0.075, 0.09, 0.115, 0.86)  # panels
    card: Rgba = (0.075, 0.09, 0.115, 0.86)
    shadow: Rgba = (0.05, 0.06, 0.08, 0.76)  # behind text over the world
    scrim: Rgba = (0.035, 0.045, 0.065, 0.88)  # behind the title, fades into the world
    veil: Rgba = (0.03, 0.04, 0.06, 0.50)  # over the world, behind a panel
    selection: Rgba = (1.00, 0.76, 0.36, 0.17)
    slider_track: Rgba = (0.96, 0.94, 0.89, 0.20)
    keycap: Rgba = (0.96, 0.94, 0.89, 0.13)
    outline: Rgba = (0.0, 0.0, 0.0, 0.45)
    rim: Rgba = (0.96, 0.94, 0.89, 0.0)  # outline of panels

    @property
    def ground(self) -> Rgba:
        """Colour of panels without their transparency."""
        return (*self.slate[:3], 1.0)


THEMES: Mapping[str, HudTheme] = {
    DEFAULT_PALETTE: HudTheme(),
    COLOUR_BLIND_PALETTE: replace(
        HudTheme(), accent=(*LIGHT_BLUE, 1.0), selection=(*LIGHT_BLUE, 0.20), warm=(*ORANGE, 1.0)
    ),
}

# Contact kinds of the walker
CONTACT_COLOURS: Mapping[str, Mapping[str, Colour]] = {
    DEFAULT_PALETTE: {"walkable": (0.35, 0.90, 0.45), "wall": (1.00, 0.55, 0.20), "ceiling": (0.45, 0.65, 1.00)},
    COLOUR_BLIND_PALETTE: {"walkable": GREEN, "wall": ORANGE, "ceiling": BLUE},
}
OTHER_CONTACT_COLOURS: Mapping[str, Colour] = {DEFAULT_PALETTE: (1.0, 0.9, 0.3), COLOUR_BLIND_PALETTE: WHITE}


@cache
def theme_for(palette: str = DEFAULT_PALETTE, contrast: bool = False) -> HudTheme:
    """Theme of a palette; unknown names give the default. contrast: white on black with outlines."""
    theme = THEMES.get(palette, THEMES[DEFAULT_PALETTE])
    if not contrast:
        return theme
    black = (0.0, 0.0, 0.0)
    white = (1.0, 1.0, 1.0)
    accent = (1.0, 0.86, 0.30) if palette != COLOUR_BLIND_PALETTE else (0.45, 0.80, 1.0)
    return replace(
        theme,
        ink=(*white, 1.0),
        secondary_ink=(*white, 0.94),
        accent=(*accent, 1.0),
        warm=(1.0, 0.72, 0.40, 1.0),
        slate=(*black, 1.0),
        card=(*black, 0.96),
        shadow=(*black, 0.90),
        scrim=(*black, 1.0),
        veil=(*black, 0.72),
        selection=(*accent, 0.34),
        slider_track=(*white, 0.45),
        keycap=(*white, 0.26),
        outline=(*black, 0.9),
        rim=(*white, 0.9),
    )


def contact_colour(kind: str, palette: str = DEFAULT_PALETTE) -> Colour:
    """Colour of a contact kind: walkable, wall, ceiling, or any other."""
    name = palette if palette in CONTACT_COLOURS else DEFAULT_PALETTE
    return CONTACT_COLOURS[name].get(kind, OTHER_CONTACT_COLOURS[name])
