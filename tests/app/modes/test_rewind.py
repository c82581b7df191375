"""The way back in the game: run back, stand still, and go on; by keys and a clock that the test turns."""

from __future__ import annotations

import pytest

from game.app.game import Game
from game.app.settings.mode_names import REWIND
from game.app.settings.settings_file import Settings
from game.physics import Command
from game.sim import World
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
    assert player.game.mode == REWIND
    back = player.tick
    assert 20 < tick - back < 80
    player.wait(0.5)
    assert tick - player.tick > 1.2 * (tick - back)  # faster the longer it is held
    player.game.key_released("BACKSPACE")
    player.wait(0.1)
    stands = state(player)
    shown = player.wait(1.0)
    assert state(player) == stands != now
    assert player.game.modes["rewind"].is_moving is False
    assert shown.hud.timeline.label.endswith("s ago")
    assert dict(shown.hud.key_strip)["Esc"] == "Back to now"
    player.game.key_pressed("ESCAPE")
    assert player.game.mode == "playing"
    assert state(player) == now


@pytest.mark.parametrize(("key", "forward", "strafe"), [("RETURN", 0, 0), ("W", 1, 0), ("A", 0, -1), ("DOWN", -1, 0)])
@pytest.mark.sample(1)
def test_resuming_from_an_earlier_tick_equals_walking_there_bit_for_bit(player, floor_level, key, forward, strafe):
    history = player.game.session.history
    asked = [history.command(k) for k in range(history.end)]
    player.hold("BACKSPACE", 0.4)
    player.wait(0.1)
    at = int(player.game.modes["rewind"].time_line.position)
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


def test_the_keys_of_the_time_line_go_there(player):
    session, mode = player.game.session, player.game.modes["rewind"]
    for k in range(1800):
        session.tick(Command(1.0, 0.0, 40 * k % 65536, jump=k % 90 == 0))
    player.press("BACKSPACE", "END")
    end = session.history.end
    for keys, position in (
        ("LEFT", end - 1), ("LEFT", end - 2), ("RIGHT", end - 1), ("LSHIFT LEFT", end - 11), ("LSHIFT RIGHT", end - 1),
        ("PAGEUP", end - 601), ("PAGEUP", end - 1201), ("PAGEDOWN", end - 601), ("R", end - 601),
        ("PAD_BACK", end - 601), ("HOME", 1), ("PAGEUP", 1), ("END", end), ("RIGHT", end), ("PAGEDOWN", end),
    ):  # fmt: skip
        for key in keys.split():
            player.game.key_pressed(key)
        for key in reversed(keys.split()):
            player.game.key_released(key)
        assert mode.time_line.position == position, keys
        player.wait_for(lambda position=position: player.tick == position)
    player.hold("LEFT", 1.35)  # by itself after a while
    assert end - 25 <= mode.time_line.position <= end - 15


def test_before_the_first_tick_there_is_no_way_back(floor_level):
    game = Game(floor_level, Settings(), "low")
    game.advance_frame(0.0, ASPECT)
    game.start(World(floor_level))
    game.key_pressed("BACKSPACE")
    assert game.mode == "playing"


def test_a_time_trial_counts_after_a_look_back_but_not_after_a_rewind(player):
    trial = player.game.runs.time_trial
    player.press("BACKSPACE", "LEFT", "ESCAPE")
    assert not trial.void_reason
    player.press("BACKSPACE", "LEFT", "RETURN")
    assert trial.void_reason == "rewind used"
