"""Colours that carry meaning: told apart by every kind of colour vision in the safe palette; contrast of all text.

Protanopia, deuteranopia and tritanopia by the matrices of Machado, Oliveira and Fernandes, "A Physiologically-based
Model for Simulation of Color Vision Deficiency", IEEE TVCG 15(6), 2009, severity 1.0, which apply to linear RGB.
Achromatopsia is the luminance. Differences of colours are distances in CIE L*a*b* (D65, 1976).
"""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray

from game.app.cameras.hero import BODY_COLOUR
from game.app.runs.ghost import GHOST_COLOUR
from game.render.colour_palettes import MARKER_COLOURS, contact_colour, marker_colours, theme_for
from game.render.hud.figures import MEDAL_COLOURS, MEDAL_DOTS

Floats = NDArray[np.float64]

LUMINANCE = np.array((0.2126, 0.7152, 0.0722))  # of linear sRGB (IEC 61966-2-1)
KINDS: dict[str, Floats] = {
    "usual": np.eye(3),
    "protanopia": np.array([
        (0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998),
    ]),
    "deuteranopia": np.array([
        (0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881),
    ]),
    "tritanopia": np.array([
        (1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900),
    ]),
    "achromatopsia": np.tile(LUMINANCE, (3, 1)),
}  # fmt: skip
XYZ_OF_RGB = np.array([
    (0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041),
])  # fmt: skip
WHITE_D65 = XYZ_OF_RGB.sum(axis=1)


def to_linear(srgb: ArrayLike) -> Floats:
    """sRGB values 0..1 to linear ones."""
    value = np.asarray(srgb, dtype=np.float64)
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def to_srgb(linear: ArrayLike) -> Floats:
    """Linear values to sRGB, cut to 0..1."""
    value = np.clip(np.asarray(linear, dtype=np.float64), 0.0, 1.0)
    return np.where(value <= 0.0031308, value * 12.92, 1.055 * value ** (1.0 / 2.4) - 0.055)


def simulate(srgb: ArrayLike, kind: str) -> Floats:
    """sRGB colours (..., 3), 0..1, as this kind of colour vision sees them."""
    return to_srgb(to_linear(srgb) @ KINDS[kind].T)


def to_lab(srgb: ArrayLike) -> Floats:
    """CIE L*a*b* (D65) of sRGB colours (..., 3)."""
    ratio = to_linear(srgb) @ XYZ_OF_RGB.T / WHITE_D65
    root = np.where(ratio > (6 / 29) ** 3, np.cbrt(ratio), ratio / (3 * (6 / 29) ** 2) + 4 / 29)
    x, y, z = np.moveaxis(root, -1, 0)
    return np.stack((116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)), axis=-1)


def difference(first: ArrayLike, second: ArrayLike, kind: str = "usual") -> float:
    """Distance of two sRGB colours in L*a*b* as this kind of colour vision sees them; 2.3 is just noticeable."""
    return float(np.linalg.norm(to_lab(simulate(first, kind)) - to_lab(simulate(second, kind))))


def contrast_ratio(first: ArrayLike, second: ArrayLike) -> float:
    """Contrast (WCAG 2.1) of two opaque sRGB colours, 1 to 21."""
    low, high = sorted(float(to_linear(colour) @ LUMINANCE) for colour in (first, second))
    return (high + 0.05) / (low + 0.05)


MIN_DIFFERENCE = 15.0  # in L*a*b*; 2.3 is just noticeable
MIN_LIGHTNESS = 7.0  # difference of L* without any colour, where the shape is the same too
DICHROMATS = ("usual", "protanopia", "deuteranopia", "tritanopia")

# Pairs that are drawn in the same place or with the same shape.
STATES = [("goal", "goal_reached"), ("checkpoint", "checkpoint_reached")]
BOXES = list(combinations(("pad", "kill", "teleport", "checkpoint"), 2))
LINES = [("ledge", kind) for kind in ("kill", "pad", "teleport", "goal", "target", "checkpoint")]
HAZARDS = [("kill", kind) for kind in ("goal", "target", "checkpoint", "exit", "current")]


@pytest.mark.parametrize("kind", DICHROMATS)
def test_markers_of_the_safe_palette_differ_for_every_colour_vision(kind):
    colours = marker_colours("safe")
    for first, second in STATES + BOXES + LINES + HAZARDS:
        assert difference(colours[first], colours[second], kind) >= MIN_DIFFERENCE, (first, second)


