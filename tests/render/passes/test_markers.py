"""Markers: position, occlusion, fading of reached targets, the beam of the goal; flags of golf."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from game import shipped
from game.level.build.entities.exits import Exit
from game.level.build.entities.point_entities import Light, Target
from game.render import Camera, Scene
from game.render.gl.quality import QUALITIES
from game.render.passes.markers import goal_mesh
from game.render.scene.scene import GOAL_GRID, GoalAppearance
from tests.render.conftest import ground, picture_of, plain, wall
from tests.render.scene.baked_light import TINY

SIZE = (240, 135)
VIEW = Camera((0.0, 1.0, 4.0), 0.0, 0.0, 60.0, 0.05)
SHARP = replace(TINY, scale=1.0)


def scene_of(**marks: Any) -> Scene:
    return replace(plain([wall(-6, 8), ground(12)], [(0.25, 0.25, 0.25)] * 2), **marks)


def picture(ctx: Any, scene: Scene, **more: Any) -> np.ndarray:
    return picture_of(ctx, scene, SHARP, VIEW, SIZE, **{"time": 2.0, **more})


def changed(one: np.ndarray, other: np.ndarray, least: int = 12) -> np.ndarray:
    return np.abs(one - other).max(axis=2) >= least


MARKS = {
    "targets": (Target((0, 1, 0)),),
    "lamps": (Light((0, 1, 0), reach=0.1),),
    "exits": (Exit((0, 0, 0), 0.8, "", Path(), "", ""),),
}


@pytest.mark.full
@pytest.mark.parametrize("kind", MARKS)
def test_a_marker_is_visible_only_at_its_position(ctx: Any, kind: str) -> None:
    bare, marked = picture(ctx, scene_of()), picture(ctx, scene_of(**{kind: MARKS[kind]}))
    rows, columns = np.nonzero(changed(bare, marked))
    assert len(rows) > 60
    assert 100 < columns.mean() < 140
    assert columns.min() > 70
    assert columns.max() < 170
    middle = (slice(57, 78), slice(108, 132))
    assert marked[middle].sum() > bare[middle].sum() * 1.08


@pytest.mark.full
@pytest.mark.parametrize("kind", MARKS)
def test_a_wall_hides_a_marker(ctx: Any, kind: str) -> None:
    hidden = {kind: tuple(replace(mark, at=(0, mark.at[1], -9)) for mark in MARKS[kind])}
    assert not changed(picture(ctx, scene_of()), picture(ctx, scene_of(**hidden)), 1).any()


def test_a_reached_target_fades_to_a_faint_trace(ctx: Any) -> None:
    scene = scene_of(targets=MARKS["targets"])
    bare = picture(ctx, scene_of())
    waiting, halfway, done = (picture(ctx, scene, targets=(part,)) for part in (0.0, 0.5, 1.0))
    light = [float(np.abs(one - bare).sum()) for one in (waiting, halfway, done)]
    assert 0 < light[2] < 0.12 * light[0]
    assert changed(waiting, halfway).any()
    assert changed(halfway, done).any()
    middle = (slice(60, 75), slice(112, 128))
    assert not changed(done[middle], bare[middle], 40).any(), "the gem is gone"
    assert changed(waiting[middle], bare[middle], 40).any()


NO_RISE = (0.0,) * len(GOAL_GRID)


def test_the_column_of_light_is_as_wide_as_the_reach():
    shader = (shipped("shaders") / "markers" / "goal.vert.glsl").read_text(encoding="utf-8")
    (factor,) = re.findall(r"column_radius = ([\d.]+) \* goal_position_radius\.w", shader)
    column = goal_mesh(NO_RISE)[goal_mesh(NO_RISE)[:, 3] == 1.0]
    assert float(factor) * np.hypot(column[:, 0], column[:, 2]) == pytest.approx(1.0)


def test_a_flag_has_a_pole_and_a_cloth_that_waves(ctx: Any) -> None:
    scene = plain([ground(20.0)], [(0.4, 0.4, 0.4)])
    quality = replace(QUALITIES["low"], scale=1.0, light_size=64, shadow_size=64)
    pictures = []
    for flags, seconds in (((), 0.0), (((0.0, 0.0, 0.0),), 0.0), (((0.0, 0.0, 0.0),), 0.4)):
        flying = replace(scene, flags=flags)
        pictures.append(picture_of(ctx, flying, quality, Camera((0.0, 1.2, 4.0)), (240, 240), True, time=seconds))
    without, still, later = pictures
    assert (np.abs(still - without).max(axis=2) > 20).sum() > 200
    assert (np.abs(later - still).max(axis=2) > 20).sum() > 20


def test_a_goal_is_gold_and_turns_green_and_one_that_waits_is_dashes_on_the_ground(ctx: Any) -> None:
    scene = scene_of(goal=GoalAppearance((0.0, 0.0, 0.0), 0.8, (0.0, 1.0, 0.0)))
    bare = picture(ctx, scene_of())
    ready, reached, waiting = (
        picture(ctx, scene, **state) - bare for state in ({}, {"goal_reached": True}, {"goal_waits": True})
    )
    marked = [np.abs(one).max(axis=2) >= 12 for one in (ready, reached, waiting)]
    assert marked[0][:70].sum() > 60  # column and core
    assert not marked[2][:70].any()
    assert 20 < marked[2].sum() < 0.5 * marked[0].sum()
    for light, (more, less) in ((ready, (0, 1)), (reached, (1, 0))):
        assert light[..., more].sum() > 1.1 * light[..., less].sum()
