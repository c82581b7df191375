"""Hints: each appears when it is needed, with the keys of the player, and goes for good once it was used."""

from __future__ import annotations

import json

import pytest

from game.app.game import Game
from game.app.guidance.hints import CROUCH, FILE_NAME, JUMP, HintMemory, find_obstacles
from game.app.settings.settings_file import Settings
from game.level import load
from game.level.format.file_access import SHIPPED_LEVELS
from game.physics import Command
from game.sim import World
from game.sim.golf import CHARGING, READY
from game.text.key_symbols import plain_text
from tests.support.player import Player


def text_of(pieces, more=""):
    return f"format: 1\nname: Course\nspawn: {{at: [0, 0, 0], facing: north}}\n{more}pieces:\n{pieces}"


FLOOR = "  - floor: {from: [-20, -20], to: [20, 20]}\n"


def course(pieces, more=""):
    return World(load(text=text_of(pieces, more)))


def playing(world, **changes):
    return Player(Game(world.level, Settings(**changes), "low"), world)


def settled(pieces):
    world = course(pieces)
    for _ in range(5):
        world.step(Command())
    return world


# ---- geometry


def box(low, high, depth=2.0, front=1.3):
    return FLOOR + f"  - box: {{from: [-3, {low}, -{front + depth}], to: [3, {high}, -{front}]}}\n"


def gap(width, front=1.0, drop=0.0):
    far = front + width
    return (
        f"  - floor: {{from: [-5, -{front}], to: [5, 9], thickness: 3}}\n"
        f"  - floor: {{from: [-5, -{far + 6}], to: [5, -{far}], y: {drop}, thickness: 3}}\n"
    )


@pytest.mark.parametrize(
    ("pieces", "found"),
    [
        (FLOOR, set()),
        (box(0.0, 0.38), set()),  # a step
        (box(0.0, 0.95), {JUMP}),
        (box(0.0, 1.6), set()),  # too high to jump
        (box(0.0, 0.95, front=2.5), set()),  # too far away
        (box(1.3, 2.5), {CROUCH}),
        (box(1.0, 2.5), set()),  # too low to crouch
        (gap(1.5), {JUMP}),
        (gap(5.0), set()),  # too wide
        (gap(1.5) + "  - box: {from: [-5, 0, -2.2], to: [5, 3, -2]}\n", set()),  # behind a wall
        (FLOOR + "  - stairs: {at: [0, 0, -0.8], facing: north, width: 3, count: 10, rise: 0.2, run: 0.3}\n", set()),
        (FLOOR + "  - ramp: {from: [0, 0, -0.8], to: [0, 2, -4], width: 4}\n", set()),
        (
            "  - floor: {from: [-5, -1], to: [5, 9], thickness: 3}\n"
            "  - floor: {from: [-5, -9], to: [5, -1], y: -0.8}\n",  # down a ledge
            set(),
        ),
    ],
)
@pytest.mark.sample(4)
def test_what_needs_a_jump_or_a_crouch(pieces, found):
    assert find_obstacles(settled(pieces), 0) == found


# ---- in play


def test_moving_and_looking_at_first(data):
    player = playing(course(FLOOR))
    assert plain_text(player.wait(0.1).hud.hint) == "W A S D to move   ·   Mouse to look   ·   F1 for help"
    player.hold("W", 1.5)
    assert plain_text(player.wait(0.1).hud.hint) == "Mouse to look   ·   F1 for help"
    for _ in range(20):
        player.game.mouse_moved(30, 0)
    player.wait(0.1)
    assert plain_text(player.shown.hud.hint) == ""
    assert json.loads((data / FILE_NAME).read_text())["used"] == ["look", "walk"]


