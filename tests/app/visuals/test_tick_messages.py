"""Headline and sentences of a tick, together with the figures that they are about."""

from __future__ import annotations

import pytest

from game.app.visuals.tick_messages import tick_message
from game.level import load
from game.physics import Command
from game.sim import World
from tests.support.tick_room import ROOM, place_walker, walk


@pytest.fixture(scope="module")
def room(tmp_path_factory):
    path = tmp_path_factory.mktemp("level") / "room.yaml"
    path.write_text(ROOM, encoding="utf-8")
    return load(path)


SCENES = [  # feet, command, ticks, headline of the last tick, words of its sentences
    ((0.0, 0.0, 0.0), Command(1.0), 30, "Nothing in the way", ""),
    ((0.0, 0.0, 0.0), Command(), 5, "Stands still", ""),
    ((0.0, 0.0, 0.0), Command(1.0), 120, "Stopped by a wall", "blocked all of"),
    ((3.5, 0.0, -3.5), Command(1.0, heading=65536 - 8192), 120, "Stopped by 2 surfaces", ""),
    ((-6.0, 0.0, 5.0), Command(1.0, heading=32768), 120, "Stopped by a wall", "too steep to walk"),
    ((-8.0, 0.1, 0.0), Command(), 120, "Carried along", ""),
]


@pytest.mark.parametrize(("feet", "command", "ticks", "headline", "words"), SCENES)
def test_the_message_says_what_the_tick_has_done(room, feet, command, ticks, headline, words):
    message = tick_message(walk(place_walker(World(room), feet), command, ticks)[-1])
    assert message.headline == headline
    assert words in " ".join(message.sentences)


@pytest.mark.parametrize(("heading", "headline"), [(8192, "Slides along a wall"), (0, "Runs into a wall")])
def test_the_first_touch_of_a_wall_names_it(room, heading, headline):
    touch = next(report for report in walk(World(room), Command(1.0, heading=heading), 120) if report.stopped)
    message = tick_message(touch)
    assert message.headline == headline
    assert message.sentences[0].startswith("Requested: ")
    assert touch.surfaces[0].place in message.sentences[0]


def test_the_headline_follows_a_jump_from_take_off_to_rest(room):
    world = World(room)
    walk(world, Command(), 2)
    heads = [tick_message(walk(world, Command(jump=k == 0), 1)[0]).headline for k in range(60)]
    assert heads[0] == "Jumps"
    assert "Rises" in heads
    assert "Falls" in heads
    assert "Lands" in heads
    assert heads[-1] == "Stands still"
