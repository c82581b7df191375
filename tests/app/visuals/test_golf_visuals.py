"""What the game says and draws of golf."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from game.app.visuals import golf_visuals
from game.level import load
from game.physics import Command
from game.sim import BallLost, World

LEVEL = Path(__file__).resolve().parents[3] / "levels" / "golf" / "one.yaml"


@pytest.fixture(scope="module")
def level():
    return load(LEVEL)


def walked_to_the_ball(level) -> World:
    world = World(level)
    x, _, z = world.golf.at
    world.walker_state = world.walker.spawn(world.mesh, feet=(x, world.golf.at[1], z + 1.2))
    return world


def test_the_path_leads_to_where_the_ball_stops_with_a_ring_and_the_shadow_lies_on_the_ground(level):
    world, golf_hud = walked_to_the_ball(level), golf_visuals.GolfHud()
    for _ in range(40):
        world.step(Command(use=True, pitch=3000))
    layers = golf_hud.overlay(world, 0, 3000)
    way = world.golf.predict(0, 3000, world.golf.strength).path
    (line,), (shadow, ring) = layers.lines, layers.faces
    segments = np.asarray(line.segments)
    assert np.array_equal(segments[0, 0], world.golf.at)
    assert np.array_equal(segments[-1, 1], way[-1])
    assert np.array_equal(segments[1:-1, 0], way[2::3][: len(segments) - 2])
    assert np.asarray(ring.triangles).reshape(-1, 3).mean(axis=0) == pytest.approx(way[-1], abs=0.05)
    heights = np.asarray(shadow.triangles)[..., 1]
    assert np.abs(heights - (world.golf.at[1] - 0.06)).max() < 0.01
    assert golf_hud.overlay(world, 0, 3000) is layers  # nothing has changed: nothing is drawn anew
    assert golf_visuals.drawn_ball(world)[0].radii == (0.06, 0.06, 0.06)
    far = np.hypot(*(way[-1] - np.array(world.golf.at))[[0, 2]])
    label = golf_visuals.power_bar(world, aim=golf_hud.aim)[1]
    assert label.startswith(f"Release to hit   ·   {far:.1f} m")
    assert label.endswith("flag 48 m")


@pytest.mark.parametrize(("ticks", "pitch", "heading", "texts"), [
    (7, 0, 0, {"A weak hit: 0."}),
    (36, 3000, 0, {" m short"}),
    (88, 3000, 0, {"In the water, ", " m short"}),
    (141, 9000, 16384, {"Out of bounds", "short", " m left"}),
    (43, 6000, 63000, {" m short", " m right"}),
])  # fmt: skip
def test_the_words_after_a_stroke_say_how_far_it_was_from_the_flag(level, ticks, pitch, heading, texts):
    world, golf_hud = walked_to_the_ball(level), golf_visuals.GolfHud()
    said, trail = "", 0
    for k in range(2500):
        for event in world.step(Command(use=k <= ticks, pitch=pitch, heading=heading)):
            if isinstance(event, BallLost):
                said = golf_hud.describe_event(event, world)[0]
        lines = golf_hud.overlay(world, heading, pitch).lines
        trail = max(trail, sum(len(np.asarray(line.segments)) for line in lines) if k > ticks + 2 else 0)
        said = said or golf_hud.take_end_text()[0]
        if said:
            break
    assert all(text in said for text in texts), said
    assert trail > 3
    assert golf_hud.take_end_text() == ("", "")


def test_the_line_says_how_far_up_one_looks_and_asks_for_the_ball_only_where_it_is_below_the_picture(level):
    world = walked_to_the_ball(level)
    eye = world.walker_state.feet[1] + world.level.player.eye_height
    below = np.degrees(np.arctan2(eye - world.golf.at[1], 1.2))
    pitches = [(down - below) * 65536 / 360 for down in (0, 29, 31, below)]  # so far is the ball below the middle
    texts = [golf_visuals.hint_text(world, "E", pitch, fov=60.0) for pitch in pitches]
    assert ["see the ball" in text for text in texts] == [False, False, True, True]
    assert "Putt, or look up 20° to loft   ·   Flag 48 m" in texts[0]


def test_the_line_names_strength_and_target_and_the_loft_that_helps():
    """On the second hole a low ball falls into the water; on the third the marker is played to before the flag."""
    world, aim = walked_to_the_ball(load(LEVEL.with_stem("two"))), golf_visuals.GolfAim()
    aim.update(world, 0, 0, None)
    assert aim.target_strength is None
    assert aim.advice.startswith("too low: look up to ")
    assert f"Putt, {aim.advice}   ·   Flag 52 m" in golf_visuals.hint_text(world, "E", -8000.0, aim)
    aim.update(world, 0, int(aim.advice.split()[-1][:-1]) * 65536 // 360 + 1, None)
    assert aim.target_strength is not None
    world, hud = walked_to_the_ball(load(LEVEL.with_stem("three"))), golf_visuals.GolfHud()
    hud.aim.update(world, 400, 0, None)
    text = golf_visuals.hint_text(world, "E", -8000.0, hud.aim)
    assert f"Putt at {hud.aim.target_strength:.0%}, or look up 20° to loft   ·   Marker 55 m" in text
    world.step(Command(use=True, heading=400))
    for _ in range(30):
        world.step(Command(use=True, heading=400))
    hud.aim.update(world, 400, 0, None)
    assert golf_visuals.power_bar(world, aim=hud.aim)[1].endswith("marker 55 m")
    said = ("", "")
    for _ in range(1200):
        world.step(Command(heading=400))
        hud.overlay(world, 400, 0)
        said = hud.take_end_text()
        if said[0]:
            break
    assert " m short" in said[0]
    assert said[1] == f"Next: the marker, {world.golf.target_distance:.0f} m"


def test_a_ball_out_of_reach_has_a_line_of_its_own(level):
    world = World(level)
    assert golf_visuals.hint_text(world, "E", far="B: to the ball") == "B: to the ball"
    assert golf_visuals.hint_text(walked_to_the_ball(level), "E", far="B: to the ball").startswith("E")
