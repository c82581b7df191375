"""The view from behind: never in a wall, as far away as there is room, softly there and back; the body in it."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from game.app.cameras.camera import COVERING_OPACITY, RIGS
from game.app.cameras.play_cameras import ARM_LENGTH, ARM_SIDE
from game.app.settings.settings_file import Settings
from game.level import load
from game.level.format.file_access import SHIPPED_LEVELS
from game.physics import Ellipsoid
from game.physics.environment.motion import Motion
from tests.support.level_builder import build_level, level_mover, quad
from tests.support.player import Player

CAMERA_RADIUS = RIGS["behind"].radius


def body_in(shot):
    return [one for one in shot.ellipsoids if one.visor]


@pytest.mark.full
def test_the_body_is_not_drawn_from_the_eye(player):
    assert body_in(player.wait(0.2)) == []
    eye = player.shown.view
    player.game.key_pressed("V")
    player.wait(1.5)
    player.game.key_pressed("V")
    shot = player.wait(1.5)
    assert body_in(shot) == []
    assert shot.view == eye


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


@pytest.mark.full
def test_the_camera_moves_softly_there_and_back_and_jumps_with_reduced_motion(player):
    for _ in range(2):
        player.game.key_pressed("V")
        places = np.array([player.wait(1 / 60).view.eye for _ in range(90)])
        steps = np.linalg.norm(np.diff(places, axis=0), axis=1)
        assert 0.02 < steps.max() < 0.5
        assert steps[-1] < 0.01
    player.game.settings = Settings(reduce_motion=True)
    player.game.key_pressed("V")
    first = player.wait(1 / 60).view.eye
    assert math.dist(first, player.wait(0.5).view.eye) < 1e-6


@pytest.mark.parametrize("reduced", [False, True])
@pytest.mark.full
def test_with_reduced_motion_the_view_does_not_move_while_the_player_does_nothing(reduced):
    wall = quad((-6, 0, -6), (6, 0, -6), (6, 4, -6), (-6, 4, -6))
    player = Player.in_level(plain(sheet(0.0) + wall))
    player.game.settings = Settings(reduce_motion=reduced)
    player.game.key_pressed("V")
    player.game.input.view.yaw = 0.0
    player.hold("W", 3.0)  # to the wall in front of the body
    player.game.input.view.yaw = 32768.0  # the wall is behind it now
    near = math.dist(player.wait(1.0).view.eye, player.shown.body.centre)
    player.game.input.view.yaw = 0.0  # the room is behind it
    turned = player.wait(1 / 60).view.eye
    later = player.wait(2.0).view.eye
    assert math.dist(later, player.shown.body.centre) > near + 0.5
    assert (math.dist(turned, later) < 1e-6) == reduced


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
    least, reached = math.inf, 0.0
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
                own = pose[:, :3].T @ (np.array(eye) - pose[:, 3])
                if mover.mesh.overlap(Ellipsoid((1e-3,) * 3), tuple(own), 0.0).size:
                    least = 0.0
        reached = max(reached, math.dist(eye, shot.body.centre))
        assert shot.view.near >= 0.001
    assert least > 0.9 * CAMERA_RADIUS
    assert reached > 0.9 * ARM_LENGTH


def plain(triangles, **more):
    """A level of these triangles and no more, with the spawn in its middle."""
    return build_level(triangles, **({"kill_height": -9.0} | more))


def sheet(height):
    a, b, c, d = (-9, height, 9), (9, height, 9), (9, height, -9), (-9, height, -9)
    return [[a, b, c], [a, c, d]]


@pytest.mark.full
def test_the_camera_stays_below_a_low_ceiling():
    """The head's arm would begin 4 cm above a ceiling of 1.95 m."""
    level = plain(sheet(0.0) + sheet(1.95))
    player = Player.in_level(level)
    player.game.key_pressed("V")
    shot = player.wait(1.5)
    assert shot.view.eye[1] < 1.95 - 0.99 * CAMERA_RADIUS
    assert shot.view.eye[2] > 3.0


@pytest.mark.full
def test_a_mover_in_the_way_shortens_the_arm():
    wall = quad((-2, -1, 0), (2, -1, 0), (2, 4, 0), (-2, 4, 0))
    level = plain(sheet(0.0), movers=(level_mover(wall, (0.0, 0.0, 2.0), Motion(), "door"),))
    player = Player.in_level(level)
    player.game.key_pressed("V")
    shot = player.wait(1.5)
    assert 2.0 - CAMERA_RADIUS - 0.02 < shot.view.eye[2] < 2.0 - 0.99 * CAMERA_RADIUS


@pytest.mark.full
def test_third_person_stays_after_a_restart_without_a_blend(player):
    player.game.key_pressed("V")
    player.wait(1.0)
    player.hold("W", 1.0)
    player.game.key_pressed("R")
    shot = player.wait(1 / 60)
    assert math.dist(shot.view.eye, shot.body.centre) > ARM_LENGTH - 0.2


@pytest.mark.full
def test_the_third_person_camera_does_not_change_the_walk(floor_level):
    ends = []
    for keys in ((), ("V",)):
        player = Player.in_level(floor_level)
        for key in keys:
            player.game.key_pressed(key)
        player.hold("W", 1.0)
        player.hold("SPACE", 0.5)
        ends.append(player.game.session.world.hash())
    assert ends[0] == ends[1]


@pytest.mark.parametrize(("half_width", "covers"), [(0.45, True), (4.0, False)])
def test_between_narrow_walls_under_a_low_ceiling_the_body_fades_and_leaves_the_aim_free(half_width, covers):
    walls = [quad((x, 0, 9), (x, 0, -9), (x, 2, -9), (x, 2, 9)) for x in (-half_width, half_width)]
    level = plain(sheet(0.0) + sheet(1.95) + walls[0] + walls[1])
    player = Player.in_level(level)
    player.game.key_pressed("V")
    (body,) = body_in(player.wait(2.0))
    assert body.opacity == pytest.approx(COVERING_OPACITY if covers else 1.0)
