"""Zones as rows to draw: which faces and streaks there are, and where."""

from __future__ import annotations

import numpy as np

from game.render.camera import View
from game.render.scene import ZoneLook
from game.render.zones import faces_of, streaks_of


def test_water_has_a_surface_and_sides_within_its_box():
    rows = faces_of((ZoneLook("water", (1.0, 2.0, 3.0), (4.0, 1.0, 2.0), heading=16384),))
    assert len(rows) == 5 * 6  # nothing is seen from below
    low, high = rows["in_position"].min(axis=0), rows["in_position"].max(axis=0)
    assert np.allclose(low, (-1.0, 1.0, -1.0), atol=0.01)  # turned by a quarter: broad in z
    assert np.allclose(high, (3.0, 3.0, 7.0), atol=0.01)


def test_only_what_moves_and_is_visible_has_streaks():
    still = ZoneLook("water", (0, 0, 0), (2, 1, 2))
    wind = ZoneLook("current", (0, 0, 0), (2, 1, 2), heading=16384, flow=(0.0, 0.0, -3.0))
    hidden = ZoneLook("current", (0, 0, 0), (2, 1, 2), flow=(1, 0, 0), visible=False)
    rows = streaks_of((still, wind, hidden))
    assert len(rows) > 5
    assert np.allclose(rows["in_flow"][:, :3], (3.0, 0.0, 0.0), atol=1e-6)  # north is its own east


def test_a_view_by_another_up_is_the_same_view_turned():
    plain = View((0, 0, 0), 0.7, 0.3).axes()
    turned = View((0, 0, 0), 0.7, 0.3, up=(0.0, 0.0, 1.0), north=(0.0, 1.0, 0.0)).axes()
    spin = np.array(((1, 0, 0), (0, 0, -1), (0, 1, 0)))  # up to south, north to up
    for a, b in zip(plain, turned, strict=True):
        assert np.allclose(spin @ a, b)
