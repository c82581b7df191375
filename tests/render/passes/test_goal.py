"""The beam of the goal is as wide as its reach."""

from __future__ import annotations

import re

import numpy as np
import pytest

from game import shipped
from game.render.passes.markers import goal_mesh
from game.render.scene.scene import GOAL_GRID

NO_RISE = (0.0,) * len(GOAL_GRID)


def test_the_column_of_light_is_as_wide_as_the_reach():
    shader = (shipped("shaders") / "markers" / "goal.vert.glsl").read_text(encoding="utf-8")
    (factor,) = re.findall(r"column_radius = ([\d.]+) \* goal_position_radius\.w", shader)
    column = goal_mesh(NO_RISE)[goal_mesh(NO_RISE)[:, 3] == 1.0]
    assert float(factor) * np.hypot(column[:, 0], column[:, 2]) == pytest.approx(1.0)
