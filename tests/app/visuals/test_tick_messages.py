"""Headline and sentences of a tick, together with the figures that they are about."""

from __future__ import annotations

import numpy as np
import pytest

from game.app.visuals.tick_messages import tick_message
from game.level import load
from game.physics import Command, WalkerSettings
from game.sim import World
from tests.support.tick_room import ROOM, line_of, place_walker, walk


@pytest.fixture(scope="module")
def room(tmp_path_factory):
    path = tmp_path_factory.mktemp("level") / "room.yaml"
    path.write_text(ROOM, encoding="utf-8")
    return load(path)


def test_the_message_of_a_free_walk_says_that_nothing_is_in_the_way(room):
    report = walk(World(room), Command(1.0), 30)[-1]
    assert tick_message(report).headline == "Nothing in the way"
    assert report.wished == report.moved == pytest.approx((0.0, 0.0, -4.0 / 60))
    assert not report.stopped
    assert [one.kind for one in report.surfaces] == ["walkable"]
    assert report.surfaces[0].place == f"room.yaml:{line_of('- floor')}"
    assert report.surfaces[0].piece.startswith("floor")
    assert len(report.candidate_triangles) >= 1
    assert np.abs(report.candidate_triangles[..., 1]).max() == 0.0  # the floor's own triangles, where they are


def test_a_standing_walker_has_no_request(room):
    report = walk(World(room), Command(), 5)[-1]
    assert tick_message(report).headline == "Stands still"
    assert report.wished == report.moved == report.blocked == (0.0, 0.0, 0.0)


@pytest.mark.full
def test_a_slide_names_the_blocked_length_and_the_surface(room):
    touch = next(report for report in walk(World(room), Command(1.0, heading=8192), 200) if report.stopped)
    message = tick_message(touch)
    assert message.headline == "Slides along a wall"
    assert touch.surfaces[0].place in message.sentences[0]
    assert message.sentences[0].startswith("Requested: ")


@pytest.mark.full
def test_a_walk_head_on_runs_into_a_wall_and_is_then_stopped(room):
    accounts = walk(World(room), Command(1.0), 120)
    first = next(report for report in accounts if report.stopped)
    assert tick_message(first).headline == "Runs into a wall"
    assert tick_message(accounts[-1]).headline == "Stopped by a wall"
    assert "blocked all of" in tick_message(accounts[-1]).sentences[0]
    assert accounts[-1].moved == pytest.approx((0.0, 0.0, 0.0), abs=1e-6)


@pytest.mark.full
def test_two_walls_leave_no_way(room):
    report = walk(place_walker(World(room), (3.5, 0.0, -3.5)), Command(1.0, heading=65536 - 8192), 120)[-1]
    assert tick_message(report).headline == "Stopped by 2 surfaces"
    assert sum(one.stopped for one in report.surfaces) == 2


def test_up_a_low_box_and_down_again(room):
    accounts = walk(place_walker(World(room), (-1.0, 0.0, 4.5)), Command(1.0, heading=16384), 90)
    heads = [tick_message(report).headline for report in accounts]
    assert any(head.startswith("Snaps down") for head in heads)
    up = next(report for report, head in zip(accounts, heads, strict=True) if head.startswith("Steps up"))
    assert up.moved[1] > 0.01
    assert any(one.kind == "walkable" and one.feature == "edge" for one in up.surfaces)
    assert sum(report.moved[1] for report in accounts) == pytest.approx(0.0, abs=1e-3)


def test_a_slope_too_steep_is_a_wall_and_says_so(room):
    report = walk(place_walker(World(room), (-6.0, 0.0, 5.0)), Command(1.0, heading=32768), 120)[-1]
    assert report.stopped
    assert "too steep to walk" in " ".join(tick_message(report).sentences)


def test_the_headline_follows_a_jump_from_take_off_to_rest(room):
    world = World(room)
    walk(world, Command(), 2)
    heads = [tick_message(walk(world, Command(jump=k == 0), 1)[0]).headline for k in range(60)]
    assert heads[0] == "Jumps"
    assert "Rises" in heads
    assert "Falls" in heads
    assert "Lands" in heads
    assert heads[-1] == "Stands still"


def test_a_ceiling_ends_a_jump_and_keeps_one_low(room):
    world = place_walker(World(room), (2.0, 0.0, 4.0))
    walk(world, Command(1.0, heading=32768, crouch=True), 100)
    report = walk(world, Command(crouch=False), 1)[0]
    assert tick_message(report).headline == "No room to stand up"


def test_a_respawn_is_reported(room, tmp_path):
    world = World(room, WalkerSettings())
    world.walker_state = world.walker_state.replace(position=(30.0, -500.0, 0.0))
    assert tick_message(walk(world, Command(), 1)[0]).headline == "Fell: respawned"


def test_a_platform_ride_is_reported(room):
    world = place_walker(World(room), (-8.0, 0.1, 0.0))
    assert tick_message(walk(world, Command(), 120)[-1]).headline == "Carried along"
