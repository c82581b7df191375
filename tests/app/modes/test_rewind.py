"""The way back in the game: run back, stand still, step, and go on; by keys and a clock that the test turns."""

from __future__ import annotations

import pytest

from game.app.game import Game
from game.app.input.gamepad import GamepadInput
from game.app.modes import rewind
from game.app.runs.time_trial import UNDO_SECONDS
from game.app.settings.key_bindings import KeyBindings
from game.app.settings.mode_names import REWINDING
from game.app.settings.settings_file import Settings
from game.level import load
from game.physics import Command
from game.sim import World
from game.sim.replay.level_migration import migrate_world
from game.text.key_symbols import plain_text
from tests.support.player import ASPECT, Player


@pytest.fixture
def player(floor_level):
    made = Player.in_level(floor_level)
    made.hold("W", 1.0)
    made.hold("D", 0.5)
    made.wait(0.5)
    return made


def state(player):
    return player.game.session.world.state()


def test_holding_backspace_runs_back_and_letting_go_stands_still(player):
    now, tick = state(player), player.tick
    player.game.key_pressed("BACKSPACE")
    player.wait(0.5)
    assert player.game.mode == REWINDING
    back = player.tick
    assert 20 < tick - back < 80
    player.wait(0.5)
    assert tick - player.tick > 1.2 * (tick - back)  # faster the longer it is held
    player.game.key_released("BACKSPACE")
    player.wait(0.1)
    stands = state(player)
    shown = player.wait(1.0)
    assert state(player) == stands != now
    assert player.game.modes["rewinding"].is_paused
    assert shown.hud.timeline.label.endswith("s ago")
    assert dict(shown.hud.key_strip)["Esc"] == "Back to now"
    player.game.key_pressed("ESCAPE")
    assert player.game.mode == "playing"
    assert state(player) == now


@pytest.mark.full
def test_the_key_strip_names_the_keys_as_they_are_bound(floor_level):
    bound = KeyBindings("dvorak").bind("rewind", 0, "B").unbind("rewind", 1)
    player = Player(Game(floor_level, Settings(keys="dvorak").with_bindings(bound), "low"), World(floor_level))
    player.hold("O", 0.5)
    player.game.key_pressed("B")
    player.wait(0.1)
    player.game.key_released("B")
    strip = {plain_text(key): meaning for key, meaning in player.wait(0.1).hud.key_strip}
    assert (strip["B"], strip["K"]) == ("Hold to rewind", "First / third person")


@pytest.mark.full
def test_the_key_strip_names_the_buttons_of_a_gamepad_and_they_work(player):
    player.hold("W", 0.5)
    player.hold("BACKSPACE", 0.3)
    now = player.game.modes["rewinding"].position
    pad = GamepadInput(player.game)
    pad.button("PAD_LEFT", True)
    pad.button("PAD_LEFT", False)
    strip = {plain_text(key): meaning for key, meaning in player.wait(0.1).hud.key_strip}
    assert strip == {
        "Left shoulder": "Hold to rewind", "Pad left Pad right": "1 step", "Pad A": "Play from here, without time",
        "Pad Y": "First / third person", "Pad down": "Physics of the tick", "Pad B": "Back to now",
    }  # fmt: skip
    assert player.game.modes["rewinding"].position <= now - 0.5
    for shows in (True, False):
        pad.button("PAD_DOWN", True)
        pad.button("PAD_DOWN", False)
        assert (player.game.screen.debug, player.game.mode) == (shows, "rewinding")
    pad.button("PAD_B", True)
    assert player.game.mode == "playing"


@pytest.mark.full
def test_the_key_strip_leaves_out_a_key_that_is_bound_to_the_menu(floor_level):
    player = Player.in_level(floor_level, keys="right_hand")
    player.hold("UP", 0.5)
    player.hold("BACKSPACE", 0.2)
    assert "Home" not in dict(player.wait(0.1).hud.key_strip)
    player.game.key_pressed("HOME")
    assert player.game.mode == "playing"


