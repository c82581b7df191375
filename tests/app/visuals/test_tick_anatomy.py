"""The tick drawn and told: the card says what happened and in which words, columns show the speed."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from game.app.visuals.tick_messages import tick_message
from game.app.visuals.timelines import speed_columns
from game.level import load
from game.physics import Command
from game.render.colour_palettes import contact_colour
from game.sim import World
from game.sim.replay.history import BLOCKED, GROUNDED, TICK_COLUMNS
from tests.support.player import Player
from tests.support.tick_room import ROOM, place_walker, walk

LEVEL = """\
format: 1
name: Yard
spawn: {at: [0, 0, 0], facing: 45}
pieces:
  - floor: {from: [-20, -20], to: [20, 20]}
  - wall: {from: [-20, -4], to: [20, -4], height: 4}
"""


@pytest.fixture
def player(level):
    made = Player.in_level(level)
    made.game.screen.debug = True
    made.hold("W", 1.6)  # aslant into the wall, and along it
    return made


def stand_at_the_touch(player):
    """At the first tick that a wall held it back in."""
    player.press("BACKSPACE")
    player.wait(1.0)
    history = player.game.session.history
    k = int(np.flatnonzero(history.columns(0, history.end)["marks"] & BLOCKED)[0])
    player.game.modes["rewind"].go_to(k + 1)
    return player.wait(0.5)


def test_the_card_says_what_happened_and_where_it_is_written(player):
    shown = stand_at_the_touch(player)
    (card,) = shown.hud.cards
    assert card.title == "Slides along a wall"
    assert card.subtitle.startswith(f"tick {player.tick} ")
    rows = {row.label: row.value for row in card.rows}
    assert rows["requested"] == "66.7 mm"
    assert rows["1  wall, face"] == "level.yaml:6"
    assert rows["2  ground, face"] == "level.yaml:5"
    assert rows["slide 1"].endswith("%")
    assert rows["slide 2"].endswith("no hit")
    assert int(rows["triangles tested"]) >= 2
    colours = {row.label[:1]: row.colour for row in card.rows if row.label[:1].isdigit()}
    assert colours == {"1": contact_colour("wall"), "2": contact_colour("walkable")}
    assert "Blocked by" in card.note
    assert "times their length" in card.note


def test_with_reduced_motion_the_camera_does_not_blend(player):
    player.game.settings = replace(player.game.settings, reduce_motion=True)
    player.game.key_pressed("BACKSPACE")
    shown = player.wait(1 / 60)
    assert math.dist(shown.view.eye, player.game.session.world.walker_state.position) > 1.5


def test_the_columns_show_speed_contact_and_air():
    rows = np.zeros(800, TICK_COLUMNS)  # four ticks a column
    rows["speed"][:4] = 1.0, 4.0, 2.0, 1.0
    rows["marks"] = GROUNDED
    rows["marks"][4:7] = 0
    rows["marks"][8] |= BLOCKED
    kinds = {contact_colour(kind, "usual"): kind for kind in ("wall", "walkable", "ceiling")}
    columns = [(height, kinds[colour]) for height, colour in speed_columns(rows, "usual")]
    assert columns[:4] == [(0.5, "walkable"), (0.0, "ceiling"), (0.0, "wall"), (0.0, "walkable")]
    assert len(columns) == 200


# The words


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
