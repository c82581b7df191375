"""The colours of everything that stands over the picture: the usual ones, colour-blind safe ones, high contrast."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

Rgba = tuple[float, float, float, float]
Rgb = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Look:
    """Colours by what they are for (sRGB and cover, 0..1): warm paper on deep slate, one amber accent."""

    ink: Rgba = (0.96, 0.94, 0.89, 1.0)
    quiet: Rgba = (0.96, 0.94, 0.89, 0.66)
    accent: Rgba = (1.00, 0.76, 0.36, 1.0)
    warm: Rgba = (1.0, 0.62, 0.45, 1.0)  # of what wants mending
    slate: Rgba = (0.075, 0.09, 0.115, 0.86)  # of panels
    card: Rgba = (0.075, 0.09, 0.115, 0.78)
    shade: Rgba = (0.05, 0.06, 0.08, 0.52)  # behind lines over the world
    scrim: Rgba = (0.035, 0.045, 0.065, 0.88)  # that fades into the world, behind the title
    veil: Rgba = (0.03, 0.04, 0.06, 0.50)  # over the world behind a panel
    chosen: Rgba = (1.00, 0.76, 0.36, 0.17)
    groove: Rgba = (0.96, 0.94, 0.89, 0.20)
    keycap: Rgba = (0.96, 0.94, 0.89, 0.13)
    outline: Rgba = (0.0, 0.0, 0.0, 0.45)
    rim: Rgba = (0.96, 0.94, 0.89, 0.0)  # a line around panels


SKY_BLUE: Rgb = (0.337, 0.706, 0.914)  # after Okabe and Ito, Color Universal Design, 2008
ORANGE: Rgb = (0.902, 0.624, 0.0)
YELLOW: Rgb = (0.941, 0.894, 0.259)
GREEN: Rgb = (0.0, 0.620, 0.451)
VERMILION: Rgb = (0.835, 0.369, 0.0)

USUAL, SAFE = "usual", "safe"
LOOKS: Mapping[str, Look] = {
    USUAL: Look(),
    SAFE: replace(Look(), accent=(*SKY_BLUE, 1.0), chosen=(*SKY_BLUE, 0.20), warm=(*ORANGE, 1.0)),
}

# what a surface is to the walker, wherever such are drawn
CONTACTS: Mapping[str, Mapping[str, Rgb]] = {
    USUAL: {"walkable": (0.35, 0.90, 0.45), "wall": (1.00, 0.55, 0.20), "ceiling": (0.45, 0.65, 1.00)},
    SAFE: {"walkable": GREEN, "wall": ORANGE, "ceiling": SKY_BLUE},
}
OTHER_CONTACT: Mapping[str, Rgb] = {USUAL: (1.0, 0.9, 0.3), SAFE: YELLOW}


@cache
def look(palette: str = USUAL, contrast: bool = False) -> Look:
    """The colours of a palette, an unknown one being the usual; `contrast`: white on black, with lines around."""
    found = LOOKS.get(palette, LOOKS[USUAL])
    if not contrast:
        return found
    black, white = (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)
    accent = (1.0, 0.86, 0.30) if palette != SAFE else (0.45, 0.80, 1.0)
    return replace(
        found,
        ink=(*white, 1.0),
        quiet=(*white, 0.94),
        accent=(*accent, 1.0),
        warm=(1.0, 0.72, 0.40, 1.0),
        slate=(*black, 1.0),
        card=(*black, 0.96),
        shade=(*black, 0.90),
        scrim=(*black, 1.0),
        veil=(*black, 0.72),
        chosen=(*accent, 0.34),
        groove=(*white, 0.45),
        keycap=(*white, 0.26),
        outline=(*black, 0.9),
        rim=(*white, 0.9),
    )


def contact_colour(kind: str, palette: str = USUAL) -> Rgb:
    """The colour of what a touched surface is: walkable, wall, ceiling, or anything else."""
    name = palette if palette in CONTACTS else USUAL
    return CONTACTS[name].get(kind, OTHER_CONTACT[name])
