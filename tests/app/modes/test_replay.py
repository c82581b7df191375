"""The replay mode: its keys, a ghost beside it, and the way back to where it was opened."""

from __future__ import annotations

import itertools
import math
import threading

import numpy as np
import pytest

from game.app.cameras.replay_cameras import FIXED, OUTSIDE
from game.app.commands.replay_game import ReplayGame
from game.app.runs.ghost import GhostReplay
from game.app.runs.library.replay_levels import ReplayLevels
from game.app.runs.time_line import DIVERGED_TEXT, ReplayRequest
from game.app.settings.settings_file import Settings
from game.physics import Command
from game.render.hud.arrangement import arrange_hud
from game.sim import History, World
from game.sim.replay import replay_file
from game.sim.trial import read_track
from tests.support.player import Player, make_walks_differ

LEVEL = """\
format: 1
name: Corner
spawn: {at: [0, 0, 0], facing: north}
pieces:
  - floor: {from: [-20, -20], to: [20, 20]}
  - wall: {from: [-20, -10], to: [20, -10], height: 4}
  - wall: {from: [-3, -10], to: [-3, 4], height: 4}
goal: {at: [0, 0, -8], radius: 0.5}
"""


def recorded(level, seconds=4.0, turn=0, wait=0):
    """A walk of so many seconds; turn: heading units a tick; wait: ticks before the first movement."""
    history = History(World(level))
    history.run([Command(forward=float(k >= wait), heading=turn * k) for k in range(round(seconds * 60))])
    return replay_file.decode_replay(history.data(), level.path.with_suffix(".replay"))


@pytest.fixture
def record(level):
    return recorded(level, wait=30)


def viewer(record, level):
    player = Player(ReplayGame(record, ReplayLevels(record, str(level.path), False, level.path).level, Settings()))
    player.game.jobs.finish()
    return player


@pytest.fixture
def player(level):
    return Player.in_level(level)


def watch(player, record, level, **options):
    player.game.push_mode("replay", ReplayRequest(record, lambda part: level, **options))
    player.game.jobs.finish()
    player.wait(1 / 60)
    mode = player.game.current_mode
    mode.max_simulation = math.inf
    return mode


def strip(player):
    return dict(player.shown.hud.key_strip)


def test_the_keys_say_what_they_do_now(record, level):
    player = viewer(record, level)
    assert strip(player)["Space"] == "Pause"
    assert strip(player)["Left Right"] == "5 s"
    player.game.key_pressed("SPACE")
    player.wait(0.1)
    assert strip(player)["Space"] == "Play"
    assert strip(player)["Left Right"] == "1 step"
    assert "Paused" in player.shown.hud.timeline.label
    player.game.key_pressed("END")
    player.wait(0.1)
    assert strip(player)["Space"] == "From the start"


def test_esc_opens_a_menu_in_the_viewer_and_quits_only_from_there(record, level):
    player = viewer(record, level)
    player.wait(1.0)
    player.game.key_pressed("ESCAPE")
    assert player.game.screen.requests == []
    at = player.game.playback.time_line.seconds
    menu = player.game.menu
    assert [row.name for row in menu.rows] == ["resume", "start", "settings", "controls", "quit"]
    player.wait(1.0)
    assert player.game.playback.time_line.seconds == at
    player.game.key_pressed("ESCAPE")
    player.wait(0.5)
    assert player.game.playback.time_line.seconds == pytest.approx(at + 0.5, abs=0.05)
    for row, check in (("start", lambda: player.game.playback.time_line.seconds < 0.1), ("controls", lambda: True)):
        player.game.key_pressed("ESCAPE")
        player.choose(row)
        assert player.game.mode == ("replay" if row == "start" else "help")
        assert check()
    player.game.key_pressed("ESCAPE")
    player.game.key_pressed("ESCAPE")
    player.game.key_pressed("UP")
    player.game.key_pressed("RETURN")
    assert player.game.screen.requests == ["quit"]


# In the game


@pytest.mark.parametrize("below", ["playing", "paused", "title"])
@pytest.mark.full
def test_esc_goes_back_to_where_it_was_opened_and_nothing_of_play_changed(player, record, level, below):
    player.hold("D", 0.7)
    player.wait(0.3)
    if below != "playing":
        player.game.push_mode(below)
    player.wait(1 / 60)
    world, state = player.game.session.world, player.game.session.world.state()
    eye = player.shown.view.eye
    run = player.game.runs.time_trial.run
    mode = watch(player, record, level)
    assert player.game.session.world is not world
    player.wait(1.0)
    for key in ("V", "RIGHT", "SPACE", "LEFT", "UP", "G", "F", "BACKSPACE", "F2", "W"):
        player.game.key_pressed(key)
        player.wait(0.1)
        player.game.key_released(key)
    assert player.game.mode == "replay"
    player.game.key_pressed("ESCAPE")
    assert player.game.mode == below
    assert (player.game.session.world, player.game.level) == (world, world.level)
    assert world.state() == state
    assert player.game.runs.time_trial.run is run
    assert player.game.runs.time_trial.void_reason == ""
    assert mode.time_line is None
    if below != "title":
        assert player.wait(1 / 60).view.eye == pytest.approx(eye, abs=1e-6)
    if below == "playing":
        player.hold("W", 0.5)
        assert world.walker_state.feet[2] < -0.5


