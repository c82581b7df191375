"""The player's figure: it stands on the feet of the body, leans, squashes and hops; not with reduced motion."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from game.app.cameras.hero import HOP_HEIGHT, HOP_SECONDS, HOPS, MAX_LEAN, REST, Hero, HeroPose, hero_ellipsoids
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


@pytest.mark.parametrize(
    "pose", [HeroPose(0.1, -0.1), HeroPose(squash=-0.2), HeroPose(squash=0.1, step=0.3, stride=1.0)]
)
def test_it_stands_on_the_feet_of_the_body(pose: HeroPose) -> None:
    whole = hero_ellipsoids(BODY, pose)[0]
    foot = np.subtract(whole.centre, whole.radii[1] * np.array(whole.up))
    assert foot == pytest.approx((1.0, 1.1, 3.0))


def test_it_leans_ahead_as_it_starts_and_stands_straight_at_a_steady_speed() -> None:
    hero = Hero()
    forward = (-np.sin(0.7), 0.0, -np.cos(0.7))
    speeds = [min(0.4 * k, 4.0) for k in range(120)]
    found = poses(hero, [(speed * forward[0], 0.0, speed * forward[2]) for speed in speeds])
    assert 0.03 < max(pose.pitch for pose in found) <= MAX_LEAN
    assert abs(found[-1].pitch) < 1e-3
    assert max(abs(pose.lean) for pose in found) < 1e-6
    assert found[-1].stride == 1.0
    assert all(0.0 <= pose.step < 1.0 for pose in found)


def test_a_landing_squashes_it_more_the_faster_it_falls() -> None:
    depths = []
    for speed in (2.0, 6.0):
        hero = Hero()
        poses(hero, [(0.0, -speed, 0.0)], grounded=False)
        depths.append(-min(pose.squash for pose in poses(hero, [(0.0, 0.0, 0.0)] * 60)))
    assert 0.01 < depths[0] < depths[1] < 0.3


def test_it_hops_at_the_goal_and_not_with_reduced_motion() -> None:
    for still in (False, True):
        hero = Hero()
        hero.hop()
        heights = [pose.hop for pose in poses(hero, [(0.0, 0.0, 0.0)] * 120, still=still)]
        assert max(heights) == pytest.approx(0.0 if still else HOP_HEIGHT, abs=0.01)
        assert heights[round(HOPS * HOP_SECONDS * 60) + 1 :] == [0.0] * (119 - round(HOPS * HOP_SECONDS * 60))


def test_with_reduced_motion_it_only_steps() -> None:
    hero = Hero()
    poses(hero, [(0.0, -6.0, 0.0)], grounded=False, still=True)
    for pose in poses(hero, [(4.0, 0.0, 0.0), (0.0, 0.0, 4.0)] * 20, still=True):
        assert (pose.lean, pose.pitch, pose.squash, pose.hop) == (REST.lean, REST.pitch, REST.squash, REST.hop)
