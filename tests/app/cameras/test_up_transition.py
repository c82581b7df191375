"""The picture's way to a new up: begins where it was, ends at the body's own, and never jumps."""

from __future__ import annotations

import math

import numpy as np
import pytest

from game.app.cameras.first_person import FirstPersonCamera
from game.physics import TriangleMesh
from game.sim import BodyPose

NOWHERE = TriangleMesh(np.zeros((0, 3, 3)))
UPRIGHT = ((0.0, 1.0, 0.0), (0.0, 0.0, -1.0))


def pose(frame=UPRIGHT, centre=(0.0, 5.0, 0.0)):
    up, north = frame
    feet = tuple(c - 0.9 * u for c, u in zip(centre, up, strict=True))
    return BodyPose(feet, centre, (0.35, 0.9, 0.25), 0.0, True, up, north)


@pytest.mark.parametrize(
    "frame",
    [((0.0, 0.0, 1.0), (0.0, 1.0, 0.0)), ((-1.0, 0.0, 0.0), (0.0, 0.0, -1.0)), ((0.0, -1.0, 0.0), (0.0, 0.0, -1.0))],
)
def test_the_eye_follows_a_new_up_without_a_jump(frame):
    eye = FirstPersonCamera(NOWHERE, 0.8, pose())
    at = eye.update(pose(), 1 / 60)
    up, north = np.array(eye.up_transition.up), np.array(eye.up_transition.north)
    for frame_count in range(200):
        was, before = np.array(at), up
        at = eye.update(pose(frame), 1 / 60)
        up, north = np.array(eye.up_transition.up), np.array(eye.up_transition.north)
        assert math.acos(min(float(up @ before), 1.0)) < 0.17  # radians in a sixtieth of a second
        assert np.linalg.norm(np.array(at) - was) < 0.1
        assert abs(up @ north) < 1e-9
        if frame_count == 0:
            assert np.allclose(before, up, atol=1e-6)  # the first picture is as the last one was
    assert not eye.up_transition.is_active
    assert (eye.up_transition.up, eye.up_transition.north) == frame
    assert np.allclose(at, np.array((0.0, 5.0, 0.0)) + 0.54 * np.array(frame[0]))
