"""What the game says and draws of golf."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from game.app.visuals import golf_visuals
from game.core.angles import heading_from_degrees
from game.core.jobs import Jobs
from game.level import load
from game.physics import Command
from game.sim import BallLost, HoledOut, World
from game.sim.golf import BALL_MOVING, CHARGING, READY
from tests.support.player import Player

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
    for _ in range(79):
        world.step(Command(use=True))
    part, label = golf_visuals.power_bar(world)
    assert (part, label, golf_visuals.hint_text(world)) == (0.5, "Release to hit", "")
    assert golf_visuals.power_bar(world, is_pressed_once=True)[1] == "Press again to hit"
    assert golf_visuals.power_bar(world, with_speed=True)[1] == "Release to hit: 10.0 m/s"


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
    assert label.startswith(f"Release to hit   ·   {far:.0f} m")
    assert label.endswith("flag 48 m")


def test_the_tick_for_the_flag_is_found_once_the_view_stands_still_and_its_path_is_shown(level):
    world, golf_hud = walked_to_the_ball(level), golf_visuals.GolfHud()
    golf_hud.overlay(world, 0, 3000, jobs=Jobs())
    assert golf_hud.aim.flag_strength is None
    golf_hud.overlay(world, 0, 3000)
    strength = golf_hud.aim.flag_strength
    assert strength == world.golf.strength_for_flag(0, 3000)
    assert golf_hud.aim.text(world.golf) in ("48 m, flag 48 m", "49 m, flag 48 m", "in the hole")
    golf_hud.overlay(world, 16384, 3000, jobs=Jobs())  # turned away: the tick of the other view is not shown
    assert golf_hud.aim.flag_strength is None
    assert golf_visuals.hint_text(world, "Hold E", 3000.0) == "Hold E   ·   Loft 16°   ·   Flag 48 m"
    seen = "Hold E   ·   Putt (look up to loft)   ·   Flag 48 m"
    assert golf_visuals.hint_text(world, "Hold E", -8000.0) == seen
    low = seen.replace("loft)", "loft), look down to see the ball")
    assert golf_visuals.hint_text(world, "Hold E", -500.0) == low
    for _ in range(2):
        world.step(Command(use=True, pitch=3000))
    assert golf_visuals.hint_text(world, "E", 3000.0, charging="Ctrl: slower") == "Ctrl: slower"


def test_while_one_holds_the_figure_is_that_of_the_bar(level):
    world, golf_hud = walked_to_the_ball(level), golf_visuals.GolfHud()
    for _ in range(30):
        for _ in range(6):  # of ten frames a second
            world.step(Command(use=True, pitch=3000))
        golf_hud.overlay(world, 0, 3000, jobs=Jobs())
        stroke = world.golf.predict(0, 3000, world.golf.strength)
        assert golf_hud.aim.stroke is not None
        assert np.array_equal(golf_hud.aim.stroke.path, stroke.path)


UP, DOWN = "no strength stops there: look up", "no strength stops there: look down"


@pytest.mark.parametrize(
    ("heading", "pitch", "advice"), [(-1, 10, UP), (-1, 40, ""), (-1, 60, DOWN), (30, 10, ""), (180, 60, "")]
)
def test_a_loft_that_no_strength_brings_to_the_flag_is_named(heading, pitch, advice):
    """Where the view is aside of the flag, or the flag is beyond one stroke, the loft is not the mistake; the latter is
    said."""
    heading, pitch = heading_from_degrees(heading), heading_from_degrees(pitch)
    text = LEVEL.with_name("two.yaml").read_text(encoding="utf-8").replace("strength: 24", "strength: 20")
    world, golf_hud = walked_to_the_ball(load(text=text)), golf_visuals.GolfHud()
    golf_hud.overlay(world, heading, pitch)
    assert golf_hud.aim.advice == advice
    text = golf_visuals.hint_text(world, "Hold E", pitch, golf_hud.aim.advice)
    assert text.startswith("Hold E   ·   Loft ")
    assert f"°, {advice}   ·" in text if advice else ", " not in text
    far = walked_to_the_ball(load(LEVEL.with_name("three.yaml")))
    golf_hud.overlay(far, heading, pitch)
    is_far = golf_hud.aim.flag_strength is None  # a stroke that ends within a quarter of the way is good
    assert is_far == (heading != heading_from_degrees(-1))
    assert golf_hud.aim.advice == ("the flag is farther than one stroke" if is_far else "")


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
        said = said or golf_hud.take_end_text()
        if said:
            break
    assert all(text in said for text in texts), said
    assert trail > 3
    assert golf_hud.take_end_text() == ""


def test_with_a_toggled_key_each_press_begins_a_swing_also_after_one_that_was_cancelled(level):
    player = Player.in_level(level, use="toggle")
    golf = player.game.world.golf
    player.game.move_walker(walked_to_the_ball(level).walker_state)
    for key, phase in (("E", CHARGING), ("SPACE", READY), ("E", CHARGING), ("SPACE", READY), ("E", CHARGING)):
        player.press(key)
        player.wait(0.3)
        assert golf.phase == phase
    player.press("E")
    player.wait(0.1)
    assert golf.phase == BALL_MOVING


def test_with_a_toggled_key_each_press_throws_a_ball():
    player = Player.in_level(load(LEVEL.parents[1] / "ballroom.yaml"), use="toggle")
    for thrown in (1, 2, 3):
        player.press("E")
        player.wait(0.1)
        assert player.game.world.balls.thrown == thrown
