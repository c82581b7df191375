"""Pictures of environments."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers import AddRenderObservation

from game.app.display.still_image import still_snapshot, walker_camera_pose
from game.gym.picture import FIELD_OF_VIEW, WalkerPicture
from game.gym.single import EllipsoidWalkerEnv
from game.level import load
from tests.support import gl

ROOM = """
format: 1
name: Room
spawn: {at: [0, 0, 3], facing: north}
goal: {at: [0, 0, -3], radius: 0.5}
pieces: [room: {from: [-4, 0, -4], to: [4, 3, 4]}]
"""


@pytest.fixture(scope="module", autouse=True)
def _has_graphics() -> None:
    gl.context().release()


def room(**options: Any) -> Any:
    fixed: Any = {"level": load(text=ROOM), "distance": "straight", "width": 64, "height": 48}
    return EllipsoidWalkerEnv(**{**fixed, **options})


def test_pictures_show_the_world() -> None:
    env = room(render_mode="rgb_array")
    env.reset(seed=1)
    first = env.render()
    assert first.shape == (48, 64, 3)
    assert first.std() > 5.0
    assert (env.render() == first).all()
    for _ in range(8):
        env.step(np.array([1, 0, 0.5, -1, -1, -1], np.float32))
    assert np.abs(env.render().astype(int) - first).mean() > 2.0
    assert pickle.loads(pickle.dumps(env)).render().shape == (48, 64, 3)
    behind = room(render_mode="rgb_array", view="behind")
    behind.reset(seed=1)
    assert np.abs(behind.render().astype(int) - first).mean() > 2.0
    check_env(env)


def test_pictures_show_balls_and_movers_as_those_of_shot_do(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[Any] = []
    renderer = SimpleNamespace(render=lambda shot, size: drawn.append(shot), image=lambda: None)
    monkeypatch.setattr(WalkerPicture, "_renderer", lambda self, level: renderer)
    env = room(level=load("ballroom"), render_mode="rgb_array")
    env.reset(seed=1)
    for _ in range(3):
        env.step(np.array([1, 0, 0.5, -1, -1, -1], np.float32))
    env.render()
    level, pose = env.course.level, walker_camera_pose(env.world, drawn[0].view.yaw, 0.0)
    shot = still_snapshot(level, pose, (64, 48), FIELD_OF_VIEW)
    assert (drawn[0].view.eye, drawn[0].view.near) == (shot.view.eye, pytest.approx(shot.view.near, rel=0.2))
    assert (drawn[0].balls.centres == shot.balls.centres).all()
    assert drawn[0].time == shot.time


def test_pictures_can_be_observations() -> None:
    env = AddRenderObservation(room(render_mode="rgb_array"))
    observation, _ = env.reset(seed=1)
    assert isinstance(env.observation_space, gymnasium.spaces.Box)
    assert observation.shape == (48, 64, 3)


def test_pictures_need_a_mode() -> None:
    env = room()
    env.reset(seed=1)
    with pytest.raises(ValueError, match="pass render_mode="):
        env.render()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have a display without DISPLAY")
def test_a_window_needs_a_display() -> None:
    code = "from game.gym.viewer import Viewer\nViewer(64, 48, 15)"
    environment = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=120)
    assert run.stderr.splitlines()[-1].startswith(
        'gymnasium.error.DependencyNotInstalled: render_mode="human" needs a display: Cannot connect to'
    )
