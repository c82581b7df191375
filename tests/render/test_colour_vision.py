"""Colours that carry meaning: told apart by every kind of colour vision in the safe palette; contrast of all text."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest

from game.app.cameras.hero import BODY_COLOUR
from game.app.runs.ghost import GHOST_COLOUR
from game.render.colour_palettes import MARKER_COLOURS, contact_colour, marker_colours, theme_for
from game.render.hud.figures import MEDAL_COLOURS, MEDAL_DOTS
from tests.support.colour_vision import KINDS, contrast_ratio, difference, simulate, to_lab

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
