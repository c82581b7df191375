"""Keys: one action in a context, sets to begin with, two to an action, conflicts shown, and Esc that cannot be lost."""

from __future__ import annotations

import inspect
import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from game.app.input import actions
from game.app.input.actions import LEFT_RIGHT_KEYS, Action, EditorAction, MenuAction, PlayAction
from game.app.menus.menu_controller import MENU_CONTEXTS
from game.app.settings import key_bindings
from game.app.settings import settings_file as user
from game.app.settings.key_bindings import FIXED_KEYS, PAD_SLOT, KeyBindings
from game.app.settings.key_presets import PRESETS
from game.app.settings.settings_table import Settings

EVERY = [(action, slot) for action in PlayAction for slot in range(3)]
NAMES = st.sampled_from(PlayAction)
SOME_KEYS = ["W", "Z", "C", "LCTRL", "CTRL", "SHIFT", "RSHIFT", "F1", "F9", "UP", "_1", "MOUSE_RIGHT", "PAD_A"]


def physical(keys):
    return {one for key in keys for one in LEFT_RIGHT_KEYS.get(key, (key,)) if one}


CONTEXTS = [
    value for value in vars(actions).values() if inspect.isclass(value) and issubclass(value, Action) and len(value) > 0
]


@pytest.mark.parametrize("context", CONTEXTS, ids=lambda context: context.__name__)
def test_a_key_has_one_action_in_a_context(context):
    keys = Counter(key for action in context for key in action.keys)
    shared = {key for key, count in keys.items() if count > 1}
    assert shared <= {"NUM_SUBTRACT"}, "the sign of the number pad decreases in a panel, as it comes first"
    assert all(action.keys or action.followed or action.shown for action in context)


@pytest.mark.parametrize("preset", list(PRESETS))
def test_every_preset_binds_every_action_to_its_own_key(preset):
    bound = KeyBindings(preset)
    for action in PlayAction:
        assert bound.conflicting_labels(action) == ()
        assert action.is_optional or any(bound.keys_of(action)[:PAD_SLOT])
    assert not bound.is_customised


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
    saved = json.loads(json.dumps(key_bindings.overrides_as_data(settings.own_keys)))
    assert key_bindings.parse_overrides(saved) == (settings.own_keys, [])


@pytest.mark.parametrize("key", sorted(FIXED_KEYS))
def test_esc_cannot_be_lost(key):
    for action, slot in EVERY:
        with pytest.raises(ValueError, match="always opens the menu"):
            KeyBindings().bind(action, slot, key)
    overrides, (error,) = key_bindings.parse_overrides({"qwerty": {"jump": [key, "", ""]}})
    assert (overrides, "invalid action or keys" in error) == ((), True)
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
