"""The first view of each level: what a player sees from the spawn, before the first step."""

from __future__ import annotations

import math

import numpy as np
import pytest

from game.app.commands.play import choose_view
from game.level import load
from game.level.format.file_access import SHIPPED_LEVELS

EYE_HEIGHT = 1.44  # m
HALF_FOV = 42.0  # degrees to each side; 90 degrees are visible at 16:9, the rest is for the width of a sign
# The words by which a level says in its first view what to do, on a sign.
FIRST_WORDS = {
    "surfaces": ("Through ice", "Go right"),
    "lab": ("THE COLLISION LAB",),
    "golf/one": ("Look at the red flag",),
    "golf/two": ("Look up to loft",),
    "golf/three": ("The flag is far left",),
    "waters": ("Dive under the wall",),
    "lifts": ("Step on and ride",),
    "escher": ("Take the stairs",),
    "ballroom": ("Hit the three crystals",),
    "museum/hall": ("Behind each gate",),
}


@pytest.mark.parametrize("name", FIRST_WORDS)
@pytest.mark.sample(1)
def test_the_first_view_has_a_sign_that_says_what_to_do(name: str) -> None:
    level = load(SHIPPED_LEVELS / f"{name}.yaml")
    start = level.spawns[0]
    eye = np.add(start.feet, (0.0, EYE_HEIGHT, 0.0))
    for words in FIRST_WORDS[name]:
        sign = next(sign for sign in level.signs if words in " ".join(sign.text.split()))
        to_sign = np.subtract(sign.at, eye)
        turn = math.degrees(math.atan2(-to_sign[0], -to_sign[2])) - start.heading * 360 / 65536
        assert abs((turn + 180) % 360 - 180) < HALF_FOV, f"{words}: {turn:.0f} degrees to the side"
        facing = sign.heading * 2 * math.pi / 65536
        assert np.dot(to_sign, (-math.sin(facing), 0.0, -math.cos(facing))) < 0.0, f"{words}: seen from behind"
        hit = level.mesh.raycast(eye, to_sign, max_distance=float(np.linalg.norm(to_sign)) - 0.1)
        assert hit is None, f"{words}: hidden by a wall"


@pytest.mark.parametrize("name", ["golf/one", "golf/two", "golf/three"])
@pytest.mark.full
def test_ball_and_flag_are_in_the_first_view_of_a_golf_hole(name: str) -> None:
    level = load(SHIPPED_LEVELS / f"{name}.yaml")
    start, hole = level.spawns[0], level.golf.holes[0]
    eye = np.add(start.feet, (0.0, EYE_HEIGHT, 0.0))
    for what, point in (("ball", hole.tee), ("flag", np.add(hole.foot, (0.0, 2.5, 0.0)))):
        to_point = np.subtract((point[0], point[1], point[2]), eye)
        turn = math.degrees(math.atan2(-to_point[0], -to_point[2])) - start.heading * 360 / 65536
        assert abs((turn + 180) % 360 - 180) < 45.0, what


def test_the_edge_under_the_raised_lift_is_marked_and_lit() -> None:
    level = load(SHIPPED_LEVELS / "lifts.yaml")
    sign = next(sign for sign in level.signs if "EDGE" in sign.text)
    assert sign.at[2] == pytest.approx(-9.84)
    lamps = [light for light in level.lights if math.dist(light.at, sign.at) < 2.2]
    assert len(lamps) == 2
    stripes = [surface for surface in level.surfaces if surface.name == "danger"]
    assert stripes
    corners = level.drawn[level.drawn_surface == level.surfaces.index(stripes[0])].reshape(-1, 3)
    assert (
        (corners[:, 2] < -9.2) & (corners[:, 2] > -10.0) & (corners[:, 1] < 0.02) & (abs(corners[:, 0]) < 2.0)
    ).any()


# The picture of a headless run


@pytest.mark.full
def test_the_picture_of_the_courtyard_shows_the_courtyard() -> None:
    level = load(SHIPPED_LEVELS / "demo.yaml")
    pose, fov = choose_view(level)
    assert pose.eye[1] > 5.0  # above the yard, not behind a parapet
    yaw, pitch = pose.yaw, pose.pitch
    ahead = np.array((-math.sin(yaw) * math.cos(pitch), math.sin(pitch), -math.cos(yaw) * math.cos(pitch)))
    hit = level.mesh.raycast(pose.eye, ahead)
    assert hit is not None
    assert hit.distance > 10.0
    assert 60.0 < fov < 100.0


@pytest.mark.parametrize("facing", ["north", "east"])
def test_elsewhere_the_picture_is_what_the_player_sees_at_the_spawn(facing: str) -> None:
    level = load(
        text=f"format: 1\nspawn: {{at: [0, 0, 6], facing: {facing}}}\npieces:\n"
        "  - floor: {from: [-8, -8], to: [8, 8]}\n  - box: {from: [-1, 0, -5], to: [1, 1.08, -1.8]}\n"
    )
    pose, _ = choose_view(level)
    assert (pose.yaw, pose.pitch) == (pytest.approx(math.radians({"north": 0, "east": -90}[facing]) % math.tau), 0.0)
    assert pose.eye[2] == pytest.approx(6.0)