@pytest.mark.parametrize(("first", "second"), STATES)
def test_states_of_a_marker_differ_without_any_colour(first, second):
    colours = marker_colours("safe")
    assert difference(colours[first], colours[second], "achromatopsia") >= MIN_LIGHTNESS


@pytest.mark.parametrize("kind", KINDS)
def test_contact_classes_and_states_of_the_hud_differ_in_the_safe_palette(kind):
    theme = theme_for("safe")
    groups = (
        [contact_colour(name, "safe") for name in ("walkable", "wall", "ceiling", "other")],
        [theme.ink[:3], theme.accent[:3], theme.warm[:3]],
        [theme.accent[:3], theme.slate[:3]],
    )
    for group in groups:
        for first, second in combinations(group, 2):
            least = MIN_LIGHTNESS if kind == "achromatopsia" else MIN_DIFFERENCE
            assert difference(first, second, kind) >= least, (first, second)


@pytest.mark.parametrize("kind", KINDS)
def test_the_ghost_differs_from_the_body(kind):
    assert difference(GHOST_COLOUR, BODY_COLOUR, kind) >= MIN_LIGHTNESS


@pytest.mark.parametrize("kind", DICHROMATS)
def test_medals_differ_by_colour_and_by_their_dots(kind):
    for first, second in combinations(MEDAL_COLOURS, 2):
        assert difference(MEDAL_COLOURS[first][0][:3], MEDAL_COLOURS[second][0][:3], kind) >= MIN_DIFFERENCE
    assert len(set(MEDAL_DOTS.values())) == len(MEDAL_COLOURS) == len(MEDAL_DOTS)


def test_the_default_palette_differs_for_usual_colour_vision():
    colours = MARKER_COLOURS["usual"]
    for first, second in STATES + BOXES + LINES + HAZARDS:
        assert difference(colours[first], colours[second]) >= MIN_DIFFERENCE, (first, second)
    assert set(MARKER_COLOURS["safe"]) == set(colours)


@pytest.mark.parametrize("palette", ["usual", "safe"])
@pytest.mark.parametrize(("contrast", "least"), [(False, 4.5), (True, 7.0)])
def test_text_has_enough_contrast_on_its_box_over_a_black_and_a_white_world(palette, contrast, least):
    theme = theme_for(palette, contrast)
    on = {"slate": ("ink", "secondary_ink", "accent", "warm"), "card": ("ink", "secondary_ink", "accent", "warm")}
    for box, inks in {**on, "shadow": ("ink", "accent")}.items():
        for ink in inks:
            for world in (0.0, 1.0):
                back = np.array(getattr(theme, box))
                behind = back[:3] * back[3] + world * (1.0 - back[3])
                letters = np.array(getattr(theme, ink))
                shown = letters[:3] * letters[3] + behind * (1.0 - letters[3])
                assert contrast_ratio(shown, behind) >= least, (box, ink, world)


def test_the_simulation_has_its_known_properties():
    """Grey stays grey; red and green of equal lightness merge for deuteranopes, blue and yellow do not."""
    greys = np.linspace(0.0, 1.0, 11)[:, None] * np.ones(3)
    for kind in KINDS:
        assert simulate(greys, kind) == pytest.approx(greys, abs=2e-3)
    red, green = (0.78, 0.36, 0.20), (0.47, 0.52, 0.20)
    assert difference(red, green) > 45.0
    assert difference(red, green, "deuteranopia") < 0.45 * difference(red, green)
    assert difference((0.2, 0.3, 0.9), (0.9, 0.8, 0.2), "deuteranopia") > 80.0
    assert difference((0.2, 0.3, 0.9), (0.9, 0.8, 0.2), "achromatopsia") == pytest.approx(
        abs(np.diff(to_lab(simulate([(0.2, 0.3, 0.9), (0.9, 0.8, 0.2)], "achromatopsia"))[:, 0])[0]), abs=1e-3
    )
    assert to_lab((1.0, 1.0, 1.0)) == pytest.approx((100.0, 0.0, 0.0), abs=0.01)
    assert contrast_ratio((0, 0, 0), (1, 1, 1)) == pytest.approx(21.0)
    assert all(a != b for a, b in pairwise(KINDS))