# pieces, settings, the hint, and its end with a gamepad
KEYS = [
    (box(1.3, 2.5), {"crouch": "toggle"}, "Ctrl or C: crouch", "crouch"),
    (box(1.3, 2.5), {"keys": "mouse"}, "Wheel down or C: crouch", "crouch"),
    (box(0.0, 0.9), {"keys": "arrows"}, "Space or Right Ctrl: jump", "Pad A: jump"),
    (FLOOR, {"keys": "touchpad"}, "Left mouse or W A S D to move   ·   Mouse to look   ·   F1 for help", "help"),
    (
        FLOOR,
        {"keys": "mouse"},
        "Right mouse to move   ·   Mouse to look   ·   Middle mouse for the menu",
        "Pad up for help",
    ),
    (
        FLOOR,
        {"keys": "right_hand"},
        "Up , Down . to move   ·   Left Right Page Up Page Down to look   ·   Home for the menu",
        "Pad up for help",
    ),
]


@pytest.mark.parametrize(("pieces", "changes", "hint", "pad"), KEYS)
def test_a_hint_names_the_keys_of_the_player(pieces, changes, hint, pad):
    player = playing(course(pieces), **changes)
    assert plain_text(player.wait(1.0).hud.hint) == hint
    player.game.input.held.uses_gamepad = True
    assert plain_text(player.wait(0.1).hud.hint).endswith(pad)


@pytest.mark.parametrize("pause", ["menu", "focus lost"])
def test_a_pause_strikes_no_ball(pause):
    """The key of a stroke that is prepared comes up in the menu: a press after it goes on."""
    world = World(load(SHIPPED_LEVELS / "golf" / "one.yaml"))
    player = playing(world)
    player.hold("W", 0.5)
    player.game.key_pressed("E")
    player.wait(0.3)
    if pause == "menu":
        player.game.key_pressed("ESCAPE")
    else:
        player.game.release_keys()
        player.game.pause()
    player.wait(0.1)
    player.game.key_released("E")
    player.wait(0.1)
    player.game.key_pressed("ESCAPE")
    shown = player.wait(0.5).hud
    assert (world.golf.strokes, world.golf.phase) == (0, CHARGING)
    assert shown.progress_label.startswith("Press again to hit")
    player.game.key_pressed("E")
    assert player.wait(0.1).hud.progress_label.startswith("Release to hit")
    player.game.key_released("E")
    player.wait(0.1)
    assert world.golf.strokes == 1


def test_the_key_to_the_ball_waits_for_a_ball_that_rolls():
    world = World(load(SHIPPED_LEVELS / "golf" / "one.yaml"))
    player = playing(world)
    player.press("B")
    player.hold("E", 0.6)
    player.wait(0.3)
    feet = player.feet
    player.press("B")
    assert player.shown.hud.message == "The ball still rolls"
    assert player.feet == feet
    player.wait_for(lambda: world.golf.phase == READY)
    player.hold("E", 0.2)  # too far from the ball
    player.game.key_pressed("E")
    assert plain_text(player.wait(0.1).hud.hint) == "Too far from the ball   ·   B: to the ball"
    player.game.key_released("E")
    player.press("B")
    assert world.golf.is_ball_in_reach(world.walker_state)


# ---- the file


@pytest.mark.parametrize("text", ["", "[]", '{"used": 5}', '{"used": [5]}', "\0\0\0", "[" * 100000, "é" * 70000])
def test_a_damaged_file_is_kept_and_said_once(text, data):
    data.mkdir(parents=True)
    (data / FILE_NAME).write_text(text, encoding="utf-8")
    memory = HintMemory()
    assert memory.used == set()
    assert "was damaged" in memory.take_problem()
    assert memory.take_problem() == ""
    assert (data / f"{FILE_NAME}.damaged").read_bytes() == text.encode()[: 1 << 16]
    memory.add("jump")
    assert HintMemory().used == {"jump"}


def test_two_games_keep_each_others_hints_and_names_of_later_versions_stay(data):
    first, second = HintMemory(), HintMemory()
    assert first.used == second.used == set()
    first.add("jump")
    second.add("fly like a bird")
    first.add("crouch")
    assert HintMemory().used == {"jump", "fly like a bird", "crouch"}


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    memory = HintMemory(tmp_path / "file" / FILE_NAME)
    memory.add("jump")
    assert memory.take_problem().startswith(f"The hints that you have used cannot be saved in {FILE_NAME}, in ")
    assert memory.used == {"jump"}
