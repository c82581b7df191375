"""What the game says and draws of golf."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from game.app.visuals import golf_visuals
from game.level import load
from game.physics import Command
from game.sim import BallLost, HoledOut, World

LEVEL = Path(__file__).resolve().parents[3] / "levels" / "golf" / "one.yaml"


@pytest.fixture(scope="module")
def level():
    return load(LEVEL)


def walked_to_the_ball(level) -> World:
    world = World(level)
    x, _, z = world.golf.at
    world.walker_state = world.walker.spawn(world.mesh, feet=(x, world.golf.at[1], z + 1.2))
    return world


@pytest.mark.full
def test_the_card_goes_on_from_level_to_level(level):
    world, golf_hud = World(level), golf_visuals.GolfHud()
    assert golf_hud.describe_event(HoledOut(9, 0, "The meadow", 2, 3, 0), world)[0] == "Birdie"
    other = World(load(LEVEL.with_name("two.yaml")))
    name, below = golf_hud.describe_event(HoledOut(9, 0, "Over the water", 6, 3, 0), other)
    assert name == "In the hole"
    assert "2 holes: 8 strokes, 2 over par" in below
    assert golf_hud.describe_event(HoledOut(9, 0, "The meadow", 1, 3, 0), world)[0] == "Hole in one!"
    assert golf_hud.scorecard_total == "7 strokes, 1 over par"  # a hole that is played again counts once
    lines = golf_hud.describe_event(BallLost(9, 0, "water", 2), world)
    assert lines == ("In the water", "Penalty stroke (2 strokes); replay from your last spot")


@pytest.mark.full
def test_the_golf_hud_shows_strokes_hint_and_power_of_each_phase(level):
    world = World(level)
    assert golf_visuals.counter_text(world) == "Par 3   ·   0 strokes"
    assert golf_visuals.power_bar(world) == (None, "")
    assert "m away" in golf_visuals.hint_text(world)
    world = walked_to_the_ball(level)
    assert golf_visuals.hint_text(world) == ""
    for _ in range(49):
        world.step(Command(use=True))
    part, label = golf_visuals.power_bar(world)
    assert (part, label, golf_visuals.hint_text(world)) == (0.5, "Release to hit", "")
    assert golf_visuals.power_bar(world, is_pressed_once=True)[1] == "Press again to hit"
    assert golf_visuals.power_bar(world, with_speed=True)[1] == "Release to hit: 10.0 m/s"


def test_dots_are_places_of_the_preview_and_the_shadow_lies_on_the_ground(level):
    world, golf_hud = walked_to_the_ball(level), golf_visuals.GolfHud()
    for _ in range(40):
        world.step(Command(use=True, pitch=3000))
    layers = golf_hud.overlay(world, 0, 3000)
    way = world.golf.preview(0, 3000, world.golf.strength, 120)
    (dots,) = layers.points
    assert np.array_equal(np.asarray(dots.points), way[2::3])
    (shadow,) = layers.faces
    heights = np.asarray(shadow.triangles)[..., 1]
    assert np.abs(heights - (world.golf.at[1] - 0.06)).max() < 0.01
    assert golf_hud.overlay(world, 0, 3000) is layers  # nothing has changed: nothing is drawn anew
    assert golf_visuals.drawn_ball(world)[0].radii == (0.06, 0.06, 0.06)
