"""The pause menu: what it says and offers, why the game paused, and what is asked before a run is left."""

from __future__ import annotations

import numpy as np
import pytest

from game.app.display import still_image
from game.app.runs import progress
from tests.support.player import Player

LEVEL = """\
format: 1
name: Two rooms
aim: Walk to the flag.
spawn: {name: start, at: [0, 0, 0], facing: north}
pieces:
  - floor: {from: [-20, -20], to: [20, 20]}
  - checkpoint: {name: Half way, from: [-3, 0, -4], to: [3, 2.2, -2]}
goal: {at: [0, 0, -12], radius: 0.5}
kill_height: -10
"""


@pytest.fixture
def player(level):
    return Player.in_level(level)


def row(player, name):
    return next(row for row in player.game.menu.rows if row.name == name)


def test_the_pause_menu_names_level_and_aim_and_offers_everything(player):
    player.game.key_pressed("ESCAPE")
    assert player.game.menu.page.text == "Two rooms\nWalk to the flag."
    assert [row.label for row in player.game.menu.rows] == [
        "Resume", "Back to checkpoint", "Restart level", "Keep the movie", "Photo mode", "Controls",
        "Settings", "Levels", "Runs", "Main menu", "Quit",
    ]  # fmt: skip


def test_f1_opens_the_controls_in_the_pause_menu_and_closes_them(player):
    player.game.key_pressed("ESCAPE")
    player.game.key_pressed("DOWN")
    selected = player.game.menu.selected
    player.game.key_pressed("F1")
    assert player.wait(1 / 60).hud.panel.title == "Controls"
    player.game.key_pressed("F1")
    assert (player.game.menu.page.name, player.game.menu.selected) == ("pause", selected)
    assert player.game.mode == "paused"
    player.game.key_pressed("F1")
    player.game.key_pressed("ESCAPE")
    assert player.game.menu.page.name == "pause"


@pytest.mark.parametrize("reason", ["The window lost the focus.", "The gamepad was disconnected."])
def test_a_pause_that_the_player_did_not_ask_for_says_why(player, reason):
    player.game.pause(reason)
    assert player.game.menu.page.text.splitlines()[0] == reason
    player.game.key_pressed("ESCAPE")
    player.game.key_pressed("ESCAPE")
    assert reason not in player.game.menu.page.text


def test_a_resized_window_pauses_a_run_and_only_a_run(player):
    player.game.window_resized()
    assert player.game.mode == "playing"
    player.hold("W", 0.3)
    player.game.window_resized()
    assert player.game.mode == "paused"
    assert player.game.menu.page.text.startswith("The size of the window changed.")
    player.game.window_resized()
    assert player.game.mode == "paused"


# Quitting


@pytest.mark.parametrize("action", ["quit", "title"])
def test_a_run_is_left_without_a_question(player, action):
    player.hold("W", 0.5)
    player.game.key_pressed("ESCAPE")
    player.choose(action)
    assert (player.game.screen.requests, player.game.mode) == (
        (["quit"], "paused") if action == "quit" else ([], "title")
    )
    if action == "title":
        (row,) = (row for row in player.game.menu.rows if row.name == "continue")
        assert (row.label, row.value) == ("Continue", "Two rooms   0:00.48")


def test_a_place_that_cannot_be_saved_asks_once(player, monkeypatch):
    monkeypatch.setattr(player.game, "save_session", lambda: "the disk is full")
    assert player.game.request_quit()
    player.hold("W", 0.5)
    assert not player.game.request_quit()
    page = player.game.menu.page
    assert (page.name, page.text) == (
        "confirm",
        "Your place in Two rooms is lost: it cannot be saved (the disk is full).",
    )
    player.choose("no")
    assert player.game.mode == "playing"
    player.game.key_pressed("ESCAPE")
    player.choose("quit")
    assert player.game.screen.requests == []
    assert player.game.request_quit(), "a second time quits"


# Back to the checkpoint


def test_without_a_checkpoint_the_row_is_greyed_and_the_key_says_so(player):
    player.game.key_pressed("ESCAPE")
    greyed = row(player, "checkpoint")
    assert (greyed.enabled, greyed.value) == (False, "None reached yet")
    player.game.key_pressed("ESCAPE")
    player.game.key_pressed("B")
    assert player.wait(1 / 60).hud.message == "No checkpoint yet"


@pytest.mark.full
def test_back_to_the_checkpoint_costs_time_and_the_run_counts(player, data):
    player.hold("W", 0.9)
    player.hold("D", 0.5)
    player.game.key_pressed("ESCAPE")
    assert (row(player, "checkpoint").label, row(player, "checkpoint").value) == (
        "Back to checkpoint",
        "The clock goes on",
    )
    seconds = player.game.runs.time_trial.run.seconds
    player.choose("checkpoint")
    assert player.game.mode == "playing"
    assert player.feet[0] == pytest.approx(0.0, abs=0.01)
    assert -4.0 < player.feet[2] < -2.0
    assert player.wait(1 / 60).hud.message == "Back at the checkpoint"
    player.wait(0.5)
    assert player.game.runs.time_trial.run.seconds > seconds
    player.game.key_pressed("W")
    trial = player.game.runs.time_trial
    player.wait_for(lambda: trial.run.is_finished)
    assert trial.result.state == ""
    best = progress.level_record(player.game.level).best
    assert best.seconds == trial.run.seconds
    assert "no_fall" not in progress.level_record(player.game.level).challenges


# Screenshots


def test_screenshots_go_to_the_data_folder_where_there_is_no_pictures_folder(data, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_PICTURES_DIR", str(tmp_path / "Pictures"))
    image = np.zeros((4, 4, 3), np.uint8)
    text, place = still_image.save_screenshot(image)
    assert (text, place) == ("Screenshot saved", "walker-0001.png, in the folder pictures")
    assert (data / "pictures" / "walker-0001.png").is_file()
    assert not list(tmp_path.glob("*.png"))
    (tmp_path / "Pictures").mkdir()
    assert still_image.save_screenshot(image)[1] == "walker-0001.png, in the folder Pictures"


def test_a_screenshot_that_cannot_be_saved_says_so(data, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_PICTURES_DIR", str(tmp_path / "Pictures"))
    data.write_text("a file where the folder should be")
    assert still_image.save_screenshot(np.zeros((4, 4, 3), np.uint8))[0] == "Screenshot failed"
