"""Keys: the sets to begin with, two to an action, conflicts shown, and Esc that cannot be lost."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from game.app.input.actions import (
    LEFT_RIGHT_KEYS,
    EditorAction,
    MenuAction,
    PhotoAction,
    PlayAction,
    ReplayAction,
)
from game.app.menus.menu_controller import MENU_CONTEXTS
from game.app.menus.settings_page import SettingsPage
from game.app.settings import key_bindings
from game.app.settings import settings_file as user
from game.app.settings.key_bindings import FIXED_KEYS, PAD_SLOT, KeyBindings
from game.app.settings.key_presets import PRESETS
from game.app.settings.settings_table import PAGES, Settings
from game.level import load
from game.render.hud.arrangement import arrange_hud
from game.render.hud.primitives import TextRun
from game.text.key_symbols import plain_text
from tests.support.player import Player

EVERY = [(action, slot) for action in PlayAction for slot in range(3)]
NAMES = st.sampled_from(PlayAction)
SOME_KEYS = ["W", "Z", "C", "LCTRL", "CTRL", "SHIFT", "RSHIFT", "F1", "F9", "UP", "_1", "MOUSE_RIGHT", "PAD_A"]


def physical(keys):
    return {one for key in keys for one in LEFT_RIGHT_KEYS.get(key, (key,)) if one}


@pytest.mark.parametrize("preset", list(PRESETS))
def test_every_preset_binds_every_action_to_its_own_key(preset):
    bound = KeyBindings(preset)
    for action in PlayAction:
        assert bound.conflicting_labels(action) == ()
        assert action.is_optional or any(bound.keys_of(action)[:PAD_SLOT])
    assert not bound.is_customised


@pytest.mark.parametrize(
    ("preset", "walk", "turn"),
    [
        ("qwerty", "W A S D", ""),
        ("azerty", "Z Q S D", ""),
        ("dvorak", ", A O E", ""),
        ("arrows", "Up Left Down Right", ""),
        ("mouse", "Right mouse", ""),
        ("left_hand", "W Q S E", "A D R F"),
        ("touchpad", "W A S D", "Left Right Page Up Page Down"),
        ("right_hand", "Up , Down .", "Left Right Page Up Page Down"),
    ],
)
def test_the_sets_walk_and_turn_with_the_keys_of_the_hand(preset, walk, turn):
    bound = KeyBindings(preset)
    assert (bound.movement_keys, bound.turn_keys) == (walk, turn)


@hypothesis_settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(NAMES, st.integers(0, 2), st.sampled_from(SOME_KEYS)), max_size=12))
def test_a_key_does_what_the_settings_page_shows(changes):
    """Every key that a page shows for an action does it; two actions that share one say so of each other."""
    bound = KeyBindings()
    for action, slot, key in changes:
        bound = bound.bind(action, slot, key)
        at = PAD_SLOT if key.startswith("PAD_") else min(slot, 1)
        assert bound.keys_of(action)[at] == key
    for action in PlayAction:
        own = bound.keys_of(action)
        assert len(physical(own)) == sum(len(physical([key])) for key in own if key), "twice the same key"
        assert all(action in bound.actions_of(key) for key in physical(own))
        others = [other for other in PlayAction if other != action]
        sharing = {other.label for other in others if physical(bound.keys_of(other)) & physical(own)}
        assert set(bound.conflicting_labels(action)) == sharing
    settings = Settings().with_bindings(bound)
    assert settings.key_bindings == bound
    assert settings.key_bindings.is_customised == (bound != KeyBindings())
    assert (
        Settings().with_value("own_keys", json.loads(json.dumps(key_bindings.overrides_as_data(settings.own_keys))))
        == settings
    )


@pytest.mark.parametrize("key", sorted(FIXED_KEYS))
def test_esc_cannot_be_lost(key):
    for action, slot in EVERY:
        with pytest.raises(ValueError, match="always opens the menu"):
            KeyBindings().bind(action, slot, key)
    with pytest.raises(ValueError, match="invalid action or keys"):
        Settings().with_value("own_keys", {"qwerty": {"jump": [key, "", ""]}})
    for contexts, action in (
        ((PlayAction,), PlayAction.MENU),
        (MENU_CONTEXTS, MenuAction.BACK),
        ((EditorAction,), EditorAction.ESCAPE),
    ):
        assert KeyBindings().find_actions(contexts, key) == (action,)


def test_changed_keys_belong_to_their_preset_and_can_be_reset(tmp_path):
    settings = Settings()
    settings = settings.with_bindings(settings.key_bindings.bind("jump", 0, "J"))
    other = settings.with_value("keys", "azerty")
    assert other.key_bindings == KeyBindings("azerty")
    other = other.with_bindings(other.key_bindings.unbind("fly", 0))
    assert other.key_bindings.keys_of("fly") == ("", "", "PAD_X")
    both = other.with_value("keys", "qwerty")
    assert both.key_bindings.keys_of("jump") == ("J", "", "PAD_A")
    assert user.save_settings(both, tmp_path / "s.json") is None
    assert user.load_settings(tmp_path / "s.json") == (both, [])
    given_back = both.with_bindings(both.key_bindings.reset())
    assert given_back.key_bindings == KeyBindings()
    assert given_back.with_value("keys", "azerty").key_bindings.keys_of("fly")[0] == ""


def test_valid_entries_of_damaged_keys_are_used(tmp_path):
    good = {"jump": ["J", "", ""]}
    bad = {"fly": "F", "dance": ["A", "", ""], "crouch": ["PAD_A", "", ""], "sprint": ["X", "", "Y"]}
    bad["use"] = ["a b", "", ""]
    (tmp_path / "s.json").write_text(json.dumps({"own_keys": {"qwerty": good | bad, "klingon": good}, "fov": 70}))
    settings, notes = user.load_settings(tmp_path / "s.json")
    assert settings == Settings(fov=70.0, own_keys=(("qwerty", (("jump", ("J", "", "")),)),))
    assert all(name in notes[0] for name in (*bad, "klingon", "s.json.damaged"))


def test_the_help_shows_the_keys_as_they_are_bound():
    bound = KeyBindings("azerty").bind("crouch", 0, "MOUSE_RIGHT").bind("fly", 0, "_5").unbind("screenshot", 0)
    help_rows = {meaning: keys for keys, meaning in bound.help_rows()}
    assert help_rows["Walk"] == "Z Q S D"
    assert help_rows["Walk (alternative)"] == "Up Left Down Right"
    assert help_rows["Crouch"] == "Right mouse or C"
    assert help_rows[PlayAction.FLY.help] == "5"
    assert PlayAction.SCREENSHOT.help not in help_rows
    assert help_rows["Pause menu"] == "Esc"
    assert "Walk (alternative)" not in {meaning: keys for keys, meaning in KeyBindings("arrows").help_rows()}


# ---- in the game


def bind(player, action, slot, key):
    game = player.game
    game.settings = game.settings.with_bindings(game.settings.key_bindings.bind(action, slot, key))
    player.wait(0.02)


def test_any_action_can_be_bound_to_a_mouse_button(player):
    bind(player, "restart", 1, "MOUSE_LEFT")
    player.hold("W", 0.3)
    player.game.left_pressed()
    assert player.tick == 0
    player.game.left_released()
    bind(player, "jump", 1, "MOUSE_RIGHT")
    player.hold("MOUSE_RIGHT", 0.15)
    assert player.feet[1] > 0.2


def test_keys_for_everywhere_work_in_menus_and_letters_do_not(player):
    bind(player, "debug", 0, "F7")
    bind(player, "screenshot", 0, "W")
    player.game.pause()
    player.game.key_pressed("F3")
    assert not player.game.screen.debug
    player.game.key_pressed("F7")
    assert player.game.screen.debug
    player.game.key_pressed("W")
    assert player.game.screen.requests == [], "it goes through the menu"
    player.game.key_pressed("ESCAPE")
    player.game.key_pressed("W")
    assert player.game.screen.requests == ["screenshot"]


def test_a_row_that_captures_a_key_receives_every_key(player):
    game = player.game
    game.pause()
    menu = game.menu
    menu.open(SettingsPage())
    menu.page.tab = list(PAGES).index("keys")
    for action, key in (("fly", "F3"), ("jump", "R"), ("use", "UP"), ("crouch", "PAD_LB"), ("sprint", "MOUSE_RIGHT")):
        menu.row_waiting_for_key = f"bind {action}"
        game.key_pressed(key)
        assert key in game.settings.key_bindings.keys_of(action)
        assert not menu.row_waiting_for_key
    assert not game.screen.debug
    menu.row_waiting_for_key = "bind jump"
    before = game.settings
    game.key_pressed("ESCAPE")
    assert (game.settings, menu.row_waiting_for_key, game.mode) == (before, "", "paused")


# ---- the F2 mode, whose own keys are letters


def editing(level_file, **changes):
    player = Player.in_level(load(level_file), **changes)
    player.game.push_mode("editing")
    return player


@pytest.mark.parametrize(
    ("preset", "movement_keys"),
    [("qwerty", "WASD"), ("azerty", "ZQSD"), ("dvorak", ("COMMA", "A", "O", "E")), ("arrows", "WASD")],
)
@pytest.mark.full
def test_the_editor_flies_with_the_movement_keys(level_file, preset, movement_keys):
    player = editing(level_file, keys=preset)
    flyer = player.game.modes["editing"].view.camera
    for key, (axis, sign) in zip(movement_keys, ((2, -1), (0, -1), (2, 1), (0, 1)), strict=True):
        before = flyer.position
        player.hold(key, 0.3)
        assert sign * (flyer.position[axis] - before[axis]) > 0.5, key
        player.wait(0.5)
    for key, sign in (("SPACE", 1), ("LCTRL", -1)):
        before = flyer.position
        player.hold(key, 0.3)
        assert sign * (flyer.position[1] - before[1]) > 0.5, key
        player.wait(0.5)
    assert player.game.input.held.pressed == frozenset()


def test_editor_commands_move_to_the_exchanged_letters(level_file):
    player = editing(level_file, keys="azerty")
    editor = player.game.modes["editing"]
    player.game.key_pressed("W")
    player.wait(0.02)
    assert editor.view.message == "Nothing to undo"
    player.game.input.view.pitch = -16000.0  # down at the floor
    player.wait(0.02)
    player.game.key_pressed("A")
    assert editor.edit_tools.selected, "the key that selects the parent selects a piece first"
    player.game.key_pressed("A")
    assert editor.view.message == "No parent group"
    editor.edit_tools.deselect()
    help_rows = editor.help_panel().keys
    assert help_rows[0][0] == "Z Q S D"
    assert ("W Y", "Undo, redo") in help_rows
    assert ("A", "Parent group      Shift+A: back to the piece") in help_rows
    assert ("W Y", "undo, redo") in player.wait(0.02).hud.key_strip
    assert editing(level_file).game.modes["editing"].help_panel().keys[0][0] == "W A S D"


def test_hints_in_play_name_the_bound_keys(level_file):
    player = Player.in_level(load(level_file), keys="dvorak")
    player.game.settings = player.game.settings.with_bindings(player.game.settings.key_bindings.bind("record", 0, "F7"))
    player.wait(0.1)
    player.game.key_pressed("F7")
    assert plain_text(player.wait(0.1).hud.message_detail) == "F7: stop"
    assert plain_text(player.shown.hud.hint).endswith("F7: stop")
    player.game.key_pressed("F7")
    player.game.runs.time_trial.void("flying used")
    assert plain_text(player.game.runs.time_trial.goal_message(1.0)[1]).endswith("P: restart")
    player.hold("U", 0.1)
    assert "U: land here" in plain_text(player.wait(0.1).hud.hint)
    player.game.input.held.uses_gamepad = True
    assert "Pad X: land here" in plain_text(player.wait(0.1).hud.hint)


@pytest.mark.parametrize("keys", PRESETS)
@pytest.mark.parametrize("size", [(1280, 720), (800, 450)])
@pytest.mark.full
def test_no_line_of_either_help_is_cut(level_file, keys, size):
    for player in (Player.in_level(load(level_file), keys=keys), editing(level_file, keys=keys)):
        player.game.key_pressed("F1")
        shown = player.wait(0.1).hud
        runs = [item for item in arrange_hud(shown, size).items if isinstance(item, TextRun)]
        assert [run.text for run in runs if run.text.endswith("…")] == []
        columns = {}  # a long meaning is wrapped: its lines have the same left edge
        for run in sorted(runs, key=lambda run: run.y):
            columns.setdefault(round(run.x), []).append(run.text)
        texts = " ".join(" ".join(lines) for lines in columns.values())
        words = re.sub(r"\s+", " ", plain_text(texts))
        for _, meaning in shown.panel.keys:
            assert re.sub(r"\s+", " ", plain_text(meaning)) in words


@pytest.mark.full
def test_a_toggled_crouch_does_not_sink_the_flying_camera(level_file):
    player = Player.in_level(load(level_file), crouch="toggle")
    player.wait(0.1)
    player.hold("C", 0.1)
    assert player.game.input.held.active == {"crouch"}
    player.game.push_mode("editing")
    height = player.game.modes["editing"].view.camera.position[1]
    player.wait(0.5)
    assert player.game.modes["editing"].view.camera.position[1] == height
    player.game.resume()
    player.game.key_pressed("F")
    height = player.wait(0.1).view.eye[1]
    assert player.game.cameras.free.is_active
    assert player.wait(0.5).view.eye[1] == pytest.approx(height, abs=1e-6)
    player.hold("C", 0.3)
    assert player.shown.view.eye[1] < height - 0.3


def test_the_second_key_of_the_menu_keeps_the_meaning_that_keys_have_in_menus():
    for action in MenuAction:
        for key in set(action.keys) - FIXED_KEYS:
            bound = KeyBindings().bind("menu", 0, key)
            assert bound.find_actions(MENU_CONTEXTS, key) == (action,)
            assert PlayAction.MENU in bound.find_actions((PlayAction,), key)
    bound = KeyBindings().bind("menu", 0, "HOME")
    assert bound.find_actions(MENU_CONTEXTS, "HOME") == (PlayAction.MENU,)
    assert bound.find_actions((EditorAction,), "HOME") == ()


@pytest.mark.parametrize("preset", sorted(PRESETS))
@pytest.mark.parametrize("context", [PhotoAction, ReplayAction])
def test_the_letters_of_photo_and_replay_mode_keep_their_meaning_whatever_is_bound_to_them(preset, context):
    bound = KeyBindings(preset).bind("restart", 0, "G").bind("fly", 0, "T").bind("menu", 0, "R")
    for action in context:
        for key in action.keys:
            assert bound.find_actions((context,), key) == (action,)


SAVED_NAMES = (
    "forward", "back", "left", "right", "jump", "crouch", "sprint", "use", "turn_left", "turn_right", "look_up",
    "look_down", "auto_walk", "slow_motion", "restart", "checkpoint", "fly", "third_person", "rewind", "aim", "help",
    "edit", "debug", "record", "movie", "photo", "menu", "fullscreen", "screenshot",
)  # fmt: skip


def test_the_names_of_actions_in_settings_files_stay(tmp_path):
    """Files of earlier versions are read, and written again with the same names."""
    own = {"qwerty": {name: ["J", "MOUSE_4", "PAD_X"] for name in SAVED_NAMES}}
    (tmp_path / "s.json").write_text(json.dumps({"own_keys": own}))
    settings, notes = user.load_settings(tmp_path / "s.json")
    assert notes == []
    assert all(settings.key_bindings.keys_of(action) == ("J", "MOUSE_4", "PAD_X") for action in PlayAction)
    assert json.loads(user.settings_text(settings))["own_keys"] == own
