"""The tick drawn and told: the card says what happened, columns show the speed."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from game.app.visuals.timelines import speed_columns
from game.level import load
from game.render.colour_palettes import contact_colour
from game.sim.replay.history import BLOCKED, GROUNDED, TICK_COLUMNS
from tests.support.player import Player

LEVEL = """\
format: 1
name: Yard
spawn: {at: [0, 0, 0], facing: 45}
pieces:
  - floor: {from: [-20, -20], to: [20, 20]}
  - wall: {from: [-20, -4], to: [20, -4], height: 4}
"""


@pytest.fixture
def player(tmp_path):
    path = tmp_path / "yard.yaml"
    path.write_text(LEVEL, encoding="utf-8")
    level = load(path)
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
    player.game.modes["time line"].go_to(k + 1)
    return player.wait(0.5)


def test_the_card_says_what_happened_and_where_it_is_written(player):
    shown = stand_at_the_touch(player)
    (card,) = shown.hud.cards
    assert card.title == "Slides along a wall"
    assert card.subtitle.startswith(f"tick {player.tick} ")
    rows = {row.label: row.value for row in card.rows}
    assert rows["requested"] == "66.7 mm"
    assert rows["1  wall, face"] == "yard.yaml:6"
    assert rows["2  ground, face"] == "yard.yaml:5"
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
