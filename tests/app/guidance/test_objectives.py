"""Objectives and their markers: the next place to go to, in the picture or at its edge, in every gravity."""

from __future__ import annotations

import math

import numpy as np
import pytest

from game.app.guidance.guide import BOTTOM, LEFT, RIGHT, TOP, project_objective
from game.app.guidance.objectives import Objective, ObjectiveFinder, ObjectiveKind
from game.level import load
from game.level.format.file_access import SHIPPED_LEVELS
from game.render import Camera
from game.render.colour_palettes import theme_for
from game.render.hud.guidance import crosshair_opacity, draw_markers, marker_rectangle
from game.render.hud.primitives import HudItems, TextRun
from game.render.snapshot import ScreenMarker
from game.sim import World

ASPECT = 16 / 9


def kinds(world):
    return [one.kind for one in ObjectiveFinder().find(world)]


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


@pytest.mark.full
def test_golf_marks_the_flag_and_a_ball_out_of_reach():
    world = World(load(SHIPPED_LEVELS / "golf" / "one.yaml"))
    assert kinds(world) == [ObjectiveKind.HOLE, ObjectiveKind.BALL]
    moved(world, (0.0, world.golf.at[1], world.golf.at[2] + 1.0))
    assert kinds(world) == [ObjectiveKind.HOLE]
    world.golf.hole = 1
    world.golf.card.append(2)
    assert kinds(world) == [ObjectiveKind.GOAL]


@pytest.mark.parametrize(
    ("name", "count"), [("museum/hall", 0), ("museum/flat", 0), ("demo", 1), ("escher", 1), ("lab", 1)]
)
@pytest.mark.sample(3)
def test_a_level_without_an_end_has_no_marker(name, count):
    assert len(kinds(World(load(SHIPPED_LEVELS / f"{name}.yaml")))) == count


def test_the_goal_on_the_ceiling_is_marked_below_it():
    world = World(load(SHIPPED_LEVELS / "escher.yaml"))
    world._runs.targets[0, :] = 1
    (goal,) = ObjectiveFinder().find(world)
    assert goal.at[1] < 15.0  # the light is at 16 m, and its up points down


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
        marker = project_objective(Objective(ObjectiveKind.GOAL, at), view, ASPECT)
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


def test_a_place_right_behind_the_eye_has_an_arrow():
    view = Camera((0.0, 1.5, 0.0), 0.0, 0.0, 59.0)
    marker = project_objective(Objective(ObjectiveKind.GOAL, (0.0, 1.5, 20.0)), view, ASPECT)
    assert marker.arrow == (0.0, 1.0)
    assert marker.distance == pytest.approx(20.0)


def test_a_marker_fades_near_its_place():
    view = Camera((0.0, 1.5, 0.0), 0.0, 0.0, 59.0)
    seen = [project_objective(Objective(ObjectiveKind.GOAL, (0.0, 1.5, -d)), view, ASPECT) for d in (1.9, 3.0, 5.0)]
    assert seen[0] is None
    assert 0.0 < seen[1].opacity < 1.0 == seen[2].opacity


@pytest.mark.parametrize("size", [(800, 600), (1280, 720), (3840, 2160)])
@pytest.mark.parametrize("text", [1.0, 2.0])
@pytest.mark.sample(1)
def test_no_marker_covers_the_crosshair(size, text):
    out = HudItems(size[1] / 720, text, theme_for(), size=size)
    radius = 3.0 * out.unit
    visible = 0
    for x in np.linspace(0.4, 0.6, 41):
        for y in np.linspace(0.35, 0.68, 67):
            for arrow in (None, (1.0, 0.0)):
                marker = ScreenMarker("goal", float(x), float(y), 12.0, 1.0, arrow)
                rectangle = marker_rectangle(out, marker, size)
                opacity = crosshair_opacity(out, rectangle, size)
                left, top, width, height = rectangle
                covers = (
                    left - radius < size[0] / 2 < left + width + radius
                    and top - radius < size[1] / 2 < top + height + radius
                )
                assert not (covers and opacity > 0.0)
                visible += opacity == 1.0
    assert visible > 1000
    for below in (0.0, 0.01, 0.03):  # a place a little below the crosshair is marked above it
        for aside in (0.0, 0.016, 0.032, 0.05):  # of the width: one that stands beside the crosshair is seen as well
            rectangle = marker_rectangle(out, ScreenMarker("hole", 0.5 + aside, 0.5 + below, 48.0), size)
            assert crosshair_opacity(out, rectangle, size) == 1.0, (below, aside)
    looked_at = marker_rectangle(out, ScreenMarker("goal", 0.5, 0.5, 12.0), size)
    assert crosshair_opacity(out, looked_at, size) == 1.0  # above the crosshair while one looks at the place


@pytest.mark.parametrize("y", [0.5, 0.56, 0.6])
def test_the_ball_is_marked_where_the_flag_or_the_crosshair_is(y):
    size = (1280, 720)
    out = HudItems(1.0, 1.0, theme_for(), size=size)
    draw_markers(out, (ScreenMarker("hole", 0.5, 0.55, 48.0), ScreenMarker("ball", 0.5, y, 20.0)))
    texts = {item.text for item in out.items if isinstance(item, TextRun)}
    assert "20 m" in texts
    draw_markers(out, (ScreenMarker("ball", 0.5, y, 21.0),))  # where the first one is already
    assert {"20 m", "21 m"} <= {item.text for item in out.items if isinstance(item, TextRun)}
