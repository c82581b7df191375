"""Reduce motion: the view is a pure function of the body and of the direction of view, and nothing else moves it."""

from __future__ import annotations

import math
import random

import pytest

from game.app.game import Game
from game.app.settings.settings_table import Settings
from game.level import load
from tests.support.player import Player

STILL = Settings(reduce_motion=True, step_smoothing=False, head_bob=1.0)


def walked(level, ticks):
    """(feet, radii, up, centre, yaw, pitch) -> eye and axes, over a walk with jumps, crouching, lifts and gravity."""
    player = Player(Game(load(f"levels/{level}.yaml"), STILL, "low"))
    game, chance = player.game, random.Random(4)
    rows = []
    for k in range(ticks):
        if k % 25 == 0:
            for key in "WSADC":
                game.input.held.release(key)
            for key in chance.sample("WWWSADC", 2):
                game.input.held.press(key)
        if k % 40 == 7:
            game.input.held.press("SPACE")
            game.input.held.release("SPACE")
        game.input.view.rotate_by_degrees(chance.uniform(-6, 6), chance.uniform(-2, 2))
        shown = player.wait(1 / 60)
        pose, view = game.session.pose(), shown.view
        rows.append((pose, (round(game.input.view.yaw, 6), game.input.view.pitch), view))
    return player, rows


@pytest.mark.parametrize(
    ("level", "ticks"),
    [
        ("lifts", 150),
        *(pytest.param(level, 900, marks=pytest.mark.full) for level in ("demo", "lifts", "escher", "waters")),
    ],
)
def test_the_pose_of_the_camera_is_a_function_of_the_body_and_the_view_angles(level, ticks):
    player, rows = walked(level, ticks)
    radii = {pose.radii for pose, _, _ in rows}
    assert len(radii) > 1 or level == "waters", "it has crouched"
    for pose, (yaw, pitch), view in rows:
        eye_height = min(0.8, 0.97) * 2.0 * pose.radii[1]
        wanted = [foot + eye_height * axis for foot, axis in zip(pose.feet, pose.up, strict=True)]
        assert math.dist(view.eye, wanted) < 1e-9
        assert (view.up, view.north) == (pose.up, pose.north)
        assert view.yaw == pytest.approx(yaw * math.tau / 65536, abs=1e-6)
        assert view.pitch == pytest.approx(pitch * math.tau / 65536)
        assert view.fov_degrees == rows[0][2].fov_degrees
    # and without the switch it is not
    player.game.settings = Settings(head_bob=1.0)
    player.hold("W", 0.3)
    shown = player.wait(0.1)
    assert shown.view.fov_degrees == rows[0][2].fov_degrees
