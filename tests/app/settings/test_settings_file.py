"""Settings survive everything: damage, nonsense, folders that cannot be written."""

from __future__ import annotations

import json
import os

import pytest

from game.app.settings import settings_file as user
from game.app.settings.settings_file import Settings
from tests.support.until import wait_until


@pytest.fixture
def path(tmp_path):
    return tmp_path / "deep" / "settings.json"


def test_no_file_is_the_defaults_without_a_word(path):
    assert user.load_settings(path) == (Settings(), [])


@pytest.mark.parametrize(
    "data",
    [b"", b"\0" * 2000, b"{", b"[]", b"null", b"[" * 100_000, b"\xff", b'{"fov": 1e400', b"x" * (2 << 20)],
)
def test_a_damaged_file_is_kept_aside_and_reported(path, data):
    path.parent.mkdir()
    path.write_bytes(data)
    settings, notes = user.load_settings(path)
    assert settings == Settings()
    (note,) = notes
    assert f"saved as settings.json.damaged, in the folder {path.parent.name}." in note
    assert path.with_name("settings.json.damaged").read_bytes() == data[: 1 << 20]


@pytest.mark.parametrize("large", ["1e300", "Infinity", "1" + "0" * 400])
def test_values_are_cut_to_their_range(path, large):
    path.parent.mkdir()
    path.write_text(f'{{"sensitivity": {large}, "fov": -Infinity}}')
    assert user.load_settings(path)[0] == Settings(sensitivity=0.5, fov=60.0)


def test_a_folder_that_cannot_be_is_a_sentence(tmp_path):
    file = tmp_path / "file"
    file.write_bytes(b"")
    problem = user.save_settings(Settings(), file / "settings.json")
    assert problem is not None
    assert "cannot be saved in settings.json, in the folder file: " in problem
    settings, notes = user.load_settings(tmp_path)
    assert settings == Settings()
    assert "cannot be read" in notes[0]


# ---- the keeper


def test_the_saver_writes_only_the_latest_change(path):
    saver = user.SettingsSaver(Settings(), path)
    saver.update(Settings())
    assert saver.close() is None
    assert not path.exists()
    saver = user.SettingsSaver(Settings(), path)
    for fov in range(60, 111):
        saver.update(Settings(fov=float(fov)))
    assert saver.close() is None
    assert user.load_settings(path) == (Settings(fov=110.0), [])
    assert os.listdir(path.parent) == ["settings.json"]


def test_the_keeper_writes_at_once_without_being_closed(path):
    saver = user.SettingsSaver(Settings(), path)
    saver.update(Settings(fov=77.0))
    wait_until(path.exists)
    assert user.load_settings(path) == (Settings(fov=77.0), [])
    saver.update(Settings())
    saver.close()
    assert user.load_settings(path) == (Settings(), [])


@pytest.mark.parametrize(
    ("cap", "now"), [("30", "60"), ("75", "60"), ("90", "60"), ("144", "120"), ("165", "120"), ("240", "120")]
)
def test_settings_that_went_cost_no_other_one(path, cap, now):
    old = {"frame_cap": cap, "pad_curve": 1.4, "pad_speed_x": 240.0, "pad_speed_y": 90.0, "fov": 77.0}
    path.parent.mkdir()
    path.write_text(json.dumps(old))
    settings, notes = user.load_settings(path)
    assert notes == []
    assert settings == Settings(frame_cap=now, pad_speed=240.0, fov=77.0)
    user.save_settings(settings, path)
    assert user.load_settings(path) == (settings, [])
    assert not {"pad_curve", "pad_speed_x", "pad_speed_y"} & json.loads(path.read_text()).keys()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("game_speed", "slow"), ("game_speed", None), ("game_speed", True), ("no_fail", "yes"), ("no_fail", 1),
        ("walk", "Toggle"), ("walk", 3), ("jump", []), ("use", ""), ("rewind_key", {}), ("turn_speed", "90"),
        ("turn_speed", [90]), ("gravity_view", "none"), ("platform_view", "off"), ("rumble", "50 %"),
        ("keys", "one_hand"),
        ("keys", None), ("reduce_motion", 0), ("step_smoothing", "on"), ("crouch", False),
    ],
)  # fmt: skip
def test_one_wrong_value_costs_only_itself(path, name, value):
    good = {"sensitivity": 0.31, "fov": 77.0, "own_keys": {"mouse": {"jump": ["MOUSE_4", "", ""]}}}
    text = json.dumps(good | {name: value, "later": 1})
    path.parent.mkdir()
    path.write_text(text)
    settings, notes = user.load_settings(path)
    assert settings == Settings(sensitivity=0.31, fov=77.0, own_keys=(("mouse", (("jump", ("MOUSE_4", "", "")),)),))
    (note,) = notes
    assert name in note
    assert path.with_name("settings.json.damaged").read_text() == text
    assert user.load_settings(path) == (settings, []), "it is said once"
