"""The collision lab in play: keys, read-out, what the picture gets; a corner dragged by the line of sight."""

from __future__ import annotations

import math

import numpy as np
import pytest

from game.app.game import Game
from game.app.modes.play import LAB_FAULTS
from game.app.settings.settings_file import Settings
from game.lab.exhibits import TriangleStation
from game.lab.lab_session import GHOST_COLOURS, LAB_HINT
from game.level import load
from game.level.build.entities.point_entities import Exhibit
from tests.support.level_builder import floor_with_wall

LAB = """\
format: 1
name: Small lab
ghosts: true
spawn: {at: [0, 0, 0], facing: north}
pieces:
  - floor: {from: [-20, -20], to: [20, 20]}
  - group:
      at: [0, 0, -4]
      facing: south
      of: [exhibit: {at: [0, 0, 0], facing: north, show: triangle}]
  - exhibit: {at: [30, 0, 0], show: resting}
"""


def started(level):
    """A game on its first frame."""
    game = Game(level, Settings(), "low")
    game.start(game.make_world())
    game.cameras.hero_camera.stop()
    game.advance_frame(0.0, 16 / 9)
    return game


@pytest.fixture
def lab():
    return started(load(text=LAB))


def play(game, frames, now=0.0):
    for _ in range(frames):
        now += 1 / 60 + 1e-9
        shot = game.advance_frame(now, 16 / 9)
    return shot, now


def test_an_exhibit_is_placed_by_its_groups(lab):
    triangle, resting = lab.level.exhibits
    assert (triangle.show, triangle.at) == ("triangle", (0.0, 0.0, -4.0))
    assert (triangle.facing % 360, triangle.size) == (180.0, 1.0)
    assert (resting.show, resting.at) == ("resting", (30.0, 0.0, 0.0))
    assert lab.level.ghosts
    assert not load("demo").ghosts


@pytest.mark.full
def test_keys_bring_ghosts_that_walk_along_and_a_read_out(lab):
    shot, now = play(lab, 2)
    assert shot.ellipsoids == ()
    assert not any(card.title == "Ghosts" for card in shot.hud.cards)
    for key in ("_1", "NUM_5"):
        lab.key_pressed(key)
    assert list(lab.runs.lab.reference_walkers.active) == [1, 5]
    assert lab.feedback.message.text == "Ghost 5 (Linahan's repair) added"
    lab.input.held.press("W")
    shot, now = play(lab, 60, now)
    assert [body.colour for body in shot.ellipsoids] == [GHOST_COLOURS[0], GHOST_COLOURS[4]]
    player = lab.session.pose()
    for body in shot.ellipsoids:
        assert body.centre[2] == pytest.approx(player.centre[2] - 4.0**2 / 120, abs=0.08)
        assert 0 < body.opacity < 1
    card = next(card for card in shot.hud.cards if card.title == "Ghosts")
    labels = [row.label for row in card.rows]
    assert labels[0] == "you"
    assert {"1  Forum guide", "5  Linahan's repair"} <= set(labels)
    assert [row.value for row in card.rows if row.label[:1] in "7890P"] == ["as published"] * 5
    row = next(row for row in card.rows if row.label == "5  Linahan's repair")
    assert row.value.startswith("100 %")
    lab.key_pressed("_7")
    assert lab.feedback.message.text == "Ghost 1, body does not turn: fixed"
    lab.key_pressed("_1")
    assert list(lab.runs.lab.reference_walkers.active) == [5]
    lab.input.held.clear()
    lab.key_pressed("G")
    assert lab.runs.lab.reference_walkers.active[5].state.feet == pytest.approx(lab.session.world.walker_state.feet)