@pytest.mark.full
def test_arrows_go_a_tick_and_with_shift_ten(player):
    player.press("BACKSPACE")
    tick = player.tick
    for keys, by in ((("LEFT",), -1), (("LEFT",), -1), (("RIGHT",), 1), (("LSHIFT", "LEFT"), -10), (("LEFT",), -1)):
        for key in keys:
            player.game.key_pressed(key)
        for key in reversed(keys):
            player.game.key_released(key)
        player.wait(1 / 60)
        tick += by
        assert player.tick == tick, keys
    player.hold("LEFT", 1.35)  # by itself after a while
    assert tick - 24 <= player.tick <= tick - 18
    player.press("HOME")
    assert player.tick == 1
    player.press("END")
    assert player.game.modes["rewinding"].position == player.game.session.history.end
    player.press("RIGHT")
    assert player.game.modes["rewinding"].position == player.game.session.history.end


@pytest.mark.parametrize(("key", "forward", "strafe"), [("RETURN", 0, 0), ("W", 1, 0), ("A", 0, -1), ("DOWN", -1, 0)])
@pytest.mark.sample(1)
def test_resuming_from_an_earlier_tick_equals_walking_there_bit_for_bit(player, floor_level, key, forward, strafe):
    history = player.game.session.history
    asked = [history.command(k) for k in range(history.end)]
    player.hold("BACKSPACE", 0.4)
    player.wait(0.1)
    at = int(player.game.modes["rewinding"].position)
    assert 5 < at < len(asked) - 5
    heading = asked[at - 1].heading
    player.game.key_pressed(key)
    player.wait(0.3)
    assert player.game.mode == "playing"
    world = World(floor_level)
    for command in [*asked[:at], *[Command(forward, strafe, heading)] * (player.tick - at)]:
        world.step(command)
    assert player.tick - at > 15
    assert world.state() == state(player)
    assert history.end == world.tick
    assert [history.command(k) for k in range(at)] == asked[:at]


@pytest.mark.full
def test_the_recorded_view_is_shown_and_continued(player):
    player.game.input.view.skip_pointer_jump()
    player.game.mouse_moved(1, 0)
    for _ in range(30):
        player.game.mouse_moved(-20, 5)
        player.wait(1 / 60)
    yaw, pitch = player.game.input.view.yaw, player.game.input.view.pitch
    player.press("BACKSPACE", *["LEFT"] * 15)
    assert player.game.input.view.yaw < yaw
    assert player.game.input.view.pitch < pitch
    half = player.game.input.view.yaw
    player.press("RETURN")
    assert player.game.input.view.yaw == half


@pytest.mark.full
def test_losing_the_focus_stops_the_way_back(player):
    player.game.key_pressed("BACKSPACE")
    player.wait(0.2)
    player.game.pause()
    player.wait(0.1)
    tick = player.tick
    player.wait(1.0)
    assert player.tick == tick
    assert player.game.mode == REWINDING


def test_before_the_first_tick_there_is_no_way_back(floor_level):
    game = Game(floor_level, Settings(), "low")
    game.advance_frame(0.0, ASPECT)
    game.start(World(floor_level))
    game.key_pressed("BACKSPACE")
    assert game.mode == "playing"


@pytest.mark.full
def test_a_restart_long_ago_is_reached_by_rewinding(player):
    place, ticks = player.feet, player.game.session.history.end
    player.press("R")
    player.wait(UNDO_SECONDS + 0.1)
    player.press("BACKSPACE")
    assert player.game.mode == "rewinding"
    player.game.modes["rewinding"].go_to(float(ticks))
    assert player.feet == place


@pytest.mark.full
def test_movers_run_back_with_it():
    player = Player.in_level(load("levels/lifts.yaml"))
    player.hold("W", 1.0)
    seen = {}
    world = player.game.session.world
    for _ in range(30):
        player.wait(1 / 60)
        seen[world.tick] = world.state()
    player.hold("BACKSPACE", 0.2)
    player.wait(0.1)
    assert world.tick < max(seen)
    assert state(player) == seen[world.tick]
    assert (player.shown.movers == world.environment.movers.poses(world.tick)).all()


