"""Objectives and their markers: the next place to go to, in the picture or at its edge."""

from __future__ import annotations

import math

import numpy as np
import pytest

from game.app.guidance.guide import BOTTOM, LEFT, RIGHT, TOP, project_place
from game.app.guidance.objectives import ObjectiveFinder, ObjectiveKind
from game.level import load
from game.level.format.file_access import SHIPPED_LEVELS
from game.render import Camera
from game.sim import World

ASPECT = 16 / 9


def moved(world, feet):
    state = world.walker_state
    world.walker_state = state.replace(
        position=tuple(f + state.radii[1] * u for f, u in zip(feet, state.up, strict=True))
    )


def test_nearest_target_first_then_the_goal_then_nothing():
    world = World(load(SHIPPED_LEVELS / "examples" / "targets.yaml"))
    finder = ObjectiveFinder()
    moved(world, (6.5, 0.0, 0.5))
    assert finder.find(world)[0].at == (6.5, 1.1, -0.2)
    moved(world, (6.6, 0.0, 3.0))  # the other is nearer by less than a metre: the marker stays
    assert finder.find(world)[0].at == (6.5, 1.1, -0.2)
    moved(world, (7.0, 0.0, 5.0))
    assert finder.find(world)[0].at == (7, 1.1, 6)
    world._runs.targets[0, :] = 1
    (goal,) = finder.find(world)
    assert (goal.kind, goal.at[0], goal.at[2]) == (ObjectiveKind.GOAL, 0, 0)
    world.goal_tick = 1
    assert finder.find(world) == ()


@pytest.mark.parametrize("up", [(0, 1, 0), (0, -1, 0), (1, 0, 0), (0, 0, -1), (-1, 0, 0)])
@pytest.mark.sample(2)
def test_a_marker_lies_where_the_picture_shows_its_place(up):
    """The ray of the camera through the marker meets the place, whatever is up."""
    rng = np.random.default_rng(5)
    north = (0.0, 0.0, -1.0) if up[2] == 0 else (0.0, 1.0, 0.0)
    shown = edges = 0
    for _ in range(600):
        eye = tuple(rng.uniform(-5, 5, 3))
        view = Camera(eye, rng.uniform(0, math.tau), rng.uniform(-1.4, 1.4), 59.0, 0.05, tuple(map(float, up)), north)
        at = tuple(rng.uniform(-30, 30, 3))
        marker = project_place("goal", at, view, ASPECT)
        if marker is None:
            assert math.dist(at, eye) < 2.0
            continue
        assert LEFT - 1e-9 <= marker.x <= RIGHT + 1e-9
        assert TOP - 1e-9 <= marker.y <= BOTTOM + 1e-9
        offset = np.subtract(at, eye)
        right, above, _ = view.basis()
        if marker.arrow is None:
            shown += 1
            ray = view.pixel_ray(marker.x * 1600, marker.y * 900, 1600, 900)
            assert math.dist(ray, offset / np.linalg.norm(offset)) < 1e-9
        else:
            edges += 1
            assert math.hypot(*marker.arrow) == pytest.approx(1.0)
            # turning the view along the arrow comes nearer to the place: its component there is positive
            assert marker.arrow[0] * float(offset @ right) - marker.arrow[1] * float(offset @ above) > 0.0
    assert min(shown, edges) > 20


def test_a_marker_fades_near_its_place_in_the_picture_and_stays_as_an_arrow_beside_it():
    view = Camera((0.0, 1.5, 0.0), 0.0, 0.0, 59.0, 0.05, (0.0, 1.0, 0.0), (0.0, 0.0, -1.0))
    opacities = [marker and marker.opacity for z in (-1.0, -3.0, -6.0) if [marker := ahead(view, z)]]
    assert opacities[0] is None
    assert 0.0 < opacities[1] < opacities[2] == 1.0
    for z in (1.0, 0.5):  # behind the eye
        assert ahead(view, z).arrow is not None
        assert ahead(view, z).opacity == 1.0


def ahead(view, z):
    return project_place("goal", (0.0, 1.5, z), view, ASPECT)