def test_starting_again_takes_the_ghosts_along_and_ticks_are_not_lost(lab):
    lab.key_pressed("_2")
    lab.input.held.press("W")
    play(lab, 30)
    lab.advance_frame(0.6, 16 / 9)  # a late frame makes several ticks
    assert lab.session.world.tick >= 34
    assert lab.runs.lab.reference_walkers.player_metrics.ticks == lab.session.world.tick
    lab.restart()
    ghost = lab.runs.lab.reference_walkers.active[2]
    assert ghost.state.feet == pytest.approx(lab.session.world.walker_state.feet, abs=1e-9)
    assert ghost.metrics.ticks == 0


@pytest.mark.full
def test_the_player_walks_the_same_with_ghosts_and_without(lab):
    other = started(lab.level)
    for number in range(1, 7):
        lab.key_pressed(f"_{number}")
    for game in (lab, other):
        game.input.held.press("W")
        play(game, 20)
    assert lab.session.world.state() == other.session.world.state()


def test_other_levels_have_nothing_of_the_lab():
    game = started(floor_with_wall())
    game.key_pressed("_1")
    game.key_pressed("G")
    shot, _ = play(game, 3)
    assert game.feedback.message is None
    assert (shot.ellipsoids, shot.overlay) == ((), None)
    assert shot.hud.hint != LAB_HINT


def test_every_defect_has_a_key():
    from game.lab.fauerby_slide import FauerbyController

    assert set(LAB_FAULTS.values()) == set(FauerbyController.known_defects)


# ---- stations


def test_a_corner_follows_the_line_of_sight_while_it_is_held():
    station = TriangleStation(Exhibit("triangle", (0.0, 0.0, -4.0), 180.0))
    eye = (0.0, 1.5, 0.0)
    before = station.corners.copy()
    to = before[2] - np.array(eye)
    station.update(eye, to / np.linalg.norm(to), False)
    assert station.grabbable_corner == 2
    station.update(eye, to / np.linalg.norm(to), True)
    assert station.dragged_corner == 2
    assert station.corners == pytest.approx(before)
    ahead = np.array((0.6, 0.0, -0.8))
    station.update(eye, ahead, True)
    assert station.corners[2] == pytest.approx(np.array(eye) + np.linalg.norm(to) * ahead)
    assert station.corners[:2] == pytest.approx(before[:2])
    station.update(eye, np.array((0.0, 0.0, -1.0)), False)
    assert station.dragged_corner is None
    assert station.plane_hit is not None
    assert station.plane_hit.point[:2] == pytest.approx((0.0, 1.5))
    assert station.is_aimed
    words = {row.label: row.value for row in station.card().rows}
    assert words["distance"] == f"{station.plane_hit.distance:.3f} m"
    # closing the hand beside every corner takes hold of none, and none later
    station.update(eye, np.array((0.0, 1.0, 0.0)), True)
    station.update(eye, ahead, True)
    assert station.dragged_corner is None


def test_through_the_game_the_left_button_drags_and_letting_go_drops(lab):
    corner = lab.runs.lab.triangle_stations[0].corners[2].copy()
    shot, now = play(lab, 1)
    to = corner - np.array(shot.view.eye)
    lab.input.view.face_heading(math.atan2(-to[0], -to[2]) * 65536 / (2 * math.pi))
    lab.input.view.pitch = math.asin(to[1] / np.linalg.norm(to)) * 65536 / (2 * math.pi)
    shot, now = play(lab, 1, now)
    card = next(card for card in shot.hud.cards if card.title == "Line and triangle")
    assert "to move corner C" in card.note
    lab.left_pressed()
    shot, now = play(lab, 1, now)
    lab.input.view.pitch += 1000
    shot, now = play(lab, 1, now)
    moved = lab.runs.lab.triangle_stations[0].corners[2].copy()
    assert moved[1] > corner[1] + 0.2
    lab.key_released("MOUSE_LEFT")
    shot, now = play(lab, 1, now)
    lab.input.view.pitch -= 3000
    shot, now = play(lab, 1, now)
    assert lab.runs.lab.triangle_stations[0].corners[2] == pytest.approx(moved)
