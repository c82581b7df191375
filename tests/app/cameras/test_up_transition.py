"""The picture's way to a new up: begins where it was, ends at the body's own, and never jumps."""

from __future__ import annotations

import math

import numpy as np
import pytest

from game.app.cameras.first_person import Eye
from game.physics import TriangleMesh
from game.sim import Pose

NOWHERE = TriangleMesh(np.zeros((0, 3, 3)))
UPRIGHT = ((0.0, 1.0, 0.0), (0.0, 0.0, -1.0))


def pose(frame=UPRIGHT, centre=(0.0, 5.0, 0.0)):
    up, north = frame
    feet = tuple(c - 0.9 * u for c, u in zip(centre, up, strict=True))
    return Pose(feet, centre, (0.35, 0.9, 0.25), 0.0, True, up, north)


@pytest.mark.parametrize(
    "frame",
    [((0.0, 0.0, 1.0), (0.0, 1.0, 0.0)), ((-1.0, 0.0, 0.0), (0.0, 0.0, -1.0)), ((0.0, -1.0, 0.0), (0.0, 0.0, -1.0))],
)
def test_it_comes_after_the_body_without_a_jump(frame):
    eye = Eye(NOWHERE, 0.8, pose())
    at = eye.follow(pose(), 1 / 60)
    up, north = np.array(eye.righting.up), np.array(eye.righting.north)
    for frame_count in range(200):
        was, before = np.array(at), up
        at = eye.follow(pose(frame), 1 / 60)
        up, north = np.array(eye.righting.up), np.array(eye.righting.north)
        assert math.acos(min(float(up @ before), 1.0)) < 0.17  # radians in a sixtieth of a second
        assert np.linalg.norm(np.array(at) - was) < 0.1
        assert abs(up @ north) < 1e-9
        if frame_count == 0:
            assert np.allclose(before, up, atol=1e-6)  # the first picture is as the last one was
    assert not eye.righting.busy
    assert (eye.righting.up, eye.righting.north) == frame
    assert np.allclose(at, np.array((0.0, 5.0, 0.0)) + 0.54 * np.array(frame[0]))


def test_a_jump_eases_nothing():
    eye = Eye(NOWHERE, 0.8, pose())
    there = pose(((0.0, 0.0, 1.0), (0.0, 1.0, 0.0)))
    eye.jump(there)
    assert np.allclose(eye.follow(there, 1 / 60), (0.0, 5.0, 0.54))
    assert eye.righting.up == (0.0, 0.0, 1.0)