def test_a_time_trial_counts_after_a_look_back_but_not_after_a_rewind(player):
    trial = player.game.runs.time_trial
    player.press("BACKSPACE", "LEFT", "ESCAPE")
    assert not trial.void_reason
    player.press("BACKSPACE", "LEFT", "RETURN")
    assert trial.void_reason == "rewind used"


# Back to the start of the level


def long_play(level, seconds):
    """A player whose session has run for some seconds by itself."""
    player = Player.in_level(level)
    session = player.game.session
    player.hashes = []
    for k in range(round(seconds * 60)):
        session.tick(Command(1.0, 0.0, 40 * k % 65536, 0, k % 90 == 0, False, False, k % 30 < 12))
        player.hashes.append(session.world.hash())
    player.wait(1 / 60)
    return player


@pytest.mark.full
def test_the_way_back_leads_to_the_start_and_is_faster_the_longer(floor_level):
    player = long_play(floor_level, 300)
    history = player.game.session.history
    assert len(history) >= 300 * 60
    player.game.key_pressed("BACKSPACE")
    ages = []
    for _ in range(12):
        player.wait(1.0)
        ages.append((history.end - player.game.modes["rewinding"].position) / 60)
    assert ages[0] < 3.0
    assert ages[3] < 15.0
    assert ages[-1] == pytest.approx(300, abs=2)
    player.game.key_released("BACKSPACE")
    player.wait(0.1)
    assert player.tick == 1
    assert player.shown.hud.timeline.label in ("4:59 ago", "5:00 ago")


@pytest.mark.full
def test_pages_and_home_go_far(floor_level):
    player = long_play(floor_level, 100)
    history, mode = player.game.session.history, player.game.modes["rewinding"]
    player.press("BACKSPACE")
    at = mode.position
    player.press("PAGEUP", "PAGEUP")
    assert mode.position == at - 1200
    player.press("PAGEDOWN")
    assert mode.position == at - 600
    player.press("HOME")
    assert player.tick == 1
    player.press("PAGEUP")
    assert mode.position == 1.0
    player.press("END")
    assert mode.position == history.end


@pytest.mark.full
def test_where_much_must_be_simulated_the_former_tick_stays_until_the_wanted_one_is_there(floor_level, monkeypatch):
    monkeypatch.setattr(rewind, "SIMULATION_SECONDS", 0.0)  # one step a frame
    player = long_play(floor_level, 90)
    mode, world = player.game.modes["rewinding"], player.game.session.world
    player.press("BACKSPACE")
    history = player.game.session.history
    wanted = next(k for k in range(1000, 2500) if k - history.keyframe_before(k) > 50)
    before = world.hash()
    mode.go_to(wanted + 1.0)
    frames = 0
    while mode.shown_tick.number != wanted:
        assert world.hash() == before
        player.wait(1 / 60)
        frames += 1
        assert frames < 500
    assert frames >= 1
    assert world.hash() == player.hashes[wanted]
    player.press("RETURN")
    assert player.game.mode == "playing"
    assert history.end >= wanted + 1


@pytest.mark.full
def test_continuing_before_the_wanted_tick_is_there_waits_for_it(floor_level, monkeypatch):
    monkeypatch.setattr(rewind, "SIMULATION_SECONDS", 0.0)
    player = long_play(floor_level, 90)
    mode, history = player.game.modes["rewinding"], player.game.session.history
    player.press("BACKSPACE")
    wanted = next(k for k in range(1000, 2500) if k - history.keyframe_before(k) > 50)
    mode.go_to(wanted + 1.0)
    mode.play_from_here()
    assert player.game.session.world.hash() == player.hashes[wanted]
    assert history.end == wanted + 1


@pytest.mark.full
def test_a_reload_of_the_level_begins_a_new_way_back(floor_level, tmp_path):
    player = long_play(floor_level, 5)
    player.game.replace_level(migrate_world(player.game.session.world, floor_level))
    player.wait(0.5)
    history = player.game.session.history
    assert history.world is player.game.session.world
    assert 20 < len(history) < 40
    player.press("BACKSPACE", "HOME")
    assert player.tick > 290, "not before the reload"
