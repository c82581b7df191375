"""The way back in the game: run back, stand still, step, and go on; by keys and a clock that the test turns."""

from __future__ import annotations

import pytest

from game.app.game import Game
from game.app.runs.restart_undo import UNDO_SECONDS
from game.app.settings.key_bindings import KeyBindings
from game.app.settings.mode_names import REWINDING
from game.app.settings.settings_file import Settings
from game.core.key_symbols import plain_text
from game.level import load
from game.physics import Command
from game.sim import World
from game.sim.replay import replay_file
from game.sim.replay.verifier import verify
from tests.support.player import ASPECT, Player, records


@pytest.fixture
def player(floor_level):
    made = Player(Game(floor_level, Settings(), "low"), World(floor_level))
    made.hold("W", 1.0)
    made.hold("D", 0.5)
    made.wait(0.5)
    return made


def state(player):
    return player.game.session.world.state()


def tap(player, key):
    player.game.key_pressed(key)
    player.game.key_released(key)
    player.wait(1 / 60)


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


def test_the_key_strip_names_the_keys_as_they_are_bound(floor_level):
    bound = KeyBindings("dvorak").bind("rewind", 0, "B").unbind("rewind", 1)
    player = Player(Game(floor_level, Settings(keys="dvorak").with_bindings(bound), "low"), World(floor_level))
    player.hold("O", 0.5)
    player.game.key_pressed("B")
    player.wait(0.1)
    player.game.key_released("B")
    strip = {plain_text(key): meaning for key, meaning in player.wait(0.1).hud.key_strip}
    assert (strip["B"], strip["K"]) == ("Hold to rewind", "First / third person")


def test_the_end_of_the_ring_is_the_end_of_the_way_back(player):
    player.hold("BACKSPACE", 5.0)
    player.wait(0.1)
    assert player.game.modes["rewinding"].position == 1.0
    tap(player, "LEFT")
    assert player.tick == 1
    player.hold("BACKSPACE", 0.5)
    player.wait(0.1)
    assert player.tick == 1


def test_arrows_go_a_tick_and_with_shift_ten(player):
    tap(player, "BACKSPACE")
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
    tap(player, "HOME")
    assert player.tick == 1
    tap(player, "END")
    assert player.game.modes["rewinding"].position == len(player.game.session.rewind_buffer)
    tap(player, "RIGHT")
    assert player.game.modes["rewinding"].position == len(player.game.session.rewind_buffer)


@pytest.mark.parametrize(("key", "forward", "strafe"), [("RETURN", 0, 0), ("W", 1, 0), ("A", 0, -1), ("DOWN", -1, 0)])
def test_resuming_from_an_earlier_tick_equals_walking_there_bit_for_bit(player, floor_level, key, forward, strafe):
    buffer = player.game.session.rewind_buffer
    asked = [moment.command for moment in buffer]
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
    new = [moment.command for moment in buffer]
    assert new == [*asked[:at], *[Command(forward, strafe, heading)] * (world.tick - at)]
    assert player.game.modes["rewinding"].resume_count == 1


def test_the_recorded_view_is_shown_and_continued(player):
    player.game.view_angles.skip_pointer_jump()
    player.game.mouse_moved(1, 0)
    for _ in range(30):
        player.game.mouse_moved(-20, 5)
        player.wait(1 / 60)
    yaw, pitch = player.game.view_angles.yaw, player.game.view_angles.pitch
    tap(player, "BACKSPACE")
    for _ in range(15):
        tap(player, "LEFT")
    assert player.game.view_angles.yaw < yaw
    assert player.game.view_angles.pitch < pitch
    half = player.game.view_angles.yaw
    tap(player, "RETURN")
    assert player.game.view_angles.yaw == half


def test_a_record_goes_on_and_holds(player, kept, floor_level, tmp_path):
    tap(player, "F5")
    player.hold("W", 1.0)
    player.hold("BACKSPACE", 0.3)
    player.wait(0.1)
    player.hold("S", 0.5)
    tap(player, "F5")
    record = replay_file.read_replay(records(kept)[0])
    assert record.is_complete
    assert len(record.parts) == 2
    assert verify(record, lambda part: floor_level).divergence is None


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


def test_a_restart_can_be_taken_back(player):
    place = player.feet
    tap(player, "R")
    player.wait(0.3)
    tap(player, "BACKSPACE")
    assert player.game.mode == "playing"
    assert player.feet == place


def test_a_restart_long_ago_is_reached_by_rewinding(player):
    place, ticks = player.feet, len(player.game.session.rewind_buffer)
    tap(player, "R")
    player.wait(UNDO_SECONDS + 0.1)
    tap(player, "BACKSPACE")
    assert player.game.mode == "rewinding"
    player.game.modes["rewinding"].go_to(float(ticks))
    assert player.feet == place


def test_movers_run_back_with_it():
    player = Player(Game(load("levels/lifts.yaml"), Settings(), "low"))
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
    assert (player.shown.movers == world.around.movers.poses(world.tick)).all()


def test_a_time_trial_counts_after_a_look_back_but_not_after_a_rewind(player):
    trial = player.game.time_trial
    tap(player, "BACKSPACE")
    tap(player, "LEFT")
    tap(player, "ESCAPE")
    assert not trial.void_reason
    tap(player, "BACKSPACE")
    tap(player, "LEFT")
    tap(player, "RETURN")
    assert trial.void_reason == "rewind used"
