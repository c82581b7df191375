"""The eye: with the body, below ceilings, no surface cut by the near plane, and on its way to a new up."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np
import pytest

from game.app.cameras.first_person import FirstPersonCamera
from game.physics import TriangleMesh
from game.render.world_view import near_distance, vertical_fov
from game.sim import BodyPose
from tests.support.level_builder import quad

FRAME = 1 / 60


def pose(feet=(0.0, 0.0, 0.0), ry=0.9, grounded=True):
    x, y, z = feet
    return BodyPose((x, y, z), (x, y + ry, z), (0.35, ry, 0.25), 0.0, grounded)


@pytest.fixture(scope="module")
def empty():
    return TriangleMesh(quad((-50, -9, 50), (50, -9, 50), (50, -9, -50), (-50, -9, -50)))


def heights(eye, poses, seconds=FRAME):
    return np.array([eye.update(p, seconds)[1] for p in poses])


def test_in_the_air_the_eye_goes_with_the_body(empty):
    eye = FirstPersonCamera(empty, 0.8, pose())
    ys = [4.4 * t - 4.905 * t * t for t in np.arange(0, 0.9, FRAME)]
    walked = heights(eye, [pose((0, y, 0), grounded=False) for y in ys])
    assert walked == pytest.approx(np.array(ys) + 1.44, abs=1e-12)


def test_crouching_is_eased_and_ends_at_its_height(empty):
    eye = FirstPersonCamera(empty, 0.8, pose())
    walked = heights(eye, [pose(ry=0.55)] * 60)
    assert walked[0] > 1.2
    assert (np.diff(walked) <= 0).all()
    assert walked[-1] == pytest.approx(0.88, abs=1e-4)
    assert heights(eye, [pose()] * 90)[-1] == 0.8 * 1.8


def test_the_eye_of_a_fresh_crouch_stays_below_a_ceiling(floor_level):
    """Crouched and already under the slab (1.3 m) while the eye still comes down from 1.44 m."""
    eye = FirstPersonCamera(floor_level.mesh, 0.8, pose((3.0, 0.0, 6.0)))
    xs = 3.0 + 0.1 * np.arange(31)
    ys = heights(eye, [pose((x, 0.0, 6.0), ry=0.55) for x in xs], FRAME / 8)
    below = (xs > 3.95) & (xs < 6.05)
    assert below.sum() == 21
    assert ys[0] > 1.3
    assert ys[below].max() < 1.3 - 0.05


def test_a_jump_of_the_body_is_followed_at_once(empty):
    eye = FirstPersonCamera(empty, 0.8, pose())
    eye.update(pose((0, 0.2, 0)), FRAME)
    eye.snap(pose((9, 30, 0)))
    assert eye.update(pose((9, 30, 0)), FRAME) == (9, 30 + 1.44, 0)


def corners_of_near(eye, yaw, pitch, fov, aspect, distance):
    """The near rectangle's corners and middle, from the view's definition."""
    sy, cy, sp, cp = math.sin(yaw), math.cos(yaw), math.sin(pitch), math.cos(pitch)
    right, up = np.array((cy, 0.0, -sy)), np.array((sy * sp, cp, cy * sp))
    ahead = np.array((-sy * cp, sp, -cy * cp))
    high = math.tan(math.radians(fov) / 2)
    for a, b in itertools.product((-1, 0, 1), repeat=2):
        yield np.asarray(eye) + distance * (ahead + a * high * aspect * right + b * high * up)


@pytest.mark.parametrize("fov", [60.0, 110.0])
@pytest.mark.parametrize("distance", [0.004, 0.02, 0.1, 0.5])
@pytest.mark.sample(4)
def test_the_nearer_a_surface_the_nearer_the_near_plane(distance, fov):
    """Also where no body could be: the eye is `distance` from a wall, the view looks anywhere."""
    wall = TriangleMesh(quad((-9, -9, 0), (9, -9, 0), (9, 9, 0), (-9, 9, 0)))
    eye = (0.3, 0.2, distance)
    near = near_distance(wall, eye, vertical_fov(fov), 21 / 9)
    rng = random.Random(9)
    for _ in range(500):
        yaw, pitch = rng.uniform(-math.pi, math.pi), rng.uniform(-1.55, 1.55)
        for corner in corners_of_near(eye, yaw, pitch, vertical_fov(fov), 21 / 9, near):
            assert corner[2] > 0.0
    assert near == 0.08 or near > distance / 4


def turned(up=(0.0, 1.0, 0.0), north=(0.0, 0.0, -1.0), centre=(0.0, 5.0, 0.0)):
    feet = tuple(c - 0.9 * u for c, u in zip(centre, up, strict=True))
    return BodyPose(feet, centre, (0.35, 0.9, 0.25), 0.0, True, up, north)


@pytest.mark.parametrize(
    "frame",
    [((0.0, 0.0, 1.0), (0.0, 1.0, 0.0)), ((-1.0, 0.0, 0.0), (0.0, 0.0, -1.0)), ((0.0, -1.0, 0.0), (0.0, 0.0, -1.0))],
)
def test_the_eye_follows_a_new_up_without_a_jump(frame):
    eye = FirstPersonCamera(TriangleMesh(np.zeros((0, 3, 3))), 0.8, turned())
    at = eye.update(turned(), FRAME)
    up, north = np.array(eye.up_transition.up), np.array(eye.up_transition.north)
    ups = [up]
    for _ in range(200):
        was, before = np.array(at), up
        at = eye.update(turned(*frame), FRAME)
        up, north = np.array(eye.up_transition.up), np.array(eye.up_transition.north)
        ups.append(up)
        assert math.acos(min(float(up @ before), 1.0)) < 0.17  # radians in a sixtieth of a second
        assert np.linalg.norm(np.array(at) - was) < 0.1
        assert abs(up @ north) < 1e-9
    assert np.allclose(ups[0], ups[1], atol=1e-6)  # the first picture is as the last one was
    assert not eye.up_transition.is_active
    assert (eye.up_transition.up, eye.up_transition.north) == frame
    assert np.allclose(at, np.array((0.0, 5.0, 0.0)) + 0.54 * np.array(frame[0]))
