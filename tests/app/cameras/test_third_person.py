"""The view from behind: never in a wall, with none between it and the head, and the body in it."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import numpy as np
import pytest

from game.app.cameras.camera import COVERING_OPACITY, RIGS, CameraFrame, seen_from
from game.app.cameras.clearance import SpringArm
from game.app.cameras.play_cameras import ARM_LENGTH, ARM_SIDE
from game.app.settings.settings_file import Settings
from game.level import load
from game.level.format.file_access import SHIPPED_LEVELS
from game.physics import Ellipsoid
from game.render import Body, Camera, Snapshot
from game.sim import Session, World
from tests.support.level_builder import build_level, quad
from tests.support.player import Player

CAMERA_RADIUS = RIGS["behind"].radius


def body_in(shot):
    return [one for one in shot.ellipsoids if one.visor]


@pytest.mark.full
def test_on_open_ground_the_camera_is_behind_and_above_and_sees_the_body(player):
    player.game.input.view.yaw = 16384.0
    player.game.key_pressed("V")
    shot = player.wait(2.0)
    (body,) = body_in(shot)
    assert body.centre == pytest.approx(shot.body.centre, abs=1e-6)
    assert body.opacity == 1.0
    assert body.north == pytest.approx(shot.view.basis()[2].tolist(), abs=1e-6)
    away = np.subtract(shot.view.eye, body.centre)
    assert away[0] == pytest.approx(ARM_LENGTH, abs=0.01)  # it looks to the west
    assert away[2] == pytest.approx(-ARM_SIDE, abs=0.01)  # over the right shoulder
    assert 0.8 < away[1] < 1.5
    assert shot.view.near > 0.02


@pytest.mark.parametrize(
    ("name", "frames"),
    [
        ("escher", 90),
        *(pytest.param(*case, marks=pytest.mark.full) for case in (("demo", 900), ("lifts", 300), ("escher", 600))),
    ],
)
def test_walking_about_at_random_the_camera_is_never_in_a_wall(name, frames):
    """No surface, of level or mover, is nearer than the sphere that was swept; nor is there one on the way to it."""
    rng = random.Random(name)
    player = Player.in_level(load(SHIPPED_LEVELS / f"{name}.yaml"))
    game = player.game
    push = game.push_mode
    game.push_mode = lambda name, subject=None: None if name == "leaving" else push(name, subject)  # exits do nothing
    game.key_pressed("V")
    player.wait(1.0)
    least, reached, hidden, moved = math.inf, 0.0, 0, 0
    for frame in range(frames):
        if frame % 30 == 0:
            for key in ("W", "A", "D", "SPACE", "C", "LSHIFT"):
                game.key_released(key)
                if rng.random() < (0.9 if key == "W" else 0.2):
                    game.key_pressed(key)
            game.input.view.yaw = float(rng.randrange(65536))
            game.input.view.pitch = rng.uniform(-12000, 12000)
        shot = player.wait(1 / 60)
        world, eye = game.session.world, shot.view.eye
        hit = world.mesh.closest(eye)
        least = min(least, hit.distance)
        if shot.movers is not None:
            for mover, pose in zip(world.environment.movers, shot.movers, strict=True):
                moved += 1
                own = pose[:, :3].T @ (np.array(eye) - pose[:, 3])
                if mover.mesh.overlap(Ellipsoid((1e-3,) * 3), tuple(own), 0.0).size:
                    least = 0.0
        head = np.add(shot.body.centre, 0.6 * shot.body.radii[1] * np.array(shot.body.up))
        away = np.subtract(eye, head)
        hidden += bool(world.mesh.raycast_any(tuple(head), tuple(away), float(np.linalg.norm(away))))
        reached = max(reached, math.dist(eye, shot.body.centre))
        assert shot.view.near >= 0.001
    assert least > 0.9 * CAMERA_RADIUS
    assert reached > 0.9 * ARM_LENGTH
    assert hidden == 0
    assert moved == frames * len(world.environment.movers or ())


def plain(triangles):
    """A level of these triangles and no more, with the spawn in its middle."""
    return build_level(triangles, kill_height=-9.0)


def sheet(height):
    return quad((-9, height, 9), (9, height, 9), (9, height, -9), (-9, height, -9))


@pytest.mark.parametrize(("half_width", "covers"), [(0.45, True), (4.0, False)])
def test_between_narrow_walls_under_a_low_ceiling_the_body_fades_and_leaves_the_aim_free(half_width, covers):
    walls = [quad((x, 0, 9), (x, 0, -9), (x, 2, -9), (x, 2, 9)) for x in (-half_width, half_width)]
    level = plain(sheet(0.0) + sheet(1.95) + walls[0] + walls[1])
    player = Player.in_level(level)
    player.game.key_pressed("V")
    (body,) = body_in(player.wait(2.0))
    assert body.opacity == pytest.approx(COVERING_OPACITY if covers else 1.0)


def test_after_an_obstacle_the_arm_is_out_again_in_three_tenths_of_a_second_and_never_swings_back():
    arm = SpringArm()
    arm.update(0.5, 0.5, 1 / 60)
    for fps in (30, 60, 240):
        arm.snap()
        arm.update(0.5, 0.5, 1 / fps)
        lengths = [arm.update(3.4, 3.4, 1 / fps) for _ in range(round(0.5 * fps))]
        assert lengths[round(0.3 * fps) - 1] > 3.4 - 0.06
        assert (np.diff([0.5, *lengths]) >= 0.0).all()
        assert max(lengths) <= 3.4


def test_a_limit_that_flickers_does_not_make_the_arm_swing_beyond_it():
    arm, rng = SpringArm(), random.Random(4)
    for _ in range(2000):
        free = rng.uniform(0.0, 3.4)
        length = arm.update(free, rng.uniform(0.0, 3.4), rng.choice((0.0, 1 / 240, 1 / 60, 1 / 15)))
        assert 0.0 <= length <= free


def test_the_body_is_never_drawn_around_the_camera():
    session = Session(World(plain(sheet(0.0))))
    pose, rng = session.pose(), random.Random(1)
    body = Body(pose.centre, pose.radii, 0.3, pose.up, pose.north)
    shot = Snapshot(Camera(pose.centre, 0.0, 0.0), body=body)
    frame = CameraFrame(session, Settings(), 1 / 60, 16 / 9)
    inside = outside = 0
    for _ in range(1500):
        at = tuple(np.array(pose.centre) + np.array([rng.uniform(-1.5, 1.5) for _ in range(3)]))
        bodies = seen_from(shot, frame, replace(shot.view, eye=at), 1.0).ellipsoids
        scaled = np.subtract(at, pose.centre) / np.array(pose.radii)
        if np.linalg.norm(scaled) < 1.15:
            inside += 1
            assert bodies == ()
        elif math.dist(at, pose.centre) > 1.6:
            outside += 1
            assert bodies[0].opacity > 0.9
    assert inside > 15
    assert outside > 400