def test_a_level_that_is_gone_is_a_sentence(player, record, level):
    def gone(part):
        raise OSError("the level was not found")

    player.game.push_mode("replay", ReplayRequest(record, gone))
    player.wait(0.2)
    assert player.game.mode == "playing"
    assert player.shown.hud.message == "This run cannot be shown"
    assert "not found" in player.shown.hud.message_detail


def test_a_level_that_cannot_be_loaded_while_the_help_is_open_is_a_sentence_after_it(player, record):
    may_load = threading.Event()

    def slow(part):
        may_load.wait(30.0)
        raise OSError("the level was not found")

    player.game.push_mode("replay", ReplayRequest(record, slow))
    assert player.wait(1 / 60).hud.progress_label == "Loading the run"
    player.game.key_pressed("F1")
    may_load.set()
    player.game.jobs.finish()
    player.wait(0.1)
    assert player.game.mode == "help"
    player.game.key_pressed("ESCAPE")
    assert player.wait(1 / 60).hud.message == "This run cannot be shown"
    assert player.game.mode == "playing"


# Time


def test_the_keys_of_the_time_line_go_there(player, level):
    mode = watch(player, recorded(level, 20.0, turn=300), level)
    states = mode.time_line.states["position"]
    mode.seek(10.0)
    for keys, tick, plays in (
        ("RIGHT", 900, True), ("LEFT", 600, True), ("SPACE", 600, False), ("RIGHT", 601, False), ("LEFT", 600, False),
        ("LSHIFT RIGHT", 900, False), ("LSHIFT LEFT", 600, False), ("SPACE", 600, True), ("END", 1200, False),
        ("SPACE", 0, True), ("RIGHT", 300, True), ("HOME", 0, True), ("END", 1200, False), ("LEFT", 1199, False),
        ("PAGEUP", 599, False), ("SPACE", 599, True), ("PAGEDOWN", 1199, True), ("PAGEDOWN", 1200, False),
        ("PAGEUP", 600, False),
    ):  # fmt: skip
        for key in keys.split():
            player.game.key_pressed(key)
        for key in keys.split():
            player.game.key_released(key)
        assert (mode.time_line.position, mode.is_moving) == (tick, plays), keys
        assert player.game.world.walker_state.position == tuple(states[max(tick - 1, 0)])
    mode.seek(10.0)
    player.hold("RIGHT", 1.35)  # by itself after a while
    assert 615 <= mode.time_line.position <= 625


def test_a_replay_stands_still_at_its_end_until_it_is_played_again(player, level):
    mode = watch(player, recorded(level, 3.0), level)
    left, top, width, height = arrange_hud(player.shown.hud, player.game.menus.mouse_navigation.size).timeline_rectangle

    def press_end():
        player.press("END")

    def play_to_the_end():
        player.wait_for(lambda: mode.is_finished)

    def drag_to_the_end():
        player.game.menus.move_pointer(left + width / 2, top + height / 2, True, False)
        player.game.left_pressed()
        player.game.menus.move_pointer(left + width, top + height / 2, True, False)
        player.wait(1 / 60)
        player.game.mouse_button("LEFT", False)

    for go_to_the_end in (press_end, play_to_the_end, drag_to_the_end):
        go_to_the_end()
        assert mode.is_finished, go_to_the_end
        player.hold("LEFT", 1.35)
        assert 155 <= mode.time_line.position <= 165, go_to_the_end
        player.wait(0.5)
        assert 155 <= mode.time_line.position <= 165, go_to_the_end
        player.press("SPACE")
        assert mode.plays


def test_a_replay_plays_at_the_chosen_speed_at_any_frame_rate(player, level):
    mode = watch(player, recorded(level, 20.0, turn=300), level)
    for key, presses, speed in (("DOWN", 9, 0.125), ("UP", 2, 0.5), ("UP", 1, 1.0), ("UP", 9, 4.0)):
        player.press(*[key] * presses)
        for frame in (1 / 60, 0.2):
            mode.seek(2.0)
            player.wait(2.0, frame)
            assert mode.time_line.seconds - 2.0 == pytest.approx(2.0 * speed, abs=0.07)


