"""The player's figure: it stands on the feet of the body, leans, squashes and hops; not with reduced motion."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from game.app.cameras.hero import REST, Hero, hero_ellipsoids
from game.render import Body

BODY = Body((1.0, 2.0, 3.0), (0.35, 0.9, 0.35), 0.7)
SIDEWAYS = Body((1.0, 2.0, 3.0), (0.35, 0.9, 0.35), 0.7, (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
FRAME = 1.0 / 60.0


def poses(hero: Hero, velocities: list[tuple[float, float, float]], grounded: bool = True, still: bool = False):
    """The pose of each frame of a body with these velocities."""
    found = []
    for velocity in velocities:
        state: Any = SimpleNamespace(velocity=velocity, grounded=grounded, up=BODY.up)
        hero.update(state, BODY, FRAME, still)
        found.append(hero.pose)
    return found


@pytest.mark.parametrize("body", [BODY, SIDEWAYS])
def test_at_rest_the_figure_is_the_ellipsoid_of_the_body_and_looks_ahead(body: Body) -> None:
    whole, *parts = hero_ellipsoids(body)
    assert whole.visor
    assert (whole.centre, whole.radii) == (pytest.approx(body.centre), pytest.approx(body.radii))
    assert whole.up == pytest.approx(body.up)
    assert all(part.is_part for part in parts)
    pack, left, right = (np.subtract(part.centre, body.centre) for part in parts)
    ahead, up = np.array(whole.north), np.array(body.up)
    assert pack @ ahead < -0.2
    assert (left @ up, right @ up) == (pytest.approx(-0.825), pytest.approx(-0.825))
    assert np.cross(ahead, up) @ (right - left) > 0.2


def test_with_reduced_motion_it_only_steps() -> None:
    hero = Hero()
    poses(hero, [(0.0, -6.0, 0.0)], grounded=False, still=True)
    for pose in poses(hero, [(4.0, 0.0, 0.0), (0.0, 0.0, 4.0)] * 20, still=True):
        assert (pose.lean, pose.pitch, pose.squash, pose.hop) == (REST.lean, REST.pitch, REST.squash, REST.hop)