def test_the_time_line_is_dragged_with_the_mouse(player, level):
    mode = watch(player, recorded(level, 20.0, turn=300), level)
    left, top, width, height = arrange_hud(player.shown.hud, player.game.menus.mouse_navigation.size).timeline_rectangle
    for fraction in (0.25, 0.8, 0.1, 1.0, 0.5):
        player.game.menus.move_pointer(left + fraction * width, top + height / 2, True, False)
        if fraction == 0.25:
            player.game.left_pressed()
        player.wait(1 / 60)
        assert mode.time_line.seconds == pytest.approx(20.0 * fraction, abs=0.05)
    player.game.mouse_button("LEFT", False)
    player.wait(0.5)
    assert mode.time_line.seconds == pytest.approx(10.5, abs=0.1)


@pytest.mark.full
def test_to_go_anywhere_in_ten_minutes_simulates_a_second_at_most(player, level, monkeypatch):
    mode = watch(player, recorded(level, 600.0, turn=500), level)
    states = mode.time_line.states["position"]
    step, ticks = World.step, []
    monkeypatch.setattr(World, "step", lambda world, command: ticks.append(command) or step(world, command))
    for seconds in np.random.default_rng(3).uniform(0.0, 600.0, 30):
        ticks.clear()
        mode.seek(float(seconds))
        assert 0 < len(ticks) <= 60
        assert player.game.world.walker_state.position == tuple(states[mode.time_line.tick])


def test_the_debug_info_explains_a_tick_while_the_replay_is_paused(player, record, level):
    mode = watch(player, record, level, camera=OUTSIDE)
    player.game.key_pressed("F3")
    assert not player.wait(0.5).hud.cards
    mode.seek(1.5)
    player.game.key_pressed("SPACE")
    shown = player.wait(0.1)
    assert shown.hud.cards[0].subtitle.startswith(f"tick {mode.time_line.tick + 1} ")
    assert not shown.hud.debug_lines
    assert [body.centre for body in shown.ellipsoids] == [shown.body.centre]  # the ellipsoid, not the figure


def test_a_replay_that_leads_elsewhere_is_shown_up_to_there(player, record, level, monkeypatch):
    make_walks_differ(monkeypatch, after=60)
    mode = watch(player, record, level)
    player.wait_for(lambda: player.game.mode != "replay" or mode.time_line.seconds > 0.95)
    assert player.game.mode == "replay"
    shown = player.wait(0.2)
    assert player.game.mode == "playing"
    assert (shown.hud.message, shown.hud.message_detail) == ("The rest of this run cannot be shown", DIVERGED_TEXT)


# Ghosts and cameras


def test_a_ghost_walks_beside_aligned_at_the_first_step_with_the_gap(player, level):
    slow, fast = recorded(level, 4.0, wait=60), recorded(level, 4.0, wait=20)
    ghost = GhostReplay(track=read_track(fast), name="Anna")
    mode = watch(player, slow, level, ghost=ghost, camera=OUTSIDE)
    mode.seek(1.0 + 1.2)
    player.game.key_pressed("SPACE")
    shown = player.wait(0.2)
    (seen,) = [body for body in shown.ellipsoids if body.ghost and body.visor]
    assert math.dist(seen.centre, shown.body.centre) < 0.05  # both have walked for 1.2 s
    assert shown.hud.timer == "0:01.20"
    assert shown.hud.timer_caption == "±0.00   to Anna"
    assert strip(player)["G"] == "Ghost: on"
    player.game.key_pressed("SPACE")
    for _ in range(20):
        assert player.wait(1 / 47, 1 / 47).hud.timer_caption == "±0.00   to Anna"
    player.game.key_pressed("G")
    shown = player.wait(0.1)
    assert not any(body.ghost for body in shown.ellipsoids)
    assert (shown.hud.timer_caption, strip(player)["G"]) == ("", "Ghost: off")
    player.game.key_pressed("G")
    assert any(body.ghost for body in player.wait(0.1).ellipsoids)


def test_fixed_cameras_stand_still_under_reduce_motion_and_keep_the_body_in_the_picture(player, record, level):
    mode = watch(player, record, level, camera=FIXED)
    views = {}
    for still in (True, False):
        player.game.settings = player.game.settings.with_value("reduce_motion", still)
        mode.seek(0.0)
        mode.is_playing = True
        views[still] = [player.wait(1 / 60) for _ in range(240)]
    turns = {still: sum(a.view != b.view for a, b in itertools.pairwise(shots)) for still, shots in views.items()}
    assert turns[True] <= 8
    assert turns[False] > 50
    for shot in views[True]:
        _, _, forward = shot.view.basis()
        away = np.subtract(shot.body.centre, shot.view.eye)
        assert forward @ away / np.linalg.norm(away) > math.cos(math.radians(23.0))
